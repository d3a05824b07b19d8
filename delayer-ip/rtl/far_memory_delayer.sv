// SPDX-License-Identifier: Apache-2.0
//
// AXI4 latency delayer and bandwidth regulator: stands between a core (s_*) and a memory (m_*) and makes the memory
// behave like far memory (paper, section on the evaluation platform). Latency counts from the core-side AR handshake
// (the later of AW and last W) to the cycle in which the first R beat (B) is offered; the memory's own time is part of
// it, a memory that needs longer is counted as late. Latency 0 without jitter adds no cycle in either direction.
//
// Transactions of one ID are answered in order, reads and writes apart, those of different IDs as their delays have it;
// read bursts are not interleaved. The memory side carries no ID (one ID: tie it to 0) and must answer in order.
// INCR, WRAP and FIXED bursts of up to 256 beats of any size pass unchanged; cache, prot, qos, lock and region are not carried.
//
//   ID_BITS 1..16 · ADDR_BITS 12..64 · DATA_BITS 32..1024, power of two
//   TRANSACTIONS  bursts in flight in each direction, power of two
//   LATENCY_BITS  delays are below 2^LATENCY_BITS cycles, 4 to 16; at least twice TRANSACTIONS
//   READ_BEATS    read data beats in flight, power of two, at least 256
//   WRITE_BEATS   write data beats that wait for the memory, power of two
//   BUCKET_BYTES  size of a token bucket of the regulator, at least four beats: with less, rates between one and two beats a
//                 cycle are not reached
module far_memory_delayer #(
    parameter int ID_BITS      = 10,
    parameter int ADDR_BITS    = 36,
    parameter int DATA_BITS    = 256,
    parameter int TRANSACTIONS = 512,
    parameter int LATENCY_BITS = 16,
    parameter int READ_BEATS   = 1024,
    parameter int WRITE_BEATS  = 256,
    parameter int BUCKET_BYTES = 128
) (
    input  logic                   clock,
    input  logic                   reset,
    // control bus, see delayer_registers
    input  logic                   control_valid,
    output logic                   control_ready,
    input  logic                   control_write,
    input  logic [11:0]            control_addr,
    input  logic [63:0]            control_wdata,
    output logic [63:0]            control_rdata,
    output logic [26:0][63:0]      live_counters,
    // core side
    input  logic                   s_awvalid,
    output logic                   s_awready,
    input  logic [ID_BITS-1:0]     s_awid,
    input  logic [ADDR_BITS-1:0]   s_awaddr,
    input  logic [7:0]             s_awlen,
    input  logic [2:0]             s_awsize,
    input  logic [1:0]             s_awburst,
    input  logic                   s_wvalid,
    output logic                   s_wready,
    input  logic [DATA_BITS-1:0]   s_wdata,
    input  logic [DATA_BITS/8-1:0] s_wstrb,
    input  logic                   s_wlast,
    output logic                   s_bvalid,
    input  logic                   s_bready,
    output logic [ID_BITS-1:0]     s_bid,
    output logic [1:0]             s_bresp,
    input  logic                   s_arvalid,
    output logic                   s_arready,
    input  logic [ID_BITS-1:0]     s_arid,
    input  logic [ADDR_BITS-1:0]   s_araddr,
    input  logic [7:0]             s_arlen,
    input  logic [2:0]             s_arsize,
    input  logic [1:0]             s_arburst,
    output logic                   s_rvalid,
    input  logic                   s_rready,
    output logic [ID_BITS-1:0]     s_rid,
    output logic [DATA_BITS-1:0]   s_rdata,
    output logic [1:0]             s_rresp,
    output logic                   s_rlast,
    // memory side
    output logic                   m_awvalid,
    input  logic                   m_awready,
    output logic [ADDR_BITS-1:0]   m_awaddr,
    output logic [7:0]             m_awlen,
    output logic [2:0]             m_awsize,
    output logic [1:0]             m_awburst,
    output logic                   m_wvalid,
    input  logic                   m_wready,
    output logic [DATA_BITS-1:0]   m_wdata,
    output logic [DATA_BITS/8-1:0] m_wstrb,
    output logic                   m_wlast,
    input  logic                   m_bvalid,
    output logic                   m_bready,
    input  logic [1:0]             m_bresp,
    output logic                   m_arvalid,
    input  logic                   m_arready,
    output logic [ADDR_BITS-1:0]   m_araddr,
    output logic [7:0]             m_arlen,
    output logic [2:0]             m_arsize,
    output logic [1:0]             m_arburst,
    input  logic                   m_rvalid,
    output logic                   m_rready,
    input  logic [DATA_BITS-1:0]   m_rdata,
    input  logic [1:0]             m_rresp,
    input  logic                   m_rlast
);
  if (ID_BITS < 1 || ID_BITS > 16) $error("far_memory_delayer: ID_BITS must be 1 to 16");
  if (ADDR_BITS < 12 || ADDR_BITS > 64) $error("far_memory_delayer: ADDR_BITS must be 12 to 64");
  if (DATA_BITS < 32 || DATA_BITS > 1024 || (DATA_BITS & (DATA_BITS - 1)) != 0)
    $error("far_memory_delayer: DATA_BITS must be a power of two, 32 to 1024");
  if (2 * DATA_BITS / 8 > BUCKET_BYTES)
    $error("far_memory_delayer: BUCKET_BYTES must hold one beat each way");
