// SPDX-License-Identifier: Apache-2.0
//
// Between XSTop's peripheral port (p_) and the board's devices (io_): one read and one write at a time, so that the board
// needs no ID, and the page XSTop starts from when it has no reset-vector port (the UART's first, which on the board lies before
// the registers of the UART). Reads there are answered here, with four instructions and the address they jump to:
//   auipc t0, 0; ld t0, 16(t0); jr t0; nop; .dword reset_pc
module xstop_peripheral
  import bus_types::*;
(
    input  logic         clock,
    input  logic         reset,
    input  logic [38:0]  reset_pc,
    input  io_request_t  p_request,
    output io_response_t p_response,
    output io_request_t  io_request,
    input  io_response_t io_response
);
  localparam logic [63:0] START_0 = {32'h0102_b283, 32'h0000_0297};
  localparam logic [63:0] START_1 = {32'h0000_0013, 32'h0002_8067};
  localparam logic [23:0] START_PAGE = nhg_platform::UART_BASE[35:12];

  // Writes
  logic writing;  // the address has been taken, the response has not
  logic [IO_ID_BITS-1:0] write_id, read_id;
  wire aw_ready = io_response.aw_ready && !writing;
  wire aw_taken = p_request.aw_valid && aw_ready;
  always_ff @(posedge clock) begin
    if (reset) writing <= 1'b0;
    else writing <= (writing || aw_taken) && !(io_response.b_valid && p_request.b_ready);
    if (aw_taken) write_id <= p_request.aw.id;
  end

  // Reads, of a device or of the start page
  typedef enum logic [1:0] {IDLE, DEVICE, START} state_t;
  state_t state;
  logic [11:0] offset;
  logic [7:0] beats_left;
  logic [2:0] size;
  logic fixed;
  logic [63:0] start_word;
  wire is_start = p_request.ar.addr[35:12] == START_PAGE;
  wire ar_ready = state == IDLE && (is_start || io_response.ar_ready);
  always_comb
    case (offset[11:3])
      9'd0: start_word = START_0;
      9'd1: start_word = START_1;
      9'd2: start_word = 64'(reset_pc);
      default: start_word = '0;
    endcase
  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
    end else if (state == IDLE) begin
      if (p_request.ar_valid && ar_ready) begin
        state <= is_start ? START : DEVICE;
        read_id <= p_request.ar.id;
        {offset, beats_left, size} <= {p_request.ar.addr[11:0], p_request.ar.len, p_request.ar.size};
        fixed <= p_request.ar.burst == BURST_FIXED;
      end
    end else if (p_response.r_valid && p_request.r_ready) begin
      if (p_response.r.last) state <= IDLE;
      beats_left <= beats_left - 1'b1;
      if (!fixed) offset <= ((offset >> size) + 1'b1) << size;
    end
  end

  function automatic io_address_t without_id(input io_address_t a);
    return '{id: '0, addr: a.addr, len: a.len, size: a.size, burst: a.burst};
  endfunction
  assign io_request = '{
      aw_valid: p_request.aw_valid && !writing, aw: without_id(p_request.aw), w_valid: p_request.w_valid, w: p_request.w,
      b_ready: p_request.b_ready,
      ar_valid: state == IDLE && p_request.ar_valid && !is_start, ar: without_id(p_request.ar), r_ready: state == DEVICE && p_request.r_ready
  };
  assign p_response = '{
      aw_ready: aw_ready, w_ready: io_response.w_ready, b_valid: io_response.b_valid, b: '{id: write_id, resp: io_response.b.resp},
      ar_ready: ar_ready, r_valid: state == START || (state == DEVICE && io_response.r_valid),
      r: state == START ? io_read_t'{id: read_id, data: start_word, resp: RESP_OKAY, last: beats_left == 0}
                        : io_read_t'{id: read_id, data: io_response.r.data, resp: io_response.r.resp, last: io_response.r.last}
  };
endmodule
