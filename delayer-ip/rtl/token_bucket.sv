// SPDX-License-Identifier: Apache-2.0
//
// Token bucket. `rate` bytes a cycle (16.16 fixed point, 0 = unlimited) flow in, up to BUCKET_BYTES; a beat may start
// while `tokens` says that the bucket is above zero and takes its bytes out, so the bucket may go below zero by the beats
// of one cycle (at most BUCKET_BYTES). Over any window: bytes <= rate * cycles + BUCKET_BYTES + the beats of one cycle;
// under constant demand the rate is met exactly. A change of the rate neither empties nor fills the bucket.
module token_bucket #(
    parameter int BUCKET_BYTES = 128
) (
    input  logic        clock,
    input  logic        reset,
    input  logic [31:0] rate,
    input  logic [8:0]  charge_bytes,
    output logic        tokens
);
  if (BUCKET_BYTES < 64 || BUCKET_BYTES > 16384) $error("token_bucket: BUCKET_BYTES must be 64 to 16384");

  // Signed 16.16 with room for the fullest bucket plus the highest rate.
  localparam int LEVEL_BITS = 35;
  localparam logic signed [LEVEL_BITS-1:0] FULL = LEVEL_BITS'(BUCKET_BYTES) << 16;

  logic signed [LEVEL_BITS-1:0] level, filled, charged;

  assign filled = level + $signed({3'b0, rate});
  assign charged = (filled > FULL ? FULL : filled) - $signed({10'b0, charge_bytes, 16'b0});
  assign tokens = rate == 0 || level > 0;

  always_ff @(posedge clock) begin
    if (reset || rate == 0) level <= FULL;
    else level <= charged;
  end
endmodule
