// SPDX-License-Identifier: Apache-2.0
//
// Beat bus from one clock to another: the request goes over once, the response comes back once. Either side may be reset alone, at any
// time, also while its clock stands still: no access is carried out twice, and no answer reaches another access than its own.
//   s side reset  the access that is under way on the m side ends there, and its answer goes nowhere
//   m side reset  the access that waits on the s side is answered with an error
// After either, both FIFOs are emptied at both ends, by a handshake of levels that each stand until they are answered: `close` from the s
// side, `stopped` from the m side. A reset itself touches no pointer, since the other end would take that for words that are there.
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
  // The upper bit is `close`. CLOSING waits until the m side has stopped, OPENING until it has gone on.
  typedef enum logic [1:0] {OPENING = 2'b00, OPEN = 2'b01, CLOSING = 2'b10, EMPTY = 2'b11} state_t;
  state_t state = CLOSING;
  logic lost = 1'b1, emptying = 1'b0, stopped = 1'b0;  // lost: reset since the FIFOs were emptied
  logic close, stopped_seen, lost_seen;
  bit_sync ask (.clock(m_clock), .in(state[1]), .out(close));
  bit_sync #(.WIDTH(2)) answer (.clock(s_clock), .in({stopped, lost}), .out({stopped_seen, lost_seen}));

  logic sent, under_way, request_ready, request_valid, response_ready, response_valid;
  beat_request_t request;
  beat_response_t response;
  wire open = state == OPEN && !s_reset && !lost_seen;
  wire s_empty = state == EMPTY;
  wire m_empty = emptying || stopped;

  async_fifo #(.WIDTH($bits(beat_request_t)), .DEPTH(4)) requests (
      .in_clock(s_clock), .in_reset(s_empty), .in_valid(open && s_request.valid && !sent), .in_ready(request_ready), .in_data(s_request),
      .out_clock(m_clock), .out_reset(m_empty), .out_valid(request_valid), .out_ready(m_response.done && m_request.valid), .out_data(request)
  );
  always_comb begin
    m_request = request;
    m_request.valid = request_valid && !lost && (under_way || !close);
  end
  async_fifo #(.WIDTH($bits(beat_response_t)), .DEPTH(4)) responses (
      .in_clock(m_clock), .in_reset(m_empty), .in_valid(m_response.done && m_request.valid), .in_ready(response_ready), .in_data(m_response),
      .out_clock(s_clock), .out_reset(s_empty), .out_valid(response_valid), .out_ready(1'b1), .out_data(response)
  );
  wire given_up = sent && lost_seen;
  always_comb begin
    s_response = response;
    s_response.done = (open && response_valid) || given_up;
    s_response.error = response.error || given_up;
  end

  always_ff @(posedge s_clock) begin
    if (s_reset) sent <= 1'b0;
    else sent <= (sent || (open && s_request.valid && request_ready)) && !s_response.done;
    case (state)
      OPEN: if (s_reset || lost_seen) state <= CLOSING;
      CLOSING: if (stopped_seen) state <= EMPTY;
      EMPTY: if (!s_reset) state <= OPENING;
      default: if (!stopped_seen) state <= OPEN;  // nothing was sent yet that a reset could undo
    endcase
  end

  always_ff @(posedge m_clock) begin
    under_way <= !m_reset && m_request.valid && !m_response.done;
    emptying <= close && (emptying || !under_way);
    stopped <= emptying;
    lost <= m_reset || (lost && !stopped);
  end

  always_ff @(posedge m_clock)
    if (!m_reset && m_response.done && m_request.valid) assert (response_ready) else $fatal(1, "beat_crossing: a response found no room");
endmodule
