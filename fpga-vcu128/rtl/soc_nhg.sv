// SPDX-License-Identifier: Apache-2.0
//
// The SoC of the board, with the boundary of the public NANHU-G top, so that another SoC with these ports can take its
// place: 256-bit AXI4 memory port (`mem`, 14-bit ID), 64-bit AXI4 port for devices (`io`), 256-bit AXI4 port for DMA
// into the caches (`dma`). This one is NH-G with the AMU. NH-G has no coherent DMA port yet: every access to `dma` is
// answered SLVERR, so the host loads memory while the core is held in reset. It takes no interrupts yet.
//   retired  instructions retired in this cycle
//   probes   counters of NhgSoc, in the order of nhg_probes.inc
`include "nhg_probes.svh"
module soc_tile (
    input  logic         clock,
    input  logic         reset,
    input  logic [38:0]  reset_pc,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [63:0]  interrupts,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [2:0]   retired,
    output logic [63:0]  probes[`NHG_PROBE_COUNT],
    // memory, manager
    output logic         mem_awvalid,
    input  logic         mem_awready,
    output logic [13:0]  mem_awid,
    output logic [35:0]  mem_awaddr,
    output logic [7:0]   mem_awlen,
    output logic [2:0]   mem_awsize,
    output logic [1:0]   mem_awburst,
    output logic         mem_wvalid,
    input  logic         mem_wready,
    output logic [255:0] mem_wdata,
    output logic [31:0]  mem_wstrb,
    output logic         mem_wlast,
    input  logic         mem_bvalid,
    output logic         mem_bready,
    input  logic [13:0]  mem_bid,
    input  logic [1:0]   mem_bresp,
    output logic         mem_arvalid,
    input  logic         mem_arready,
    output logic [13:0]  mem_arid,
    output logic [35:0]  mem_araddr,
    output logic [7:0]   mem_arlen,
    output logic [2:0]   mem_arsize,
    output logic [1:0]   mem_arburst,
    input  logic         mem_rvalid,
    output logic         mem_rready,
    input  logic [13:0]  mem_rid,
    input  logic [255:0] mem_rdata,
    input  logic [1:0]   mem_rresp,
    input  logic         mem_rlast,
    // devices, manager
    output logic         io_awvalid,
    input  logic         io_awready,
    output logic [1:0]   io_awid,
    output logic [35:0]  io_awaddr,
    output logic [7:0]   io_awlen,
    output logic [2:0]   io_awsize,
    output logic [1:0]   io_awburst,
    output logic         io_wvalid,
    input  logic         io_wready,
    output logic [63:0]  io_wdata,
    output logic [7:0]   io_wstrb,
    output logic         io_wlast,
    input  logic         io_bvalid,
    output logic         io_bready,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [1:0]   io_bid,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [1:0]   io_bresp,
    output logic         io_arvalid,
    input  logic         io_arready,
    output logic [1:0]   io_arid,
    output logic [35:0]  io_araddr,
    output logic [7:0]   io_arlen,
    output logic [2:0]   io_arsize,
    output logic [1:0]   io_arburst,
    input  logic         io_rvalid,
    output logic         io_rready,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [1:0]   io_rid,
    input  logic         io_rlast,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [63:0]  io_rdata,
    input  logic [1:0]   io_rresp,
    // DMA, subordinate
    input  logic         dma_awvalid,
    output logic         dma_awready,
    input  logic [13:0]  dma_awid,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [35:0]  dma_awaddr,
    input  logic [7:0]   dma_awlen,
    input  logic [2:0]   dma_awsize,
    input  logic [1:0]   dma_awburst,
    input  logic [255:0] dma_wdata,
    input  logic [31:0]  dma_wstrb,
    input  logic [35:0]  dma_araddr,
    input  logic [2:0]   dma_arsize,
    input  logic [1:0]   dma_arburst,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         dma_wvalid,
    output logic         dma_wready,
    input  logic         dma_wlast,
    output logic         dma_bvalid,
    input  logic         dma_bready,
    output logic [13:0]  dma_bid,
    output logic [1:0]   dma_bresp,
    input  logic         dma_arvalid,
    output logic         dma_arready,
    input  logic [13:0]  dma_arid,
    input  logic [7:0]   dma_arlen,
    output logic         dma_rvalid,
    input  logic         dma_rready,
    output logic [13:0]  dma_rid,
    output logic [255:0] dma_rdata,
    output logic [1:0]   dma_rresp,
    output logic         dma_rlast
);
  localparam int CORE_ID_BITS = 11;

  logic [CORE_ID_BITS-1:0] awid, arid;
  logic req_valid, req_ready, req_write, resp_valid, resp_error;
  logic [35:0] req_addr;
  logic [1:0] req_size;
  logic [63:0] req_data, resp_data;
  logic [7:0] req_mask;
  logic [`NHG_COMMIT_WIDTH-1:0] commit_valid, commit_trap;

  NhgSoc core (
      `NHG_RETIRED_PORTS
      `NHG_PROBE_PORTS
      .clock, .reset, .reset_pc,
      .mem_awvalid, .mem_awready, .mem_awid(awid), .mem_awaddr, .mem_awlen, .mem_awsize,
      .mem_wvalid, .mem_wready, .mem_wdata, .mem_wstrb, .mem_wlast,
      .mem_bvalid, .mem_bready, .mem_bid(mem_bid[CORE_ID_BITS-1:0]), .mem_bresp,
      .mem_arvalid, .mem_arready, .mem_arid(arid), .mem_araddr, .mem_arlen, .mem_arsize,
      .mem_rvalid, .mem_rready, .mem_rid(mem_rid[CORE_ID_BITS-1:0]), .mem_rdata, .mem_rresp, .mem_rlast,
      .mmio_req_valid(req_valid), .mmio_req_ready(req_ready), .mmio_req_addr(req_addr),
      .mmio_req_write(req_write), .mmio_req_size(req_size), .mmio_req_data(req_data), .mmio_req_mask(req_mask),
      .mmio_resp_valid(resp_valid), .mmio_resp_data(resp_data), .mmio_resp_error(resp_error)
  );
  assign mem_awid = 14'(awid);
  assign mem_arid = 14'(arid);
  assign mem_awburst = 2'b01;
  assign mem_arburst = 2'b01;
  if (`NHG_COMMIT_WIDTH > 7) $error("soc_tile: port retired counts 7 instructions a cycle, the core retires more");
  always_comb begin
    retired = '0;
    for (int i = 0; i < `NHG_COMMIT_WIDTH; i++) retired += 3'(commit_valid[i] && !commit_trap[i]);
  end

  mmio_to_axi devices (
      .clock, .reset, .req_valid, .req_ready, .req_addr, .req_write, .req_size, .req_data, .req_mask,
      .resp_valid, .resp_data, .resp_error,
      .awvalid(io_awvalid), .awready(io_awready), .wvalid(io_wvalid), .wready(io_wready),
      .bvalid(io_bvalid), .bready(io_bready), .bresp(io_bresp),
      .arvalid(io_arvalid), .arready(io_arready), .rvalid(io_rvalid), .rready(io_rready), .rdata(io_rdata),
      .rresp(io_rresp), .addr(io_awaddr), .size(io_awsize), .wdata(io_wdata), .wstrb(io_wstrb)
  );
  assign io_araddr = io_awaddr;
  assign io_arsize = io_awsize;
  assign {io_awid, io_arid, io_awlen, io_arlen} = '0;
  assign {io_awburst, io_arburst, io_wlast} = {2'b01, 2'b01, 1'b1};

  axi_error_port #(.ID_BITS(14), .DATA_BITS(256)) no_dma (
      .clock, .reset,
      .awvalid(dma_awvalid), .awready(dma_awready), .awid(dma_awid),
      .wvalid(dma_wvalid), .wready(dma_wready), .wlast(dma_wlast),
      .bvalid(dma_bvalid), .bready(dma_bready), .bid(dma_bid), .bresp(dma_bresp),
      .arvalid(dma_arvalid), .arready(dma_arready), .arid(dma_arid), .arlen(dma_arlen),
      .rvalid(dma_rvalid), .rready(dma_rready), .rid(dma_rid), .rdata(dma_rdata), .rresp(dma_rresp), .rlast(dma_rlast)
  );
endmodule
