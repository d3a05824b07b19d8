// SPDX-License-Identifier: Apache-2.0
//
// Random traffic through async_fifo with clocks of any two periods: every word arrives once and in order, the word shown
// stands until it is taken, and a FIFO that is neither empty nor full moves a word a cycle of the slower clock.
//   +in_ps=N +out_ps=N  periods · +words=N · +busy=N  how often in 256 each side is willing
module async_fifo_tb;
  timeunit 1ps; timeprecision 1ps;
  int in_ps, out_ps, words, busy;
  logic in_clock = 0, out_clock = 0, in_reset = 1, out_reset = 1;
  logic in_valid = 0, in_ready, out_valid, out_ready = 0;
  logic [31:0] in_data = 0, out_data, held;
  logic holding = 0;
  int received = 0, out_cycles = 0;

  async_fifo #(.WIDTH(32), .DEPTH(16)) dut (.*);

  initial begin
    if (!$value$plusargs("in_ps=%d", in_ps) || !$value$plusargs("out_ps=%d", out_ps)
        || !$value$plusargs("words=%d", words) || !$value$plusargs("busy=%d", busy)) $fatal(1, "an argument is missing");
    #(10 * in_ps + 10 * out_ps);
    in_reset = 0;
    #(in_ps + 3);
    out_reset = 0;
  end
  always #(in_ps / 2) in_clock = !in_clock;
  always #(out_ps / 2) out_clock = !out_clock;

  always @(posedge in_clock) begin
    if (in_reset) in_valid <= 1'b0;
    else begin
      if (in_valid && in_ready) in_data <= in_data + 1;
      if (!in_valid || in_ready) in_valid <= int'($urandom_range(255)) < busy;
    end
  end

  always @(posedge out_clock) begin
    out_ready <= int'($urandom_range(255)) < busy;
    out_cycles <= out_cycles + 1;
    if (!out_reset) begin
      if (holding && !(out_valid && out_data == held)) $fatal(1, "a word that was not taken changed");
      holding <= out_valid && !out_ready;
      held <= out_data;
      if (out_valid && out_ready) begin
        if (out_data != 32'(received)) $fatal(1, "word %0d instead of %0d", out_data, received);
        received <= received + 1;
        if (received + 1 == words) begin
          $display("PASS %0d words in %0d cycles", words, out_cycles);
          $finish;
        end
      end
    end
    if (out_cycles > 64 * words) $fatal(1, "only %0d words", received);
  end
endmodule
