// SPDX-License-Identifier: Apache-2.0
//
// From the beat bus to a 64-bit AXI4 manager: one single-beat transfer for each 8-byte word of which a byte is written or
// wanted, from the lowest. Words that are not wanted read 0. An error of one word is the error of the beat.
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

  logic [3:0] finished, todo;  // words of this beat
  logic [1:0] word;
  logic failed, address_sent, data_sent;
  logic [255:0] data;
  always_comb begin
    for (int i = 0; i < 4; i++) todo[i] = |wanted[8*i+:8] && !finished[i];
    word = todo[0] ? 2'd0 : todo[1] ? 2'd1 : todo[2] ? 2'd2 : 2'd3;
  end
  wire busy = request.valid && |todo;

  io_address_t address;
  assign address = '{id: '0, addr: {request.addr[PADDR_BITS-1:5], word, 3'd0}, len: '0, size: 3'd3, burst: BURST_INCR};
  assign m_request = '{
      aw_valid: busy && request.write && !address_sent, aw: address,
      w_valid: busy && request.write && !data_sent,
      w: '{data: request.data[64*word+:64], strb: wanted[8*word+:8], last: 1'b1},
      b_ready: request.write && address_sent && data_sent,
      ar_valid: busy && !request.write && !address_sent, ar: address, r_ready: !request.write && address_sent
  };
  wire word_done = (m_response.b_valid && m_request.b_ready) || (m_response.r_valid && m_request.r_ready);
  wire address_taken = (m_request.aw_valid && m_response.aw_ready) || (m_request.ar_valid && m_response.ar_ready);
  assign response = '{done: request.valid && !busy, error: failed, data: data};

  always_ff @(posedge clock) begin
    if (reset || !busy) begin
      {finished, failed, data, address_sent, data_sent} <= '0;
    end else begin
      address_sent <= !word_done && (address_sent || address_taken);
      data_sent <= !word_done && (data_sent || (m_request.w_valid && m_response.w_ready));
      if (word_done) begin
        finished[word] <= 1'b1;
        failed <= failed || (request.write ? m_response.b.resp[1] : m_response.r.resp[1]);
        data[64*word+:64] <= m_response.r.data;
      end
    end
  end
endmodule
