// SPDX-License-Identifier: Apache-2.0
//
// Model of the clock wizard: 50 MHz and 100 MHz from the 100 MHz input; locked after LOCK_CYCLES.
module ip_clocks #(
    parameter int LOCK_CYCLES = 50
) (
`ifdef NHG_DDR4
    input  logic clk_in1,
`else
    input  logic clk_in1_p,
    input  logic clk_in1_n,
`endif
    input  logic reset,
    output logic clk_out1,
    output logic clk_out2,
    output logic locked
);
`ifdef NHG_DDR4
  wire clock = clk_in1;
`else
  wire clock = clk_in1_p;
`endif
  int cycles = 0;

  initial clk_out1 = 1'b0;
  assign clk_out2 = clock;
  assign locked = cycles == LOCK_CYCLES;

  always_ff @(posedge clock) begin
    clk_out1 <= !clk_out1;
    if (reset) cycles <= 0;
    else if (!locked) cycles <= cycles + 1;
  end
endmodule
