// SPDX-License-Identifier: Apache-2.0
//
// AXI4 read channel of the delayer (AR and R). Requests pass to the memory in the cycle they are accepted or wait
// in a queue; data waits in a RAM until its time. Reads are answered in order of acceptance, so the memory sees one
// ID and must answer in order (AXI requires that of it).
//   TRANSACTIONS  read bursts in flight        BEATS  data beats in flight (a burst reserves its beats on acceptance)
// `tokens` low holds back the next beat; `charge_bytes` is its size in the cycle it is first offered.
module delay_read_channel #(
    parameter int ID_BITS      = 10,
    parameter int ADDR_BITS    = 36,
    parameter int DATA_BITS    = 256,
    parameter int TRANSACTIONS = 512,
    parameter int BEATS        = 1024
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic [15:0]          latency_cycles,
    // core side
    input  logic                 s_arvalid,
    output logic                 s_arready,
    input  logic [ID_BITS-1:0]   s_arid,
    input  logic [ADDR_BITS-1:0] s_araddr,
    input  logic [7:0]           s_arlen,
    input  logic [2:0]           s_arsize,
    input  logic [1:0]           s_arburst,
    output logic                 s_rvalid,
    input  logic                 s_rready,
    output logic [ID_BITS-1:0]   s_rid,
    output logic [DATA_BITS-1:0] s_rdata,
    output logic [1:0]           s_rresp,
    output logic                 s_rlast,
    // memory side
    output logic                 m_arvalid,
    input  logic                 m_arready,
    output logic [ADDR_BITS-1:0] m_araddr,
    output logic [7:0]           m_arlen,
    output logic [2:0]           m_arsize,
    output logic [1:0]           m_arburst,
    input  logic                 m_rvalid,
    output logic                 m_rready,
    input  logic [DATA_BITS-1:0] m_rdata,
    input  logic [1:0]           m_rresp,
    input  logic                 m_rlast,
    // regulator and counters
    input  logic                 tokens,
    output logic [7:0]           charge_bytes,
    output logic                 accepted,
    output logic                 finished,
    output logic [7:0]           beat_bytes,
    output logic                 late
);
  if (BEATS < 256) $error("delay_read_channel: BEATS must hold the longest burst, 256 beats");

  localparam int CREDIT_BITS = $clog2(BEATS) + 1;

  logic [CREDIT_BITS-1:0] free_beats;
  logic request_ready, info_ready, info_valid, data_valid, due;
  logic [2:0] size;
  logic offered;  // the beat at the output has been offered and paid
  logic first_arrival;

  wire beat_room = free_beats >= CREDIT_BITS'(s_arlen) + 1'b1;
  wire beat_done = s_rvalid && s_rready;
  wire arrival = m_rvalid && m_rready;

  assign s_arready = info_ready && beat_room;
  assign accepted = s_arvalid && s_arready;
  assign finished = beat_done && s_rlast;
  assign s_rvalid = data_valid && due && (offered || tokens);
  assign charge_bytes = s_rvalid && !offered ? 8'd1 << size : 8'd0;
  assign beat_bytes = beat_done ? 8'd1 << size : 8'd0;

  bypass_fifo #(.WIDTH(ADDR_BITS + 13), .DEPTH(TRANSACTIONS)) requests (
      .clock, .reset,
      .in_valid(accepted), .in_ready(request_ready), .in_data({s_araddr, s_arlen, s_arsize, s_arburst}),
      .out_valid(m_arvalid), .out_ready(m_arready), .out_data({m_araddr, m_arlen, m_arsize, m_arburst})
  );
  bypass_fifo #(.WIDTH(ID_BITS + 3), .DEPTH(TRANSACTIONS), .BYPASS(0)) infos (
      .clock, .reset,
      .in_valid(accepted), .in_ready(info_ready), .in_data({s_arid, s_arsize}),
      .out_valid(info_valid), .out_ready(finished), .out_data({s_rid, size})
  );
  bypass_fifo #(.WIDTH(DATA_BITS + 3), .DEPTH(BEATS)) beats (
      .clock, .reset,
      .in_valid(m_rvalid), .in_ready(m_rready), .in_data({m_rdata, m_rresp, m_rlast}),
      .out_valid(data_valid), .out_ready(beat_done), .out_data({s_rdata, s_rresp, s_rlast})
  );
  release_timer #(.TRANSACTIONS(TRANSACTIONS)) timer (
      .clock, .reset, .latency_cycles,
      .start(accepted), .arrive(arrival && first_arrival), .release_oldest(finished), .due, .late
  );

  always_ff @(posedge clock) begin
    if (reset) begin
      free_beats <= CREDIT_BITS'(BEATS);
      offered <= 1'b0;
      first_arrival <= 1'b1;
    end else begin
      free_beats <= free_beats - (accepted ? CREDIT_BITS'(s_arlen) + 1'b1 : '0) + CREDIT_BITS'(beat_done);
      offered <= s_rvalid && !s_rready;
      if (arrival) first_arrival <= m_rlast;
      assert (!accepted || request_ready) else $fatal(1, "delay_read_channel: request queue overflow");
      assert (!m_rvalid || m_rready) else $fatal(1, "delay_read_channel: the memory sent beats nobody asked for");
      assert (!s_rvalid || info_valid) else $fatal(1, "delay_read_channel: data without a request");
    end
  end
endmodule