`ifndef SYNTHESIS  // in Vivado the options page (package/xgui.tcl) knows it
  if (4 * DATA_BITS / 8 > BUCKET_BYTES) $error("far_memory_delayer: BUCKET_BYTES must hold two beats each way");
`endif

  logic [15:0] latency_cycles, jitter_amplitude, jitter_probability, read_delay_cycles, write_delay_cycles;
  logic [15:0] histogram_base;
  logic [3:0] histogram_shift;
  logic [31:0] rate, now, read_answer_cycles, write_answer_cycles;
  logic [2:0] jitter_model;
  logic reseed, table_write, clear, take_snapshot, per_direction, read_tokens, write_tokens;
  logic read_accepted, read_finished, read_late, read_answered;
  logic write_accepted, write_started, write_finished, write_late, write_answered;
  logic [5:0] read_stalls, write_stalls;
  logic [7:0] read_charge_bytes, read_bytes, write_charge_bytes;
  logic [26:0][63:0] snapshot;
  logic [39:0] read_bin_count, write_bin_count;

  always_ff @(posedge clock) now <= reset ? '0 : now + 1'b1;

  delayer_registers #(.LATENCY_BITS(LATENCY_BITS)) registers (.*);

  bandwidth_regulator #(.BUCKET_BYTES(BUCKET_BYTES)) regulator (.*);

  jitter_source #(.LATENCY_BITS(LATENCY_BITS)) read_jitter (
      .clock, .reset, .latency_cycles, .model(jitter_model), .amplitude(jitter_amplitude),
      .probability(jitter_probability), .reseed, .seed(control_wdata), .table_write, .table_index(control_addr[10:3]),
      .table_data(control_wdata), .take(read_accepted), .delay_cycles(read_delay_cycles)
  );
  jitter_source #(.SEED_XOR(64'h5555_5555_5555_5555), .LATENCY_BITS(LATENCY_BITS)) write_jitter (
      .clock, .reset, .latency_cycles, .model(jitter_model), .amplitude(jitter_amplitude),
      .probability(jitter_probability), .reseed, .seed(control_wdata), .table_write, .table_index(control_addr[10:3]),
      .table_data(control_wdata), .take(write_started), .delay_cycles(write_delay_cycles)
  );

  delay_read_channel #(
      .ID_BITS(ID_BITS), .ADDR_BITS(ADDR_BITS), .DATA_BITS(DATA_BITS), .TRANSACTIONS(TRANSACTIONS),
      .LATENCY_BITS(LATENCY_BITS), .BEATS(READ_BEATS)
  ) read_channel (
      .delay_cycles(read_delay_cycles), .tokens(read_tokens), .charge_bytes(read_charge_bytes), .accepted(read_accepted),
      .finished(read_finished), .beat_bytes(read_bytes), .late(read_late), .answered(read_answered),
      .answer_cycles(read_answer_cycles), .stalls(read_stalls), .*
  );

  delay_write_channel #(
      .ID_BITS(ID_BITS), .ADDR_BITS(ADDR_BITS), .DATA_BITS(DATA_BITS), .TRANSACTIONS(TRANSACTIONS),
      .LATENCY_BITS(LATENCY_BITS), .BEATS(WRITE_BEATS)
  ) write_channel (
      .delay_cycles(write_delay_cycles), .tokens(write_tokens), .charge_bytes(write_charge_bytes), .accepted(write_accepted),
      .start(write_started), .finished(write_finished), .late(write_late), .answered(write_answered),
      .answer_cycles(write_answer_cycles), .stalls(write_stalls), .*
  );

  traffic_counters #(.TRANSACTIONS(TRANSACTIONS)) counters (
      .write_bytes(write_charge_bytes), .live(live_counters), .*
  );
  latency_histogram read_histogram (
      .clock, .reset, .clear, .take_snapshot, .base(histogram_base), .shift(histogram_shift), .sample(read_answered),
      .latency(read_answer_cycles), .read_bin(control_addr[7:3]), .read_count(read_bin_count)
  );
  latency_histogram write_histogram (
      .clock, .reset, .clear, .take_snapshot, .base(histogram_base), .shift(histogram_shift), .sample(write_answered),
      .latency(write_answer_cycles), .read_bin(control_addr[7:3]), .read_count(write_bin_count)
  );
endmodule
