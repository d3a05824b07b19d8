// SPDX-License-Identifier: Apache-2.0
//
// Calendar queue: keeps slots until their time comes, whatever the order they were put in. One bucket for each of the
// next 2^TIME_BITS cycles; a bucket is a linked list of slots, so that any number of slots can have one time.
//   SLOTS        slots, a power of two; each is in the calendar at most once
//   now          time in cycles, modulo 2^TIME_BITS
//   insert       puts insert_slot in bucket insert_time, from now + 2 to now + 2^TIME_BITS - 1
//   due          due_slot's time is the next cycle or has come; one slot a cycle, by time, in a bucket by insertion
//
// A bucket is two slots in RAM, its head and its tail. Instead of being cleared it is only believed when `heads` says
// that the slot it names leads a bucket and `bucket_of` says that it is this one: nothing but `heads` needs a reset.
// Cycle 0: read the bucket of insert_time. Cycle 1: append and write it. The bucket of cycle t is read in t - 2 and
// taken off in t - 1; a slot that meets it there is appended on the way.
module deadline_calendar #(
    parameter int SLOTS     = 512,
    parameter int TIME_BITS = 16
) (
    input  logic                     clock,
    input  logic                     reset,
    input  logic [TIME_BITS-1:0]     now,
    input  logic                     insert,
    input  logic [$clog2(SLOTS)-1:0] insert_slot,
    input  logic [TIME_BITS-1:0]     insert_time,
    output logic                     due,
    output logic [$clog2(SLOTS)-1:0] due_slot
);
  localparam int SLOT_BITS = $clog2(SLOTS);
  localparam int BUCKETS = 1 << TIME_BITS;

  typedef struct packed {
    logic [SLOT_BITS-1:0] head, tail;
  } list_t;

  logic [SLOTS-1:0] heads;
  logic [TIME_BITS-1:0] bucket_of[SLOTS];
  logic [SLOT_BITS-1:0] next_of[SLOTS];

  // Insertion, cycle 1
  logic appending;
  logic [SLOT_BITS-1:0] slot;
  logic [TIME_BITS-1:0] bucket_time;
  list_t found, written, swept;

  wire [TIME_BITS-1:0] sweep_time = now + 1'b1;
  wire found_valid = heads[found.head] && bucket_of[found.head] == bucket_time;
  wire swept_valid = heads[swept.head] && bucket_of[swept.head] == sweep_time;
  wire meets_sweep = appending && bucket_time == sweep_time;
  wire write_bucket = appending && !meets_sweep;
  wire link = appending && (meets_sweep ? swept_valid : found_valid);
  wire [SLOT_BITS-1:0] link_from = meets_sweep ? swept.tail : found.tail;

  assign written = '{head: found_valid ? found.head : slot, tail: slot};

  forwarding_ram #(.WIDTH(2 * SLOT_BITS), .DEPTH(BUCKETS)) buckets_to_insert (
      .clock, .write(write_bucket), .write_index(bucket_time), .write_data(written),
      .read(insert), .read_index(insert_time), .read_data(found)
  );
  forwarding_ram #(.WIDTH(2 * SLOT_BITS), .DEPTH(BUCKETS)) buckets_to_sweep (
      .clock, .write(write_bucket), .write_index(bucket_time), .write_data(written),
      .read(1'b1), .read_index(now + TIME_BITS'(2)), .read_data(swept)
  );

  // Lists whose time has come, and the walk through them. The FIFO has room for a list of each slot.
  logic list_ready, list_valid, walking;
  list_t list, due_list;
  logic [SLOT_BITS-1:0] walk_slot;
  wire last_of_list = due_slot == list.tail;

  assign due_list.head = swept_valid ? swept.head : slot;
  assign due_list.tail = meets_sweep ? slot : swept.tail;
  bypass_fifo #(.WIDTH(2 * SLOT_BITS), .DEPTH(SLOTS)) lists (
      .clock, .reset,
      .in_valid(swept_valid || meets_sweep), .in_ready(list_ready), .in_data(due_list),
      .out_valid(list_valid), .out_ready(last_of_list), .out_data(list)
  );
  assign due = list_valid;
  assign due_slot = walking ? walk_slot : list.head;

  always_ff @(posedge clock) begin
    if (insert) bucket_of[insert_slot] <= insert_time;
    if (link) next_of[link_from] <= slot;
    slot <= insert_slot;
    bucket_time <= insert_time;
    walk_slot <= link && link_from == due_slot ? slot : next_of[due_slot];
    if (reset) begin
      appending <= 1'b0;
      walking <= 1'b0;
      heads <= '0;
    end else begin
      appending <= insert;
      walking <= list_valid && !last_of_list;
      if (swept_valid) heads[swept.head] <= 1'b0;
      if (write_bucket && !found_valid) heads[slot] <= 1'b1;
      assert (list_ready) else $fatal(1, "deadline_calendar: more lists than slots");
    end
  end
endmodule
