// SPDX-License-Identifier: Apache-2.0
//
// hbm_reorder before a memory that answers in any order and interleaves the beats of reads: every answer is its request's, in order; no two bursts
// in flight have one ID, no two writes in flight overlap, and the memory holds at the end what was written last.
//   +bursts=  each way       +busy=  of 256 cycles in which memory and requester move
module hbm_reorder_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  import board_types::*;
  localparam int BURSTS = 8, WORDS = 256;  // two pages
  int bursts = 20000, busy = 200;
  logic clock = 0, reset = 1;
  always #5 clock = !clock;

  hbm_request_t s_request = '0, m_request;
  hbm_response_t s_response, m_response = '0;
  hbm_reorder #(.BURSTS(BURSTS)) dut (.*);

  function automatic bit moves();
    return $urandom_range(255) < busy;
  endfunction

  // Memory: bursts under way by ID; a write takes effect when it is answered, a read's beats when they are offered.
  typedef struct {
    bit valid;
    int first, len, moved;  // beats, of which those that were sent or received
    int unsigned data[16];
  } burst_t;
  burst_t reads[64], writes[64];
  int write_order[$];
  int unsigned memory[WORDS];
  int longest = 0;

  function automatic int word(input logic [HBM_ADDR_BITS-1:0] addr);
    return 32'(addr[12:5]);
  endfunction
  function automatic int any(input bit of_reads);
    int offset;
    offset = $urandom_range(63);
    for (int i = 0; i < 64; i++) begin
      automatic int id = (i + offset) % 64;
      if (of_reads ? reads[id].valid : writes[id].valid && writes[id].moved == writes[id].len + 1) return id;
    end
    return -1;
  endfunction

  always @(posedge clock) begin : memory_side
    automatic int id, under_way;
    if (!reset) begin
      if (m_request.ar_valid && m_response.ar_ready) begin
        id = 32'(m_request.ar.id);
        if (reads[id].valid) $fatal(1, "two reads with ID %0d", id);
        reads[id].valid = 1;
        reads[id].first = word(m_request.ar.addr);
        reads[id].len = 32'(m_request.ar.len);
        reads[id].moved = 0;
      end
      if (m_request.aw_valid && m_response.aw_ready) begin
        id = 32'(m_request.aw.id);
        if (writes[id].valid) $fatal(1, "two writes with ID %0d", id);
        for (int i = 0; i < 64; i++)
          if (writes[i].valid && writes[i].first <= word(m_request.aw.addr) + 32'(m_request.aw.len) &&
              word(m_request.aw.addr) <= writes[i].first + writes[i].len) $fatal(1, "writes that overlap are in flight together");
        writes[id].valid = 1;
        writes[id].first = word(m_request.aw.addr);
        writes[id].len = 32'(m_request.aw.len);
        writes[id].moved = 0;
        write_order.push_back(id);
      end
      if (m_request.w_valid && m_response.w_ready) begin
        id = write_order[0];
        writes[id].data[writes[id].moved] = m_request.w.data[31:0];
        writes[id].moved++;
        if (m_request.w.last) void'(write_order.pop_front());
      end
      under_way = 0;
      for (int i = 0; i < 64; i++) under_way += 32'(reads[i].valid);
      if (under_way > longest) longest = under_way;
      m_response.ar_ready <= moves();
      m_response.aw_ready <= moves();
      m_response.w_ready <= write_order.size() != 0 && moves();
      m_response.r_valid <= 0;
      m_response.b_valid <= 0;
      id = any(1);
      if (id >= 0 && moves()) begin
        m_response.r_valid <= 1;
        m_response.r <= '{id: 6'(id), data: 256'(memory[reads[id].first+reads[id].moved]), resp: RESP_OKAY, last: reads[id].moved == reads[id].len};
        reads[id].moved++;
        reads[id].valid = reads[id].moved <= reads[id].len;
      end
      id = any(0);
      if (id >= 0 && moves()) begin
        m_response.b_valid <= 1;
        m_response.b <= '{id: 6'(id), resp: writes[id].first == WORDS - 1 ? RESP_SLVERR : RESP_OKAY};
        for (int i = 0; i <= writes[id].len; i++) memory[writes[id].first+i] = writes[id].data[i];
        writes[id].valid = 0;
      end
    end
  end

  // Requester: reads of the second page, which holds its word's number; writes of the first with a number that grows.
  int unsigned expected[WORDS];
  int read_first[$], read_len[$], write_first[$], write_data[$], write_last[$];
  int reads_begun = 0, writes_begun = 0, reads_done = 0, writes_done = 0, beat = 0;
  always @(posedge clock) begin : requester
    automatic int first, len;
    if (!reset) begin
      if (s_request.ar_valid && s_response.ar_ready) s_request.ar_valid <= 0;
      if ((!s_request.ar_valid || s_response.ar_ready) && reads_begun < bursts && moves()) begin
        len = $urandom_range(3) == 0 ? $urandom_range(15) : 1;
        first = 128 + $urandom_range(127 - len);
        s_request.ar <= '{id: '0, addr: 33'(first * 32), len: 4'(len), burst: BURST_INCR};
        s_request.ar_valid <= 1;
        read_first.push_back(first);
        read_len.push_back(len);
        reads_begun++;
      end
      if (s_request.aw_valid && s_response.aw_ready) s_request.aw_valid <= 0;
      if ((!s_request.aw_valid || s_response.aw_ready) && writes_begun < bursts && write_data.size() < 64 && moves()) begin
        len = $urandom_range(3) == 0 ? $urandom_range(15) : 1;
        first = $urandom_range(127 - len);
        s_request.aw <= '{id: '0, addr: 33'(first * 32), len: 4'(len), burst: BURST_INCR};
        s_request.aw_valid <= 1;
        for (int i = 0; i <= len; i++) begin
          expected[first+i] = writes_begun * 16 + i;
          write_data.push_back(writes_begun * 16 + i);
          write_last.push_back(32'(i == len));
        end
        writes_begun++;
      end
      if (s_request.w_valid && s_response.w_ready) s_request.w_valid <= 0;
      if ((!s_request.w_valid || s_response.w_ready) && write_data.size() != 0 && moves()) begin
        s_request.w <= '{data: 256'(write_data.pop_front()), strb: '1, last: 1'(write_last.pop_front())};
        s_request.w_valid <= 1;
      end
      if (s_response.r_valid && s_request.r_ready) begin
        if (s_response.r.data != 256'(read_first[0] + beat)) $fatal(1, "read %0d beat %0d: %h", reads_done, beat, s_response.r.data);
        if (s_response.r.last != (beat == read_len[0])) $fatal(1, "read %0d: last in beat %0d", reads_done, beat);
        beat = beat + 1;
        if (s_response.r.last) begin
          beat = 0;
          reads_done++;
          void'(read_first.pop_front());
          void'(read_len.pop_front());
        end
      end
      if (s_response.b_valid && s_request.b_ready) writes_done++;
      s_request.r_ready <= moves();
      s_request.b_ready <= moves();
    end
  end

  initial begin
    void'($value$plusargs("bursts=%d", bursts));
    void'($value$plusargs("busy=%d", busy));
    for (int i = 0; i < WORDS; i++) memory[i] = i < 128 ? 0 : i;
    repeat (3) @(negedge clock);
    reset = 0;
    for (int cycle = 0; reads_done < bursts || writes_done < bursts; cycle++) begin
      if (cycle > 100 * bursts * 256 / busy) $fatal(1, "%0d reads and %0d writes were answered", reads_done, writes_done);
      @(negedge clock);
    end
    for (int i = 0; i < 128; i++)
      if (memory[i] != expected[i]) $fatal(1, "word %0d holds %0d, not %0d", i, memory[i], expected[i]);
    if (longest != BURSTS) $fatal(1, "%0d reads at most were in flight", longest);
    $display("PASS");
    $finish;
  end
endmodule
