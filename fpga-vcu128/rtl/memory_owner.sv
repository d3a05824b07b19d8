// SPDX-License-Identifier: Apache-2.0
//
// Gives the memory port to the core or to the host, and holds the core in reset while the host has it.
//   run 1: the core gets the port and leaves reset. run 0: no new address of the core is taken, its requests in flight are
//   completed, then it is reset and the host gets the port: memory never sees a broken burst, and needs no reset.
// The core is in reset for at least 16 cycles. `core_reset` and `host_owns` change only while nothing is in flight on
// either side (the host must be idle before run 1).
// Only valid and ready pass through here; `host_owns` selects the payload outside.
module memory_owner (
    input  logic       clock,
    input  logic       reset,
    input  logic       run,
    output logic       core_reset,
    output logic       host_owns,
    output logic       started,  // pulse: the core leaves reset
    // core (0) and host (1): addresses, write data, responses
    input  logic [1:0] c_awvalid,
    output logic [1:0] c_awready,
    input  logic [1:0] c_wvalid,
    output logic [1:0] c_wready,
    output logic [1:0] c_bvalid,
    input  logic [1:0] c_bready,
    input  logic [1:0] c_arvalid,
    output logic [1:0] c_arready,
    output logic [1:0] c_rvalid,
    input  logic [1:0] c_rready,
    // memory
    output logic       awvalid,
    input  logic       awready,
    output logic       wvalid,
    input  logic       wready,
    input  logic       wlast,
    input  logic       bvalid,
    output logic       bready,
    output logic       arvalid,
    input  logic       arready,
    input  logic       rvalid,
    output logic       rready,
    input  logic       rlast
);
  typedef enum logic [1:0] {HELD, RUNNING, DRAINING} state_t;
  state_t state;
  logic [11:0] reads, writes, bursts_owed;  // in flight; bursts_owed: address taken, last data not
  logic [4:0] reset_cycles;                 // of the core, stops at 16
  logic aw_held, ar_held;                   // an address is offered and has not been taken: it must stay

  wire owner = host_owns;
  wire open_aw = state != DRAINING || aw_held;
  wire open_ar = state != DRAINING || ar_held;
  wire idle = reads == 0 && writes == 0 && bursts_owed == 0 && !aw_held && !ar_held;

  assign host_owns = state == HELD;
  assign core_reset = state == HELD;

  assign awvalid = c_awvalid[owner] && open_aw;
  assign arvalid = c_arvalid[owner] && open_ar;
  assign wvalid = c_wvalid[owner];
  assign bready = c_bready[owner];
  assign rready = c_rready[owner];
  assign c_awready = awready && open_aw ? 2'b01 << owner : 2'b00;
  assign c_arready = arready && open_ar ? 2'b01 << owner : 2'b00;
  assign c_wready = wready ? 2'b01 << owner : 2'b00;
  assign c_bvalid = bvalid ? 2'b01 << owner : 2'b00;
  assign c_rvalid = rvalid ? 2'b01 << owner : 2'b00;

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= HELD;
      started <= 1'b0;
      {reads, writes, bursts_owed, aw_held, ar_held, reset_cycles} <= '0;
    end else begin
      reset_cycles <= state != HELD ? '0 : reset_cycles + 5'(!reset_cycles[4]);
      started <= 1'b0;
      aw_held <= awvalid && !awready;
      ar_held <= arvalid && !arready;
      reads <= reads + 12'(arvalid && arready) - 12'(rvalid && rready && rlast);
      writes <= writes + 12'(awvalid && awready) - 12'(bvalid && bready);
      bursts_owed <= bursts_owed + 12'(awvalid && awready) - 12'(wvalid && wready && wlast);
      case (state)
        HELD:
          if (run && reset_cycles[4] && idle && !awvalid && !arvalid) begin
            state <= RUNNING;
            started <= 1'b1;
          end
        RUNNING: if (!run) state <= DRAINING;
        default: if (idle) state <= HELD;
      endcase
    end
  end
endmodule
