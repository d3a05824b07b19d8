// SPDX-License-Identifier: Apache-2.0
//
// Two AXI4 managers (64-bit) onto one port, one burst at a time: reads and writes of both take turns.
module axi_serial_arbiter
  import bus_types::*;
(
    input  logic               clock,
    input  logic               reset,
    input  io_request_t  [1:0] s_request,
    output io_response_t [1:0] s_response,
    output io_request_t        m_request,
    input  io_response_t       m_response
);
  // Requesters in turn: 0 and 1 the writes, 2 and 3 the reads of the two managers.
  logic [3:0] wants;
  logic [1:0] grant, next_grant;
  logic granted, address_sent;
  assign wants = {s_request[1].ar_valid, s_request[0].ar_valid, s_request[1].aw_valid, s_request[0].aw_valid};
  always_comb begin
    next_grant = grant;
    for (int i = 4; i >= 1; i--) if (wants[2'(grant + 2'(i))]) next_grant = grant + 2'(i);
  end

  wire writing = granted && !grant[1];
  wire reading = granted && grant[1];
  wire [1:0] select = granted ? 2'b01 << grant[0] : 2'b00;
  io_request_t chosen;
  assign chosen = s_request[grant[0]];
  assign m_request = '{
      aw_valid: writing && !address_sent && chosen.aw_valid, aw: chosen.aw,
      w_valid: writing && chosen.w_valid, w: chosen.w, b_ready: writing && chosen.b_ready,
      ar_valid: reading && !address_sent && chosen.ar_valid, ar: chosen.ar, r_ready: reading && chosen.r_ready
  };
  for (genvar i = 0; i < 2; i++) begin : manager
    assign s_response[i] = '{
        aw_ready: select[i] && m_request.aw_valid && m_response.aw_ready, w_ready: select[i] && m_request.w_valid && m_response.w_ready,
        b_valid: select[i] && writing && m_response.b_valid, b: m_response.b,
        ar_ready: select[i] && m_request.ar_valid && m_response.ar_ready,
        r_valid: select[i] && reading && m_response.r_valid, r: m_response.r
    };
  end

  wire finished = (m_response.b_valid && m_request.b_ready) || (m_response.r_valid && m_request.r_ready && m_response.r.last);
  wire address_taken = (m_request.aw_valid && m_response.aw_ready) || (m_request.ar_valid && m_response.ar_ready);
  always_ff @(posedge clock) begin
    if (reset) begin
      {granted, grant, address_sent} <= '0;
    end else if (!granted) begin
      granted <= |wants;
      grant <= next_grant;
    end else begin
      granted <= !finished;
      address_sent <= !finished && (address_sent || address_taken);
    end
  end
endmodule
