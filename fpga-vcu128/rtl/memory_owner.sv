// SPDX-License-Identifier: Apache-2.0
//
// Gives the memory port to the core or to the host, and holds the core in reset while the host has it.
//   run 1: the core gets the port and leaves reset. run 0: no new address of the core is taken, its requests in flight are
//   completed, then it is reset and the host gets the port: memory never sees a broken burst, and needs no reset.
// The core is in reset for at least 16 cycles. `core_reset` and `host_owns` change only while nothing is in flight on either
// side (the host must be idle before run 1).
module memory_owner
  import bus_types::*;
(
    input  logic             clock,
    input  logic             reset,
    input  logic             run,
    output logic             core_reset,
    output logic             host_owns,
    output logic             started,  // pulse: the core leaves reset
    input  memory_request_t  core_request,
    output memory_response_t core_response,
    input  memory_request_t  host_request,
    output memory_response_t host_response,
    output memory_request_t  request,
    input  memory_response_t response
);
  typedef enum logic [1:0] {HELD, RUNNING, DRAINING} state_t;
  state_t state;
  logic [11:0] reads, writes, bursts_owed;  // in flight; bursts_owed: address taken, last data not
  logic [4:0] reset_cycles;                 // of the core, stops at 16
  logic aw_held, ar_held;                   // an address is offered and has not been taken: it must stay

  wire open_aw = state != DRAINING || aw_held;
  wire open_ar = state != DRAINING || ar_held;
  wire idle = reads == 0 && writes == 0 && bursts_owed == 0 && !aw_held && !ar_held;

  assign host_owns = state == HELD;
  assign core_reset = state == HELD;

  memory_request_t owner;
  assign owner = host_owns ? host_request : core_request;
  assign request = '{
      aw_valid: owner.aw_valid && open_aw, aw: owner.aw, w_valid: owner.w_valid, w: owner.w, b_ready: owner.b_ready,
      ar_valid: owner.ar_valid && open_ar, ar: owner.ar, r_ready: owner.r_ready
  };
  function automatic memory_response_t answer(input logic granted, input memory_response_t from, input logic aw, input logic ar);
    return '{
        aw_ready: from.aw_ready && aw && granted, w_ready: from.w_ready && granted, b_valid: from.b_valid && granted, b: from.b,
        ar_ready: from.ar_ready && ar && granted, r_valid: from.r_valid && granted, r: from.r
    };
  endfunction
  assign core_response = answer(!host_owns, response, open_aw, open_ar);
  assign host_response = answer(host_owns, response, open_aw, open_ar);

  wire aw_taken = request.aw_valid && response.aw_ready;
  wire ar_taken = request.ar_valid && response.ar_ready;
  wire w_ends = request.w_valid && response.w_ready && request.w.last;
  always_ff @(posedge clock) begin
    if (reset) begin
      state <= HELD;
      started <= 1'b0;
      {reads, writes, bursts_owed, aw_held, ar_held, reset_cycles} <= '0;
    end else begin
      reset_cycles <= state != HELD ? '0 : reset_cycles + 5'(!reset_cycles[4]);
      started <= 1'b0;
      aw_held <= request.aw_valid && !response.aw_ready;
      ar_held <= request.ar_valid && !response.ar_ready;
      reads <= reads + 12'(ar_taken) - 12'(response.r_valid && request.r_ready && response.r.last);
      writes <= writes + 12'(aw_taken) - 12'(response.b_valid && request.b_ready);
      bursts_owed <= bursts_owed + 12'(aw_taken) - 12'(w_ends);
      case (state)
        HELD:
          if (run && reset_cycles[4] && idle && !request.aw_valid && !request.ar_valid) begin
            state <= RUNNING;
            started <= 1'b1;
          end
        RUNNING: if (!run) state <= DRAINING;
        default: if (idle) state <= HELD;
      endcase
    end
  end
endmodule
