// SPDX-License-Identifier: Apache-2.0
//
// Device port of the core: host interface, far-memory control and UART. One request at a time, answered two cycles after
// it is taken (later while the host uses the control bus or the device is busy). Only aligned 8-byte accesses to the first
// two and accesses of at most 4 bytes to the UART work; anything else is answered with error. The host interface reads 0.
module device_port (
    input  logic        clock,
    input  logic        reset,
    input  logic        req_valid,
    output logic        req_ready,
    input  logic [35:0] req_addr,
    input  logic        req_write,
    input  logic [1:0]  req_size,
    input  logic [63:0] req_data,
    input  logic [7:0]  req_mask,
    output logic        resp_valid,
    output logic [63:0] resp_data,
    output logic        resp_error,
    // stores to the host interface, byte offset from its base
    output logic        host_valid,
    input  logic        host_ready,
    output logic [11:0] host_offset,
    output logic [63:0] host_data,
    // UART, one aligned 32-bit word; rdata and error belong to the cycle with ready
    output logic        uart_valid,
    input  logic        uart_ready,
    output logic        uart_write,
    output logic [12:0] uart_addr,
    output logic [31:0] uart_wdata,
    output logic [3:0]  uart_wstrb,
    input  logic [31:0] uart_rdata,
    input  logic        uart_error,
    // accesses of the host to far-memory control; they go first and take as long as control_ready says
    input  logic        host_control_valid,
    input  logic        host_control_write,
    input  logic [11:0] host_control_addr,
    input  logic [63:0] host_control_wdata,
    // control bus of the delayer
    output logic        control_valid,
    input  logic        control_ready,
    output logic        control_write,
    output logic [11:0] control_addr,
    output logic [63:0] control_wdata,
    input  logic [63:0] control_rdata
);
  localparam logic [23:0] FAR_CONTROL_PAGE = nhg_platform::FAR_CONTROL_BASE[35:12];
  localparam logic [23:0] HOST_PAGE = nhg_platform::HOST_BASE[35:12];

  logic busy, write, whole_word;
  logic [1:0] size;
  logic [7:0] mask;
  logic [35:0] addr;
  logic [63:0] data;

  wire is_far_control = whole_word && addr[35:12] == FAR_CONTROL_PAGE;
  wire is_host = whole_word && addr[35:12] == HOST_PAGE;
  wire is_uart = !whole_word && addr[35:13] == nhg_platform::UART_BASE[35:13] && size != 2'd3;
  wire use_control = busy && is_far_control && !host_control_valid;
  wire done = busy && (is_far_control ? use_control && control_ready : is_uart ? uart_ready : !host_valid || host_ready);

  assign req_ready = !busy && !resp_valid;
  assign host_valid = busy && is_host && write;
  assign host_offset = addr[11:0];
  assign host_data = data;
  assign uart_valid = busy && is_uart;
  assign uart_write = write;
  assign uart_addr = {addr[12:2], 2'b00};
  assign uart_wdata = addr[2] ? data[63:32] : data[31:0];
  assign uart_wstrb = addr[2] ? mask[7:4] : mask[3:0];
  assign control_valid = host_control_valid || use_control;
  assign control_write = host_control_valid ? host_control_write : write;
  assign control_addr = host_control_valid ? host_control_addr : addr[11:0];
  assign control_wdata = host_control_valid ? host_control_wdata : data;

  always_ff @(posedge clock) begin
    if (reset) begin
      busy <= 1'b0;
      resp_valid <= 1'b0;
    end else begin
      busy <= (req_valid && req_ready) || (busy && !done);
      if (req_valid && req_ready) begin
        write <= req_write;
        addr <= req_addr;
        data <= req_data;
        size <= req_size;
        mask <= req_mask;
        whole_word <= req_size == 2'd3 && req_addr[2:0] == 3'd0 && (!req_write || req_mask == 8'hff);
      end
      resp_valid <= done;
      resp_data <= is_far_control ? control_rdata : is_uart ? {2{uart_rdata}} : '0;
      resp_error <= is_uart ? uart_error : !is_far_control && !is_host;
    end
  end
endmodule
