// SPDX-License-Identifier: Apache-2.0
//
// Model of the UART as far as nothing uses it: registers read as zero except the line status (0x1014), which says that the
// transmitter is empty; writes are taken. AXI4-Lite.
module ip_uart (
    input  logic        s_axi_aclk,
    input  logic        s_axi_aresetn,
    output logic        ip2intc_irpt,
    input  logic        freeze,
    input  logic [12:0] s_axi_awaddr,
    input  logic        s_axi_awvalid,
    output logic        s_axi_awready,
    input  logic [31:0] s_axi_wdata,
    input  logic [3:0]  s_axi_wstrb,
    input  logic        s_axi_wvalid,
    output logic        s_axi_wready,
    output logic [1:0]  s_axi_bresp,
    output logic        s_axi_bvalid,
    input  logic        s_axi_bready,
    input  logic [12:0] s_axi_araddr,
    input  logic        s_axi_arvalid,
    output logic        s_axi_arready,
    output logic [31:0] s_axi_rdata,
    output logic [1:0]  s_axi_rresp,
    output logic        s_axi_rvalid,
    input  logic        s_axi_rready,
    output logic        baudoutn,
    input  logic        ctsn,
    input  logic        dcdn,
    output logic        ddis,
    input  logic        dsrn,
    output logic        dtrn,
    output logic        out1n,
    output logic        out2n,
    input  logic        rin,
    output logic        rtsn,
    output logic        rxrdyn,
    input  logic        sin,
    output logic        sout,
    output logic        txrdyn
);
  localparam logic [12:0] LINE_STATUS = 13'h1014;
  localparam logic [31:0] TRANSMITTER_EMPTY = 32'h60;

  assign {ip2intc_irpt, ddis} = '0;
  assign {baudoutn, dtrn, out1n, out2n, rtsn, rxrdyn, sout, txrdyn} = '1;
  assign s_axi_awready = s_axi_awvalid && s_axi_wvalid && !s_axi_bvalid;
  assign s_axi_wready = s_axi_awready;
  assign s_axi_arready = !s_axi_rvalid;
  assign {s_axi_bresp, s_axi_rresp} = '0;

  always_ff @(posedge s_axi_aclk) begin
    if (!s_axi_aresetn) {s_axi_bvalid, s_axi_rvalid} <= '0;
    else begin
      s_axi_bvalid <= s_axi_awready || (s_axi_bvalid && !s_axi_bready);
      s_axi_rvalid <= (s_axi_arvalid && s_axi_arready) || (s_axi_rvalid && !s_axi_rready);
      if (s_axi_arvalid && s_axi_arready) s_axi_rdata <= s_axi_araddr == LINE_STATUS ? TRANSMITTER_EMPTY : '0;
    end
  end
endmodule
