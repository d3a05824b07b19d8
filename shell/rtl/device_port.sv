// SPDX-License-Identifier: Apache-2.0
//
// Device port of the core: host interface, far-memory control, UART and syscon. One request at a time, answered two cycles
// after it is taken (later while the host uses the control bus or the device is busy). Only aligned 8-byte accesses to the
// first two, accesses of at most 4 bytes to the UART and any to the register of syscon work; anything else is answered with
// error. The host interface and syscon read 0. What syscon ends is a store to host.exit.
module device_port
  import bus_types::*;
(
    input  logic               clock,
    input  logic               reset,
    input  mmio_request_t      request,
    output mmio_response_t     response,
    // stores to the host interface, byte offset from its base
    output logic               host_valid,
    input  logic               host_ready,
    output logic [11:0]        host_offset,
    output logic [63:0]        host_data,
    // UART, one aligned 32-bit word
    output uart_request_t      uart_request,
    input  uart_response_t     uart_response,
    // accesses of the host to far-memory control; they go first and take as long as the control bus
    input  register_request_t  host_control,
    // control bus of the delayer, data with `ready`
    output register_request_t  control_request,
    input  register_response_t control_response
);
  localparam logic [23:0] FAR_CONTROL_PAGE = nhg_platform::FAR_CONTROL_BASE[35:12];
  localparam logic [23:0] HOST_PAGE = nhg_platform::HOST_BASE[35:12];
  localparam logic [32:0] SYSCON_WORD = nhg_platform::SYSCON_POWER[35:3];
  localparam logic [11:0] EXIT_OFFSET = nhg_platform::HOST_EXIT[11:0];

  logic busy, whole_word, answered, error;
  mmio_request_t held;  // the request that is served
  logic [63:0] data;

  wire is_far_control = whole_word && held.addr[35:12] == FAR_CONTROL_PAGE;
  wire is_host = whole_word && held.addr[35:12] == HOST_PAGE;
  wire is_uart = !whole_word && held.addr[35:13] == nhg_platform::UART_BASE[35:13] && held.size != 2'd3;
  wire is_syscon = held.addr[35:3] == SYSCON_WORD;
  wire [1:0] ends = {
      held.data[15:0] == nhg_platform::SYSCON_REBOOT[15:0], held.data[15:0] == nhg_platform::SYSCON_POWER_OFF[15:0]
  } & {2{is_syscon && held.mask[1:0] == 2'b11}};
  wire use_control = busy && is_far_control && !host_control.valid;
  wire done = busy && (is_far_control ? use_control && control_response.ready : is_uart ? uart_response.ready : !host_valid || host_ready);
  wire taken = request.valid && response.ready;

  assign response = '{ready: !busy && !answered, valid: answered, data: data, error: error};
  assign host_valid = busy && held.write && (is_host || ends != '0);
  assign host_offset = is_syscon ? EXIT_OFFSET : held.addr[11:0];
  assign host_data = !is_syscon ? held.data : ends[1] ? nhg_platform::EXIT_STATUS_REBOOT : '0;
  assign uart_request = '{
      valid: busy && is_uart, write: held.write, addr: {held.addr[12:2], 2'b00},
      data: held.addr[2] ? held.data[63:32] : held.data[31:0], strb: held.addr[2] ? held.mask[7:4] : held.mask[3:0]
  };
  assign control_request = host_control.valid ? host_control
      : register_request_t'{valid: use_control, write: held.write, addr: held.addr, data: held.data};

  always_ff @(posedge clock) begin
    if (reset) begin
      busy <= 1'b0;
      answered <= 1'b0;
    end else begin
      busy <= taken || (busy && !done);
      if (taken) begin
        held <= request;
        whole_word <= request.size == 2'd3 && request.addr[2:0] == 3'd0 && (!request.write || request.mask == 8'hff);
      end
      answered <= done;
      data <= is_far_control ? control_response.data : is_uart ? {2{uart_response.data}} : '0;
      error <= is_uart ? uart_response.error : !is_far_control && !is_host && !is_syscon;
    end
  end
endmodule
