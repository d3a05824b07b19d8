// SPDX-License-Identifier: Apache-2.0
//
// The delay of each transaction of one channel: latency_cycles plus a random offset, held within 0 to 2^LATENCY_BITS - 1.
//   SEED_XOR  makes the sequences of two channels with one seed different
//   take      the current delay_cycles is used; the next number of the sequence follows in the next cycle
//   reseed    the sequence of `seed` begins in the next cycle
// The sequence depends on the seed and the number of transactions alone, not on their times. With R(i) = bits
// 16 i + 15 : 16 i of the generator and A = amplitude, the offset is, by model:
//   0 constant   0
//   1 uniform    -A to A, all alike: floor(R(3) (2 A + 1) / 2^16) - A
//   2 normal     bell-shaped within -A to A, standard deviation 0.2887 A:
//                floor(((R(0) + R(1) + R(2) + R(3) - 131070) A + 2^16) / 2^17)
//   3 two-point  A with probability / 2^16, else 0: R(3) < probability
//   4 table      signed entry R(3)[15:6] of the user's table of 1,024 (four in each word, lowest first)
// Generator: 64-bit xorshift (13, 7, 17), Marsaglia 2003; the seed 0 is replaced.
module jitter_source #(
    parameter logic [63:0] SEED_XOR     = 64'd0,
    parameter int          LATENCY_BITS = 16
) (
    input  logic        clock,
    input  logic        reset,
    input  logic [15:0] latency_cycles,
    input  logic [2:0]  model,
    input  logic [15:0] amplitude,
    input  logic [15:0] probability,
    input  logic        reseed,
    input  logic [63:0] seed,
    input  logic        table_write,
    input  logic [7:0]  table_index,
    input  logic [63:0] table_data,
    input  logic        take,
    output logic [15:0] delay_cycles
);
  localparam logic signed [17:0] MOST = 18'((1 << LATENCY_BITS) - 1);
  localparam logic [63:0] ZERO_REPLACEMENT = 64'h9e37_79b9_7f4a_7c15;

  function automatic logic [63:0] xorshift(input logic [63:0] x);
    logic [63:0] y;
    y = x ^ (x << 13);
    y = y ^ (y >> 7);
    return y ^ (y << 17);
  endfunction

  function automatic logic [63:0] first(input logic [63:0] s);
    return xorshift((s ^ SEED_XOR) == 0 ? ZERO_REPLACEMENT : s ^ SEED_XOR);
  endfunction

  logic [63:0] random, next_random, entries;
  logic signed [17:0] offset;
  wire signed [17:0] wide_amplitude = $signed({2'b0, amplitude});
  wire [17:0] sum = 18'(random[15:0]) + 18'(random[31:16]) + 18'(random[47:32]) + 18'(random[63:48]);
  wire signed [18:0] centred = $signed({1'b0, sum}) - 19'sd131070;

  assign next_random = reset ? first(64'd0) : reseed ? first(seed) : take ? xorshift(random) : random;
  always_ff @(posedge clock) random <= next_random;

  // Read ahead: the word shown belongs to `random`.
  forwarding_ram #(.WIDTH(64), .DEPTH(256)) offsets (
      .clock, .write(table_write), .write_index(table_index), .write_data(table_data),
      .read(reset || reseed || take || table_write), .read_index(next_random[63:56]), .read_data(entries)
  );

  always_comb begin
    case (model)
      3'd1: offset = 18'((36'(random[63:48]) * 36'({amplitude, 1'b1})) >> 16) - wide_amplitude;
      3'd2: offset = 18'((36'(centred) * 36'(wide_amplitude) + 36'sd65536) >>> 17);
      3'd3: offset = random[63:48] < probability ? wide_amplitude : 18'sd0;
      3'd4: offset = 18'($signed(entries[16*random[55:54]+:16]));
      default: offset = 18'sd0;
    endcase
  end

  wire signed [17:0] delay = $signed({2'b0, latency_cycles}) + offset;
  assign delay_cycles = delay < 0 ? 16'd0 : delay > MOST ? MOST[15:0] : delay[15:0];
endmodule
