// SPDX-License-Identifier: Apache-2.0
//
// FIFO of slots that takes two a cycle and gives one; `first` goes before `second`. A slot put into the empty queue is
// at the output in the same cycle. There is room for every slot.
//   SLOTS  a power of two, at least 4
module ready_queue #(
    parameter int SLOTS = 512
) (
    input  logic                     clock,
    input  logic                     reset,
    input  logic                     first,
    input  logic [$clog2(SLOTS)-1:0] first_slot,
    input  logic                     second,
    input  logic [$clog2(SLOTS)-1:0] second_slot,
    output logic                     out_valid,
    output logic [$clog2(SLOTS)-1:0] out_slot,
    input  logic                     out_take
);
  localparam int BITS = $clog2(SLOTS);

  // Consecutive words alternate between two banks, so that two writes never meet in one.
  logic [BITS-1:0] even[SLOTS/2];
  logic [BITS-1:0] odd[SLOTS/2];
  logic [BITS:0] write_pointer, read_pointer;
  wire [BITS:0] second_pointer = write_pointer + (BITS + 1)'(first);
  wire write_even = (first && !write_pointer[0]) || (second && !second_pointer[0]);
  wire write_odd = (first && write_pointer[0]) || (second && second_pointer[0]);
  wire first_even = first && !write_pointer[0];
  wire first_odd = first && write_pointer[0];

  wire empty = write_pointer == read_pointer;  // before what comes in this cycle
  assign out_valid = !empty || first || second;
  assign out_slot = empty ? (first ? first_slot : second_slot)
      : read_pointer[0] ? odd[read_pointer[BITS-1:1]] : even[read_pointer[BITS-1:1]];

  always_ff @(posedge clock) begin
    if (write_even)
      even[first_even ? write_pointer[BITS-1:1] : second_pointer[BITS-1:1]] <= first_even ? first_slot : second_slot;
    if (write_odd)
      odd[first_odd ? write_pointer[BITS-1:1] : second_pointer[BITS-1:1]] <= first_odd ? first_slot : second_slot;
    if (reset) begin
      write_pointer <= '0;
      read_pointer <= '0;
    end else begin
      write_pointer <= second_pointer + (BITS + 1)'(second);
      read_pointer <= read_pointer + (BITS + 1)'(out_take);
      assert (!out_take || out_valid) else $fatal(1, "ready_queue: taken from an empty queue");
    end
  end
endmodule
