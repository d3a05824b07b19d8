// SPDX-License-Identifier: Apache-2.0
//
// Is the latency that was set the latency that comes? Far memory alone, as it is on the board: delayer, HBM guard, reordering, clock crossing,
// and the model of HBM; in the core's place a manager that keeps WINDOW bursts of 64 bytes in flight. Prints one line of name=value.
//   +latency=  cycles set                   +window=   bursts in flight, at most 512
//   +bursts=   how many are measured        +writes=   in percent
//   +pattern=  0 random, 1 streaming, 2 random in one pseudo channel, 3 rows of one bank
//   +bytes=    of far memory, a power of two, from its base
`include "axi.svh"
module latency_bench;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  import board_types::*;
  import nhg_platform::*;
  int latency = 300, window = 512, bursts = 20000, writes = 0, pattern = 0;
  longint bytes = HBM_FAR_SIZE_LOCAL_HBM;
  logic clock = 0, hbm_clock = 0, reset = 1;
  always #10 clock = !clock;
  initial #3 forever #5 hbm_clock = !hbm_clock;

  memory_request_t s_request = '0, m_request;
  memory_response_t s_response, m_response;
  hbm_request_t guarded_request, ordered_request, hbm_request;
  hbm_response_t guarded_response, ordered_response, hbm_response;
  logic [26:0][63:0] counters;
  logic control_valid = 0;
  logic control_ready, refused;
  logic [11:0] control_addr;
  logic [63:0] control_wdata;
  far_memory_delayer #(.ID_BITS(MEMORY_ID_BITS), .ADDR_BITS(PADDR_BITS)) delayer (
      .clock, .reset, .control_valid, .control_ready, .control_write(1'b1), .control_addr, .control_wdata, .control_rdata(),
      .live_counters(counters),
      `AXI4_FLAT(s_, s_request, s_response), `AXI4_FLAT_BURST(s_, s_request), `AXI4_FLAT_ID(s_, s_request, s_response),
      `AXI4_FLAT(m_, m_request, m_response), `AXI4_FLAT_BURST(m_, m_request)
  );
  assign {m_request.aw.id, m_request.ar.id} = '0;
  hbm_guard #(.BASE(FAR_BASE), .SIZE(HBM_FAR_SIZE_LOCAL_HBM)) guard (
      .clock, .reset, .refused, .s_request(m_request), .s_response(m_response), .m_request(guarded_request), .m_response(guarded_response)
  );
  hbm_reorder reorder (
      .clock, .reset, .s_request(guarded_request), .s_response(guarded_response), .m_request(ordered_request), .m_response(ordered_response)
  );
  axi_crossing crossing (
      .core_clock(clock), .core_reset(reset), .hbm_clock, .hbm_reset(reset),
      .s_request(ordered_request), .s_response(ordered_response), .m_request(hbm_request), .m_response(hbm_response)
  );
  hbm_port #(.PORT(16)) hbm (
      .clock(hbm_clock), .reset_n(!reset), .ready(1'b1),
      .awvalid(hbm_request.aw_valid), .awready(hbm_response.aw_ready), .awid(hbm_request.aw.id), .awaddr(hbm_request.aw.addr), .awlen(hbm_request.aw.len),
      .awsize(3'd5), .awburst(hbm_request.aw.burst), .wvalid(hbm_request.w_valid), .wready(hbm_response.w_ready), .wdata(hbm_request.w.data),
      .wstrb(hbm_request.w.strb), .wlast(hbm_request.w.last), .bvalid(hbm_response.b_valid), .bready(hbm_request.b_ready), .bid(hbm_response.b.id),
      .bresp(hbm_response.b.resp), .arvalid(hbm_request.ar_valid), .arready(hbm_response.ar_ready), .arid(hbm_request.ar.id), .araddr(hbm_request.ar.addr),
      .arlen(hbm_request.ar.len), .arsize(3'd5), .arburst(hbm_request.ar.burst), .rvalid(hbm_response.r_valid), .rready(hbm_request.r_ready),
      .rid(hbm_response.r.id), .rdata(hbm_response.r.data), .rresp(hbm_response.r.resp), .rlast(hbm_response.r.last)
  );
  always_ff @(posedge hbm_clock) void'(hbm_dpi::nhg_hbm_advance());

  // The addresses: far memory is stack 1 of HBM, where a pseudo channel has 256 MiB and rows of one bank lie 16 KiB apart.
  int number = 0;  // of bursts begun
  function automatic logic [35:0] next_address();
    longint offset;
    offset = {$urandom, $urandom};
    case (pattern)
      1: offset = longint'(number) * 64;
      2: offset = offset & 'hFFF_FFC0;
      3: offset = offset & 'hFFF_C000;
      default: ;
    endcase
    return 36'(FAR_BASE) + 36'((offset & (bytes - 1)) & ~64'd63);
  endfunction

  // A burst of each direction is offered while fewer than the window are in flight. IDs are those of the slots of the window.
  int in_flight = 0, done = 0;
  int free_ids[$];
  int unsigned beats_to_write[$];
  logic [35:0] address_of[int], last_written;
  longint began = 0, ended = 0, cycle = 0;
  function automatic logic [255:0] word_of(input longint addr);
    return {8{32'(addr >> 5)}};
  endfunction
  always @(posedge clock) begin : manager
    automatic int id;
    cycle <= cycle + 1;
    if (!reset) begin
      if (s_request.ar_valid && s_response.ar_ready) s_request.ar_valid <= 0;
      if (s_request.aw_valid && s_response.aw_ready) s_request.aw_valid <= 0;
      if (s_request.w_valid && s_response.w_ready) begin
        s_request.w_valid <= !s_request.w.last;
        s_request.w <= '{data: word_of(longint'(last_written) + 32), strb: '1, last: 1'b1};
      end
      if (s_response.r_valid && s_response.r.last) begin
        free_ids.push_back(32'(s_response.r.id));
        in_flight = in_flight - 1;
        done = done + 1;
      end
      if (s_response.r_valid && s_response.r.data != word_of(longint'(address_of[32'(s_response.r.id)]) + (s_response.r.last ? 32 : 0)))
        $fatal(1, "wrong data at %h", address_of[32'(s_response.r.id)]);
      if (s_response.b_valid) begin
        free_ids.push_back(32'(s_response.b.id));
        in_flight = in_flight - 1;
        done = done + 1;
      end
      if (in_flight < window && number < bursts && !control_valid) begin
        if ($urandom_range(99) < writes) begin
          if ((!s_request.aw_valid || s_response.aw_ready) && (!s_request.w_valid || (s_response.w_ready && s_request.w.last))) begin
            id = free_ids.pop_front();
            last_written = next_address();
            s_request.aw <= '{id: MEMORY_ID_BITS'(id), addr: last_written, len: 1, size: 5, burst: BURST_INCR};
            s_request.w <= '{data: word_of(longint'(last_written)), strb: '1, last: 1'b0};
            {s_request.aw_valid, s_request.w_valid} <= '1;
            number = number + 1;
            in_flight = in_flight + 1;
          end
        end else if (!s_request.ar_valid || s_response.ar_ready) begin
          id = free_ids.pop_front();
          address_of[id] = next_address();
          s_request.ar <= '{id: MEMORY_ID_BITS'(id), addr: address_of[id], len: 1, size: 5, burst: BURST_INCR};
          s_request.ar_valid <= 1;
          number = number + 1;
          in_flight = in_flight + 1;
        end
        if (began == 0) began = cycle;
      end
      if (done == bursts && ended == 0) ended = cycle;
    end
  end

  initial begin
    void'($value$plusargs("latency=%d", latency));
    void'($value$plusargs("window=%d", window));
    void'($value$plusargs("bursts=%d", bursts));
    void'($value$plusargs("writes=%d", writes));
    void'($value$plusargs("pattern=%d", pattern));
    void'($value$plusargs("bytes=%d", bytes));
    for (int i = 0; i < window; i++) free_ids.push_back(i);
    s_request.r_ready = 1;
    s_request.b_ready = 1;
    control_valid = 1;
    control_addr = 12'(FAR_CONTROL_LATENCY_CYCLES);
    control_wdata = 64'(latency);
    repeat (10) @(negedge clock);
    reset = 0;
    do @(negedge clock); while (!control_ready);
    @(negedge clock) control_valid = 0;
    while (ended == 0) begin
      if (cycle > 200 * longint'(bursts) + 100000) $fatal(1, "%0d of %0d bursts were answered", done, bursts);
      repeat (100) @(negedge clock);
    end
    if (refused) $fatal(1, "HBM refused a burst");
    $display("latency=%0d window=%0d late=%0d reads=%0d writes=%0d cycles=%0d read_mean=%0d read_max=%0d write_mean=%0d write_max=%0d", latency, window,
             counters[7], counters[0], counters[1], ended - began, counters[0] == 0 ? 0 : counters[8] / counters[0], counters[10],
             counters[1] == 0 ? 0 : counters[11] / counters[1], counters[13]);
    $finish;
  end
endmodule
