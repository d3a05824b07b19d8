// SPDX-License-Identifier: Apache-2.0
//
// AXI4 read channel of the delayer (AR and R). Requests pass to the memory in the cycle they are accepted or wait
// in a queue; data waits in a RAM until its time (release_scheduler). Bursts are answered whole, those of one ID in
// order. The memory sees one ID and must answer in order (AXI requires that of it).
//   TRANSACTIONS  read bursts in flight        BEATS  data beats in flight (a burst reserves its beats on acceptance)
// `tokens` low holds back the next beat; `charge_bytes` is its size in the cycle it is first offered.
// `answered` marks the cycle in which a burst's first beat is first offered, answer_cycles its time since acceptance.
// `stalls` counts cycles by cause: 0 core does not take R, 1 no tokens, 2 no slot, 3 no room for the burst's data,
// 4 memory does not take AR, 5 memory is late.
module delay_read_channel #(
    parameter int ID_BITS      = 10,
    parameter int ADDR_BITS    = 36,
    parameter int DATA_BITS    = 256,
    parameter int TRANSACTIONS = 512,
    parameter int LATENCY_BITS = 16,
    parameter int BEATS        = 1024
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic [31:0]          now,
    input  logic [15:0]          delay_cycles,
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
    output logic                 late,
    output logic                 answered,
    output logic [31:0]          answer_cycles,
    output logic [5:0]           stalls
);
  if (BEATS < 256) $error("delay_read_channel: BEATS must hold the longest burst, 256 beats");

  localparam int SLOT_BITS = $clog2(TRANSACTIONS);
  localparam int CREDIT_BITS = $clog2(BEATS) + 1;

  // Requests
  logic slot_free, request_ready, order_ready, order_valid;
  logic [SLOT_BITS-1:0] new_slot, arrive_slot;
  logic [CREDIT_BITS-1:0] free_beats;
  wire beat_room = free_beats >= CREDIT_BITS'(s_arlen) + 1'b1;

  assign s_arready = slot_free && beat_room;
  assign accepted = s_arvalid && s_arready;

  bypass_fifo #(.WIDTH(ADDR_BITS + 13), .DEPTH(TRANSACTIONS)) requests (
      .clock, .reset,
      .in_valid(accepted), .in_ready(request_ready), .in_data({s_araddr, s_arlen, s_arsize, s_arburst}),
      .out_valid(m_arvalid), .out_ready(m_arready), .out_data({m_araddr, m_arlen, m_arsize, m_arburst})
  );
  bypass_fifo #(.WIDTH(SLOT_BITS), .DEPTH(TRANSACTIONS), .BYPASS(0)) order (
      .clock, .reset,
      .in_valid(accepted), .in_ready(order_ready), .in_data(new_slot),
      .out_valid(order_valid), .out_ready(m_rvalid && m_rlast), .out_data(arrive_slot)
  );

  // What is being answered: a slot, and whether a beat of it is shown by the store. An active slot without one is the
  // slot whose beats are arriving; these pass in the cycle they come.
  logic active, shown, begun, ready, direct, overdue, more, first_arrival;
  logic offered;  // the beat at the output has been offered and paid
  logic [SLOT_BITS-1:0] active_slot, ready_slot;
  logic [DATA_BITS+2:0] stored_beat;
  logic [ID_BITS-1:0] id_of[TRANSACTIONS];
  logic [2:0] size_of[TRANSACTIONS];
  logic [31:0] accepted_at[TRANSACTIONS];

  wire [SLOT_BITS-1:0] slot = active ? active_slot : arrive_slot;
  wire receiving = order_valid && slot == arrive_slot;
  wire pass = m_rvalid && (active ? !shown : direct);
  wire beat_valid = shown || pass;
  wire beat_done = s_rvalid && s_rready;
  wire store = m_rvalid && !(pass && beat_done);
  wire continues = (active || direct) && !finished;
  wire take = ready && !continues;
  wire read_next = continues && shown && beat_done;

  assign m_rready = 1'b1;
  assign s_rvalid = beat_valid && (offered || tokens);
  assign {s_rdata, s_rresp, s_rlast} = shown ? stored_beat : {m_rdata, m_rresp, m_rlast};
  assign s_rid = id_of[slot];
  assign finished = beat_done && s_rlast;
  assign charge_bytes = s_rvalid && !offered ? 8'd1 << size_of[slot] : 8'd0;
  assign beat_bytes = beat_done ? 8'd1 << size_of[slot] : 8'd0;
  assign answered = s_rvalid && !offered && !begun;
  assign answer_cycles = now - accepted_at[slot];
  assign stalls = {overdue, m_arvalid && !m_arready, s_arvalid && slot_free && !beat_room, s_arvalid && !slot_free,
                   beat_valid && !s_rvalid, s_rvalid && !s_rready};

  free_list #(.COUNT(TRANSACTIONS)) slots (
      .clock, .reset, .available(slot_free), .number(new_slot), .take(accepted), .put(finished), .put_number(slot)
  );
  release_scheduler #(.ID_BITS(ID_BITS), .SLOTS(TRANSACTIONS), .LATENCY_BITS(LATENCY_BITS)) scheduler (
      .clock, .reset, .now(now[LATENCY_BITS+1:0]),
      .accept(accepted), .accept_slot(new_slot), .accept_id(s_arid),
      .start(accepted), .start_slot(new_slot), .delay_cycles,
      .arrive(m_rvalid && first_arrival), .arrive_slot, .idle(!active), .direct, .ready, .ready_slot, .take,
      .late, .overdue
  );
  beat_store #(.WIDTH(DATA_BITS + 3), .BEATS(BEATS), .SLOTS(TRANSACTIONS)) store_of_beats (
      .clock, .reset,
      .write(store), .write_first(first_arrival), .write_slot(arrive_slot), .write_data({m_rdata, m_rresp, m_rlast}),
      .receiving, .more, .read_first(take), .read_slot(ready_slot), .read_next, .follow(pass && store),
      .free(shown && beat_done), .read_data(stored_beat)
  );

  always_ff @(posedge clock) begin
    if (accepted) begin
      id_of[new_slot] <= s_arid;
      size_of[new_slot] <= s_arsize;
      accepted_at[new_slot] <= now;
    end
    active_slot <= continues ? slot : ready_slot;
    if (reset) begin
      free_beats <= CREDIT_BITS'(BEATS);
      active <= 1'b0;
      shown <= 1'b0;
      begun <= 1'b0;
      offered <= 1'b0;
      first_arrival <= 1'b1;
    end else begin
      free_beats <= free_beats - (accepted ? CREDIT_BITS'(s_arlen) + 1'b1 : '0) + CREDIT_BITS'(beat_done);
      active <= continues || ready;
      if (!continues) shown <= ready;
      else if (pass) shown <= store;
      else if (beat_done) shown <= more;
      begun <= continues && (begun || beat_done);
      offered <= s_rvalid && !s_rready;
      if (m_rvalid) first_arrival <= m_rlast;
      assert (!accepted || (request_ready && order_ready)) else $fatal(1, "delay_read_channel: request queue overflow");
      assert (!m_rvalid || order_valid) else $fatal(1, "delay_read_channel: the memory sent beats nobody asked for");
      assert (!active || shown || receiving) else $fatal(1, "delay_read_channel: a burst lost its data");
    end
  end
endmodule
