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
  localparam int COUNTERS = 27;
  localparam int MAX_IN_FLIGHT = 6;
  localparam int COUNT_BITS = $clog2(TRANSACTIONS) + 2;

  logic [COUNT_BITS-1:0] in_flight;
  logic [63:0] sums[COUNTERS];
  logic [63:0] kept[COUNTERS];
  logic [63:0] increments[COUNTERS];

  function automatic logic [63:0] least(input logic [63:0] a, input logic [31:0] b);
    return a < 64'(b) ? a : 64'(b);
  endfunction
  function automatic logic [63:0] greatest(input logic [63:0] a, input logic [31:0] b);
    return a > 64'(b) ? a : 64'(b);
  endfunction

  // Which counters are an extreme instead of a sum
  function automatic logic is_least(input int i);
    return i == 9 || i == 12;
  endfunction

  always_comb begin
    for (int i = 0; i < COUNTERS; i++) increments[i] = '0;
    increments[0] = 64'(read_accepted);
    increments[1] = 64'(write_accepted);
    increments[2] = 64'(read_bytes);
    increments[3] = 64'(write_bytes);
    increments[4] = 64'(in_flight);
    increments[5] = 64'(in_flight != 0);
    increments[7] = 64'(read_late) + 64'(write_late);
    increments[8] = read_answered ? 64'(read_answer_cycles) : '0;
    increments[11] = write_answered ? 64'(write_answer_cycles) : '0;
    for (int i = 0; i < 6; i++) begin
      increments[14+i] = 64'(read_stalls[i]);
      increments[20+i] = 64'(write_stalls[i]);
    end
    increments[26] = 64'd1;
    for (int i = 0; i < COUNTERS; i++) begin
      kept[i] = !clear ? sums[i] : is_least(i) ? 64'hffff_ffff : '0;
      live[i] = sums[i];
    end
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      in_flight <= '0;
      for (int i = 0; i < COUNTERS; i++) sums[i] <= is_least(i) ? 64'hffff_ffff : '0;
    end else begin
      in_flight <= in_flight + COUNT_BITS'(read_accepted) + COUNT_BITS'(write_accepted)
          - COUNT_BITS'(read_finished) - COUNT_BITS'(write_finished);
      for (int i = 0; i < COUNTERS; i++) sums[i] <= kept[i] + increments[i];
      sums[MAX_IN_FLIGHT] <= greatest(kept[MAX_IN_FLIGHT], 32'(in_flight));
      if (read_answered) begin
        sums[9] <= least(kept[9], read_answer_cycles);
        sums[10] <= greatest(kept[10], read_answer_cycles);
      end
      if (write_answered) begin
        sums[12] <= least(kept[12], write_answer_cycles);
        sums[13] <= greatest(kept[13], write_answer_cycles);
      end
    end
    if (reset) snapshot <= '0;
    else if (take_snapshot) snapshot <= live;
  end
endmodule
