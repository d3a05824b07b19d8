// SPDX-License-Identifier: Apache-2.0
//
// One 32-bit register access at a time to the AXI4-Lite port of the UART. The request stands until `ready`; data and
// error belong to that cycle.
module uart_bridge (
    input  logic        clock,
    input  logic        reset,
    input  logic        valid,
    output logic        ready,
    input  logic        write,
    input  logic [12:0] addr,
    input  logic [31:0] wdata,
    input  logic [3:0]  wstrb,
    output logic [31:0] rdata,
    output logic        error,
    output logic        uart_awvalid,
    input  logic        uart_awready,
    output logic [12:0] uart_awaddr,
    output logic        uart_wvalid,
    input  logic        uart_wready,
    output logic [31:0] uart_wdata,
    output logic [3:0]  uart_wstrb,
    input  logic        uart_bvalid,
    output logic        uart_bready,
    input  logic [1:0]  uart_bresp,
    output logic        uart_arvalid,
    input  logic        uart_arready,
    output logic [12:0] uart_araddr,
    input  logic        uart_rvalid,
    output logic        uart_rready,
    input  logic [31:0] uart_rdata,
    input  logic [1:0]  uart_rresp
);
  logic address_sent, data_sent;

  assign uart_awaddr = addr;
  assign uart_araddr = addr;
  assign uart_wdata = wdata;
  assign uart_wstrb = wstrb;
  assign uart_awvalid = valid && write && !address_sent;
  assign uart_wvalid = valid && write && !data_sent;
  assign uart_arvalid = valid && !write && !address_sent;
  assign uart_bready = write && address_sent && data_sent;
  assign uart_rready = !write && address_sent;
  assign ready = (uart_bvalid && uart_bready) || (uart_rvalid && uart_rready);
  assign rdata = uart_rdata;
  assign error = write ? uart_bresp[1] : uart_rresp[1];

  always_ff @(posedge clock) begin
    if (reset || ready) begin
      {address_sent, data_sent} <= '0;
    end else begin
      address_sent <= address_sent || (uart_awvalid && uart_awready) || (uart_arvalid && uart_arready);
      data_sent <= data_sent || (uart_wvalid && uart_wready);
    end
  end
endmodule
