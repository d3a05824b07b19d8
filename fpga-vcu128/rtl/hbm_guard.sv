// SPDX-License-Identifier: Apache-2.0
//
// From AXI4 with physical addresses to the AXI3 of the HBM, without IDs: IDs are 0 and all responses come in order. Before DDR4, too, which
// could do more.
//   - an address outside this port's memory is answered DECERR: the burst is done on the memory's first bytes, with
//     no byte enabled and the data replaced by zero
//   - HBM knows only 32-byte beats and 16 beats a burst: a single narrow beat becomes a 32-byte one (its bytes are
//     on their lanes already); a burst HBM cannot do is not accepted, and `refused` says so until reset
//   - W does not wait for the memory to take its AW: that waits here
//   BASE, SIZE          this port's memory, bytes
//   OFFSET              what an address of the memory is less than the physical one
//   ROM_BASE, ROM_SIZE  a second piece of it; size 0: none
//   IN_FLIGHT           bursts each way, a power of two
module hbm_guard
  import bus_types::*;
  import board_types::*;
#(
    parameter longint unsigned BASE      = 0,
    parameter longint unsigned SIZE      = 4096,
    parameter longint unsigned OFFSET    = 0,
    parameter longint unsigned ROM_BASE  = 0,
    parameter longint unsigned ROM_SIZE  = 0,
    parameter int              IN_FLIGHT = 512
) (
    input  logic             clock,
    input  logic             reset,
    output logic             refused,
    input  memory_request_t  s_request,
    output memory_response_t s_response,
    output hbm_request_t     m_request,
    input  hbm_response_t    m_response
);
  function automatic logic absent(input logic [PADDR_BITS-1:0] addr);
    /* verilator lint_off UNSIGNED */ // without a ROM the second comparison is with 0
    return addr - PADDR_BITS'(BASE) >= PADDR_BITS'(SIZE) && addr - PADDR_BITS'(ROM_BASE) >= PADDR_BITS'(ROM_SIZE);
    /* verilator lint_on UNSIGNED */
  endfunction

  function automatic logic possible(input memory_address_t a);
    return a.len == 0 || (a.size == 3'd5 && a.len < 16 && a.burst != BURST_FIXED);
  endfunction

  function automatic hbm_address_t convert(input memory_address_t a);
    logic [HBM_ADDR_BITS-1:0] addr;
    addr = (absent(a.addr) ? HBM_ADDR_BITS'(BASE) : a.addr[HBM_ADDR_BITS-1:0]) - HBM_ADDR_BITS'(OFFSET);
    return '{id: '0, addr: {addr[HBM_ADDR_BITS-1:5], 5'd0}, len: a.len[3:0], burst: a.len == 0 ? BURST_INCR : a.burst};
  endfunction

  wire aw_absent = absent(s_request.aw.addr);
  wire ar_absent = absent(s_request.ar.addr);
  hbm_address_t aw, ar;
  assign ar = convert(s_request.ar);
  wire aw_possible = possible(s_request.aw);
  wire ar_possible = possible(s_request.ar);

  // What is known of a burst until its data, its answer, its read beats come
  logic read_note_ready, read_note_valid, read_absent;
  logic data_note_ready, data_note_valid, data_absent, answer_note_ready, answer_note_valid, answer_absent;
  wire ar_open = ar_possible && read_note_ready;
  logic aw_ready, aw_valid;
  wire aw_open = aw_possible && data_note_ready && answer_note_ready && aw_ready;
  wire aw_taken = s_request.aw_valid && aw_open;
  bypass_register #(.WIDTH($bits(hbm_address_t))) aw_buffer (
      .clock, .reset,
      .in_valid(aw_taken), .in_ready(aw_ready), .in_data(convert(s_request.aw)),
      .out_valid(aw_valid), .out_ready(m_response.aw_ready), .out_data(aw)
  );
  bypass_fifo #(.WIDTH(1), .DEPTH(IN_FLIGHT)) read_notes (
      .clock, .reset,
      .in_valid(m_request.ar_valid && m_response.ar_ready), .in_ready(read_note_ready), .in_data(ar_absent),
      .out_valid(read_note_valid), .out_ready(m_response.r_valid && m_request.r_ready && m_response.r.last), .out_data(read_absent)
  );
  bypass_fifo #(.WIDTH(1), .DEPTH(IN_FLIGHT)) data_notes (
      .clock, .reset,
      .in_valid(aw_taken), .in_ready(data_note_ready), .in_data(aw_absent),
      .out_valid(data_note_valid), .out_ready(m_request.w_valid && m_response.w_ready && s_request.w.last), .out_data(data_absent)
  );
  bypass_fifo #(.WIDTH(1), .DEPTH(IN_FLIGHT)) answer_notes (
      .clock, .reset,
      .in_valid(aw_taken), .in_ready(answer_note_ready), .in_data(aw_absent),
      .out_valid(answer_note_valid), .out_ready(m_response.b_valid && m_request.b_ready), .out_data(answer_absent)
  );

  assign m_request = '{
      aw_valid: aw_valid, aw: aw,
      w_valid: s_request.w_valid && data_note_valid,
      w: '{data: s_request.w.data, strb: data_absent ? '0 : s_request.w.strb, last: s_request.w.last},
      b_ready: s_request.b_ready && answer_note_valid,
      ar_valid: s_request.ar_valid && ar_open, ar: ar, r_ready: s_request.r_ready && read_note_valid
  };
  assign s_response = '{
      aw_ready: aw_open, w_ready: m_response.w_ready && data_note_valid,
      b_valid: m_response.b_valid && answer_note_valid, b: '{id: '0, resp: answer_absent ? RESP_DECERR : m_response.b.resp},
      ar_ready: m_response.ar_ready && ar_open, r_valid: m_response.r_valid && read_note_valid,
      r: '{id: '0, data: read_absent ? '0 : m_response.r.data, resp: read_absent ? RESP_DECERR : m_response.r.resp, last: m_response.r.last}
  };

  always_ff @(posedge clock) begin
    if (reset) refused <= 1'b0;
    else refused <= refused || (s_request.aw_valid && !aw_possible) || (s_request.ar_valid && !ar_possible);
  end
endmodule
