// SPDX-License-Identifier: Apache-2.0
//
// Beat bus from one clock to another: the request goes over once, the response comes back once.
module beat_crossing
  import board_types::*;
(
    input  logic           s_clock,
    input  logic           s_reset,
    input  beat_request_t  s_request,
    output beat_response_t s_response,
    input  logic           m_clock,
    input  logic           m_reset,
    output beat_request_t  m_request,
    input  beat_response_t m_response
);
  logic sent, request_ready, request_valid, response_valid;
  beat_request_t request;
  beat_response_t response;
  logic response_ready;

  always_ff @(posedge s_clock) begin
    if (s_reset) sent <= 1'b0;
    else sent <= (sent || (s_request.valid && request_ready)) && !response_valid;
  end

  async_fifo #(.WIDTH($bits(beat_request_t)), .DEPTH(4)) requests (
      .in_clock(s_clock), .in_reset(s_reset), .in_valid(s_request.valid && !sent), .in_ready(request_ready),
      .in_data(s_request),
      .out_clock(m_clock), .out_reset(m_reset), .out_valid(request_valid), .out_ready(m_response.done),
      .out_data(request)
  );
  always_comb begin
    m_request = request;
    m_request.valid = request_valid;
  end
  async_fifo #(.WIDTH($bits(beat_response_t)), .DEPTH(4)) responses (
      .in_clock(m_clock), .in_reset(m_reset), .in_valid(m_response.done && request_valid), .in_ready(response_ready),
      .in_data(m_response),
      .out_clock(s_clock), .out_reset(s_reset), .out_valid(response_valid), .out_ready(1'b1), .out_data(response)
  );
  always_comb begin
    s_response = response;
    s_response.done = response_valid;
  end

  always_ff @(posedge m_clock)
    if (!m_reset && m_response.done && request_valid)
      assert (response_ready) else $fatal(1, "beat_crossing: a response found no room");
endmodule
