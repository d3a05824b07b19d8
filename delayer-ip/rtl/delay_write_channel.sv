// SPDX-License-Identifier: Apache-2.0
//
// AXI4 write channel of the delayer (AW, W and B). Addresses and data pass to the memory at once, in order and with
// one ID; the response waits for its time, counted from the later of the AW and the last W handshake.
//   TRANSACTIONS  write bursts in flight       BEATS  data beats that wait for the memory to take them
// `tokens` low holds back W; `charge_bytes` counts the strobed bytes of the beat accepted in this cycle.
module delay_write_channel #(
    parameter int ID_BITS      = 10,
    parameter int ADDR_BITS    = 36,
    parameter int DATA_BITS    = 256,
    parameter int TRANSACTIONS = 512,
    parameter int BEATS        = 256
) (
    input  logic                   clock,
    input  logic                   reset,
    input  logic [15:0]            latency_cycles,
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
    // regulator and counters
    input  logic                   tokens,
    output logic [7:0]             charge_bytes,
    output logic                   accepted,
    output logic                   finished,
    output logic                   late
);
  localparam int COUNT_BITS = $clog2(TRANSACTIONS) + 1;

  logic request_ready, id_ready, id_valid, data_ready, response_valid, due;
  logic [COUNT_BITS-1:0] addresses_waiting;  // AW accepted, last W not
  logic [COUNT_BITS-1:0] bursts_waiting;  // last W accepted, AW not

  wire data_room = !bursts_waiting[COUNT_BITS-1];
  wire data_allowed = tokens && data_room;
  wire data_accepted = s_wvalid && s_wready;
  wire last_accepted = data_accepted && s_wlast;
  wire start = (accepted && (last_accepted || bursts_waiting != 0)) || (last_accepted && addresses_waiting != 0);

  assign s_awready = id_ready;
  assign accepted = s_awvalid && s_awready;
  assign s_wready = data_ready && data_allowed;
  assign s_bvalid = response_valid && due;
  assign finished = s_bvalid && s_bready;
  assign charge_bytes = data_accepted ? 8'($countones(s_wstrb)) : 8'd0;

  bypass_fifo #(.WIDTH(ADDR_BITS + 13), .DEPTH(TRANSACTIONS)) requests (
      .clock, .reset,
      .in_valid(accepted), .in_ready(request_ready), .in_data({s_awaddr, s_awlen, s_awsize, s_awburst}),
      .out_valid(m_awvalid), .out_ready(m_awready), .out_data({m_awaddr, m_awlen, m_awsize, m_awburst})
  );
  bypass_fifo #(.WIDTH(ID_BITS), .DEPTH(TRANSACTIONS), .BYPASS(0)) ids (
      .clock, .reset,
      .in_valid(accepted), .in_ready(id_ready), .in_data(s_awid),
      .out_valid(id_valid), .out_ready(finished), .out_data(s_bid)
  );
  bypass_fifo #(.WIDTH(DATA_BITS + DATA_BITS / 8 + 1), .DEPTH(BEATS)) beats (
      .clock, .reset,
      .in_valid(s_wvalid && data_allowed), .in_ready(data_ready), .in_data({s_wdata, s_wstrb, s_wlast}),
      .out_valid(m_wvalid), .out_ready(m_wready), .out_data({m_wdata, m_wstrb, m_wlast})
  );
  bypass_fifo #(.WIDTH(2), .DEPTH(TRANSACTIONS)) responses (
      .clock, .reset,
      .in_valid(m_bvalid), .in_ready(m_bready), .in_data(m_bresp),
      .out_valid(response_valid), .out_ready(finished), .out_data(s_bresp)
  );
  release_timer #(.TRANSACTIONS(TRANSACTIONS)) timer (
      .clock, .reset, .latency_cycles,
      .start, .arrive(m_bvalid && m_bready), .release_oldest(finished), .due, .late
  );

  always_ff @(posedge clock) begin
    if (reset) begin
      addresses_waiting <= '0;
      bursts_waiting <= '0;
    end else begin
      if (accepted && !start) addresses_waiting <= addresses_waiting + 1'b1;
      else if (start && !accepted) addresses_waiting <= addresses_waiting - 1'b1;
      if (last_accepted && !start) bursts_waiting <= bursts_waiting + 1'b1;
      else if (start && !last_accepted) bursts_waiting <= bursts_waiting - 1'b1;
      assert (!accepted || request_ready) else $fatal(1, "delay_write_channel: request queue overflow");
      assert (!s_bvalid || id_valid) else $fatal(1, "delay_write_channel: response without a request");
    end
  end
endmodule
