// SPDX-License-Identifier: Apache-2.0
//
// Gives every burst in flight an ID of its own and puts the answers in the order of the requests again. HBM serves bursts of one ID in order, so
// that a read waits for the one before, wherever that one goes; with IDs of their own all pseudo channels and banks work at once.
//   BURSTS  in flight each way, a power of two, 2 to 64; each read has place for 16 beats
// A write that overlaps one in flight waits for its answer, since bursts of different IDs have no order. Read beats take two cycles more,
// answers of writes one. Requests pass in the same cycle; read beats and answers of HBM are always accepted.
module hbm_reorder
  import bus_types::*;
  import board_types::*;
#(
    parameter int BURSTS = 32
) (
    input  logic          clock,
    input  logic          reset,
    input  hbm_request_t  s_request,  // IDs are not looked at
    output hbm_response_t s_response,
    output hbm_request_t  m_request,
    input  hbm_response_t m_response
);
  if (BURSTS < 2 || BURSTS > 64 || (BURSTS & (BURSTS - 1)) != 0) $error("hbm_reorder: BURSTS must be a power of two, 2 to 64");
  localparam int TAG_BITS = $clog2(BURSTS);

  function automatic hbm_address_t with_id(input hbm_address_t a, input logic [TAG_BITS-1:0] tag);
    return '{id: HBM_ID_BITS'(tag), addr: a.addr, len: a.len, burst: a.burst};
  endfunction

  // Reads: a ring of bursts. A beat goes to its burst's place; the oldest burst's beats are fetched as they come.
  (* ram_style = "block" *) logic [257:0] beats[BURSTS*16];
  logic [TAG_BITS:0] read_tail, read_head;
  logic [4:0] received[BURSTS];  // beats, of each burst
  logic [3:0] len_of[BURSTS];
  logic [3:0] beat;  // of the oldest burst, to be fetched next
  logic [257:0] fetched;
  logic fetched_valid, fetched_last;
  wire [TAG_BITS-1:0] arrived = m_response.r.id[TAG_BITS-1:0], oldest_read = read_head[TAG_BITS-1:0], new_read = read_tail[TAG_BITS-1:0];
  wire read_room = read_tail != (read_head ^ (TAG_BITS + 1)'(BURSTS));
  wire read_taken = s_request.ar_valid && read_room && m_response.ar_ready;
  wire fetch = read_head != read_tail && received[oldest_read] != {1'b0, beat} && (!fetched_valid || s_request.r_ready);
  wire fetch_last = beat == len_of[oldest_read];

  always_ff @(posedge clock) begin
    if (m_response.r_valid) beats[{arrived, received[arrived][3:0]}] <= {m_response.r.resp, m_response.r.data};
    if (fetch) begin
      fetched <= beats[{oldest_read, beat}];
      fetched_last <= fetch_last;
    end
    if (m_response.r_valid) received[arrived] <= received[arrived] + 1'b1;
    if (read_taken) begin
      received[new_read] <= '0;
      len_of[new_read] <= s_request.ar.len;
    end
    if (reset) begin
      {read_tail, read_head, beat} <= '0;
      fetched_valid <= 1'b0;
    end else begin
      read_tail <= read_tail + (TAG_BITS + 1)'(read_taken);
      read_head <= read_head + (TAG_BITS + 1)'(fetch && fetch_last);
      if (fetch) beat <= fetch_last ? '0 : beat + 1'b1;
      fetched_valid <= fetch || (fetched_valid && !s_request.r_ready);
    end
  end

  // Writes: likewise a ring; what each covers, as beats of its page, which no burst leaves
  logic [TAG_BITS:0] write_tail, write_head;
  logic [BURSTS-1:0] under_way;  // not yet answered by HBM
  logic [BURSTS-1:0] overlaps;
  logic [HBM_ADDR_BITS-13:0] page_of[BURSTS];
  logic [6:0] first_of[BURSTS], last_of[BURSTS];
  logic [1:0] resp_of[BURSTS];
  wire [TAG_BITS-1:0] answered = m_response.b.id[TAG_BITS-1:0], oldest_write = write_head[TAG_BITS-1:0], new_write = write_tail[TAG_BITS-1:0];
  wire [HBM_ADDR_BITS-13:0] page = s_request.aw.addr[HBM_ADDR_BITS-1:12];
  wire wraps = s_request.aw.burst == BURST_WRAP;
  wire [6:0] first = wraps ? 7'd0 : s_request.aw.addr[11:5];
  wire [6:0] last = wraps ? 7'd127 : s_request.aw.addr[11:5] + 7'(s_request.aw.len);
  wire write_room = write_tail != (write_head ^ (TAG_BITS + 1)'(BURSTS));
  wire write_open = write_room && overlaps == '0;
  wire write_taken = s_request.aw_valid && write_open && m_response.aw_ready;
  wire answer = write_head != write_tail && !under_way[oldest_write];
  for (genvar i = 0; i < BURSTS; i++) begin : older
    assign overlaps[i] = under_way[i] && page_of[i] == page && first_of[i] <= last && first <= last_of[i];
  end

  always_ff @(posedge clock) begin
    if (write_taken) begin
      page_of[new_write] <= page;
      first_of[new_write] <= first;
      last_of[new_write] <= last;
    end
    if (m_response.b_valid) resp_of[answered] <= m_response.b.resp;
    if (reset) begin
      {write_tail, write_head} <= '0;
      under_way <= '0;
    end else begin
      write_tail <= write_tail + (TAG_BITS + 1)'(write_taken);
      write_head <= write_head + (TAG_BITS + 1)'(answer && s_request.b_ready);
      if (m_response.b_valid) under_way[answered] <= 1'b0;
      if (write_taken) under_way[new_write] <= 1'b1;
    end
  end

  assign m_request = '{
      aw_valid: s_request.aw_valid && write_open, aw: with_id(s_request.aw, new_write), w_valid: s_request.w_valid, w: s_request.w, b_ready: 1'b1,
      ar_valid: s_request.ar_valid && read_room, ar: with_id(s_request.ar, new_read), r_ready: 1'b1
  };
  assign s_response = '{
      aw_ready: m_response.aw_ready && write_open, w_ready: m_response.w_ready,
      b_valid: answer, b: '{id: '0, resp: resp_of[oldest_write]},
      ar_ready: m_response.ar_ready && read_room,
      r_valid: fetched_valid, r: '{id: '0, data: fetched[255:0], resp: fetched[257:256], last: fetched_last}
  };
endmodule
