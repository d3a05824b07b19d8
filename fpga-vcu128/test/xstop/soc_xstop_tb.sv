// SPDX-License-Identifier: Apache-2.0
//
// The wrapper with the stand-in XSTop, between a memory and a device that answer after random times: the stand-in's
// sum arrives at the exit register, memory has the inverted line, IDs come back, nothing asks the device for the start page.
// Meanwhile the DMA port, which the board ties off, takes random bursts: the stand-in returns what was written.
`include "nhg_probes.svh"
module soc_xstop_tb;
  timeunit 1ns; timeprecision 1ns;
  localparam logic [38:0] RESET_PC = 39'h8000_1240;
  bit clock = 0, reset = 1;
  always #5 clock = !clock;

  logic [38:0] reset_pc = RESET_PC;
  logic [63:0] interrupts = '0;
  logic [2:0] retired;
  logic [63:0] probes[`NHG_PROBE_COUNT];
  logic mem_awvalid, mem_wvalid, mem_wlast, mem_bready, mem_arvalid, mem_rready;
  logic mem_awready = 0, mem_wready = 0, mem_bvalid = 0, mem_arready = 0, mem_rvalid = 0, mem_rlast = 0;
  logic [13:0] mem_awid, mem_arid, mem_bid = '0, mem_rid = '0;
  logic [35:0] mem_awaddr, mem_araddr;
  logic [7:0] mem_awlen, mem_arlen;
  logic [2:0] mem_awsize, mem_arsize;
  logic [1:0] mem_awburst, mem_arburst, mem_bresp = '0, mem_rresp = '0;
  logic [255:0] mem_wdata, mem_rdata = '0;
  logic [31:0] mem_wstrb;
  logic io_awvalid, io_wvalid, io_wlast, io_bready, io_arvalid, io_rready;
  logic io_awready = 0, io_wready = 0, io_bvalid = 0, io_arready = 0, io_rvalid = 0, io_rlast = 0;
  logic [1:0] io_awid, io_arid, io_bid = '0, io_rid = '0, io_bresp = '0, io_rresp = '0;
  logic [35:0] io_awaddr, io_araddr;
  logic [7:0] io_awlen, io_arlen, io_wstrb;
  logic [2:0] io_awsize, io_arsize;
  logic [1:0] io_awburst, io_arburst;
  logic [63:0] io_wdata, io_rdata = '0;
  logic dma_awvalid, dma_wvalid, dma_wlast, dma_bready, dma_arvalid, dma_rready;
  logic dma_awready, dma_wready, dma_bvalid, dma_arready, dma_rvalid, dma_rlast;
  logic [13:0] dma_awid, dma_arid, dma_bid, dma_rid;
  logic [35:0] dma_awaddr, dma_araddr;
  logic [7:0] dma_awlen, dma_arlen;
  logic [2:0] dma_awsize, dma_arsize;
  logic [1:0] dma_awburst, dma_arburst, dma_bresp, dma_rresp;
  logic [255:0] dma_wdata, dma_rdata;
  logic [31:0] dma_wstrb;
  bit dma_done;
  soc_tile dut (.*);
  dma_driver dma (
      .clock, .reset, .done(dma_done),
      .awvalid(dma_awvalid), .awready(dma_awready), .awid(dma_awid), .awaddr(dma_awaddr), .awlen(dma_awlen), .awsize(dma_awsize),
      .awburst(dma_awburst), .wvalid(dma_wvalid), .wready(dma_wready), .wdata(dma_wdata), .wstrb(dma_wstrb), .wlast(dma_wlast),
      .bvalid(dma_bvalid), .bready(dma_bready), .bid(dma_bid), .bresp(dma_bresp),
      .arvalid(dma_arvalid), .arready(dma_arready), .arid(dma_arid), .araddr(dma_araddr), .arlen(dma_arlen), .arsize(dma_arsize),
      .arburst(dma_arburst), .rvalid(dma_rvalid), .rready(dma_rready), .rid(dma_rid), .rdata(dma_rdata), .rresp(dma_rresp), .rlast(dma_rlast)
  );

  function automatic logic [255:0] content(input int beat);
    return {8{32'h1357_9bdf + 32'(beat)}};
  endfunction

  task automatic serve_read();
    repeat ($urandom_range(5)) @(negedge clock);
    while (!mem_arvalid) @(negedge clock);
    if (mem_araddr != RESET_PC[35:0] || mem_arlen != 1 || mem_arsize != 5 || mem_arburst != 1)
      $fatal(1, "read of %h, %0d beats", mem_araddr, mem_arlen + 1);
    mem_rid = mem_arid;
    mem_arready = 1;
    @(negedge clock) mem_arready = 0;
    for (int beat = 0; beat < 2; beat++) begin
      repeat ($urandom_range(5)) @(negedge clock);
      {mem_rvalid, mem_rlast, mem_rdata} = {1'b1, beat == 1, content(beat)};
      do @(posedge clock); while (!mem_rready);
      @(negedge clock) mem_rvalid = 0;
    end
  endtask

  task automatic serve_write();
    while (!mem_awvalid) @(negedge clock);
    if (mem_awaddr != RESET_PC[35:0] + 64 || mem_awlen != 1) $fatal(1, "write of %h", mem_awaddr);
    mem_bid = mem_awid;
    mem_awready = 1;
    @(negedge clock) mem_awready = 0;
    for (int beat = 0; beat < 2; beat++) begin
      repeat ($urandom_range(5)) @(negedge clock);
      mem_wready = 1;
      do @(posedge clock); while (!mem_wvalid);
      if (mem_wdata != ~content(beat) || mem_wstrb != '1 || mem_wlast != (beat == 1)) $fatal(1, "write data %h", mem_wdata);
      @(negedge clock) mem_wready = 0;
    end
    mem_bvalid = 1;
    do @(posedge clock); while (!mem_bready);
    @(negedge clock) mem_bvalid = 0;
  endtask

  task automatic serve_exit();
    while (!(io_awvalid && io_wvalid)) @(negedge clock);
    if (io_awaddr != nhg_platform::HOST_EXIT[35:0] || io_wstrb != '1 || io_awid != 0) $fatal(1, "store to %h", io_awaddr);
    if (io_wdata != content(0)[63:0] + content(1)[63:0]) $fatal(1, "sum %h", io_wdata);
    {io_awready, io_wready} = 2'b11;
    @(negedge clock) {io_awready, io_wready} = 2'b00;
    repeat (3) @(negedge clock);
    io_bvalid = 1;
    do @(posedge clock); while (!io_bready);
    @(negedge clock) io_bvalid = 0;
  endtask

  int rtc_edges = 0;
  logic rtc_before = 0;
  always @(posedge clock)
    if (!reset) begin
      if (io_arvalid) $fatal(1, "the device is asked for %h", io_araddr);
      if (dut.core.io_riscv_halt_0) $fatal(1, "the stand-in found something it did not expect");
      rtc_edges <= rtc_edges + 32'(dut.rtc_clock != rtc_before);
      rtc_before <= dut.rtc_clock;
    end

  initial begin
    repeat (3) @(negedge clock);
    reset = 0;
    serve_read();
    serve_write();
    serve_exit();
    repeat (500) @(negedge clock);
    if (probes[0] != 2 || retired == 0) $fatal(1, "%0d bursts counted", probes[0]);
    if (rtc_edges < 9 || rtc_edges > 12) $fatal(1, "%0d edges of the time base in about 550 cycles", rtc_edges);
    wait (dma_done);
    $display("PASS");
    $finish;
  end
  initial begin
    #100_000 $fatal(1, "no end");
  end
endmodule
