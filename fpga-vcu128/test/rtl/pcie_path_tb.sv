// SPDX-License-Identifier: Apache-2.0
//
// axi_to_beats and beat_to_axi64 back to back, as in board_system but for the crossing between them: random bursts of every
// size, length, type, alignment and strobe pattern from a 256-bit AXI4 manager to a 64-bit memory with errors.
//   Writes change exactly the strobed bytes; reads return the bytes of each beat's container and touch no other word. A run of
//   neighbouring words is one burst. An erring word makes its read beat, or its write burst, SLVERR; WRAP and addresses beyond
//   36 bits are refused with no access.
//   Reads and writes run at the same time, in one of two regions each, which they swap.
//   +bursts=N of each kind · +busy=N  how often in 256 each side is willing
module pcie_path_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  import board_types::*;
  localparam int BYTES = 32, ADDR_BITS = 64;
  localparam logic [3:0] POISON = 4'hd;
  logic clock = 0, reset = 1;
  always #5 clock = !clock;

  int bursts, busy;
  pcie_request_t s_request = '0;
  pcie_response_t s_response;
  beat_request_t request;
  beat_response_t response;
  io_request_t m_request;
  io_response_t m_response;
  axi_to_beats beats (.*);
  beat_to_axi64 words (.*);
  memory64 #(.POISON(POISON)) memory (.clock, .reset, .busy, .request(m_request), .response(m_response));

  // What memory must hold, by byte; a byte that is not there was never written.
  logic [7:0] expected[logic [35:0]];
  function automatic logic [7:0] byte_at(input logic [35:0] address);
    if (expected.exists(address)) return expected[address];
    return 8'((64'(address[35:3]) * 64'h9e37_79b9_7f4a_7c15) >> 8 * address[2:0]);
  endfunction
  function automatic logic [ADDR_BITS-1:0] next_address(input logic [ADDR_BITS-1:0] address, input logic [2:0] size, input logic [1:0] burst);
    return burst == BURST_FIXED ? address : ((address >> size) + 1) << size;
  endfunction
  // Bytes of the data bus that a beat may use: from its address to the end of its container.
  function automatic logic [BYTES-1:0] container(input logic [ADDR_BITS-1:0] address, input logic [2:0] size);
    logic [BYTES-1:0] lanes;
    for (int i = 0; i < BYTES; i++)
      lanes[i] = i >= int'(address % BYTES) && (i >> size) == (int'(address % BYTES) >> size);
    return lanes;
  endfunction

  function automatic logic refused(input pcie_address_t b);
    return b.burst == BURST_WRAP || b.addr[ADDR_BITS-1:36] != 0;
  endfunction
  function automatic pcie_address_t random_burst(input logic region);
    pcie_address_t b;
    int beyond;
    b.len = $urandom_range(3) == 0 ? 8'($urandom_range(31)) : 8'($urandom_range(3));
    b.size = $urandom_range(1) == 0 ? 3'($clog2(BYTES)) : 3'($urandom_range($clog2(BYTES)));
    b.burst = $urandom_range(7) == 0 ? BURST_FIXED : $urandom_range(15) == 0 ? BURST_WRAP : BURST_INCR;
    b.addr = {28'd0, 4'h8, 19'd0, region, 12'($urandom)};
    if ((b.addr[11:0] + (32'(b.len) + 1 << b.size)) > 4096) b.addr[11:0] = '0;  // bursts stay in their page
    beyond = 36 + $urandom_range(27);
    if ($urandom_range(31) == 0) b.addr[beyond] = 1;
    if (b.burst == BURST_WRAP) b.addr = (b.addr >> b.size) << b.size;
    b.id = 4'($urandom);
    return b;
  endfunction

  task automatic wait_a_while();
    while (int'($urandom_range(255)) >= busy) @(negedge clock);
  endtask

  int written_beats = 0, read_beats = 0, errors = 0, refusals = 0, words_wanted = 0, words_stored = 0, runs = 0;

  // Runs of neighbouring words with a lane of these: each is one burst.
  function automatic int runs_of(input logic [BYTES-1:0] lanes);
    int count;
    count = 0;
    for (int first = 0; first < BYTES; first += 8)
      if (lanes[first+:8] != 0 && (first == 0 || lanes[first-8+:8] == 0)) count++;
    return count;
  endfunction

  task automatic write(input pcie_address_t b);
    logic [ADDR_BITS-1:0] address;
    logic failed;
    address = b.addr;
    failed = refused(b);
    wait_a_while();
    {s_request.aw_valid, s_request.aw} = {1'b1, b};
    do @(posedge clock); while (!s_response.aw_ready);
    @(negedge clock) s_request.aw_valid = 0;
    for (int beat = 0; beat <= int'(b.len); beat++) begin
      wait_a_while();
      for (int i = 0; i < BYTES; i++) s_request.w.data[8*i+:8] = 8'($urandom);
      s_request.w.strb = container(address, b.size);
      if ($urandom_range(2) == 0) for (int i = 0; i < BYTES; i++) s_request.w.strb[i] &= $urandom_range(1) == 1;
      s_request.w_valid = 1;
      if (!refused(b)) runs += runs_of(s_request.w.strb);
      for (int first = 0; first < BYTES; first += 8) begin
        if (s_request.w.strb[first+:8] != 0 && !refused(b)) begin
          words_stored++;
          if (address[11:8] == POISON) failed = 1;
        end
        for (int i = first; i < first + 8; i++)
          if (s_request.w.strb[i] && !refused(b) && address[11:8] != POISON) expected[36'(address / BYTES * BYTES) + 36'(i)] = s_request.w.data[8*i+:8];
      end
      do @(posedge clock); while (!s_response.w_ready);
      @(negedge clock) s_request.w_valid = 0;
      written_beats++;
      address = next_address(address, b.size, b.burst);
    end
    wait_a_while();
    s_request.b_ready = 1;
    do @(posedge clock); while (!s_response.b_valid);
    if (s_response.b.id != b.id) $fatal(1, "B has ID %0d instead of %0d", s_response.b.id, b.id);
    if (s_response.b.resp != (failed ? RESP_SLVERR : RESP_OKAY)) $fatal(1, "write of %h: response %0d", b.addr, s_response.b.resp);
    errors += 32'(failed);
    refusals += 32'(refused(b));
    @(negedge clock) s_request.b_ready = 0;
  endtask

  task automatic read(input pcie_address_t b);
    logic [ADDR_BITS-1:0] address;
    logic [BYTES-1:0] lanes;
    logic failed;
    address = b.addr;
    wait_a_while();
    {s_request.ar_valid, s_request.ar} = {1'b1, b};
    do @(posedge clock); while (!s_response.ar_ready);
    @(negedge clock) s_request.ar_valid = 0;
    for (int beat = 0; beat <= int'(b.len); beat++) begin
      wait_a_while();
      s_request.r_ready = 1;
      do @(posedge clock); while (!s_response.r_valid);
      lanes = container(address, b.size);
      failed = refused(b) || address[11:8] == POISON;
      if (s_response.r.id != b.id) $fatal(1, "R has ID %0d instead of %0d", s_response.r.id, b.id);
      if (s_response.r.last != (beat == int'(b.len))) $fatal(1, "read of %h: last in beat %0d", b.addr, beat);
      if (s_response.r.resp != (failed ? RESP_SLVERR : RESP_OKAY)) $fatal(1, "read of %h, beat %0d: response %0d", b.addr, beat, s_response.r.resp);
      for (int i = 0; i < BYTES; i++)
        if (lanes[i] && !failed && s_response.r.data[8*i+:8] != byte_at(36'(address / BYTES * BYTES) + 36'(i)))
          $fatal(1, "read of %h, beat %0d, lane %0d: %h", b.addr, beat, i, s_response.r.data[8*i+:8]);
      for (int first = 0; first < BYTES; first += 8) if (lanes[first+:8] != 0 && !refused(b)) words_wanted++;
      if (!refused(b)) runs += runs_of(lanes);
      errors += 32'(failed);
      read_beats++;
      @(negedge clock) s_request.r_ready = 0;
      address = next_address(address, b.size, b.burst);
    end
  endtask

  task automatic writes(input int count, input logic region);
    repeat (count) write(random_burst(region));
  endtask
  task automatic reads(input int count, input logic region);
    repeat (count) read(random_burst(region));
  endtask

  initial begin
    if (!$value$plusargs("bursts=%d", bursts) || !$value$plusargs("busy=%d", busy)) $fatal(1, "an argument is missing");
    repeat (3) @(negedge clock);
    reset = 0;
    repeat (bursts / 20) begin
      fork
        writes(10, 1'b0);
        reads(10, 1'b1);
      join
      fork
        writes(10, 1'b1);
        reads(10, 1'b0);
      join
    end
    repeat (5) @(negedge clock);
    if (memory.words_read != words_wanted) $fatal(1, "%0d words read instead of %0d", memory.words_read, words_wanted);
    if (memory.words_written != words_stored) $fatal(1, "%0d words written instead of %0d", memory.words_written, words_stored);
    if (memory.bursts != runs) $fatal(1, "%0d bursts for %0d runs of words", memory.bursts, runs);
    foreach (expected[address])
      if (8'(memory.peek(address) >> 8 * address[2:0]) != expected[address]) $fatal(1, "byte %h is wrong at the end", address);
    if (errors == 0 || refusals == 0) $fatal(1, "no error was met");
    $display("PASS %0d beats written, %0d read", written_beats, read_beats);
    $finish;
  end
  initial begin
    #200_000_000 $fatal(1, "no end");
  end
endmodule
