// SPDX-License-Identifier: Apache-2.0
//
// Says when the oldest transaction of an in-order channel may be answered: `latency_cycles` after its start,
// and not before the transactions ahead of it.
//   TRANSACTIONS    most transactions between start and release, a power of two
//   latency_cycles  sampled with `start`; 0 = answer as soon as the memory has
//   start           a transaction begins in this cycle
//   arrive          the memory's first answer to the oldest transaction without one comes in this cycle
//   release_oldest  the oldest transaction is fully answered in this cycle; only while `due`
//   due             the oldest transaction may be answered (it need not have data yet)
//   late            pulse: the arriving answer missed its time (never for latency 0)
// A start in cycle t makes `due` true in cycle t + max(latency_cycles, 1).
//
// Deadlines are compared modulo 2^18. That is safe for any back-pressure: deadlines leave their queue when they
// pass, one a cycle and whether or not the channel is stalled, so none is older than 2^16 + TRANSACTIONS cycles.
module release_timer #(
    parameter int TRANSACTIONS = 512
) (
    input  logic        clock,
    input  logic        reset,
    input  logic [15:0] latency_cycles,
    input  logic        start,
    input  logic        arrive,
    input  logic        release_oldest,
    output logic        due,
    output logic        late
);
  if (TRANSACTIONS > 65536) $error("release_timer: TRANSACTIONS must be at most 65536");

  localparam int TIME_BITS = 18;
  localparam int COUNT_BITS = $clog2(TRANSACTIONS) + 1;

  logic [TIME_BITS-1:0] now, deadline, overshoot;
  logic deadline_valid, passes, enforced, queues_ready, enforced_ready, enforced_valid;
  logic [COUNT_BITS-1:0] passed;  // deadline passed, not yet released
  logic signed [COUNT_BITS:0] passed_unanswered;  // deadlines passed minus answers arrived

  bypass_fifo #(.WIDTH(TIME_BITS), .DEPTH(TRANSACTIONS), .BYPASS(0)) deadlines (
      .clock, .reset,
      .in_valid(start), .in_ready(queues_ready), .in_data(now + TIME_BITS'(latency_cycles)),
      .out_valid(deadline_valid), .out_ready(passes), .out_data(deadline)
  );
  bypass_fifo #(.WIDTH(1), .DEPTH(TRANSACTIONS), .BYPASS(0)) enforcement (
      .clock, .reset,
      .in_valid(start), .in_ready(enforced_ready), .in_data(latency_cycles != 0),
      .out_valid(enforced_valid), .out_ready(arrive), .out_data(enforced)
  );

  assign overshoot = now - deadline;
  assign passes = deadline_valid && !overshoot[TIME_BITS-1];
  assign due = passed != 0 || passes;
  assign late = arrive && enforced && passed_unanswered > 0;

  always_ff @(posedge clock) begin
    if (reset) begin
      now <= '0;
      passed <= '0;
      passed_unanswered <= '0;
    end else begin
      now <= now + 1'b1;
      passed <= passed + COUNT_BITS'(passes) - COUNT_BITS'(release_oldest);
      passed_unanswered <= passed_unanswered + $signed({{COUNT_BITS{1'b0}}, passes})
          - $signed({{COUNT_BITS{1'b0}}, arrive});
    end
  end

  always_ff @(posedge clock) begin
    if (!reset) begin
      assert (!start || (queues_ready && enforced_ready)) else $fatal(1, "release_timer: more than TRANSACTIONS starts");
      assert (!arrive || enforced_valid) else $fatal(1, "release_timer: answer from the memory without a request");
      assert (!release_oldest || due) else $fatal(1, "release_timer: released before its time");
    end
  end
endmodule
