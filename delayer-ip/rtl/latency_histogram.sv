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

  logic [39:0] live[BINS], snapshot[BINS];

  logic [31:0] above;
  logic [4:0] bin;
  always_comb begin
    above = '0;
    if (sample && latency > 32'(base)) above = (latency - 32'(base)) >> shift;
    bin = above > 32'd31 ? 5'd31 : above[4:0];
  end

  assign read_count = snapshot[read_bin];

  always_ff @(posedge clock) begin
    if (reset || clear) live <= '{default: '0};
    if (!reset && sample) live[bin] <= (clear ? 40'd0 : live[bin]) + 1'b1;
    if (reset) snapshot <= '{default: '0};
    else if (take_snapshot) snapshot <= live;
  end
endmodule
