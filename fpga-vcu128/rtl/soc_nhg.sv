// SPDX-License-Identifier: Apache-2.0
//
// The SoC of the board, with the boundary of the public NANHU-G top, so that another SoC with these ports can take its
// place: 256-bit AXI4 memory port (`mem`, 14-bit ID), 64-bit AXI4 port for devices (`io`), 256-bit AXI4 port for DMA
// into the caches (`dma`). This one is NH-G with the AMU. NH-G has no coherent DMA port yet: every access to `dma` is
// answered SLVERR, so the host loads memory while the core is held in reset. Of the interrupts those are taken that its PLIC
// has a source for, the first of them source 1.
//   retired  instructions retired in this cycle
//   probes   counters of NhgSoc, in the order of nhg_probes.inc
`include "axi.svh"
`include "nhg_probes.svh"
module soc_tile
  import bus_types::*;
(
    input  logic             clock,
    input  logic             reset,
    input  logic [38:0]      reset_pc,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [63:0]      interrupts,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [2:0]       retired,
    output logic [63:0]      probes[`NHG_PROBE_COUNT],
    output memory_request_t  mem_request,
    input  memory_response_t mem_response,
    output io_request_t      io_request,
    input  io_response_t     io_response,
    input  memory_request_t  dma_request,
    output memory_response_t dma_response
);
  localparam int CORE_ID_BITS = 11;

  logic [CORE_ID_BITS-1:0] awid, arid;
  mmio_request_t mmio_request;
  mmio_response_t mmio_response;
  logic [`NHG_COMMIT_WIDTH-1:0] commit_valid, commit_trap;

  NhgSoc core (
      `NHG_RETIRED_PORTS
      `NHG_PROBE_PORTS
      .clock, .reset, .reset_pc, .interrupts(interrupts[int'(nhg_platform::PLIC_SOURCES)-1:0]),
      `AXI4_FLAT(mem_, mem_request, mem_response),
      .mem_awid(awid), .mem_bid(mem_response.b.id[CORE_ID_BITS-1:0]), .mem_arid(arid), .mem_rid(mem_response.r.id[CORE_ID_BITS-1:0]),
      `MMIO_FLAT(mmio_, mmio_request, mmio_response)
  );
  assign mem_request.aw.id = MEMORY_ID_BITS'(awid);
  assign mem_request.ar.id = MEMORY_ID_BITS'(arid);
  assign mem_request.aw.burst = BURST_INCR;
  assign mem_request.ar.burst = BURST_INCR;
  if (`NHG_COMMIT_WIDTH > 7) $error("soc_tile: port retired counts 7 instructions a cycle, the core retires more");
  always_comb begin
    retired = '0;
    for (int i = 0; i < `NHG_COMMIT_WIDTH; i++) retired += 3'(commit_valid[i] && !commit_trap[i]);
  end

  mmio_to_axi devices (.request(io_request), .response(io_response), .*);
  axi_error_port no_dma (.clock, .reset, .request(dma_request), .response(dma_response));
endmodule
