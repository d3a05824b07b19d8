// SPDX-License-Identifier: Apache-2.0
//
// Decides which transaction of a channel is answered next, and when: as soon as its latency has passed and the memory
// has answered, in any order between IDs and in order of the memory's answers within an ID. A transaction lives in a slot.
//   SLOTS     slots, a power of two            ID_BITS  bits of an ID
//   LATENCY_BITS  delays are below 2^LATENCY_BITS; at least 2 SLOTS
//   now       time in cycles, modulo 2^(LATENCY_BITS + 2)
//   accept    accept_slot carries a transaction of accept_id from now on
//   start     start_slot's latency begins: not to be answered before delay_cycles have passed; 0 = as the memory does
//   arrive    the memory's first answer for arrive_slot comes, in the order of `accept` and in a later cycle; arrive_slot
//             names the next to arrive also before
//   idle      the channel has nothing to answer with
//   direct    the arriving slot may be answered in this very cycle: only when idle, and then nothing else can be ready
//             before the next cycle; it does not come to `ready` again
//   ready     ready_slot may be answered from the next cycle on; it leaves with `take`
//   late      pulse: the arriving slot missed its time (never for delay 0)
//   overdue   the memory has not answered arrive_slot, and its time has passed
//
// An answer that comes before its time goes into the calendar, one that comes at its time or after it straight into the
// queue of ready slots. It goes behind the one before of the same ID while that is still in the calendar.
//
// Which slot that is, is known at `accept`: a RAM (block RAM or UltraRAM) takes accept_slot as the newest of its ID and gives
// the one before in exchange, a cycle later, when an answer may come already. By then that slot may carry another
// transaction, or never have had one, as nothing is reset. It is believed when it is in the calendar and has the arriving
// ID. That is enough: answers come in the order of `accept`, so neither the arriving transaction nor a newer one is in the
// calendar, and whatever was in that slot before the one before has left.
//
// Times are compared modulo 2^(LATENCY_BITS + 2): a patrol marks slots whose time has passed within SLOTS cycles, so that
// a memory may take any time to answer; an answer is at most 2^LATENCY_BITS + SLOTS cycles in the calendar.
module release_scheduler #(
    parameter int ID_BITS      = 10,
    parameter int SLOTS        = 512,
    parameter int LATENCY_BITS = 16
) (
    input  logic                     clock,
    input  logic                     reset,
    input  logic [LATENCY_BITS+1:0]  now,
    input  logic                     accept,
    input  logic [$clog2(SLOTS)-1:0] accept_slot,
    input  logic [ID_BITS-1:0]       accept_id,
    input  logic                     start,
    input  logic [$clog2(SLOTS)-1:0] start_slot,
    input  logic [15:0]              delay_cycles,
    input  logic                     arrive,
    input  logic [$clog2(SLOTS)-1:0] arrive_slot,
    input  logic                     idle,
    output logic                     direct,
    output logic                     ready,
    output logic [$clog2(SLOTS)-1:0] ready_slot,
    input  logic                     take,
    output logic                     late,
    output logic                     overdue
);
  if (LATENCY_BITS < 4 || LATENCY_BITS > 16) $error("release_scheduler: LATENCY_BITS must be 4 to 16");
  if (SLOTS < 4 || 2 * SLOTS > 1 << LATENCY_BITS || (SLOTS & (SLOTS - 1)) != 0)
    $error("release_scheduler: SLOTS must be a power of two, at least 4, at most half of 2^LATENCY_BITS");
  if (ID_BITS < 1 || ID_BITS > 16) $error("release_scheduler: ID_BITS must be 1 to 16");

  localparam int TIME_BITS = LATENCY_BITS + 2;
  localparam int SLOT_BITS = $clog2(SLOTS);
  typedef logic [TIME_BITS-1:0] time_t;

  // Per slot
  time_t deadline_of[SLOTS];
  logic enforced[SLOTS];  // started with a delay other than 0
  logic [ID_BITS-1:0] id_of[SLOTS];
  time_t release_of[SLOTS];  // of slots in the calendar
  logic [SLOTS-1:0] waiting;  // started, not arrived
  logic expired[SLOTS];  // waiting, and its time passed
  logic [SLOTS-1:0] in_calendar;
  logic [SLOT_BITS-1:0] previous_of[SLOTS];  // slot accepted before it with the same ID
  // Per ID
  logic [SLOT_BITS-1:0] newest_of[2**ID_BITS];  // slot accepted last

  logic linking;  // the cycle after `accept`
  logic [SLOT_BITS-1:0] link_slot, previous;

  function automatic logic earlier(input time_t a, input time_t b);
    time_t difference = a - b;
    return difference[TIME_BITS-1];
  endfunction

  // The arriving slot. `waiting` is not read in the block that writes it: the simulator would copy it every cycle.
  wire arriving_waits = waiting[arrive_slot];
  wire time_t deadline = deadline_of[arrive_slot];
  wire [ID_BITS-1:0] id = id_of[arrive_slot];
  wire [SLOT_BITS-1:0] older = linking && link_slot == arrive_slot ? previous : previous_of[arrive_slot];
  wire older_in_calendar = in_calendar[older] && id_of[older] == id;
  wire passed = expired[arrive_slot] || earlier(deadline, now);
  wire at_once = (passed || !earlier(now + 1'b1, deadline)) && !older_in_calendar;
  wire defer = arrive && !at_once;

  assign late = arrive && enforced[arrive_slot] && passed;
  assign overdue = arriving_waits && !arrive && enforced[arrive_slot] && passed;

  time_t release_time;
  always_comb begin
    release_time = now + TIME_BITS'(2);
    if (!passed && earlier(release_time, deadline)) release_time = deadline;
    if (older_in_calendar && earlier(release_time, release_of[older])) release_time = release_of[older];
  end

  logic due;
  logic [SLOT_BITS-1:0] due_slot;
  deadline_calendar #(.SLOTS(SLOTS), .TIME_BITS(LATENCY_BITS)) calendar (
      .clock, .reset, .now(now[LATENCY_BITS-1:0]),
      .insert(defer), .insert_slot(arrive_slot), .insert_time(release_time[LATENCY_BITS-1:0]), .due, .due_slot
  );

  assign direct = arrive && at_once && (passed || deadline == now) && idle;
  ready_queue #(.SLOTS(SLOTS)) queue (
      .clock, .reset, .first(due), .first_slot(due_slot),
      .second(arrive && at_once && !direct), .second_slot(arrive_slot),
      .out_valid(ready), .out_slot(ready_slot), .out_take(take)
  );

  wire [SLOT_BITS-1:0] patrol = now[SLOT_BITS-1:0];
  wire patrol_waits = waiting[patrol];
  always_ff @(posedge clock) begin
    if (accept) begin
      id_of[accept_slot] <= accept_id;
      previous <= newest_of[accept_id];
      newest_of[accept_id] <= accept_slot;
    end
    link_slot <= accept_slot;
    if (linking) previous_of[link_slot] <= previous;
    if (start) begin
      deadline_of[start_slot] <= now + TIME_BITS'(delay_cycles);
      enforced[start_slot] <= delay_cycles != 0;
    end
    if (defer) release_of[arrive_slot] <= release_time;
    if (patrol_waits && earlier(deadline_of[patrol], now)) expired[patrol] <= 1'b1;
    if (start) expired[start_slot] <= 1'b0;
    if (reset) begin
      waiting <= '0;
      in_calendar <= '0;
      linking <= 1'b0;
    end else begin
      linking <= accept;
      if (start) waiting[start_slot] <= 1'b1;
      if (arrive) waiting[arrive_slot] <= 1'b0;
      if (due) in_calendar[due_slot] <= 1'b0;
      if (defer) in_calendar[arrive_slot] <= 1'b1;
      assert (!arrive || arriving_waits) else $fatal(1, "release_scheduler: answer from the memory without a request");
    end
  end
endmodule
