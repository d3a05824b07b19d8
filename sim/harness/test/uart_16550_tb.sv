// SPDX-License-Identifier: Apache-2.0
//
// Random accesses of the simulators' UART, and bytes that come meanwhile, against a model with a queue.
//   +accesses=N
module uart_16550_tb
  import bus_types::*;
();
  timeunit 1ns; timeprecision 1ps;
  int accesses, received_bytes = 0, sent_bytes = 0, interrupts = 0;
  logic clock = 0, reset = 1;
  uart_request_t request = '0;
  uart_response_t response;
  logic interrupt, receive_valid = 0, receive_ready, transmit_valid;
  logic [7:0] receive_data = 0, transmit_data;
  logic [31:0] received;
  uart_16550 dut (.*);
  always #10 clock = !clock;

  // The model
  logic [7:0] fifo[$];
  logic [7:0] divisor_low = 0, divisor_high = 0, enable = 0, line = 0, modem = 0, scratch = 0;
  logic fifo_on = 0, sent = 0;

  function automatic logic [7:0] id();
    if (enable[0] && fifo.size() != 0) return 8'h04;
    return enable[1] && sent ? 8'h02 : 8'h01;
  endfunction

  function automatic logic [7:0] read(input logic [2:0] register);
    logic [7:0] value;
    case (register)
      0: begin
        value = line[7] ? divisor_low : fifo.size() == 0 ? 8'h00 : fifo[0];
        if (!line[7] && fifo.size() != 0) void'(fifo.pop_front());
      end
      1: value = line[7] ? divisor_high : enable;
      2: begin
        value = id() | (fifo_on ? 8'hc0 : 8'h00);
        if (id() == 8'h02) sent = 0;
      end
      3: value = line;
      4: value = modem;
      5: value = fifo.size() != 0 ? 8'h61 : 8'h60;
      6: value = 8'hb0;
      default: value = scratch;
    endcase
    return value;
  endfunction

  function automatic void write(input logic [2:0] register, input logic [7:0] value);
    case (register)
      0: if (line[7]) divisor_low = value; else sent = 1;
      1: if (line[7]) divisor_high = value;
      else begin
        if (value[1] && !enable[1]) sent = 1;
        enable = {4'd0, value[3:0]};
      end
      2: begin
        fifo_on = value[0];
        if (value[1]) fifo = {};
      end
      3: line = value;
      4: modem = {3'd0, value[4:0]};
      7: scratch = value;
      default: ;
    endcase
  endfunction

  task automatic step();
    logic here, sends;
    logic [7:0] value;
    @(negedge clock);
    request.valid = $urandom_range(1) == 0;
    request.write = $urandom_range(2) == 0;
    request.addr = $urandom_range(9) == 0 ? 13'($urandom) & 13'h1ffc : 13'h1000 + 13'(4 * $urandom_range(7));
    // The divisor is seldom reached, the FIFO seldom emptied at once.
    request.data = $urandom & ($urandom_range(3) == 0 ? 32'hffff_ffff : 32'hffff_ff7d);
    request.strb = $urandom_range(3) == 0 ? 4'($urandom) : 4'b0001;
    receive_valid = $urandom_range(2) == 0;
    receive_data = 8'($urandom);
    #1;
    if (interrupt != (id() != 8'h01)) $fatal(1, "interrupt is %0d", interrupt);
    if (receive_ready != (fifo.size() < 16)) $fatal(1, "ready to receive with %0d bytes", fifo.size());
    if (interrupt) interrupts++;
    here = request.addr >= 13'h1000 && request.addr < 13'h1020;
    sends = request.valid && request.write && request.strb[0] && request.addr == 13'h1000 && !line[7];
    if (transmit_valid != sends || (sends && transmit_data != request.data[7:0])) $fatal(1, "transmits %0d", transmit_valid);
    if (sends) sent_bytes++;
    receive_valid = receive_valid && receive_ready;
    if (request.valid) begin
      if (!response.ready || response.error == here) $fatal(1, "address %0h: error %0d", request.addr, response.error);
      if (here && request.write && request.strb[0]) write(request.addr[4:2], request.data[7:0]);
      if (here && !request.write) begin
        value = read(request.addr[4:2]);
        if (response.data != 32'(value)) $fatal(1, "address %0h reads %0h instead of %0h", request.addr, response.data, value);
      end
    end
    if (receive_valid) begin
      fifo.push_back(receive_data);
      received_bytes++;
    end
    @(posedge clock);
    #1;
    if (received != 32'(received_bytes)) $fatal(1, "%0d bytes received instead of %0d", received, received_bytes);
  endtask

  initial begin
    if (!$value$plusargs("accesses=%d", accesses)) $fatal(1, "an argument is missing");
    repeat (4) @(posedge clock);
    #1 reset = 0;
    repeat (accesses) step();
    if (received_bytes < 100 || sent_bytes < 100 || interrupts < 100) $fatal(1, "too little happens");
    $display("PASS %0d accesses", accesses);
    $finish;
  end
endmodule
