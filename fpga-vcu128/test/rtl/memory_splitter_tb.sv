// SPDX-License-Identifier: Apache-2.0
//
// memory_splitter between a manager that writes bursts of random length to both memories and two memories that take what comes in random cycles, each in
// one of three ways: address first, as AXI lets a subordinate; data first, which AXI lets it, too; or whatever comes. Every beat must arrive at its memory, in
// order, and what a memory has been offered must stay until it is taken.
module memory_splitter_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  localparam logic [PADDR_BITS-1:0] FAR_BASE = PADDR_BITS'(nhg_platform::FAR_BASE), LOCAL_BASE = PADDR_BITS'(nhg_platform::LOCAL_BASE);
  localparam int BURSTS = 2000;
  logic clock = 0, reset = 1;
  always #5 clock = !clock;
  initial #10ms $fatal(1, "hangs");

  memory_request_t request = '0;
  memory_response_t response;
  memory_request_t m_request[2]; // local, far
  memory_response_t m_response[2];
  memory_splitter dut (
      .clock, .reset, .request, .response, .local_request(m_request[0]), .local_response(m_response[0]),
      .far_request(m_request[1]), .far_response(m_response[1])
  );

  // What each memory is to see
  memory_address_t addresses[2][$];
  memory_write_t beats[2][$];
  int way = 0, answers[2] = '{0, 0}, bursts_done = 0;

  for (genvar m = 0; m < 2; m++) begin : memories
    bit willing_aw = 0, willing_w = 0;
    int aw_count = 0, w_count = 0;
    memory_request_t last = '0;
    bit aw_stays = 0, w_stays = 0;
    wire aw_first = way == 0, data_first = way == 1;
    // Of the bursts so far, as many addresses as data: then the one that is wanted first must be offered alone.
    assign m_response[m] = '{
        aw_ready: willing_aw && (!data_first || aw_count < w_count || m_request[m].w_valid),
        w_ready: willing_w && (!aw_first || aw_count > w_count),
        b_valid: answers[m] != 0, b: '0, ar_ready: 1'b0, r_valid: 1'b0, r: '0
    };
    always @(posedge clock) begin
      {willing_aw, willing_w} <= 2'($urandom);
      if (!reset) begin
        automatic memory_request_t now = m_request[m];
        if (aw_stays && (!now.aw_valid || now.aw != last.aw)) $fatal(1, "memory %0d: AW was withdrawn or changed", m);
        if (w_stays && (!now.w_valid || now.w != last.w)) $fatal(1, "memory %0d: W was withdrawn or changed", m);
        aw_stays <= now.aw_valid && !m_response[m].aw_ready;
        w_stays <= now.w_valid && !m_response[m].w_ready;
        last <= now;
        if (now.aw_valid && m_response[m].aw_ready) begin
          if (addresses[m].size() == 0 || now.aw != addresses[m][0]) $fatal(1, "memory %0d: AW %h", m, now.aw.addr);
          void'(addresses[m].pop_front());
          aw_count <= aw_count + 1;
        end
        if (now.w_valid && m_response[m].w_ready) begin
          if (beats[m].size() == 0 || now.w != beats[m][0]) $fatal(1, "memory %0d: W %h", m, now.w.data);
          void'(beats[m].pop_front());
          if (now.w.last) w_count <= w_count + 1;
        end
        answers[m] <= answers[m] + 32'(now.w_valid && m_response[m].w_ready && now.w.last) - 32'(m_response[m].b_valid && now.b_ready);
      end
    end
  end

  // The manager offers address and data each for itself.
  memory_write_t to_send[$];
  task automatic write_bursts();
    memory_address_t aw;
    fork
      repeat (BURSTS) begin
        automatic bit far = 1'($urandom);
        aw = '{id: '0, addr: (far ? FAR_BASE : LOCAL_BASE) + 36'($urandom & 32'hff_ffc0), len: 8'($urandom_range(3)), size: 5, burst: BURST_INCR};
        addresses[far].push_back(aw);
        for (int i = 0; i <= int'(aw.len); i++) begin
          automatic memory_write_t w = '{data: {8{$urandom}}, strb: $urandom, last: i == int'(aw.len)};
          beats[far].push_back(w);
          to_send.push_back(w);
        end
        request.aw = aw;
        request.aw_valid = 1;
        do @(posedge clock); while (!response.aw_ready);
        @(negedge clock) request.aw_valid = 0;
        repeat ($urandom_range(2)) @(negedge clock);
      end
      begin
        while (bursts_done != BURSTS) begin
          while (to_send.size() == 0) @(negedge clock);
          request.w = to_send.pop_front();
          request.w_valid = 1;
          do @(posedge clock); while (!response.w_ready);
          if (request.w.last) bursts_done++;
          @(negedge clock) request.w_valid = 0;
        end
      end
    join
  endtask

  initial begin
    repeat (3) @(negedge clock);
    reset = 0;
    request.b_ready = 1;
    for (way = 0; way < 3; way++) begin
      bursts_done = 0;
      write_bursts();
      wait (addresses[0].size() + addresses[1].size() + beats[0].size() + beats[1].size() == 0 && answers[0] + answers[1] == 0);
      @(negedge clock);
    end
    $display("PASS");
    $finish;
  end
endmodule
