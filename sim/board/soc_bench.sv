// SPDX-License-Identifier: Apache-2.0
//
// The board without its vendor IP: board_soc, the host's end and two behavioural memories on one clock.
//   LOCAL_LATENCY_CYCLES, FAR_LATENCY_CYCLES  as in sim_top, so that cycles agree with the simulator
module soc_bench #(
    parameter int LOCAL_LATENCY_CYCLES = 240,
    parameter int FAR_LATENCY_CYCLES   = 20
) (
    input logic clock,
    input logic reset
);
  localparam int ID_BITS = 11;

  logic h_awvalid, h_awready, h_wvalid, h_wready, h_wlast, h_bvalid, h_bready;
  logic h_arvalid, h_arready, h_rvalid, h_rready, h_rlast;
  logic [35:0] h_addr;
  logic [7:0] h_len;
  logic [63:0] h_wdata, h_rdata;
  logic [1:0] h_bresp, h_rresp;
  host_master host (
      .clock, .reset,
      .awvalid(h_awvalid), .awready(h_awready), .wvalid(h_wvalid), .wready(h_wready), .wdata(h_wdata), .wlast(h_wlast),
      .bvalid(h_bvalid), .bready(h_bready), .bresp(h_bresp), .arvalid(h_arvalid), .arready(h_arready),
      .addr(h_addr), .len(h_len), .rvalid(h_rvalid), .rready(h_rready), .rdata(h_rdata), .rresp(h_rresp), .rlast(h_rlast)
  );

  logic local_awvalid, local_awready, local_wvalid, local_wready, local_wlast, local_bvalid, local_bready;
  logic local_arvalid, local_arready, local_rvalid, local_rready, local_rlast;
  logic [ID_BITS-1:0] local_awid, local_bid, local_arid, local_rid;
  logic [35:0] local_awaddr, local_araddr, far_awaddr, far_araddr;
  logic [7:0] local_awlen, local_arlen, far_awlen, far_arlen;
  logic [2:0] local_awsize, local_arsize, far_awsize, far_arsize;
  logic [1:0] local_awburst, local_arburst, local_bresp, local_rresp, far_awburst, far_arburst, far_bresp, far_rresp;
  logic [255:0] local_wdata, local_rdata, far_wdata, far_rdata;
  logic [31:0] local_wstrb, far_wstrb;
  logic far_awvalid, far_awready, far_wvalid, far_wready, far_wlast, far_bvalid, far_bready;
  logic far_arvalid, far_arready, far_rvalid, far_rready, far_rlast;
  logic far_bid, far_rid;

  board_soc #(.ID_BITS(ID_BITS)) soc (
      .build_commit(32'h0), .build_dirty(1'b0), .core_khz(32'(1000 * nhg_platform::FPGA_MHZ)),
      .local_ready(1'b1), .far_ready(1'b1), .cattrip(1'b0), .hbm_temperature(7'd40), .core_running(), .exited(),
      .h_awid(4'd0), .h_awaddr(h_addr), .h_awlen(h_len), .h_awsize(3'd3), .h_awburst(2'b01), .h_wstrb(8'hff), .h_bid(),
      .h_arid(4'd0), .h_araddr(h_addr), .h_arlen(h_len), .h_arsize(3'd3), .h_arburst(2'b01), .h_rid(), .*
  );

  axi4_checker #(.ID_BITS(ID_BITS), .UNIQUE_IDS(1)) local_checker (
      .clock, .reset,
      .awvalid(local_awvalid), .awready(local_awready), .awid(local_awid), .awaddr(local_awaddr), .awlen(local_awlen),
      .awsize(local_awsize), .awburst(local_awburst), .wvalid(local_wvalid), .wready(local_wready), .wdata(local_wdata),
      .wstrb(local_wstrb), .wlast(local_wlast), .bvalid(local_bvalid), .bready(local_bready), .bid(local_bid),
      .bresp(local_bresp), .arvalid(local_arvalid), .arready(local_arready), .arid(local_arid), .araddr(local_araddr),
      .arlen(local_arlen), .arsize(local_arsize), .arburst(local_arburst), .rvalid(local_rvalid), .rready(local_rready),
      .rid(local_rid), .rdata(local_rdata), .rresp(local_rresp), .rlast(local_rlast)
  );

  behavioural_memory #(.ID_BITS(ID_BITS), .LATENCY_CYCLES(LOCAL_LATENCY_CYCLES), .OUTSTANDING(128)) local_memory (
      .clock, .reset,
      .awvalid(local_awvalid), .awready(local_awready), .awid(local_awid), .awaddr(local_awaddr), .awsize(local_awsize),
      .wvalid(local_wvalid), .wready(local_wready), .wdata(local_wdata), .wstrb(local_wstrb), .wlast(local_wlast),
      .bvalid(local_bvalid), .bready(local_bready), .bid(local_bid), .bresp(local_bresp),
      .arvalid(local_arvalid), .arready(local_arready), .arid(local_arid), .araddr(local_araddr), .arlen(local_arlen),
      .arsize(local_arsize), .rvalid(local_rvalid), .rready(local_rready), .rid(local_rid), .rdata(local_rdata),
      .rresp(local_rresp), .rlast(local_rlast)
  );

  behavioural_memory #(.ID_BITS(1), .LATENCY_CYCLES(FAR_LATENCY_CYCLES), .OUTSTANDING(64)) far_memory (
      .clock, .reset,
      .awvalid(far_awvalid), .awready(far_awready), .awid(1'b0), .awaddr(far_awaddr), .awsize(far_awsize),
      .wvalid(far_wvalid), .wready(far_wready), .wdata(far_wdata), .wstrb(far_wstrb), .wlast(far_wlast),
      .bvalid(far_bvalid), .bready(far_bready), .bid(far_bid), .bresp(far_bresp),
      .arvalid(far_arvalid), .arready(far_arready), .arid(1'b0), .araddr(far_araddr), .arlen(far_arlen),
      .arsize(far_arsize), .rvalid(far_rvalid), .rready(far_rready), .rid(far_rid), .rdata(far_rdata),
      .rresp(far_rresp), .rlast(far_rlast)
  );
endmodule
