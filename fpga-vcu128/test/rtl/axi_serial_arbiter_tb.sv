// SPDX-License-Identifier: Apache-2.0
//
// axi_serial_arbiter between two managers with random bursts, each in its own region, and a 64-bit memory with errors: every
// manager reads what it wrote, gets its own responses only, never waits for more than three others' bursts, and the memory
// sees one burst at a time.
//   +bursts=N of each kind and manager · +busy=N  how often in 256 each side is willing
module axi_serial_arbiter_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  localparam logic [3:0] POISON = 4'hd;
  localparam int WAIT_BURSTS_MAX = 3;
  logic clock = 0, reset = 1;
  always #5 clock = !clock;

  int bursts, busy;
  io_request_t s_request[2];
  io_response_t [1:0] s_response;
  io_request_t m_request;
  io_response_t m_response;
  axi_serial_arbiter dut (.s_request({s_request[1], s_request[0]}), .*);
  memory64 #(.POISON(POISON)) memory (.clock, .reset, .busy, .request(m_request), .response(m_response));
  wire aw_taken = m_request.aw_valid && m_response.aw_ready;
  wire ar_taken = m_request.ar_valid && m_response.ar_ready;
  wire write_ends = m_response.b_valid && m_request.b_ready;
  wire read_ends = m_response.r_valid && m_request.r_ready && m_response.r.last;

  // One burst at a time, with the constants of both managers
  logic writing = 0, reading = 0;
  int finished = 0, most_waited = 0;
  always @(posedge clock)
    if (!reset) begin
      if ((m_request.aw_valid && (writing || reading)) || (m_request.ar_valid && (writing || reading || m_request.aw_valid)))
        $fatal(1, "an address while a burst is under way");
      if ((m_request.aw_valid && {m_request.aw.size, m_request.aw.burst} != {3'd3, BURST_INCR})
          || (m_request.ar_valid && {m_request.ar.size, m_request.ar.burst} != {3'd3, BURST_INCR}))
        $fatal(1, "size or burst type changed on the way");
      if ($countones({s_response[0].b_valid, s_response[1].b_valid, s_response[0].r_valid, s_response[1].r_valid}) > 1)
        $fatal(1, "two managers are answered at once");
      writing <= (writing || aw_taken) && !write_ends;
      reading <= (reading || ar_taken) && !read_ends;
      finished <= finished + 32'(write_ends || read_ends);
    end

  logic [63:0] expected[2][logic [32:0]];
  function automatic logic [63:0] word_at(input int manager, input logic [35:0] address);
    if (expected[manager].exists(address[35:3])) return expected[manager][address[35:3]];
    return 64'(address[35:3]) * 64'h9e37_79b9_7f4a_7c15;
  endfunction

  task automatic wait_a_while();
    while (int'($urandom_range(255)) >= busy) @(negedge clock);
  endtask
  // Regions by manager and half; a manager reads one half while it writes the other.
  function automatic logic [35:0] random_address(input int manager, input logic half, input logic [7:0] len);
    logic [35:0] address;
    address = {4'h1, 16'd0, 1'(manager), 2'd0, half, 9'($urandom), 3'd0};
    if (32'(address[11:0]) + 8 * (32'(len) + 1) > 4096) address[11:0] = '0;
    return address;
  endfunction
  function automatic void waited(input int since);
    if (finished - since > most_waited) most_waited = finished - since;
    if (finished - since > WAIT_BURSTS_MAX) $fatal(1, "a request waited for %0d bursts", finished - since);
  endfunction

  task automatic write(input int manager, input logic half);
    io_address_t burst;
    logic [35:0] address;
    logic failed;
    int since;
    burst = '{id: IO_ID_BITS'($urandom), addr: '0, len: 8'($urandom_range(1) == 0 ? 0 : $urandom_range(20)), size: 3'd3, burst: BURST_INCR};
    address = random_address(manager, half, burst.len);
    burst.addr = address;
    failed = 0;
    wait_a_while();
    since = finished;
    {s_request[manager].aw_valid, s_request[manager].aw} = {1'b1, burst};
    do @(posedge clock); while (!s_response[manager].aw_ready);
    waited(since);
    @(negedge clock) s_request[manager].aw_valid = 0;
    for (int beat = 0; beat <= int'(burst.len); beat++) begin
      logic [63:0] word, data;
      logic [7:0] strobes;
      wait_a_while();
      data = {$urandom, $urandom};
      strobes = $urandom_range(1) == 0 ? '1 : 8'($urandom);
      word = word_at(manager, address);
      for (int i = 0; i < 8; i++) if (strobes[i]) word[8*i+:8] = data[8*i+:8];
      if (address[11:8] == POISON) failed = 1;
      else expected[manager][address[35:3]] = word;
      s_request[manager].w_valid = 1;
      s_request[manager].w = '{data: data, strb: strobes, last: beat == int'(burst.len)};
      do @(posedge clock); while (!s_response[manager].w_ready);
      @(negedge clock) s_request[manager].w_valid = 0;
      address += 8;
    end
    wait_a_while();
    s_request[manager].b_ready = 1;
    do @(posedge clock); while (!s_response[manager].b_valid);
    if (s_response[manager].b != {burst.id, failed, 1'b0})
      $fatal(1, "manager %0d, write of %h: ID and response %h", manager, burst.addr, s_response[manager].b);
    @(negedge clock) s_request[manager].b_ready = 0;
  endtask

  task automatic read(input int manager, input logic half);
    io_address_t burst;
    logic [35:0] address;
    int since;
    burst = '{id: IO_ID_BITS'($urandom), addr: '0, len: 8'($urandom_range(1) == 0 ? 0 : $urandom_range(20)), size: 3'd3, burst: BURST_INCR};
    address = random_address(manager, half, burst.len);
    burst.addr = address;
    wait_a_while();
    since = finished;
    {s_request[manager].ar_valid, s_request[manager].ar} = {1'b1, burst};
    do @(posedge clock); while (!s_response[manager].ar_ready);
    waited(since);
    @(negedge clock) s_request[manager].ar_valid = 0;
    for (int beat = 0; beat <= int'(burst.len); beat++) begin
      io_read_t r;
      wait_a_while();
      s_request[manager].r_ready = 1;
      do @(posedge clock); while (!s_response[manager].r_valid);
      r = s_response[manager].r;
      if (r.last != (beat == int'(burst.len))) $fatal(1, "manager %0d: last in beat %0d of %0d", manager, beat, burst.len + 1);
      if ({r.id, r.resp} != {burst.id, address[11:8] == POISON, 1'b0})
        $fatal(1, "manager %0d, read of %h: ID %h, response %0d", manager, address, r.id, r.resp);
      if (address[11:8] != POISON && r.data != word_at(manager, address)) $fatal(1, "manager %0d, read of %h: %h", manager, address, r.data);
      @(negedge clock) s_request[manager].r_ready = 0;
      address += 8;
    end
  endtask

  task automatic writes(input int manager, input logic half);
    repeat (10) write(manager, half);
  endtask
  task automatic reads(input int manager, input logic half);
    repeat (10) read(manager, half);
  endtask

  initial begin
    if (!$value$plusargs("bursts=%d", bursts) || !$value$plusargs("busy=%d", busy)) $fatal(1, "an argument is missing");
    s_request = '{default: '0};
    repeat (3) @(negedge clock);
    reset = 0;
    // Both managers write one half of their region and read the other.
    repeat (bursts / 20) begin
      fork
        writes(0, 1'b0);
        reads(0, 1'b1);
        writes(1, 1'b0);
        reads(1, 1'b1);
      join
      fork
        writes(0, 1'b1);
        reads(0, 1'b0);
        writes(1, 1'b1);
        reads(1, 1'b0);
      join
    end
    $display("PASS %0d bursts, a request waited for %0d at most", finished, most_waited);
    $finish;
  end
  initial begin
    #500_000_000 $fatal(1, "no end");
  end
endmodule
