// SPDX-License-Identifier: Apache-2.0
//
// AXI4 subordinate that turns every beat into one access on the beat bus, one at a time: made for loading images and
// reading registers, not for speed. INCR and FIXED bursts of any size; WRAP is answered SLVERR without an access.
// Nothing is taken during reset, which lasts a little longer here than for the manager. An access that errs makes its beat (read) or its burst
// (write) SLVERR; addresses beyond the SoC's physical address space err.
module axi_to_beats
  import bus_types::*;
  import board_types::*;
(
    input  logic           clock,
    input  logic           reset,
    input  pcie_request_t  s_request,
    output pcie_response_t s_response,
    output beat_request_t  request,
    input  beat_response_t response
);
  typedef enum logic [2:0] {IDLE, WRITE_DATA, ACCESS, READ_DATA, ANSWER} state_t;
  state_t state;
  logic write, failed, prefer_read;
  pcie_address_t burst;  // the address is that of the next beat, the length what is left
  pcie_write_t written;
  logic [255:0] read;

  wire idle = state == IDLE && !reset;
  wire take_read = idle && s_request.ar_valid && (prefer_read || !s_request.aw_valid);
  wire take_write = idle && s_request.aw_valid && !take_read;
  wire [1:0] resp = failed ? RESP_SLVERR : RESP_OKAY;
  wire last = burst.len == 0;
  assign s_response = '{
      aw_ready: take_write, w_ready: state == WRITE_DATA, b_valid: state == ANSWER, b: '{id: burst.id, resp: resp},
      ar_ready: take_read, r_valid: state == READ_DATA, r: '{id: burst.id, data: read, resp: resp, last: last}
  };

  wire legal = burst.burst != BURST_WRAP && (burst.addr >> PADDR_BITS) == 0;
  wire [63:0] next_addr = burst.burst == BURST_INCR ? ((burst.addr >> burst.size) + 1'b1) << burst.size : burst.addr;
  assign request = '{
      valid: state == ACCESS && legal, write: write, addr: burst.addr[PADDR_BITS-1:0], size: burst.size,
      data: written.data, strobes: written.strb
  };
  wire done = state == ACCESS && (response.done || !legal);
  wire error = !legal || response.error;

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      prefer_read <= 1'b0;
    end else begin
      case (state)
        IDLE:
        if (take_read || take_write) begin
          state <= take_read ? ACCESS : WRITE_DATA;
          write <= take_write;
          prefer_read <= take_write;
          failed <= 1'b0;
          burst <= take_read ? s_request.ar : s_request.aw;
        end
        WRITE_DATA:
        if (s_request.w_valid) begin
          written <= s_request.w;
          state <= ACCESS;
        end
        ACCESS:
        if (done) begin
          failed <= error || (write && failed);
          if (!write) read <= response.data;
          state <= !write ? READ_DATA : last ? ANSWER : WRITE_DATA;
          if (write) {burst.len, burst.addr} <= {burst.len - 1'b1, next_addr};
        end
        READ_DATA:
        if (s_request.r_ready) begin
          state <= last ? IDLE : ACCESS;
          {burst.len, burst.addr} <= {burst.len - 1'b1, next_addr};
        end
        default: if (s_request.b_ready) state <= IDLE;
      endcase
    end
  end
endmodule
