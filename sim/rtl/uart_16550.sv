// SPDX-License-Identifier: Apache-2.0
//
// The UART 16550 of the simulators (registers: tools/platform/platform.toml), as far as drivers need it. It answers in the same cycle. Bytes come and go
// at once, whatever the divisor: a received one is taken when the FIFO has room, so none is lost, and the transmitter is always empty. Data ready
// interrupts from the first byte on, whatever the trigger level. No errors, no modem interrupt.
//   received  bytes taken since reset
module uart_16550
  import bus_types::*;
#(
    parameter int FIFO_BYTES = int'(nhg_platform::UART_FIFO_BYTES)
) (
    input  logic           clock,
    input  logic           reset,
    input  uart_request_t  request,
    output uart_response_t response,
    output logic           interrupt,
    input  logic           receive_valid,
    output logic           receive_ready,
    input  logic [7:0]     receive_data,
    output logic           transmit_valid,
    output logic [7:0]     transmit_data,
    output logic [31:0]    received
);
  localparam int INDEX_BITS = $clog2(FIFO_BYTES);
  localparam logic [7:0] NO_INTERRUPT = 8'h01, TRANSMITTER_EMPTY = 8'h02, DATA_READY = 8'h04;
  localparam logic [7:0] MODEM_READY = 8'hb0;  // clear to send, data set ready, carrier

  logic [7:0] fifo[FIFO_BYTES];
  logic [INDEX_BITS:0] head, tail;  // of what was received
  logic [15:0] divisor;
  logic [7:0] line_control, scratch;
  logic [4:0] modem_control;
  logic [3:0] enable;
  logic fifo_on;
  logic transmit_pending;  // its interrupt: the byte is gone, or it was enabled

  function automatic logic is(input logic [12:0] address, input logic [63:0] register);
    return address == register[12:0];
  endfunction
  wire [12:0] address = request.addr;
  wire is_data = is(address, nhg_platform::UART_DATA);
  wire is_enable = is(address, nhg_platform::UART_INTERRUPT_ENABLE);
  wire is_id = is(address, nhg_platform::UART_INTERRUPT_ID);
  wire is_line = is(address, nhg_platform::UART_LINE_CONTROL);
  wire is_modem = is(address, nhg_platform::UART_MODEM_CONTROL);
  wire is_scratch = is(address, nhg_platform::UART_SCRATCH);
  wire is_line_status = is(address, nhg_platform::UART_LINE_STATUS), is_modem_status = is(address, nhg_platform::UART_MODEM_STATUS);
  wire is_here = is_data || is_enable || is_id || is_line || is_modem || is_line_status || is_modem_status || is_scratch;
  wire sets_divisor = line_control[7];
  wire write = request.valid && request.write && request.strb[0];
  wire read = request.valid && !request.write;
  wire [7:0] value = request.data[7:0];

  wire empty = head == tail;
  wire [7:0] id = enable[0] && !empty ? DATA_READY : enable[1] && transmit_pending ? TRANSMITTER_EMPTY : NO_INTERRUPT;
  assign interrupt = !id[0];
  assign receive_ready = tail - head != (INDEX_BITS + 1)'(FIFO_BYTES);
  assign transmit_valid = write && is_data && !sets_divisor;
  assign transmit_data = value;

  logic [7:0] data;
  always_comb begin
    data = '0;
    if (is_data) data = sets_divisor ? divisor[7:0] : empty ? '0 : fifo[head[INDEX_BITS-1:0]];
    if (is_enable) data = sets_divisor ? divisor[15:8] : 8'(enable);
    if (is_id) data = {{2{fifo_on}}, id[5:0]};
    if (is_line) data = line_control;
    if (is_modem) data = 8'(modem_control);
    if (is_line_status) data = {1'b0, 2'b11, 4'd0, !empty};
    if (is_modem_status) data = MODEM_READY;
    if (is_scratch) data = scratch;
  end
  assign response = '{ready: 1'b1, data: 32'(data), error: !is_here};

  always_ff @(posedge clock) begin
    if (reset) begin
      {head, tail, divisor, line_control, scratch, modem_control, enable, fifo_on, transmit_pending, received} <= '0;
    end else begin
      if (write && is_data) begin
        if (sets_divisor) divisor[7:0] <= value;
        else transmit_pending <= 1'b1;
      end
      if (write && is_enable) begin
        if (sets_divisor) divisor[15:8] <= value;
        else begin
          enable <= value[3:0];
          if (value[1] && !enable[1]) transmit_pending <= 1'b1;
        end
      end
      if (write && is_id) begin
        fifo_on <= value[0];
        if (value[1]) head <= tail;
      end
      if (write && is_line) line_control <= value;
      if (write && is_modem) modem_control <= value[4:0];
      if (write && is_scratch) scratch <= value;
      if (read && is_data && !sets_divisor && !empty) head <= head + 1'b1;
      if (read && is_id && id == TRANSMITTER_EMPTY) transmit_pending <= 1'b0;
      if (receive_valid && receive_ready) begin
        fifo[tail[INDEX_BITS-1:0]] <= receive_data;
        tail <= tail + 1'b1;
        received <= received + 1'b1;
      end
    end
  end
endmodule
