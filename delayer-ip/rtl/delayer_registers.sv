// SPDX-License-Identifier: Apache-2.0
//
// Control registers of the delayer on a simple bus: an access is done in a cycle with valid and ready; rdata belongs
// to that cycle. Registers are 64 bits wide; offsets that are not listed or not aligned read 0 and ignore writes. A value
// too large for its field becomes the largest. New settings hold for transactions that begin after the write.
// tools/platform/platform.toml describes the map for software; docs/reference/delayer-ip.md explains it.
//   0x000 ID               read only
//   0x008 CTRL             write: bit 0 clears the counters, bit 1 copies them to the snapshot; reads 0
//   0x010 LATENCY_CYCLES   0 to 2^LATENCY_BITS - 1
//   0x018 BANDWIDTH        bytes per cycle, 16.16 fixed point, 0 = unlimited
//   0x020 JITTER_MODEL     see jitter_source; an unknown model becomes 0, constant
//   0x028 JITTER_AMPLITUDE cycles, 0 to 65535
//   0x030 JITTER_PROBABILITY  2^-16, of the two-point model, 0 to 65535
//   0x038 JITTER_SEED      a write starts the random sequences anew
//   0x040 to 0x110         snapshot of the counters, in the order of traffic_counters
//   0x140 HISTOGRAM_BASE   cycles, 0 to 65535
//   0x148 HISTOGRAM_SHIFT  0 to 15: bins of 2^shift cycles
//   0x150 BANDWIDTH_MODE   BANDWIDTH is 0 of reads and writes together, 1 of each
//   0x200 to 0x2f8         snapshot of the histogram of reads, 32 bins     0x300 to 0x3f8  of writes
//   0x800 to 0xff8         jitter table, four signed 16-bit offsets in a word; write only
module delayer_registers #(
    parameter int          LATENCY_BITS = 16,
    parameter logic [63:0] ID_VALUE     = 64'h4e48_475f_464d_4431  // "NHG_FMD1"
) (
    input  logic              clock,
    input  logic              reset,
    input  logic              control_valid,
    output logic              control_ready,
    input  logic              control_write,
    input  logic [11:0]       control_addr,
    input  logic [63:0]       control_wdata,
    output logic [63:0]       control_rdata,
    output logic [15:0]       latency_cycles,
    output logic [31:0]       rate,
    output logic              per_direction,
    output logic [2:0]        jitter_model,
    output logic [15:0]       jitter_amplitude,
    output logic [15:0]       jitter_probability,
    output logic              reseed,
    output logic              table_write,
    output logic              clear,
    output logic              take_snapshot,
    output logic [15:0]       histogram_base,
    output logic [3:0]        histogram_shift,
    input  logic [26:0][63:0] snapshot,
    input  logic [39:0]       read_bin_count,   // of bin control_addr[7:3]
    input  logic [39:0]       write_bin_count
);
  localparam logic [15:0] LATENCY_MAX = 16'((1 << LATENCY_BITS) - 1);
  localparam int COUNTERS = 27;
  localparam logic [2:0] MODELS = 3'd5;
  localparam logic [8:0] CTRL = 9'd1, LATENCY = 9'd2, BANDWIDTH = 9'd3, JITTER_MODEL = 9'd4, JITTER_AMPLITUDE = 9'd5,
      JITTER_PROBABILITY = 9'd6, JITTER_SEED = 9'd7, COUNTER_BASE = 9'd8, HISTOGRAM_BASE = 9'd40, HISTOGRAM_SHIFT = 9'd41,
      BANDWIDTH_MODE = 9'd42;

  logic [63:0] seed;
  wire aligned = control_addr[2:0] == 3'd0;
  wire [8:0] index = control_addr[11:3];
  wire write = control_valid && control_write && aligned;
  wire [15:0] wdata16 = |control_wdata[63:16] ? 16'hffff : control_wdata[15:0];
  wire [8:0] counter = index - COUNTER_BASE;

  assign control_ready = 1'b1;
  assign clear = write && index == CTRL && control_wdata[0];
  assign take_snapshot = write && index == CTRL && control_wdata[1];
  assign reseed = write && index == JITTER_SEED;
  assign table_write = write && index[8];

  always_comb begin
    control_rdata = '0;
    if (aligned) begin
      case (index)
        9'd0: control_rdata = ID_VALUE;
        LATENCY: control_rdata = 64'(latency_cycles);
        BANDWIDTH: control_rdata = 64'(rate);
        JITTER_MODEL: control_rdata = 64'(jitter_model);
        JITTER_AMPLITUDE: control_rdata = 64'(jitter_amplitude);
        JITTER_PROBABILITY: control_rdata = 64'(jitter_probability);
        JITTER_SEED: control_rdata = seed;
        HISTOGRAM_BASE: control_rdata = 64'(histogram_base);
        HISTOGRAM_SHIFT: control_rdata = 64'(histogram_shift);
        BANDWIDTH_MODE: control_rdata = 64'(per_direction);
        default: begin
          if (index >= COUNTER_BASE && counter < 9'(COUNTERS)) control_rdata = snapshot[counter[4:0]];
          if (index[8:5] == 4'd2) control_rdata = 64'(read_bin_count);
          if (index[8:5] == 4'd3) control_rdata = 64'(write_bin_count);
        end
      endcase
    end
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      latency_cycles <= '0;
      rate <= '0;
      per_direction <= 1'b0;
      jitter_model <= '0;
      jitter_amplitude <= '0;
      jitter_probability <= '0;
      seed <= '0;
      histogram_base <= '0;
      histogram_shift <= '0;
    end else if (write) begin
      case (index)
        LATENCY: latency_cycles <= control_wdata > 64'(LATENCY_MAX) ? LATENCY_MAX : control_wdata[15:0];
        BANDWIDTH: rate <= |control_wdata[63:32] ? '1 : control_wdata[31:0];
        JITTER_MODEL: jitter_model <= control_wdata < 64'(MODELS) ? control_wdata[2:0] : '0;
        JITTER_AMPLITUDE: jitter_amplitude <= wdata16;
        JITTER_PROBABILITY: jitter_probability <= wdata16;
        JITTER_SEED: seed <= control_wdata;
        HISTOGRAM_BASE: histogram_base <= wdata16;
        HISTOGRAM_SHIFT: histogram_shift <= |control_wdata[63:4] ? '1 : control_wdata[3:0];
        BANDWIDTH_MODE: per_direction <= |control_wdata;
        default: ;
      endcase
    end
  end
endmodule
