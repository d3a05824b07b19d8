// SPDX-License-Identifier: Apache-2.0
//
// Token bucket shared by reads and writes. `rate` bytes per cycle (16.16 fixed point, 0 = unlimited) flow in, up to
// BUCKET_BYTES; a beat may start while the bucket is above zero and takes its bytes out, so the bucket may go below
// zero by the beats of one cycle. Over any window: bytes <= rate * cycles + BUCKET_BYTES + one beat each way; under
// constant demand the rate is met exactly. Changing the rate empties or fills nothing.
module bandwidth_regulator #(
    parameter int BUCKET_BYTES = 128
) (
    input  logic        clock,
    input  logic        reset,
    input  logic [31:0] rate,
    input  logic [7:0]  read_charge_bytes,
    input  logic [7:0]  write_charge_bytes,
    output logic        tokens
);
  if (BUCKET_BYTES < 64 || BUCKET_BYTES > 16384) $error("bandwidth_regulator: BUCKET_BYTES must be 64 to 16384");

  // Signed 16.16 with room for the fullest bucket plus the highest rate.
  localparam int LEVEL_BITS = 35;
  localparam logic signed [LEVEL_BITS-1:0] FULL = LEVEL_BITS'(BUCKET_BYTES) << 16;

  logic signed [LEVEL_BITS-1:0] level, filled, charged;
  logic [8:0] charge_bytes;

  assign charge_bytes = 9'(read_charge_bytes) + 9'(write_charge_bytes);
  assign filled = level + $signed({3'b0, rate});
  assign charged = (filled > FULL ? FULL : filled) - $signed({10'b0, charge_bytes, 16'b0});
  assign tokens = rate == 0 || level > 0;

  always_ff @(posedge clock) begin
    if (reset || rate == 0) level <= FULL;
    else level <= charged;
  end
endmodule
