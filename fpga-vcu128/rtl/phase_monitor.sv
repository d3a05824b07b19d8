// SPDX-License-Identifier: Apache-2.0
//
// The region's busiest phase: over windows of WINDOW_CYCLES from `begin_region` on, the largest increase of the in-flight
// integral of far memory and the busy cycles of that window. As the simulator does, a last window that is not full is left out.
module phase_monitor #(
    parameter int WINDOW_CYCLES = 10000
) (
    input  logic        clock,
    input  logic        restart,
    input  logic        begin_region,
    input  logic        end_region,
    input  logic [63:0] inflight_integral,
    input  logic [63:0] busy_cycles,
    output logic [63:0] peak_integral,
    output logic [63:0] peak_busy
);
  logic in_region;
  logic [$clog2(WINDOW_CYCLES)-1:0] cycle;
  logic [63:0] window_integral, window_busy;

  wire [63:0] integral = inflight_integral - window_integral;
  wire window_ends = in_region && cycle == ($clog2(WINDOW_CYCLES))'(WINDOW_CYCLES - 1);

  always_ff @(posedge clock) begin
    if (restart || begin_region) begin
      peak_integral <= '0;
      peak_busy <= '0;
    end else if (window_ends && integral > peak_integral) begin
      peak_integral <= integral;
      peak_busy <= busy_cycles - window_busy;
    end
    in_region <= !restart && (begin_region || (in_region && !end_region));
    cycle <= begin_region || window_ends ? '0 : cycle + 1'b1;
    if (begin_region || window_ends) begin
      window_integral <= inflight_integral;
      window_busy <= busy_cycles;
    end
  end
endmodule
