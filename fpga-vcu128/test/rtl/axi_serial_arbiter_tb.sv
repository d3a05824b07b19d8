// SPDX-License-Identifier: Apache-2.0
//
// axi_serial_arbiter between two managers with random bursts, each in its own region, and a 64-bit memory with errors: every
// manager reads what it wrote, gets its own responses only, never waits for more than three others' bursts, and the memory
// sees one burst at a time.
//   +bursts=N of each kind and manager · +busy=N  how often in 256 each side is willing
module axi_serial_arbiter_tb;
  timeunit 1ns; timeprecision 1ns;
  localparam logic [3:0] POISON = 4'hd;
  localparam int WAIT_BURSTS_MAX = 3;
  bit clock = 0, reset = 1;
  always #5 clock = !clock;

  int bursts, busy;
  logic [1:0] s_awvalid = '0, s_awready, s_wvalid = '0, s_wready, s_wlast = '0, s_bvalid, s_bready = '0;
  logic [1:0] s_arvalid = '0, s_arready, s_rvalid, s_rready = '0;
  logic [1:0][35:0] s_awaddr = '0, s_araddr = '0;
  logic [1:0][7:0] s_awlen = '0, s_arlen = '0, s_wstrb = '0;
  logic [1:0][2:0] s_awsize = {2{3'd3}}, s_arsize = {2{3'd3}};
  logic [1:0][1:0] s_awburst = {2{2'b01}}, s_arburst = {2{2'b01}};
  logic [1:0][63:0] s_wdata = '0;
  logic m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bvalid, m_bready, m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [35:0] m_awaddr, m_araddr;
  logic [7:0] m_awlen, m_arlen, m_wstrb;
  logic [2:0] m_awsize, m_arsize;
  logic [1:0] m_awburst, m_arburst, m_bresp, m_rresp;
  logic [63:0] m_wdata, m_rdata;
  axi_serial_arbiter dut (.*);
  memory64 #(.POISON(POISON)) memory (
      .clock, .reset, .busy, .awvalid(m_awvalid), .awready(m_awready), .awaddr(m_awaddr), .awlen(m_awlen), .wvalid(m_wvalid),
      .wready(m_wready), .wdata(m_wdata), .wstrb(m_wstrb), .wlast(m_wlast), .bvalid(m_bvalid), .bready(m_bready), .bresp(m_bresp),
      .arvalid(m_arvalid), .arready(m_arready), .araddr(m_araddr), .arlen(m_arlen), .rvalid(m_rvalid), .rready(m_rready),
      .rdata(m_rdata), .rresp(m_rresp), .rlast(m_rlast)
  );

  // One burst at a time, with the constants of both managers
  logic writing = 0, reading = 0;
  int finished = 0, most_waited = 0;
  always @(posedge clock)
    if (!reset) begin
      if ((m_awvalid && (writing || reading)) || (m_arvalid && (writing || reading || m_awvalid)))
        $fatal(1, "an address while a burst is under way");
      if ((m_awvalid && {m_awsize, m_awburst} != {3'd3, 2'b01}) || (m_arvalid && {m_arsize, m_arburst} != {3'd3, 2'b01}))
        $fatal(1, "size or burst type changed on the way");
      if ($countones({s_bvalid, s_rvalid}) > 1) $fatal(1, "two managers are answered at once");
      writing <= (writing || (m_awvalid && m_awready)) && !(m_bvalid && m_bready);
      reading <= (reading || (m_arvalid && m_arready)) && !(m_rvalid && m_rready && m_rlast);
      finished <= finished + 32'((m_bvalid && m_bready) || (m_rvalid && m_rready && m_rlast));
    end

  logic [63:0] expected[2][logic [32:0]];
  function automatic logic [63:0] word_at(input int manager, input logic [35:0] address);
    if (expected[manager].exists(address[35:3])) return expected[manager][address[35:3]];
    return 64'(address[35:3]) * 64'h9e37_79b9_7f4a_7c15;
  endfunction

  task automatic wait_a_while();
    while (int'($urandom_range(255)) >= busy) @(negedge clock);
  endtask
  // Regions by manager and half; a manager reads one half while it writes the other.
  function automatic logic [35:0] random_address(input int manager, input logic half, input logic [7:0] len);
    logic [35:0] address;
    address = {4'h1, 16'd0, 1'(manager), 2'd0, half, 9'($urandom), 3'd0};
    if (32'(address[11:0]) + 8 * (32'(len) + 1) > 4096) address[11:0] = '0;
    return address;
  endfunction
  function automatic void waited(input int since);
    if (finished - since > most_waited) most_waited = finished - since;
    if (finished - since > WAIT_BURSTS_MAX) $fatal(1, "a request waited for %0d bursts", finished - since);
  endfunction

  task automatic write(input int manager, input logic half);
    logic [35:0] address;
    logic [7:0] len;
    logic failed;
    int since;
    len = 8'($urandom_range(1) == 0 ? 0 : $urandom_range(20));
    address = random_address(manager, half, len);
    failed = 0;
    wait_a_while();
    since = finished;
    s_awvalid[manager] = 1;
    {s_awaddr[manager], s_awlen[manager]} = {address, len};
    do @(posedge clock); while (!s_awready[manager]);
    waited(since);
    @(negedge clock) s_awvalid[manager] = 0;
    for (int beat = 0; beat <= int'(len); beat++) begin
      logic [63:0] word, data;
      logic [7:0] strobes;
      wait_a_while();
      data = {$urandom, $urandom};
      strobes = $urandom_range(1) == 0 ? '1 : 8'($urandom);
      word = word_at(manager, address);
      for (int i = 0; i < 8; i++) if (strobes[i]) word[8*i+:8] = data[8*i+:8];
      if (address[11:8] == POISON) failed = 1;
      else expected[manager][address[35:3]] = word;
      s_wvalid[manager] = 1;
      {s_wdata[manager], s_wstrb[manager], s_wlast[manager]} = {data, strobes, beat == int'(len)};
      do @(posedge clock); while (!s_wready[manager]);
      @(negedge clock) s_wvalid[manager] = 0;
      address += 8;
    end
    wait_a_while();
    s_bready[manager] = 1;
    do @(posedge clock); while (!s_bvalid[manager]);
    if (m_bresp != {failed, 1'b0}) $fatal(1, "manager %0d, write before %h: response %0d", manager, address, m_bresp);
    @(negedge clock) s_bready[manager] = 0;
  endtask

  task automatic read(input int manager, input logic half);
    logic [35:0] address;
    logic [7:0] len;
    int since;
    len = 8'($urandom_range(1) == 0 ? 0 : $urandom_range(20));
    address = random_address(manager, half, len);
    wait_a_while();
    since = finished;
    s_arvalid[manager] = 1;
    {s_araddr[manager], s_arlen[manager]} = {address, len};
    do @(posedge clock); while (!s_arready[manager]);
    waited(since);
    @(negedge clock) s_arvalid[manager] = 0;
    for (int beat = 0; beat <= int'(len); beat++) begin
      wait_a_while();
      s_rready[manager] = 1;
      do @(posedge clock); while (!s_rvalid[manager]);
      if (m_rlast != (beat == int'(len))) $fatal(1, "manager %0d: last in beat %0d of %0d", manager, beat, len + 1);
      if (m_rresp != {address[11:8] == POISON, 1'b0}) $fatal(1, "manager %0d, read of %h: response %0d", manager, address, m_rresp);
      if (address[11:8] != POISON && m_rdata != word_at(manager, address)) $fatal(1, "manager %0d, read of %h: %h", manager, address, m_rdata);
      @(negedge clock) s_rready[manager] = 0;
      address += 8;
    end
  endtask

  task automatic writes(input int manager, input logic half);
    repeat (10) write(manager, half);
  endtask
  task automatic reads(input int manager, input logic half);
    repeat (10) read(manager, half);
  endtask

  initial begin
    if (!$value$plusargs("bursts=%d", bursts) || !$value$plusargs("busy=%d", busy)) $fatal(1, "an argument is missing");
    repeat (3) @(negedge clock);
    reset = 0;
    // Both managers write one half of their region and read the other.
    repeat (bursts / 20) begin
      fork
        writes(0, 1'b0);
        reads(0, 1'b1);
        writes(1, 1'b0);
        reads(1, 1'b1);
      join
      fork
        writes(0, 1'b1);
        reads(0, 1'b0);
        writes(1, 1'b1);
        reads(1, 1'b0);
      join
    end
    $display("PASS %0d bursts, a request waited for %0d at most", finished, most_waited);
    $finish;
  end
  initial begin
    #500_000_000 $fatal(1, "no end");
  end
endmodule
