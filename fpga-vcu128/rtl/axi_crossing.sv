// SPDX-License-Identifier: Apache-2.0
//
// AXI without IDs from the core's clock to the HBM's: one asynchronous FIFO a channel.
module axi_crossing
  import board_types::*;
#(
    parameter int DEPTH = 16
) (
    input  logic         core_clock,
    input  logic         core_reset,
    input  logic         hbm_clock,
    input  logic         hbm_reset,
    input  logic         s_awvalid,
    output logic         s_awready,
    input  hbm_address_t s_aw,
    input  logic         s_wvalid,
    output logic         s_wready,
    input  axi_write_t   s_w,
    output logic         s_bvalid,
    input  logic         s_bready,
    output logic [1:0]   s_bresp,
    input  logic         s_arvalid,
    output logic         s_arready,
    input  hbm_address_t s_ar,
    output logic         s_rvalid,
    input  logic         s_rready,
    output axi_read_t    s_r,
    output logic         m_awvalid,
    input  logic         m_awready,
    output hbm_address_t m_aw,
    output logic         m_wvalid,
    input  logic         m_wready,
    output axi_write_t   m_w,
    input  logic         m_bvalid,
    output logic         m_bready,
    input  logic [1:0]   m_bresp,
    output logic         m_arvalid,
    input  logic         m_arready,
    output hbm_address_t m_ar,
    input  logic         m_rvalid,
    output logic         m_rready,
    input  axi_read_t    m_r
);
  async_fifo #(.WIDTH($bits(hbm_address_t)), .DEPTH(DEPTH)) aw (
      .in_clock(core_clock), .in_reset(core_reset), .in_valid(s_awvalid), .in_ready(s_awready), .in_data(s_aw),
      .out_clock(hbm_clock), .out_reset(hbm_reset), .out_valid(m_awvalid), .out_ready(m_awready), .out_data(m_aw)
  );
  async_fifo #(.WIDTH($bits(axi_write_t)), .DEPTH(DEPTH)) w (
      .in_clock(core_clock), .in_reset(core_reset), .in_valid(s_wvalid), .in_ready(s_wready), .in_data(s_w),
      .out_clock(hbm_clock), .out_reset(hbm_reset), .out_valid(m_wvalid), .out_ready(m_wready), .out_data(m_w)
  );
  async_fifo #(.WIDTH(2), .DEPTH(DEPTH)) b (
      .in_clock(hbm_clock), .in_reset(hbm_reset), .in_valid(m_bvalid), .in_ready(m_bready), .in_data(m_bresp),
      .out_clock(core_clock), .out_reset(core_reset), .out_valid(s_bvalid), .out_ready(s_bready), .out_data(s_bresp)
  );
  async_fifo #(.WIDTH($bits(hbm_address_t)), .DEPTH(DEPTH)) ar (
      .in_clock(core_clock), .in_reset(core_reset), .in_valid(s_arvalid), .in_ready(s_arready), .in_data(s_ar),
      .out_clock(hbm_clock), .out_reset(hbm_reset), .out_valid(m_arvalid), .out_ready(m_arready), .out_data(m_ar)
  );
  async_fifo #(.WIDTH($bits(axi_read_t)), .DEPTH(DEPTH)) r (
      .in_clock(hbm_clock), .in_reset(hbm_reset), .in_valid(m_rvalid), .in_ready(m_rready), .in_data(m_r),
      .out_clock(core_clock), .out_reset(core_reset), .out_valid(s_rvalid), .out_ready(s_rready), .out_data(s_r)
  );
endmodule
