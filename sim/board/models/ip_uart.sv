// SPDX-License-Identifier: Apache-2.0
//
// Model of the UART: that of the simulator (sim/rtl/uart_16550.sv) behind AXI4-Lite, with a plug that sends back what is transmitted, a byte at a time.
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
  bus_types::uart_request_t request;
  bus_types::uart_response_t response;
  logic transmit_valid, sent_back;
  logic [7:0] transmit_data, sent_data;
  uart_16550 uart (
      .clock(s_axi_aclk), .reset(!s_axi_aresetn), .request, .response, .interrupt(ip2intc_irpt), .receive_valid(sent_back), .receive_ready(),
      .receive_data(sent_data), .transmit_valid, .transmit_data, .received()
  );
  wire write = s_axi_awvalid && s_axi_wvalid && !s_axi_bvalid;
  wire read = s_axi_arvalid && !s_axi_rvalid && !write;
  assign request = '{valid: write || read, write: write, addr: write ? s_axi_awaddr : s_axi_araddr, data: s_axi_wdata, strb: s_axi_wstrb};

  assign ddis = '0;
  assign {baudoutn, dtrn, out1n, out2n, rtsn, rxrdyn, sout, txrdyn} = '1;
  assign s_axi_awready = write;
  assign s_axi_wready = write;
  assign s_axi_arready = read;

  always_ff @(posedge s_axi_aclk) begin
    sent_back <= transmit_valid && s_axi_aresetn;
    sent_data <= transmit_data;
    if (!s_axi_aresetn) {s_axi_bvalid, s_axi_rvalid} <= '0;
    else begin
      s_axi_bvalid <= write || (s_axi_bvalid && !s_axi_bready);
      s_axi_rvalid <= read || (s_axi_rvalid && !s_axi_rready);
      if (write) s_axi_bresp <= {response.error, 1'b0};
      if (read) {s_axi_rresp, s_axi_rdata} <= {response.error, 1'b0, response.data};
    end
  end
endmodule
