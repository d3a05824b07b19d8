// SPDX-License-Identifier: Apache-2.0
//
// hbm_guard before a memory whose words are their addresses, answers after a random time: addresses of the memory and of
// the ROM pass, others are answered DECERR with zero data and write nothing, narrow beats become whole ones, and a burst HBM
// cannot do is held back and reported. The last writes are to a memory that takes an address only when it sees its data.
module hbm_guard_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  import board_types::*;
  localparam longint BASE = 64'd1 << 31, SIZE = BASE, ROM = 64'h1000, ROM_SIZE = 64'hF000;
  logic clock = 0, reset = 1;
  always #5 clock = !clock;

  logic refused;
  memory_request_t s_request = '0;
  memory_response_t s_response;
  hbm_request_t m_request;
  hbm_response_t m_response;
  hbm_guard #(.BASE(BASE), .SIZE(SIZE), .ROM_BASE(ROM), .ROM_SIZE(ROM_SIZE), .IN_FLIGHT(16)) dut (.*);

  // Memory: one read and one write at a time; counts the bytes written and remembers the last write's address
  int read_beats = 0, write_state = 0, written_bytes = 0;
  bit data_first = 0;
  initial #10ms $fatal(1, "hangs");
  logic read_willing;
  logic [32:0] read_addr, last_write;
  assign m_response = '{
      aw_ready: write_state == 0 && (!data_first || m_request.w_valid), w_ready: write_state == 1 || (write_state == 0 && m_request.aw_valid),
      b_valid: write_state == 2, b: '{id: '0, resp: RESP_OKAY}, ar_ready: read_willing && read_beats == 0,
      r_valid: read_beats != 0, r: '{id: '0, data: 256'(read_addr), resp: RESP_OKAY, last: read_beats == 1}
  };
  always @(posedge clock) begin
    read_willing <= $urandom_range(1) == 1;
    if (!reset) begin
      if (m_request.ar_valid && m_response.ar_ready) {read_beats, read_addr} <= {32'(m_request.ar.len) + 1, m_request.ar.addr};
      else if (m_response.r_valid && m_request.r_ready) {read_beats, read_addr} <= {read_beats - 1, read_addr + 33'd32};
      if (m_request.aw_valid && m_response.aw_ready) last_write <= m_request.aw.addr;
      if (m_request.w_valid && m_response.w_ready) begin
        written_bytes <= written_bytes + $countones(m_request.w.strb);
        write_state <= m_request.w.last ? 2 : 1;
      end else if (m_request.aw_valid && m_response.aw_ready) write_state <= 1;
      if (m_response.b_valid && m_request.b_ready) write_state <= 0;
    end
  end

  task automatic read(input longint addr, input int beats, input logic [2:0] size, input logic [1:0] expected);
    @(negedge clock);
    s_request.ar = '{id: '0, addr: 36'(addr), len: 8'(beats - 1), size: size, burst: BURST_INCR};
    s_request.ar_valid = 1;
    do @(posedge clock); while (!s_response.ar_ready);
    @(negedge clock) s_request.ar_valid = 0;
    for (int i = 0; i < beats; i++) begin
      s_request.r_ready = 1;
      do @(posedge clock); while (!s_response.r_valid);
      if (s_response.r.resp != expected) $fatal(1, "read %h: response %0d", addr, s_response.r.resp);
      if (s_response.r.last != (i == beats - 1)) $fatal(1, "read %h: last in beat %0d", addr, i);
      if (s_response.r.data != (expected == RESP_OKAY ? 256'((addr & ~64'd31) + 32 * i) : 256'd0))
        $fatal(1, "read %h: data %h", addr, s_response.r.data);
      @(negedge clock) s_request.r_ready = 0;
    end
  endtask

  task automatic write(input longint addr, input int beats, input logic [31:0] strobes, input logic [1:0] expected);
    int earlier;
    earlier = written_bytes;
    @(negedge clock);
    s_request.aw = '{id: '0, addr: 36'(addr), len: 8'(beats - 1), size: 3'd5, burst: BURST_INCR};
    s_request.aw_valid = 1;
    do @(posedge clock); while (!s_response.aw_ready);
    @(negedge clock) s_request.aw_valid = 0;
    for (int i = 0; i < beats; i++) begin
      s_request.w = '{data: '1, strb: strobes, last: i == beats - 1};
      s_request.w_valid = 1;
      do @(posedge clock); while (!s_response.w_ready);
      @(negedge clock) s_request.w_valid = 0;
    end
    s_request.b_ready = 1;
    do @(posedge clock); while (!s_response.b_valid);
    if (s_response.b.resp != expected) $fatal(1, "write %h: response %0d", addr, s_response.b.resp);
    @(negedge clock) s_request.b_ready = 0;
    if (written_bytes - earlier != (expected == RESP_OKAY ? beats * $countones(strobes) : 0))
      $fatal(1, "write %h wrote %0d bytes", addr, written_bytes - earlier);
    if (expected == RESP_OKAY && last_write != 33'(addr & ~64'd31)) $fatal(1, "write %h went to %h", addr, last_write);
  endtask

  task automatic refuse(input int len, input logic [2:0] size, input logic [1:0] burst);
    reset = 1;
    repeat (2) @(negedge clock);
    reset = 0;
    s_request.ar = '{id: '0, addr: 36'(BASE), len: 8'(len), size: size, burst: burst};
    s_request.ar_valid = 1;
    repeat (20) begin
      @(posedge clock);
      if (s_response.ar_ready) $fatal(1, "a burst of %0d beats of size %0d was accepted", len + 1, size);
    end
    if (!refused) $fatal(1, "the refused burst was not reported");
    @(negedge clock) s_request.ar_valid = 0;
  endtask

  initial begin
    repeat (3) @(negedge clock);
    reset = 0;
    read(BASE, 2, 5, RESP_OKAY);
    read(BASE + SIZE - 64, 2, 5, RESP_OKAY);
    read(ROM + 8, 1, 3, RESP_OKAY);
    read(BASE + 'h123, 1, 0, RESP_OKAY);
    read(BASE, 16, 5, RESP_OKAY);
    read(ROM - 32, 1, 5, RESP_DECERR);
    read(ROM + ROM_SIZE, 2, 5, RESP_DECERR);
    read(BASE - 64, 2, 5, RESP_DECERR);
    read(BASE + SIZE, 16, 5, RESP_DECERR);
    read(64'hF_FFFF_FFC0, 2, 5, RESP_DECERR);
    write(BASE + 64, 2, '1, RESP_OKAY);
    write(ROM, 1, 32'h0000_ff00, RESP_OKAY);
    write(BASE + SIZE, 4, '1, RESP_DECERR);
    write(0, 1, '1, RESP_DECERR);
    repeat (200) begin
      longint addr;
      addr = (longint'($urandom) << 6) >> $urandom_range(20);
      addr = addr & 64'hF_FFFF_FFC0;
      read(addr, 2, 5, (addr >= BASE && addr < BASE + SIZE) || (addr >= ROM && addr < ROM + ROM_SIZE) ? RESP_OKAY : RESP_DECERR);
    end
    data_first = 1;
    write(BASE + 64, 2, '1, RESP_OKAY);
    write(ROM, 1, 32'h0000_ff00, RESP_OKAY);
    write(BASE + SIZE, 4, '1, RESP_DECERR);
    write(BASE + 4096, 16, 32'h1, RESP_OKAY);
    if (refused) $fatal(1, "legal bursts were reported as refused");
    refuse(16, 5, BURST_INCR);
    refuse(1, 3, BURST_INCR);
    refuse(1, 5, BURST_FIXED);
    $display("PASS");
    $finish;
  end
endmodule
