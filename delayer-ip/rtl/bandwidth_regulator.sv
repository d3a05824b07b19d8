// SPDX-License-Identifier: Apache-2.0
//
// Bandwidth of reads and writes, `rate` bytes a cycle (16.16 fixed point, 0 = unlimited): of both together from one
// bucket, as a memory has it, or, with `per_direction`, of each from its own, as a full-duplex link has it.
// Reads keep their bucket when the mode changes; the one of writes alone begins full.
module bandwidth_regulator #(
    parameter int BUCKET_BYTES = 128
) (
    input  logic        clock,
    input  logic        reset,
    input  logic [31:0] rate,
    input  logic        per_direction,
    input  logic [7:0]  read_charge_bytes,
    input  logic [7:0]  write_charge_bytes,
    output logic        read_tokens,
    output logic        write_tokens
);
  wire [8:0] shared_write_bytes = per_direction ? 9'd0 : 9'(write_charge_bytes);
  logic own_tokens;

  token_bucket #(.BUCKET_BYTES(BUCKET_BYTES)) reads_or_both (
      .clock, .reset, .rate, .charge_bytes(9'(read_charge_bytes) + shared_write_bytes), .tokens(read_tokens)
  );
  token_bucket #(.BUCKET_BYTES(BUCKET_BYTES)) writes (
      .clock, .reset, .rate(per_direction ? rate : 32'd0), .charge_bytes(9'(write_charge_bytes)), .tokens(own_tokens)
  );
  assign write_tokens = per_direction ? own_tokens : read_tokens;
endmodule
