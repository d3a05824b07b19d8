// SPDX-License-Identifier: Apache-2.0
//
// One AXI4 manager port to two memories: far memory [FAR_BASE, FAR_END) goes to far_*, everything else to local_*
// (which answers DECERR where nothing is). Adds no cycle. Responses are merged burst by burst, taking turns.
// The manager must not use one ID for two requests in flight; a second one stops the simulation.
// W is routed in the order of AW.
module memory_splitter #(
    parameter int ID_BITS               = 11,
    parameter int ADDR_BITS             = 36,
    parameter logic [ADDR_BITS-1:0] FAR_BASE = 36'h1_0000_0000,
    parameter logic [ADDR_BITS-1:0] FAR_END  = 36'h3_0000_0000
) (
    input  logic                 clock,
    input  logic                 reset,
    // manager; the payload of AW, W and AR goes to both memories outside this module
    input  logic                 awvalid,
    output logic                 awready,
    input  logic [ID_BITS-1:0]   awid,
    input  logic [ADDR_BITS-1:0] awaddr,
    input  logic                 wvalid,
    output logic                 wready,
    input  logic                 wlast,
    output logic                 bvalid,
    input  logic                 bready,
    output logic [ID_BITS-1:0]   bid,
    output logic [1:0]           bresp,
    input  logic                 arvalid,
    output logic                 arready,
    input  logic [ID_BITS-1:0]   arid,
    input  logic [ADDR_BITS-1:0] araddr,
    output logic                 rvalid,
    input  logic                 rready,
    output logic [ID_BITS-1:0]   rid,
    output logic [255:0]         rdata,
    output logic [1:0]           rresp,
    output logic                 rlast,
    // index 0: local memory, 1: far memory
    output logic [1:0]              m_awvalid,
    input  logic [1:0]              m_awready,
    output logic [1:0]              m_wvalid,
    input  logic [1:0]              m_wready,
    input  logic [1:0]              m_bvalid,
    output logic [1:0]              m_bready,
    input  logic [1:0][ID_BITS-1:0] m_bid,
    input  logic [1:0][1:0]         m_bresp,
    output logic [1:0]              m_arvalid,
    input  logic [1:0]              m_arready,
    input  logic [1:0]              m_rvalid,
    output logic [1:0]              m_rready,
    input  logic [1:0][ID_BITS-1:0] m_rid,
    input  logic [1:0][255:0]       m_rdata,
    input  logic [1:0][1:0]         m_rresp,
    input  logic [1:0]              m_rlast
);
  function automatic logic is_far(input logic [ADDR_BITS-1:0] addr);
    return addr >= FAR_BASE && addr < FAR_END;
  endfunction

  // Requests
  wire ar_far = is_far(araddr);
  assign m_arvalid = arvalid ? 2'b01 << ar_far : 2'b00;
  assign arready = m_arready[ar_far];

  logic order_ready, data_valid, data_far;
  wire aw_far = is_far(awaddr);
  assign m_awvalid = awvalid && order_ready ? 2'b01 << aw_far : 2'b00;
  assign awready = m_awready[aw_far] && order_ready;
  bypass_fifo #(.WIDTH(1), .DEPTH(1024)) write_order (
      .clock, .reset,
      .in_valid(awvalid && m_awready[aw_far]), .in_ready(order_ready), .in_data(aw_far),
      .out_valid(data_valid), .out_ready(wvalid && wready && wlast), .out_data(data_far)
  );
  assign m_wvalid = wvalid && data_valid ? 2'b01 << data_far : 2'b00;
  assign wready = data_valid && m_wready[data_far];

  // Responses: the choice stands until the burst is through; then the other side is preferred.
  logic r_held, r_choice, r_prefer, r_far, b_held, b_choice, b_prefer, b_far;
  wire r_done = rvalid && rready && rlast;
  wire b_done = bvalid && bready;
  assign r_far = r_held ? r_choice : m_rvalid[r_prefer] ? r_prefer : !r_prefer;
  assign rvalid = m_rvalid[r_far];
  assign m_rready = rready ? 2'b01 << r_far : 2'b00;
  assign {rid, rdata, rresp, rlast} = {m_rid[r_far], m_rdata[r_far], m_rresp[r_far], m_rlast[r_far]};
  assign b_far = b_held ? b_choice : m_bvalid[b_prefer] ? b_prefer : !b_prefer;
  assign bvalid = m_bvalid[b_far];
  assign m_bready = bready ? 2'b01 << b_far : 2'b00;
  assign {bid, bresp} = {m_bid[b_far], m_bresp[b_far]};

  always_ff @(posedge clock) begin
    if (reset) begin
      {r_held, r_prefer, b_held, b_prefer} <= 4'b0101;
    end else begin
      r_held <= (r_held || rvalid) && !r_done;
      r_choice <= r_far;
      if (r_done) r_prefer <= !r_far;
      b_held <= (b_held || bvalid) && !b_done;
      b_choice <= b_far;
      if (b_done) b_prefer <= !b_far;
    end
  end
endmodule
