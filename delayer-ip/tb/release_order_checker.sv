// SPDX-License-Identifier: Apache-2.0
//
// Beside every release_scheduler of the test bench: whether an answer goes behind another one, and behind which, must be what
// a table by ID says that is read in the cycle of the answer: the slot of this ID that went into the calendar last, until it
// comes out. Stops the simulation at the first difference.
module release_order_checker #(
    parameter int ID_BITS = 10,
    parameter int SLOTS   = 512
) (
    input logic                     clock,
    input logic                     reset,
    input logic                     arrive,
    input logic [$clog2(SLOTS)-1:0] arrive_slot,
    input logic [ID_BITS-1:0]       id,
    input logic [$clog2(SLOTS)-1:0] older,
    input logic                     older_in_calendar,
    input logic                     defer,
    input logic                     due,
    input logic [$clog2(SLOTS)-1:0] due_slot
);
  localparam int IDS = 1 << ID_BITS;

  logic [$clog2(SLOTS)-1:0] last_of[IDS];
  logic [IDS-1:0] held;  // last_of is in the calendar
  logic [ID_BITS-1:0] id_of[SLOTS];

  always_ff @(posedge clock) begin
    if (reset) held = '0;
    else begin
      assert (!arrive || older_in_calendar == held[id])
        else $fatal(1, "release_order_checker %m: ID %0d waits for an older answer: %0d", id, older_in_calendar);
      assert (!arrive || !held[id] || older == last_of[id])
        else $fatal(1, "release_order_checker %m: ID %0d goes behind slot %0d, not %0d", id, older, last_of[id]);
      if (due && last_of[id_of[due_slot]] == due_slot) held[id_of[due_slot]] = 1'b0;
      if (defer) begin
        last_of[id] = arrive_slot;
        id_of[arrive_slot] = id;
        held[id] = 1'b1;
      end
    end
  end
endmodule

bind release_scheduler release_order_checker #(.ID_BITS(ID_BITS), .SLOTS(SLOTS)) order_checker (.*);
