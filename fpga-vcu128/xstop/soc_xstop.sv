// SPDX-License-Identifier: Apache-2.0
//
// The SoC of the board made of a user's own XSTop, the public top of XiangShan's NANHU-G: takes soc_nhg.sv's place when
// CORE is given. The tables of xstop_ports.svh come from the user's file (ports.py).
//   memory_0 -> mem, dma_0 <- dma   width for width; an ID narrower than 14 bits is padded
//   peripheral_0 -> io              xstop_peripheral, which also holds the first instructions
//   io_rtc_clock                    core clock / 100, as the public top's own time base
//   retired                         XSTop does not say what it retires: always 1, so that the host sees no standstill
//   probes[0]                       bursts asked for at the memory port
// Not run with a real XSTop: elaborated and simulated with a stand-in of the same ports (test/xstop).
`include "nhg_probes.svh"
`include "xstop_ports.svh"
module soc_tile (
    input  logic clock, reset,
    input  logic [38:0] reset_pc,
    input  logic [63:0] interrupts,
    output logic [2:0] retired,
    output logic [63:0] probes[`NHG_PROBE_COUNT],
    // memory, manager
    output logic mem_awvalid, mem_wvalid, mem_wlast, mem_bready, mem_arvalid, mem_rready,
    input  logic mem_awready, mem_wready, mem_bvalid, mem_arready, mem_rvalid, mem_rlast,
    output logic [13:0] mem_awid, mem_arid,
    output logic [35:0] mem_awaddr, mem_araddr,
    output logic [7:0] mem_awlen, mem_arlen,
    output logic [2:0] mem_awsize, mem_arsize,
    output logic [1:0] mem_awburst, mem_arburst,
    output logic [255:0] mem_wdata,
    output logic [31:0] mem_wstrb,
    input  logic [13:0] mem_bid, mem_rid,
    input  logic [1:0] mem_bresp, mem_rresp,
    input  logic [255:0] mem_rdata,
    // devices, manager
    output logic io_awvalid, io_wvalid, io_wlast, io_bready, io_arvalid, io_rready,
    input  logic io_awready, io_wready, io_bvalid, io_arready, io_rvalid, io_rlast,
    output logic [1:0] io_awid, io_arid,
    output logic [35:0] io_awaddr, io_araddr,
    output logic [7:0] io_awlen, io_arlen,
    output logic [2:0] io_awsize, io_arsize,
    output logic [1:0] io_awburst, io_arburst,
    output logic [63:0] io_wdata,
    output logic [7:0] io_wstrb,
    input  logic [1:0] io_bid, io_rid, io_bresp, io_rresp,
    input  logic [63:0] io_rdata,
    // DMA, subordinate
    input  logic dma_awvalid, dma_wvalid, dma_wlast, dma_bready, dma_arvalid, dma_rready,
    output logic dma_awready, dma_wready, dma_bvalid, dma_arready, dma_rvalid, dma_rlast,
    input  logic [13:0] dma_awid, dma_arid,
    input  logic [35:0] dma_awaddr, dma_araddr,
    input  logic [7:0] dma_awlen, dma_arlen,
    input  logic [2:0] dma_awsize, dma_arsize,
    input  logic [1:0] dma_awburst, dma_arburst,
    input  logic [255:0] dma_wdata,
    input  logic [31:0] dma_wstrb,
    output logic [13:0] dma_bid, dma_rid,
    output logic [1:0] dma_bresp, dma_rresp,
    output logic [255:0] dma_rdata
);
  localparam logic [5:0] RTC_HALF_CYCLES = 6'd50;

  // Signals with the widths of the user's XSTop
  logic [`XSTOP_MEMORY_ID_BITS-1:0] memory_awid, memory_arid;
  logic [`XSTOP_DMA_ID_BITS-1:0] from_dma_bid, from_dma_rid;
  logic p_awvalid, p_awready, p_wvalid, p_wready, p_wlast, p_bvalid, p_bready;
  logic p_arvalid, p_arready, p_rvalid, p_rready, p_rlast;
  logic [`XSTOP_PERIPHERAL_ID_BITS-1:0] p_awid, p_arid, p_bid, p_rid;
  logic [`XSTOP_PERIPHERAL_ADDR_BITS-1:0] p_awaddr, p_araddr;
  logic [7:0] p_awlen, p_arlen, p_wstrb;
  logic [2:0] p_awsize, p_arsize;
  logic [1:0] p_awburst, p_arburst, p_bresp, p_rresp;
  logic [63:0] p_wdata, p_rdata;
  assign mem_awid = 14'(memory_awid);
  assign mem_arid = 14'(memory_arid);
  assign dma_bid = 14'(from_dma_bid);
  assign dma_rid = 14'(from_dma_rid);

  logic rtc_clock;  // in XSTOP_OTHER_PORTS, when XSTop has the port
  logic [5:0] rtc_cycles;
  always_ff @(posedge clock) begin
    if (reset) {rtc_clock, rtc_cycles} <= '0;
    else if (rtc_cycles == RTC_HALF_CYCLES - 1'b1) {rtc_clock, rtc_cycles} <= {!rtc_clock, 6'd0};
    else rtc_cycles <= rtc_cycles + 1'b1;
  end

// All of an AXI4 port but the IDs and what the shell does not use.
`define NHG_XSTOP_AXI(port, name) \
      .port``_awvalid(name``_awvalid), .port``_awready(name``_awready), .port``_awaddr(name``_awaddr), \
      .port``_awlen(name``_awlen), .port``_awsize(name``_awsize), .port``_awburst(name``_awburst), \
      .port``_wvalid(name``_wvalid), .port``_wready(name``_wready), .port``_wdata(name``_wdata), \
      .port``_wstrb(name``_wstrb), .port``_wlast(name``_wlast), \
      .port``_bvalid(name``_bvalid), .port``_bready(name``_bready), .port``_bresp(name``_bresp), \
      .port``_arvalid(name``_arvalid), .port``_arready(name``_arready), .port``_araddr(name``_araddr), \
      .port``_arlen(name``_arlen), .port``_arsize(name``_arsize), .port``_arburst(name``_arburst), \
      .port``_rvalid(name``_rvalid), .port``_rready(name``_rready), .port``_rdata(name``_rdata), \
      .port``_rresp(name``_rresp), .port``_rlast(name``_rlast),
`define NHG_XSTOP_OPEN(port) \
      .port``_awlock(), .port``_awcache(), .port``_awprot(), .port``_awqos(), \
      .port``_arlock(), .port``_arcache(), .port``_arprot(), .port``_arqos(),
  XSTop core (
      .io_clock(clock), .io_reset(reset), .io_extIntrs(interrupts),
      `NHG_XSTOP_AXI(memory_0, mem)
      `NHG_XSTOP_OPEN(memory_0)
      .memory_0_awid(memory_awid), .memory_0_arid(memory_arid),
      .memory_0_bid(mem_bid[`XSTOP_MEMORY_ID_BITS-1:0]), .memory_0_rid(mem_rid[`XSTOP_MEMORY_ID_BITS-1:0]),
      `NHG_XSTOP_AXI(peripheral_0, p)
      `NHG_XSTOP_OPEN(peripheral_0)
      .peripheral_0_awid(p_awid), .peripheral_0_arid(p_arid), .peripheral_0_bid(p_bid), .peripheral_0_rid(p_rid),
      `XSTOP_OTHER_PORTS
      `NHG_XSTOP_AXI(dma_0, dma)
      .dma_0_awid(dma_awid[`XSTOP_DMA_ID_BITS-1:0]), .dma_0_arid(dma_arid[`XSTOP_DMA_ID_BITS-1:0]),
      .dma_0_bid(from_dma_bid), .dma_0_rid(from_dma_rid),
      .dma_0_awlock(1'b0), .dma_0_awcache(4'd3), .dma_0_awprot(3'd0), .dma_0_awqos(4'd0),
      .dma_0_arlock(1'b0), .dma_0_arcache(4'd3), .dma_0_arprot(3'd0), .dma_0_arqos(4'd0)
  );
`undef NHG_XSTOP_AXI
`undef NHG_XSTOP_OPEN

  xstop_peripheral #(.ID_BITS(`XSTOP_PERIPHERAL_ID_BITS), .ADDR_BITS(`XSTOP_PERIPHERAL_ADDR_BITS)) peripheral (.*);
  assign {io_awid, io_arid} = '0;

  assign retired = 3'd1;
  always_ff @(posedge clock) begin
    if (reset) probes[0] <= '0;
    else probes[0] <= probes[0] + 64'(mem_awvalid && mem_awready) + 64'(mem_arvalid && mem_arready);
  end
endmodule
