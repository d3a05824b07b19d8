// SPDX-License-Identifier: Apache-2.0
//
// Counters of the delayer, 64 bits each; index = order of the control registers:
//   0 reads  1 writes  2 read bytes  3 write bytes  4 in-flight integral  5 busy cycles  6 most in flight  7 late
// In flight: accepted and not yet fully answered. `clear` and `take_snapshot` may come in one cycle: the snapshot
// holds everything up to the cycle before, the new period begins with the events of this cycle, nothing is lost.
module traffic_counters #(
    parameter int TRANSACTIONS = 512  // each way
) (
    input  logic             clock,
    input  logic             reset,
    input  logic             clear,
    input  logic             take_snapshot,
    input  logic             read_accepted,
    input  logic             read_finished,
    input  logic             read_late,
    input  logic [7:0]       read_bytes,
    input  logic             write_accepted,
    input  logic             write_finished,
    input  logic             write_late,
    input  logic [7:0]       write_bytes,
    output logic [7:0][63:0] live,
    output logic [7:0][63:0] snapshot
);
  localparam int COUNT_BITS = $clog2(TRANSACTIONS) + 2;

  logic [COUNT_BITS-1:0] in_flight;
  logic [7:0][63:0] kept;

  assign kept = clear ? '0 : live;

  always_ff @(posedge clock) begin
    if (reset) begin
      in_flight <= '0;
      live <= '0;
      snapshot <= '0;
    end else begin
      in_flight <= in_flight + COUNT_BITS'(read_accepted) + COUNT_BITS'(write_accepted)
          - COUNT_BITS'(read_finished) - COUNT_BITS'(write_finished);
      live[0] <= kept[0] + 64'(read_accepted);
      live[1] <= kept[1] + 64'(write_accepted);
      live[2] <= kept[2] + 64'(read_bytes);
      live[3] <= kept[3] + 64'(write_bytes);
      live[4] <= kept[4] + 64'(in_flight);
      live[5] <= kept[5] + 64'(in_flight != 0);
      live[6] <= kept[6] > 64'(in_flight) ? kept[6] : 64'(in_flight);
      live[7] <= kept[7] + 64'(read_late) + 64'(write_late);
      if (take_snapshot) snapshot <= live;
    end
  end
endmodule
