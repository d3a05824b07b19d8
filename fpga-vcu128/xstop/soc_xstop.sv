// SPDX-License-Identifier: Apache-2.0
//
// The SoC of the board made of a user's own XSTop, the public top of XiangShan's NANHU-G: takes soc_nhg.sv's place when
// CORE is given. The tables of xstop_ports.svh come from the user's file (ports.py).
//   memory_0 -> mem, dma_0 <- dma   width for width; an ID narrower than 14 bits is padded
//   peripheral_0 -> io              xstop_peripheral, which also holds the first instructions
//   io_rtc_clock                    the time base: a period is TICK_CYCLES of the core clock
//   retired                         XSTop does not say what it retires: always 1, so that the host sees no standstill
//   probes[0]                       bursts asked for at the memory port
// Not run with a real XSTop: elaborated and simulated with a stand-in of the same ports (test/xstop).
`include "axi.svh"
`include "nhg_probes.svh"
`include "xstop_ports.svh"
module soc_tile
  import bus_types::*;
(
    input  logic             clock,
    input  logic             reset,
    input  logic [38:0]      reset_pc,
    input  logic [63:0]      interrupts,
    output logic [2:0]       retired,
    output logic [63:0]      probes[`NHG_PROBE_COUNT],
    output memory_request_t  mem_request,
    input  memory_response_t mem_response,
    output io_request_t      io_request,
    input  io_response_t     io_response,
    input  memory_request_t  dma_request,
    output memory_response_t dma_response
);
  localparam int RTC_HALF_CYCLES = int'(nhg_platform::TICK_CYCLES / 2);
  localparam int RTC_BITS = $clog2(RTC_HALF_CYCLES);

  // IDs and addresses have the widths of the user's XSTop.
  `AXI4_TYPES(peripheral, `XSTOP_PERIPHERAL_ID_BITS, `XSTOP_PERIPHERAL_ADDR_BITS, 64);
  logic [`XSTOP_MEMORY_ID_BITS-1:0] memory_awid, memory_arid;
  logic [`XSTOP_DMA_ID_BITS-1:0] dma_bid, dma_rid;
  peripheral_request_t peripheral_request;
  peripheral_response_t peripheral_response;
  io_request_t p_request;
  io_response_t p_response;
  assign mem_request.aw.id = MEMORY_ID_BITS'(memory_awid);
  assign mem_request.ar.id = MEMORY_ID_BITS'(memory_arid);
  assign dma_response.b.id = MEMORY_ID_BITS'(dma_bid);
  assign dma_response.r.id = MEMORY_ID_BITS'(dma_rid);
  function automatic io_address_t widened(input peripheral_address_t a);
    return '{id: IO_ID_BITS'(a.id), addr: PADDR_BITS'(a.addr), len: a.len, size: a.size, burst: a.burst};
  endfunction
  assign p_request = '{
      aw_valid: peripheral_request.aw_valid, aw: widened(peripheral_request.aw),
      w_valid: peripheral_request.w_valid, w: peripheral_request.w, b_ready: peripheral_request.b_ready,
      ar_valid: peripheral_request.ar_valid, ar: widened(peripheral_request.ar), r_ready: peripheral_request.r_ready
  };
  assign peripheral_response = '{
      aw_ready: p_response.aw_ready, w_ready: p_response.w_ready,
      b_valid: p_response.b_valid, b: '{id: p_response.b.id[`XSTOP_PERIPHERAL_ID_BITS-1:0], resp: p_response.b.resp},
      ar_ready: p_response.ar_ready, r_valid: p_response.r_valid,
      r: '{id: p_response.r.id[`XSTOP_PERIPHERAL_ID_BITS-1:0], data: p_response.r.data, resp: p_response.r.resp, last: p_response.r.last}
  };

  logic rtc_clock;  // in XSTOP_OTHER_PORTS, when XSTop has the port
  logic [RTC_BITS-1:0] rtc_cycles;
  always_ff @(posedge clock) begin
    if (reset) {rtc_clock, rtc_cycles} <= '0;
    else if (rtc_cycles == RTC_BITS'(RTC_HALF_CYCLES - 1)) {rtc_clock, rtc_cycles} <= {!rtc_clock, RTC_BITS'(0)};
    else rtc_cycles <= rtc_cycles + 1'b1;
  end

`define NHG_XSTOP_OPEN(port) \
      .port``_awlock(), .port``_awcache(), .port``_awprot(), .port``_awqos(), \
      .port``_arlock(), .port``_arcache(), .port``_arprot(), .port``_arqos(),
  XSTop core (
      .io_clock(clock), .io_reset(reset), .io_extIntrs(interrupts),
      `AXI4_FLAT(memory_0_, mem_request, mem_response), `AXI4_FLAT_BURST(memory_0_, mem_request),
      .memory_0_awid(memory_awid), .memory_0_arid(memory_arid),
      .memory_0_bid(mem_response.b.id[`XSTOP_MEMORY_ID_BITS-1:0]), .memory_0_rid(mem_response.r.id[`XSTOP_MEMORY_ID_BITS-1:0]),
      `NHG_XSTOP_OPEN(memory_0)
      `AXI4_FLAT(peripheral_0_, peripheral_request, peripheral_response), `AXI4_FLAT_BURST(peripheral_0_, peripheral_request),
      `AXI4_FLAT_ID(peripheral_0_, peripheral_request, peripheral_response),
      `NHG_XSTOP_OPEN(peripheral_0)
      `XSTOP_OTHER_PORTS
      `AXI4_FLAT(dma_0_, dma_request, dma_response), `AXI4_FLAT_BURST(dma_0_, dma_request),
      .dma_0_awid(dma_request.aw.id[`XSTOP_DMA_ID_BITS-1:0]), .dma_0_arid(dma_request.ar.id[`XSTOP_DMA_ID_BITS-1:0]),
      .dma_0_bid(dma_bid), .dma_0_rid(dma_rid),
      .dma_0_awlock(1'b0), .dma_0_awcache(4'd3), .dma_0_awprot(3'd0), .dma_0_awqos(4'd0),
      .dma_0_arlock(1'b0), .dma_0_arcache(4'd3), .dma_0_arprot(3'd0), .dma_0_arqos(4'd0)
  );
`undef NHG_XSTOP_OPEN

  xstop_peripheral peripheral (.*);

  assign retired = 3'd1;
  always_ff @(posedge clock) begin
    if (reset) probes[0] <= '0;
    else probes[0] <= probes[0] + 64'(mem_request.aw_valid && mem_response.aw_ready) + 64'(mem_request.ar_valid && mem_response.ar_ready);
  end
endmodule
