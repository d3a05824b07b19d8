// SPDX-License-Identifier: Apache-2.0
//
// Hands out the numbers 0 to COUNT-1, each to one holder at a time. After reset the numbers come in order, later as
// they were given back; one given back can be taken in the next cycle.
//   COUNT  a power of two
module free_list #(
    parameter int COUNT = 16
) (
    input  logic                     clock,
    input  logic                     reset,
    output logic                     available,
    output logic [$clog2(COUNT)-1:0] number,
    input  logic                     take,
    input  logic                     put,
    input  logic [$clog2(COUNT)-1:0] put_number
);
  localparam int BITS = $clog2(COUNT);

  logic [BITS-1:0] ram[COUNT];
  logic [BITS-1:0] head, tail;
  logic [BITS:0] fresh;  // numbers never handed out begin here
  logic [BITS:0] free;
  wire all_used_once = fresh[BITS];

  assign available = free != 0;
  assign number = all_used_once ? ram[head] : fresh[BITS-1:0];

  always_ff @(posedge clock) begin
    if (put) ram[tail] <= put_number;
    if (reset) begin
      head <= '0;
      tail <= '0;
      fresh <= '0;
      free <= (BITS + 1)'(COUNT);
    end else begin
      if (take && !all_used_once) fresh <= fresh + 1'b1;
      if (take && all_used_once) head <= head + 1'b1;
      if (put) tail <= tail + 1'b1;
      free <= free - (BITS + 1)'(take) + (BITS + 1)'(put);
      assert (!take || available) else $fatal(1, "free_list: taken from an empty list");
    end
  end
endmodule
