// SPDX-License-Identifier: Apache-2.0
//
// Counters of the delayer, 64 bits each; index = order of the control registers:
//   0 reads  1 writes  2 read bytes  3 write bytes  4 in-flight integral  5 busy cycles  6 most in flight  7 late
//   8 to 10  sum, least and greatest latency of reads   11 to 13  of writes (least without any: 2^32 - 1)
//   14 to 19 stall cycles of reads by cause, delay_read_channel   20 to 25 of writes, delay_write_channel
//   26 cycles
// In flight: accepted and not yet fully answered. `clear` and `take_snapshot` may come in one cycle: the snapshot
// holds everything up to the cycle before, the new period begins with the events of this cycle, nothing is lost.
module traffic_counters #(
    parameter int TRANSACTIONS = 512  // each way
) (
    input  logic              clock,
    input  logic              reset,
    input  logic              clear,
    input  logic              take_snapshot,
    input  logic              read_accepted,
    input  logic              read_finished,
    input  logic              read_late,
    input  logic [7:0]        read_bytes,
    input  logic              read_answered,
    input  logic [31:0]       read_answer_cycles,
    input  logic [5:0]        read_stalls,
    input  logic              write_accepted,
    input  logic              write_finished,
    input  logic              write_late,
    input  logic [7:0]        write_bytes,
    input  logic              write_answered,
    input  logic [31:0]       write_answer_cycles,
    input  logic [5:0]        write_stalls,
    output logic [26:0][63:0] live,
    output logic [26:0][63:0] snapshot
);
  localparam int COUNT_BITS = $clog2(TRANSACTIONS) + 2;

  logic [COUNT_BITS-1:0] in_flight, most_in_flight;

  always_ff @(posedge clock) begin
    if (reset) in_flight <= '0;
    else
      in_flight <= in_flight + COUNT_BITS'(read_accepted) + COUNT_BITS'(write_accepted)
          - COUNT_BITS'(read_finished) - COUNT_BITS'(write_finished);
    if (reset) snapshot <= '0;
    else if (take_snapshot) snapshot <= live;
  end

  event_sum reads (.clock, .reset, .clear, .event_valid(read_accepted), .amount(32'd1), .sum(live[0]));
  event_sum writes (.clock, .reset, .clear, .event_valid(write_accepted), .amount(32'd1), .sum(live[1]));
  event_sum read_volume (.clock, .reset, .clear, .event_valid(read_bytes != 0), .amount(32'(read_bytes)), .sum(live[2]));
  event_sum write_volume (
      .clock, .reset, .clear, .event_valid(write_bytes != 0), .amount(32'(write_bytes)), .sum(live[3])
  );
  event_sum integral (.clock, .reset, .clear, .event_valid(in_flight != 0), .amount(32'(in_flight)), .sum(live[4]));
  event_sum busy (.clock, .reset, .clear, .event_valid(in_flight != 0), .amount(32'd1), .sum(live[5]));
  always_ff @(posedge clock) begin
    if (reset) most_in_flight <= '0;
    else if (clear || in_flight > most_in_flight) most_in_flight <= in_flight;
  end
  assign live[6] = 64'(most_in_flight);
  event_sum late (
      .clock, .reset, .clear, .event_valid(read_late || write_late), .amount(32'(read_late) + 32'(write_late)),
      .sum(live[7])
  );
  event_sum read_latency (
      .clock, .reset, .clear, .event_valid(read_answered), .amount(read_answer_cycles), .sum(live[8])
  );
  event_extremes read_extremes (
      .clock, .reset, .clear, .event_valid(read_answered), .value(read_answer_cycles),
      .least(live[9]), .greatest(live[10])
  );
  event_sum write_latency (
      .clock, .reset, .clear, .event_valid(write_answered), .amount(write_answer_cycles), .sum(live[11])
  );
  event_extremes write_extremes (
      .clock, .reset, .clear, .event_valid(write_answered), .value(write_answer_cycles),
      .least(live[12]), .greatest(live[13])
  );
  for (genvar i = 0; i < 6; i++) begin : stalls
    event_sum read_stall (.clock, .reset, .clear, .event_valid(read_stalls[i]), .amount(32'd1), .sum(live[14+i]));
    event_sum write_stall (.clock, .reset, .clear, .event_valid(write_stalls[i]), .amount(32'd1), .sum(live[20+i]));
  end
  event_sum cycles (.clock, .reset, .clear, .event_valid(1'b1), .amount(32'd1), .sum(live[26]));
endmodule
