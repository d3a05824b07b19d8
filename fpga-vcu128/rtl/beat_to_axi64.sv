// SPDX-License-Identifier: Apache-2.0
//
// From the beat bus to a 64-bit AXI4 manager: an INCR burst for each run of neighbouring 8-byte words of which a byte is written or
// wanted, from the lowest, one burst at a time. Words that are not wanted read 0. An error of one word is the error of the beat.
module beat_to_axi64
  import bus_types::*;
  import board_types::*;
(
    input  logic           clock,
    input  logic           reset,
    input  beat_request_t  request,
    output beat_response_t response,
    output io_request_t    m_request,
    input  io_response_t   m_response
);
  // A read wants the bytes from its address to the end of the aligned block of its size.
  wire [5:0] block_bytes = 6'd1 << request.size;
  wire [4:0] block_first = request.addr[4:0] & ~5'(block_bytes - 1'b1);
  wire [31:0] block = 32'((33'd1 << block_bytes) - 1'b1) << block_first;
  wire [31:0] wanted = request.write ? request.strobes : block & (32'hffff_ffff << request.addr[4:0]);

  logic [3:0] todo;  // words of this beat
  logic [2:0] below;  // words below this one are finished
  logic [1:0] first, last, moved;  // the run; words of it that have gone or come
  logic failed, address_sent, data_sent;
  logic [255:0] data;
  always_comb begin
    for (int i = 0; i < 4; i++) todo[i] = |wanted[8*i+:8] && 3'(i) >= below;
    first = todo[0] ? 2'd0 : todo[1] ? 2'd1 : todo[2] ? 2'd2 : 2'd3;
    last = first;
    for (int i = 1; i < 4; i++) if (todo[i] && last == 2'(i - 1)) last = 2'(i);
  end
  wire busy = request.valid && |todo;
  wire [1:0] word = first + moved;

  io_address_t address;
  assign address = '{id: '0, addr: {request.addr[PADDR_BITS-1:5], first, 3'd0}, len: 8'(last - first), size: 3'd3, burst: BURST_INCR};
  assign m_request = '{
      aw_valid: busy && request.write && !address_sent, aw: address,
      w_valid: busy && request.write && !data_sent,
      w: '{data: request.data[64*word+:64], strb: wanted[8*word+:8], last: word == last},
      b_ready: request.write && address_sent && data_sent,
      ar_valid: busy && !request.write && !address_sent, ar: address, r_ready: !request.write && address_sent
  };
  wire sends = m_request.w_valid && m_response.w_ready;
  wire receives = m_response.r_valid && m_request.r_ready;
  wire answered = m_response.b_valid && m_request.b_ready;
  wire run_done = answered || (receives && word == last);
  wire address_taken = (m_request.aw_valid && m_response.aw_ready) || (m_request.ar_valid && m_response.ar_ready);
  assign response = '{done: request.valid && !busy, error: failed, data: data};

  always_ff @(posedge clock) begin
    if (reset || !busy) begin
      {below, moved, failed, data, address_sent, data_sent} <= '0;
    end else begin
      address_sent <= !run_done && (address_sent || address_taken);
      data_sent <= !run_done && (data_sent || (sends && word == last));
      if (run_done) {below, moved} <= {3'(last) + 3'd1, 2'd0};
      else if (receives || (sends && word != last)) moved <= moved + 1'b1;
      if (receives) data[64*word+:64] <= m_response.r.data;
      failed <= failed || (answered && m_response.b.resp[1]) || (receives && m_response.r.resp[1]);
    end
  end

  always_ff @(posedge clock)
    if (!reset && receives) assert (m_response.r.last == (word == last)) else $fatal(1, "beat_to_axi64: a burst of another length");
endmodule
