// SPDX-License-Identifier: Apache-2.0
//
// Read data of many bursts, each a linked list of beats in one RAM. Bursts are written one after the other and read in
// any order, one at a time; the burst being written may be read behind the writer.
//   WIDTH  bits of a beat      BEATS  beats, a power of two      SLOTS  bursts
//   write        stores a beat of write_slot; write_first: it begins the burst
//   read_first   shows the first beat of read_slot from the next cycle on (also one that is written in this cycle)
//   read_next    shows the beat after the one shown from the next cycle on
//   more         with read_next: that beat is stored, or comes in this cycle
//   follow       shows the beat that is written in this cycle, from the next cycle on
//   free         the beat shown is done with
//   read_data    the beat shown
// The caller keeps within BEATS, and says with `receiving` that the burst it reads is the one being written.
module beat_store #(
    parameter int WIDTH = 8,
    parameter int BEATS = 1024,
    parameter int SLOTS = 512
) (
    input  logic                     clock,
    input  logic                     reset,
    input  logic                     write,
    input  logic                     write_first,
    input  logic [$clog2(SLOTS)-1:0] write_slot,
    input  logic [WIDTH-1:0]         write_data,
    input  logic                     receiving,
    output logic                     more,
    input  logic                     read_first,
    input  logic [$clog2(SLOTS)-1:0] read_slot,
    input  logic                     read_next,
    input  logic                     follow,
    input  logic                     free,
    output logic [WIDTH-1:0]         read_data
);
  localparam int BEAT_BITS = $clog2(BEATS);

  logic [BEAT_BITS-1:0] first_of[SLOTS];
  logic [BEAT_BITS-1:0] next_of[BEATS];
  logic [BEAT_BITS-1:0] written, last_written, shown, read_index;
  logic available;

  free_list #(.COUNT(BEATS)) beats (
      .clock, .reset, .available, .number(written), .take(write), .put(free), .put_number(shown)
  );
  forwarding_ram #(.WIDTH(WIDTH), .DEPTH(BEATS)) ram (
      .clock, .write, .write_index(written), .write_data,
      .read(read_first || read_next || follow), .read_index, .read_data
  );

  wire at_end = receiving && shown == last_written;
  assign more = !at_end || write;
  always_comb begin
    if (read_first) read_index = write && write_first && write_slot == read_slot ? written : first_of[read_slot];
    else if (follow || at_end) read_index = written;
    else read_index = next_of[shown];
  end

  always_ff @(posedge clock) begin
    if (write && write_first) first_of[write_slot] <= written;
    if (write && !write_first) next_of[last_written] <= written;
    if (write) last_written <= written;
    if (read_first || read_next || follow) shown <= read_index;
    if (!reset) assert (!write || available) else $fatal(1, "beat_store: overflow");
  end
endmodule
