// SPDX-License-Identifier: Apache-2.0
//
// Ports of axi_uart16550 (PG143), as scripts/ip.tcl configures it.
(* blackbox *)
module ip_uart (
    input  wire         s_axi_aclk,
    input  wire         s_axi_aresetn,
    output wire         ip2intc_irpt,
    input  wire         freeze,
    input  wire [12:0]  s_axi_awaddr,
    input  wire         s_axi_awvalid,
    output wire         s_axi_awready,
    input  wire [31:0]  s_axi_wdata,
    input  wire [3:0]   s_axi_wstrb,
    input  wire         s_axi_wvalid,
    output wire         s_axi_wready,
    output wire [1:0]   s_axi_bresp,
    output wire         s_axi_bvalid,
    input  wire         s_axi_bready,
    input  wire [12:0]  s_axi_araddr,
    input  wire         s_axi_arvalid,
    output wire         s_axi_arready,
    output wire [31:0]  s_axi_rdata,
    output wire [1:0]   s_axi_rresp,
    output wire         s_axi_rvalid,
    input  wire         s_axi_rready,
    output wire         baudoutn,
    input  wire         ctsn,
    input  wire         dcdn,
    output wire         ddis,
    input  wire         dsrn,
    output wire         dtrn,
    output wire         out1n,
    output wire         out2n,
    input  wire         rin,
    output wire         rtsn,
    output wire         rxrdyn,
    input  wire         sin,
    output wire         sout,
    output wire         txrdyn
);
endmodule
