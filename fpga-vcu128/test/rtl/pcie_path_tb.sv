// SPDX-License-Identifier: Apache-2.0
//
// axi_to_beats and beat_to_axi64 back to back, as in board_system but for the crossing between them: random bursts of every
// size, length, type, alignment and strobe pattern from a 256-bit (or narrower) AXI4 manager to a 64-bit memory with errors.
//   Writes change exactly the strobed bytes; reads return the bytes of each beat's container and touch no other word; an
//   erring word makes its read beat, or its write burst, SLVERR; WRAP and addresses beyond 36 bits are refused with no access.
//   Reads and writes run at the same time, in one of two regions each, which they swap.
//   +bursts=N of each kind · +busy=N  how often in 256 each side is willing
module pcie_path_tb
  import board_types::*;
#(
    parameter int DATA_BITS = 256
);
  timeunit 1ns; timeprecision 1ns;
  localparam int BYTES = DATA_BITS / 8, ADDR_BITS = 64, ID_BITS = 4;
  localparam logic [3:0] POISON = 4'hd;
  bit clock = 0, reset = 1;
  always #5 clock = !clock;

  int bursts, busy;
  logic awvalid = 0, awready, wvalid = 0, wready, bvalid, bready = 0, arvalid = 0, arready, rvalid, rready = 0, rlast;
  logic [ID_BITS-1:0] awid, bid, arid, rid;
  logic [ADDR_BITS-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [2:0] awsize, arsize;
  logic [1:0] awburst, bresp, arburst, rresp;
  logic [DATA_BITS-1:0] wdata, rdata;
  logic [BYTES-1:0] wstrb;
  beat_request_t request;
  beat_response_t response;
  axi_to_beats #(.DATA_BITS(DATA_BITS), .ADDR_BITS(ADDR_BITS), .ID_BITS(ID_BITS)) beats (.*);

  logic m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready, m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [35:0] m_addr;
  logic [63:0] m_wdata, m_rdata;
  logic [7:0] m_wstrb;
  logic [1:0] m_bresp, m_rresp;
  beat_to_axi64 words (
      .clock, .reset, .request, .response, .addr(m_addr), .awvalid(m_awvalid), .awready(m_awready), .wvalid(m_wvalid),
      .wready(m_wready), .wdata(m_wdata), .wstrb(m_wstrb), .bvalid(m_bvalid), .bready(m_bready), .bresp(m_bresp),
      .arvalid(m_arvalid), .arready(m_arready), .rvalid(m_rvalid), .rready(m_rready), .rdata(m_rdata), .rresp(m_rresp)
  );
  memory64 #(.POISON(POISON)) memory (
      .clock, .reset, .busy, .awvalid(m_awvalid), .awready(m_awready), .awaddr(m_addr), .awlen(8'd0),
      .wvalid(m_wvalid), .wready(m_wready), .wdata(m_wdata), .wstrb(m_wstrb), .wlast(1'b1), .bvalid(m_bvalid), .bready(m_bready),
      .bresp(m_bresp), .arvalid(m_arvalid), .arready(m_arready), .araddr(m_addr), .arlen(8'd0), .rvalid(m_rvalid),
      .rready(m_rready), .rdata(m_rdata), .rresp(m_rresp), .rlast(m_rlast)
  );

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

  typedef struct {
    logic [ADDR_BITS-1:0] addr;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
    logic [ID_BITS-1:0] id;
    logic refused;
  } burst_t;

  function automatic burst_t random_burst(input logic region);
    burst_t b;
    int beyond;
    b.len = $urandom_range(3) == 0 ? 8'($urandom_range(31)) : 8'($urandom_range(3));
    b.size = $urandom_range(1) == 0 ? 3'($clog2(BYTES)) : 3'($urandom_range($clog2(BYTES)));
    b.burst = $urandom_range(7) == 0 ? BURST_FIXED : $urandom_range(15) == 0 ? BURST_WRAP : BURST_INCR;
    b.addr = {28'd0, 4'h8, 19'd0, region, 12'($urandom)};
    if ((b.addr[11:0] + (32'(b.len) + 1 << b.size)) > 4096) b.addr[11:0] = '0;  // bursts stay in their page
    beyond = 36 + $urandom_range(27);
    if ($urandom_range(31) == 0) b.addr[beyond] = 1;
    if (b.burst == BURST_WRAP) b.addr = (b.addr >> b.size) << b.size;
    b.id = ID_BITS'($urandom);
    b.refused = b.burst == BURST_WRAP || b.addr[ADDR_BITS-1:36] != 0;
    return b;
  endfunction

  task automatic wait_a_while();
    while (int'($urandom_range(255)) >= busy) @(negedge clock);
  endtask

  int written_beats = 0, read_beats = 0, errors = 0, refusals = 0, words_wanted = 0, words_stored = 0;

  task automatic write(input burst_t b);
    logic [ADDR_BITS-1:0] address;
    logic failed;
    address = b.addr;
    failed = b.refused;
    wait_a_while();
    {awvalid, awaddr, awlen, awsize, awburst, awid} = {1'b1, b.addr, b.len, b.size, b.burst, b.id};
    do @(posedge clock); while (!awready);
    @(negedge clock) awvalid = 0;
    for (int beat = 0; beat <= int'(b.len); beat++) begin
      wait_a_while();
      for (int i = 0; i < BYTES; i++) wdata[8*i+:8] = 8'($urandom);
      wstrb = container(address, b.size);
      if ($urandom_range(2) == 0) for (int i = 0; i < BYTES; i++) wstrb[i] &= $urandom_range(1) == 1;
      wvalid = 1;
      for (int first = 0; first < BYTES; first += 8) begin
        if (wstrb[first+:8] != 0 && !b.refused) begin
          words_stored++;
          if (address[11:8] == POISON) failed = 1;
        end
        for (int i = first; i < first + 8; i++)
          if (wstrb[i] && !b.refused && address[11:8] != POISON) expected[36'(address / BYTES * BYTES) + 36'(i)] = wdata[8*i+:8];
      end
      do @(posedge clock); while (!wready);
      @(negedge clock) wvalid = 0;
      written_beats++;
      address = next_address(address, b.size, b.burst);
    end
    wait_a_while();
    bready = 1;
    do @(posedge clock); while (!bvalid);
    if (bid != b.id) $fatal(1, "B has ID %0d instead of %0d", bid, b.id);
    if (bresp != (failed ? RESP_SLVERR : RESP_OKAY)) $fatal(1, "write of %h: response %0d", b.addr, bresp);
    errors += 32'(failed);
    refusals += 32'(b.refused);
    @(negedge clock) bready = 0;
  endtask

  task automatic read(input burst_t b);
    logic [ADDR_BITS-1:0] address;
    logic [BYTES-1:0] lanes;
    logic failed;
    address = b.addr;
    wait_a_while();
    {arvalid, araddr, arlen, arsize, arburst, arid} = {1'b1, b.addr, b.len, b.size, b.burst, b.id};
    do @(posedge clock); while (!arready);
    @(negedge clock) arvalid = 0;
    for (int beat = 0; beat <= int'(b.len); beat++) begin
      wait_a_while();
      rready = 1;
      do @(posedge clock); while (!rvalid);
      lanes = container(address, b.size);
      failed = b.refused || address[11:8] == POISON;
      if (rid != b.id) $fatal(1, "R has ID %0d instead of %0d", rid, b.id);
      if (rlast != (beat == int'(b.len))) $fatal(1, "read of %h: last in beat %0d", b.addr, beat);
      if (rresp != (failed ? RESP_SLVERR : RESP_OKAY)) $fatal(1, "read of %h, beat %0d: response %0d", b.addr, beat, rresp);
      for (int i = 0; i < BYTES; i++)
        if (lanes[i] && !failed && rdata[8*i+:8] != byte_at(36'(address / BYTES * BYTES) + 36'(i)))
          $fatal(1, "read of %h, beat %0d, lane %0d: %h", b.addr, beat, i, rdata[8*i+:8]);
      for (int first = 0; first < BYTES; first += 8) if (lanes[first+:8] != 0 && !b.refused) words_wanted++;
      errors += 32'(failed);
      read_beats++;
      @(negedge clock) rready = 0;
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
