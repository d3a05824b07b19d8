// SPDX-License-Identifier: Apache-2.0
//
// Copies of all counters at three moments (bank 0: begin of the region, 1: its end, 2: end of the program or now). A copy
// takes the counters in one cycle into registers and moves them to the bank's memory in the following COUNTERS cycles;
// `busy` until then, and `take` must stay low. A bank is valid from the end of its first copy to `restart`.
module counter_banks #(
    parameter int COUNTERS = 16,
    parameter int DEPTH    = 128  // counters a bank has room for, a power of two
) (
    input  logic                      clock,
    input  logic                      restart,
    input  logic [COUNTERS-1:0][63:0] live,
    input  logic                      take,
    input  logic [1:0]                take_bank,
    output logic                      busy,
    output logic [2:0]                valid,
    input  logic [$clog2(DEPTH)+1:0]  word_index,  // bank and counter
    output logic [63:0]               word         // one cycle after word_index
);
  if (COUNTERS > DEPTH || (DEPTH & (DEPTH - 1)) != 0) $error("counter_banks: DEPTH must be a power of two with room for COUNTERS");

  localparam int INDEX_BITS = $clog2(DEPTH);

  logic [63:0] memory[4*DEPTH];
  logic [COUNTERS-1:0][63:0] held;
  logic [1:0] bank;
  logic [INDEX_BITS-1:0] index;

  wire last = index == INDEX_BITS'(COUNTERS - 1);

  always_ff @(posedge clock) begin
    if (restart) begin
      busy <= 1'b0;
      valid <= '0;
    end else if (take && !busy) begin
      busy <= 1'b1;
      bank <= take_bank;
      index <= '0;
    end else if (busy) begin
      busy <= !last;
      index <= index + 1'b1;
      if (last) valid[bank] <= 1'b1;
    end
    if (take && !busy) held <= live;
    else if (busy) held <= {64'b0, held[COUNTERS-1:1]};
    if (busy) memory[{bank, index}] <= held[0];
    word <= memory[word_index];
  end

  always_ff @(posedge clock) begin
    if (!restart) assert (!(take && busy)) else $fatal(1, "counter_banks: a copy was asked for during another one");
  end
endmodule
