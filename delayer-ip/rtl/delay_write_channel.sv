// SPDX-License-Identifier: Apache-2.0
//
// AXI4 write channel of the delayer (AW, W and B). Addresses and data pass to the memory at once, in order and with
// one ID; the response waits for its time (release_scheduler), counted from the later of the AW and the last W
// handshake. Responses of one ID come in order.
//   TRANSACTIONS  write bursts in flight       BEATS  data beats that wait for the memory to take them
// `tokens` low holds back W; `charge_bytes` counts the strobed bytes of the beat accepted in this cycle.
// `start` marks the cycle in which a burst's latency begins; `answered` the one in which its B is first offered,
// answer_cycles its time since then. `stalls` counts cycles by cause: 0 core does not take B, 1 no tokens for W,
// 2 no slot for AW, 3 no room for W, 4 memory does not take AW or W, 5 memory is late.
module delay_write_channel #(
    parameter int ID_BITS      = 10,
    parameter int ADDR_BITS    = 36,
    parameter int DATA_BITS    = 256,
    parameter int TRANSACTIONS = 512,
    parameter int LATENCY_BITS = 16,
    parameter int BEATS        = 256
) (
    input  logic                   clock,
    input  logic                   reset,
    input  logic [31:0]            now,
    input  logic [15:0]            delay_cycles,
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
    output logic                   start,
    output logic                   finished,
    output logic                   late,
    output logic                   answered,
    output logic [31:0]            answer_cycles,
    output logic [5:0]             stalls
);
  localparam int SLOT_BITS = $clog2(TRANSACTIONS);

  // Requests and data
  logic slot_free, request_ready, data_ready, unstarted_ready, unstarted, order_ready, order_valid;
  logic [SLOT_BITS-1:0] new_slot, start_slot, arrive_slot;
  logic [SLOT_BITS:0] bursts_waiting;  // last W accepted, AW not

  wire data_room = !bursts_waiting[SLOT_BITS];
  wire data_allowed = tokens && data_room;
  wire data_accepted = s_wvalid && s_wready;
  wire last_accepted = data_accepted && s_wlast;

  assign s_awready = slot_free;
  assign accepted = s_awvalid && s_awready;
  assign s_wready = data_ready && data_allowed;
  assign charge_bytes = data_accepted ? 8'($countones(s_wstrb)) : 8'd0;
  assign start = unstarted && (last_accepted || bursts_waiting != 0);

  bypass_fifo #(.WIDTH(ADDR_BITS + 13), .DEPTH(TRANSACTIONS)) requests (
      .clock, .reset,
      .in_valid(accepted), .in_ready(request_ready), .in_data({s_awaddr, s_awlen, s_awsize, s_awburst}),
      .out_valid(m_awvalid), .out_ready(m_awready), .out_data({m_awaddr, m_awlen, m_awsize, m_awburst})
  );
  bypass_fifo #(.WIDTH(DATA_BITS + DATA_BITS / 8 + 1), .DEPTH(BEATS)) beats (
      .clock, .reset,
      .in_valid(s_wvalid && data_allowed), .in_ready(data_ready), .in_data({s_wdata, s_wstrb, s_wlast}),
      .out_valid(m_wvalid), .out_ready(m_wready), .out_data({m_wdata, m_wstrb, m_wlast})
  );
  bypass_fifo #(.WIDTH(SLOT_BITS), .DEPTH(TRANSACTIONS)) slots_without_data (
      .clock, .reset,
      .in_valid(accepted), .in_ready(unstarted_ready), .in_data(new_slot),
      .out_valid(unstarted), .out_ready(start), .out_data(start_slot)
  );
  bypass_fifo #(.WIDTH(SLOT_BITS), .DEPTH(TRANSACTIONS), .BYPASS(0)) order (
      .clock, .reset,
      .in_valid(accepted), .in_ready(order_ready), .in_data(new_slot),
      .out_valid(order_valid), .out_ready(m_bvalid), .out_data(arrive_slot)
  );

  // Responses
  logic active, offered, ready, direct, overdue;
  logic [SLOT_BITS-1:0] active_slot, ready_slot;
  logic [ID_BITS-1:0] id_of[TRANSACTIONS];
  logic [1:0] response_of[TRANSACTIONS];
  logic [31:0] started_at[TRANSACTIONS];

  wire [SLOT_BITS-1:0] slot = active ? active_slot : arrive_slot;
  wire continues = s_bvalid && !s_bready;

  assign m_bready = 1'b1;
  assign s_bvalid = active || direct;
  assign s_bid = id_of[slot];
  assign s_bresp = active ? response_of[slot] : m_bresp;
  assign finished = s_bvalid && s_bready;
  assign answered = s_bvalid && !offered;
  assign answer_cycles = now - started_at[slot];
  assign stalls = {overdue, (m_awvalid && !m_awready) || (m_wvalid && !m_wready), s_wvalid && tokens && !s_wready,
                   s_awvalid && !slot_free, s_wvalid && !tokens, s_bvalid && !s_bready};

  free_list #(.COUNT(TRANSACTIONS)) slots (
      .clock, .reset, .available(slot_free), .number(new_slot), .take(accepted), .put(finished), .put_number(slot)
  );
  release_scheduler #(.ID_BITS(ID_BITS), .SLOTS(TRANSACTIONS), .LATENCY_BITS(LATENCY_BITS)) scheduler (
      .clock, .reset, .now(now[LATENCY_BITS+1:0]),
      .accept(accepted), .accept_slot(new_slot), .accept_id(s_awid), .start, .start_slot, .delay_cycles,
      .arrive(m_bvalid), .arrive_slot, .idle(!active), .direct, .ready, .ready_slot, .take(ready && !continues),
      .late, .overdue
  );

  always_ff @(posedge clock) begin
    if (accepted) id_of[new_slot] <= s_awid;
    if (start) started_at[start_slot] <= now;
    if (m_bvalid) response_of[arrive_slot] <= m_bresp;
    active_slot <= continues ? slot : ready_slot;
    if (reset) begin
      bursts_waiting <= '0;
      active <= 1'b0;
      offered <= 1'b0;
    end else begin
      bursts_waiting <= bursts_waiting + (SLOT_BITS + 1)'(last_accepted) - (SLOT_BITS + 1)'(start);
      active <= continues || ready;
      offered <= continues;
      assert (!accepted || (request_ready && unstarted_ready && order_ready))
        else $fatal(1, "delay_write_channel: request queue overflow");
      assert (!m_bvalid || order_valid) else $fatal(1, "delay_write_channel: response without a request");
    end
  end
endmodule
