// SPDX-License-Identifier: Apache-2.0
//
// Histogram of latencies: 32 bins of 40 bits, each 2^shift cycles wide, the first begins at `base`. Bin 0 also takes what
// is below, bin 31 what is above. `clear` and `take_snapshot` as in traffic_counters.
module latency_histogram (
    input  logic        clock,
    input  logic        reset,
    input  logic        clear,
    input  logic        take_snapshot,
    input  logic [15:0] base,
    input  logic [3:0]  shift,
    input  logic        sample,
    input  logic [31:0] latency,
    input  logic [4:0]  read_bin,
    output logic [39:0] read_count  // of the snapshot
);
  localparam int BINS = 32;

  logic [39:0] live[BINS];
  logic [39:0] snapshot[BINS];
  wire [31:0] above = latency < 32'(base) ? '0 : (latency - 32'(base)) >> shift;
  wire [4:0] bin = above > 32'd31 ? 5'd31 : above[4:0];

  assign read_count = snapshot[read_bin];

  always_ff @(posedge clock) begin
    if (sample) live[bin] <= live[bin] + 1'b1;
    if (reset || clear) begin
      for (int i = 0; i < BINS; i++) live[i] <= 40'(!reset && sample && 32'(bin) == i);
    end
    if (reset || take_snapshot) begin
      for (int i = 0; i < BINS; i++) snapshot[i] <= reset ? '0 : live[i];
    end
  end
endmodule
