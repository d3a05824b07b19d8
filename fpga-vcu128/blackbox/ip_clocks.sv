// SPDX-License-Identifier: Apache-2.0
//
// Ports of clk_wiz (PG065) as scripts/ip.tcl configures it.
(* blackbox *)
module ip_clocks (
`ifdef NHG_DDR4
    input  wire clk_in1,
`else
    input  wire clk_in1_p,
    input  wire clk_in1_n,
`endif
    input  wire reset,
    output wire clk_out1,
    output wire clk_out2,
    output wire locked
);
endmodule
