// SPDX-License-Identifier: Apache-2.0
//
// hbm_guard before a memory whose words are their addresses, answers after a random time: addresses of the memory and of
// the ROM pass, others are answered DECERR with zero data and write nothing, narrow beats become whole ones, and a burst HBM
// cannot do is held back and reported.
module hbm_guard_tb
  import board_types::*;
;
  timeunit 1ns; timeprecision 1ns;
  localparam longint BASE = 64'd1 << 31, SIZE = BASE, ROM = 64'h1000, ROM_SIZE = 64'hF000;
  bit clock = 0, reset = 1;
  always #5 clock = !clock;

  logic refused;
  logic s_awvalid = 0, s_awready, s_wvalid = 0, s_wready, s_bvalid, s_bready = 0, s_arvalid = 0, s_arready;
  logic s_rvalid, s_rready = 0, m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready, m_arvalid, m_arready;
  logic m_rvalid, m_rready;
  axi_address_t s_aw, s_ar;
  axi_write_t s_w, m_w;
  axi_read_t s_r, m_r;
  hbm_address_t m_aw, m_ar;
  logic [1:0] s_bresp, m_bresp;
  hbm_guard #(.BASE(BASE), .SIZE(SIZE), .ROM_BASE(ROM), .ROM_SIZE(ROM_SIZE), .IN_FLIGHT(16)) dut (.*);

  // Memory: one read and one write at a time; counts the bytes written and remembers the last write's address
  int read_beats = 0, write_state = 0, written_bytes = 0;
  logic [32:0] read_addr, last_write;
  assign m_arready = read_beats == 0 && $urandom_range(1) == 1;
  assign m_rvalid = read_beats != 0;
  assign m_r = '{data: 256'(read_addr), resp: RESP_OKAY, last: read_beats == 1};
  assign m_awready = write_state == 0;
  assign m_wready = write_state == 1 || (write_state == 0 && m_awvalid);
  assign m_bvalid = write_state == 2;
  assign m_bresp = RESP_OKAY;
  always @(posedge clock)
    if (!reset) begin
      if (m_arvalid && m_arready) {read_beats, read_addr} <= {32'(m_ar.len) + 1, m_ar.addr};
      else if (m_rvalid && m_rready) {read_beats, read_addr} <= {read_beats - 1, read_addr + 33'd32};
      if (m_awvalid && m_awready) last_write <= m_aw.addr;
      if (m_wvalid && m_wready) begin
        written_bytes <= written_bytes + $countones(m_w.strb);
        write_state <= m_w.last ? 2 : 1;
      end else if (m_awvalid && m_awready) write_state <= 1;
      if (m_bvalid && m_bready) write_state <= 0;
    end

  task automatic read(input longint addr, input int beats, input logic [2:0] size, input logic [1:0] expected);
    @(negedge clock);
    s_ar = '{addr: 36'(addr), len: 8'(beats - 1), size: size, burst: BURST_INCR};
    s_arvalid = 1;
    do @(posedge clock); while (!s_arready);
    @(negedge clock) s_arvalid = 0;
    for (int i = 0; i < beats; i++) begin
      s_rready = 1;
      do @(posedge clock); while (!s_rvalid);
      if (s_r.resp != expected) $fatal(1, "read %h: response %0d", addr, s_r.resp);
      if (s_r.last != (i == beats - 1)) $fatal(1, "read %h: last in beat %0d", addr, i);
      if (s_r.data != (expected == RESP_OKAY ? 256'((addr & ~64'd31) + 32 * i) : 256'd0))
        $fatal(1, "read %h: data %h", addr, s_r.data);
      @(negedge clock) s_rready = 0;
    end
  endtask

  task automatic write(input longint addr, input int beats, input logic [31:0] strobes, input logic [1:0] expected);
    int earlier;
    earlier = written_bytes;
    @(negedge clock);
    s_aw = '{addr: 36'(addr), len: 8'(beats - 1), size: 3'd5, burst: BURST_INCR};
    s_awvalid = 1;
    do @(posedge clock); while (!s_awready);
    @(negedge clock) s_awvalid = 0;
    for (int i = 0; i < beats; i++) begin
      s_w = '{data: '1, strb: strobes, last: i == beats - 1};
      s_wvalid = 1;
      do @(posedge clock); while (!s_wready);
      @(negedge clock) s_wvalid = 0;
    end
    s_bready = 1;
    do @(posedge clock); while (!s_bvalid);
    if (s_bresp != expected) $fatal(1, "write %h: response %0d", addr, s_bresp);
    @(negedge clock) s_bready = 0;
    if (written_bytes - earlier != (expected == RESP_OKAY ? beats * $countones(strobes) : 0))
      $fatal(1, "write %h wrote %0d bytes", addr, written_bytes - earlier);
    if (expected == RESP_OKAY && last_write != 33'(addr & ~64'd31)) $fatal(1, "write %h went to %h", addr, last_write);
  endtask

  task automatic refuse(input int len, input logic [2:0] size, input logic [1:0] burst);
    reset = 1;
    repeat (2) @(negedge clock);
    reset = 0;
    s_ar = '{addr: 36'(BASE), len: 8'(len), size: size, burst: burst};
    s_arvalid = 1;
    repeat (20) begin
      @(posedge clock);
      if (s_arready) $fatal(1, "a burst of %0d beats of size %0d was accepted", len + 1, size);
    end
    if (!refused) $fatal(1, "the refused burst was not reported");
    @(negedge clock) s_arvalid = 0;
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
    if (refused) $fatal(1, "legal bursts were reported as refused");
    refuse(16, 5, BURST_INCR);
    refuse(1, 3, BURST_INCR);
    refuse(1, 5, BURST_FIXED);
    $display("PASS");
    $finish;
  end
endmodule
