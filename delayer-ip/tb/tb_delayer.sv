// SPDX-License-Identifier: Apache-2.0
//
// Test bench top: the delayer between two protocol checkers. The C++ side (main.cc) drives the pins.
module tb_delayer #(
    parameter int ID_BITS      = 10,
    parameter int TRANSACTIONS = 512,
    parameter int LATENCY_BITS = 16,
    parameter int READ_BEATS   = 1024,
    parameter int WRITE_BEATS  = 256,
    parameter int DATA_BITS    = 256,
    parameter int BUCKET_BYTES = 128
) (
    input  logic         clock,
    input  logic         reset,
    input  logic         control_valid,
    output logic         control_ready,
    input  logic         control_write,
    input  logic [11:0]  control_addr,
    input  logic [63:0]  control_wdata,
    output logic [63:0]  control_rdata,
    input  logic         s_awvalid,
    output logic         s_awready,
    input  logic [ID_BITS-1:0] s_awid,
    input  logic [35:0]  s_awaddr,
    input  logic [7:0]   s_awlen,
    input  logic [2:0]   s_awsize,
    input  logic [1:0]   s_awburst,
    input  logic         s_wvalid,
    output logic         s_wready,
    input  logic [DATA_BITS-1:0] s_wdata,
    input  logic [DATA_BITS/8-1:0] s_wstrb,
    input  logic         s_wlast,
    output logic         s_bvalid,
    input  logic         s_bready,
    output logic [ID_BITS-1:0] s_bid,
    output logic [1:0]   s_bresp,
    input  logic         s_arvalid,
    output logic         s_arready,
    input  logic [ID_BITS-1:0] s_arid,
    input  logic [35:0]  s_araddr,
    input  logic [7:0]   s_arlen,
    input  logic [2:0]   s_arsize,
    input  logic [1:0]   s_arburst,
    output logic         s_rvalid,
    input  logic         s_rready,
    output logic [ID_BITS-1:0] s_rid,
    output logic [DATA_BITS-1:0] s_rdata,
    output logic [1:0]   s_rresp,
    output logic         s_rlast,
    output logic         m_awvalid,
    input  logic         m_awready,
    output logic [35:0]  m_awaddr,
    output logic [7:0]   m_awlen,
    output logic [2:0]   m_awsize,
    output logic [1:0]   m_awburst,
    output logic         m_wvalid,
    input  logic         m_wready,
    output logic [DATA_BITS-1:0] m_wdata,
    output logic [DATA_BITS/8-1:0] m_wstrb,
    output logic         m_wlast,
    input  logic         m_bvalid,
    output logic         m_bready,
    input  logic [1:0]   m_bresp,
    output logic         m_arvalid,
    input  logic         m_arready,
    output logic [35:0]  m_araddr,
    output logic [7:0]   m_arlen,
    output logic [2:0]   m_arsize,
    output logic [1:0]   m_arburst,
    input  logic         m_rvalid,
    output logic         m_rready,
    input  logic [DATA_BITS-1:0] m_rdata,
    input  logic [1:0]   m_rresp,
    input  logic         m_rlast
);
  logic [26:0][63:0] live_counters;

  far_memory_delayer #(
      .ID_BITS(ID_BITS), .TRANSACTIONS(TRANSACTIONS), .LATENCY_BITS(LATENCY_BITS), .READ_BEATS(READ_BEATS), .WRITE_BEATS(WRITE_BEATS),
      .DATA_BITS(DATA_BITS), .BUCKET_BYTES(BUCKET_BYTES)
  ) dut (.*);

  axi4_checker #(.ID_BITS(ID_BITS), .DATA_BITS(DATA_BITS)) core_side (
      .clock, .reset,
      .awvalid(s_awvalid), .awready(s_awready), .awid(s_awid), .awaddr(s_awaddr), .awlen(s_awlen), .awsize(s_awsize),
      .awburst(s_awburst), .wvalid(s_wvalid), .wready(s_wready), .wdata(s_wdata), .wstrb(s_wstrb), .wlast(s_wlast),
      .bvalid(s_bvalid), .bready(s_bready), .bid(s_bid), .bresp(s_bresp),
      .arvalid(s_arvalid), .arready(s_arready), .arid(s_arid), .araddr(s_araddr), .arlen(s_arlen), .arsize(s_arsize),
      .arburst(s_arburst), .rvalid(s_rvalid), .rready(s_rready), .rid(s_rid), .rdata(s_rdata), .rresp(s_rresp),
      .rlast(s_rlast)
  );

  axi4_checker #(.ID_BITS(1), .DATA_BITS(DATA_BITS)) memory_side (
      .clock, .reset,
      .awvalid(m_awvalid), .awready(m_awready), .awid(1'b0), .awaddr(m_awaddr), .awlen(m_awlen), .awsize(m_awsize),
      .awburst(m_awburst), .wvalid(m_wvalid), .wready(m_wready), .wdata(m_wdata), .wstrb(m_wstrb), .wlast(m_wlast),
      .bvalid(m_bvalid), .bready(m_bready), .bid(1'b0), .bresp(m_bresp),
      .arvalid(m_arvalid), .arready(m_arready), .arid(1'b0), .araddr(m_araddr), .arlen(m_arlen), .arsize(m_arsize),
      .arburst(m_arburst), .rvalid(m_rvalid), .rready(m_rready), .rid(1'b0), .rdata(m_rdata), .rresp(m_rresp),
      .rlast(m_rlast)
  );
endmodule
