// SPDX-License-Identifier: Apache-2.0
//
// AXI3 of the HBM from the core's clock to the HBM's: one asynchronous FIFO a channel.
module axi_crossing
  import bus_types::*;
  import board_types::*;
#(
    parameter int DEPTH = 16
) (
    input  logic          core_clock,
    input  logic          core_reset,
    input  logic          hbm_clock,
    input  logic          hbm_reset,
    input  hbm_request_t  s_request,
    output hbm_response_t s_response,
    output hbm_request_t  m_request,
    input  hbm_response_t m_response
);
  async_fifo #(.WIDTH($bits(hbm_address_t)), .DEPTH(DEPTH)) aw (
      .in_clock(core_clock), .in_reset(core_reset), .in_valid(s_request.aw_valid), .in_ready(s_response.aw_ready), .in_data(s_request.aw),
      .out_clock(hbm_clock), .out_reset(hbm_reset), .out_valid(m_request.aw_valid), .out_ready(m_response.aw_ready), .out_data(m_request.aw)
  );
  async_fifo #(.WIDTH($bits(memory_write_t)), .DEPTH(DEPTH)) w (
      .in_clock(core_clock), .in_reset(core_reset), .in_valid(s_request.w_valid), .in_ready(s_response.w_ready), .in_data(s_request.w),
      .out_clock(hbm_clock), .out_reset(hbm_reset), .out_valid(m_request.w_valid), .out_ready(m_response.w_ready), .out_data(m_request.w)
  );
  async_fifo #(.WIDTH($bits(hbm_done_t)), .DEPTH(DEPTH)) b (
      .in_clock(hbm_clock), .in_reset(hbm_reset), .in_valid(m_response.b_valid), .in_ready(m_request.b_ready), .in_data(m_response.b),
      .out_clock(core_clock), .out_reset(core_reset), .out_valid(s_response.b_valid), .out_ready(s_request.b_ready),
      .out_data(s_response.b)
  );
  async_fifo #(.WIDTH($bits(hbm_address_t)), .DEPTH(DEPTH)) ar (
      .in_clock(core_clock), .in_reset(core_reset), .in_valid(s_request.ar_valid), .in_ready(s_response.ar_ready), .in_data(s_request.ar),
      .out_clock(hbm_clock), .out_reset(hbm_reset), .out_valid(m_request.ar_valid), .out_ready(m_response.ar_ready), .out_data(m_request.ar)
  );
  async_fifo #(.WIDTH($bits(hbm_read_t)), .DEPTH(DEPTH)) r (
      .in_clock(hbm_clock), .in_reset(hbm_reset), .in_valid(m_response.r_valid), .in_ready(m_request.r_ready), .in_data(m_response.r),
      .out_clock(core_clock), .out_reset(core_reset), .out_valid(s_response.r_valid), .out_ready(s_request.r_ready), .out_data(s_response.r)
  );
endmodule
