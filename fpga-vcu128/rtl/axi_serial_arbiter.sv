// SPDX-License-Identifier: Apache-2.0
//
// Two AXI4 managers (64-bit, single ID each) onto one port, one burst at a time: reads and writes of both take turns.
// The manager's ID is not carried: the port answers in the order it is asked, since nothing else is in flight.
module axi_serial_arbiter #(
    parameter int ADDR_BITS = 36
) (
    input  logic                      clock,
    input  logic                      reset,
    input  logic [1:0]                s_awvalid,
    output logic [1:0]                s_awready,
    input  logic [1:0][ADDR_BITS-1:0] s_awaddr,
    input  logic [1:0][7:0]           s_awlen,
    input  logic [1:0][2:0]           s_awsize,
    input  logic [1:0][1:0]           s_awburst,
    input  logic [1:0]                s_wvalid,
    output logic [1:0]                s_wready,
    input  logic [1:0][63:0]          s_wdata,
    input  logic [1:0][7:0]           s_wstrb,
    input  logic [1:0]                s_wlast,
    output logic [1:0]                s_bvalid,
    input  logic [1:0]                s_bready,
    input  logic [1:0]                s_arvalid,
    output logic [1:0]                s_arready,
    input  logic [1:0][ADDR_BITS-1:0] s_araddr,
    input  logic [1:0][7:0]           s_arlen,
    input  logic [1:0][2:0]           s_arsize,
    input  logic [1:0][1:0]           s_arburst,
    output logic [1:0]                s_rvalid,
    input  logic [1:0]                s_rready,
    output logic                      m_awvalid,
    input  logic                      m_awready,
    output logic [ADDR_BITS-1:0]      m_awaddr,
    output logic [7:0]                m_awlen,
    output logic [2:0]                m_awsize,
    output logic [1:0]                m_awburst,
    output logic                      m_wvalid,
    input  logic                      m_wready,
    output logic [63:0]               m_wdata,
    output logic [7:0]                m_wstrb,
    output logic                      m_wlast,
    input  logic                      m_bvalid,
    output logic                      m_bready,
    output logic                      m_arvalid,
    input  logic                      m_arready,
    output logic [ADDR_BITS-1:0]      m_araddr,
    output logic [7:0]                m_arlen,
    output logic [2:0]                m_arsize,
    output logic [1:0]                m_arburst,
    input  logic                      m_rvalid,
    output logic                      m_rready,
    input  logic                      m_rlast
);
  // Requesters in turn: 0 and 1 the writes, 2 and 3 the reads of the two managers.
  logic [3:0] wants;
  logic [1:0] grant, next_grant;
  logic granted, address_sent;
  assign wants = {s_arvalid, s_awvalid};
  always_comb begin
    next_grant = grant;
    for (int i = 4; i >= 1; i--) if (wants[2'(grant + 2'(i))]) next_grant = grant + 2'(i);
  end

  wire manager = grant[0];
  wire writing = granted && !grant[1];
  wire reading = granted && grant[1];
  wire [1:0] select = 2'b01 << manager;

  assign m_awvalid = writing && !address_sent && s_awvalid[manager];
  assign {m_awaddr, m_awlen, m_awsize, m_awburst} = {
    s_awaddr[manager], s_awlen[manager], s_awsize[manager], s_awburst[manager]
  };
  assign s_awready = m_awvalid && m_awready ? select : 2'b00;
  assign m_wvalid = writing && s_wvalid[manager];
  assign {m_wdata, m_wstrb, m_wlast} = {s_wdata[manager], s_wstrb[manager], s_wlast[manager]};
  assign s_wready = m_wvalid && m_wready ? select : 2'b00;
  assign s_bvalid = writing && m_bvalid ? select : 2'b00;
  assign m_bready = writing && s_bready[manager];
  assign m_arvalid = reading && !address_sent && s_arvalid[manager];
  assign {m_araddr, m_arlen, m_arsize, m_arburst} = {
    s_araddr[manager], s_arlen[manager], s_arsize[manager], s_arburst[manager]
  };
  assign s_arready = m_arvalid && m_arready ? select : 2'b00;
  assign s_rvalid = reading && m_rvalid ? select : 2'b00;
  assign m_rready = reading && s_rready[manager];

  wire finished = (m_bvalid && m_bready) || (m_rvalid && m_rready && m_rlast);
  always_ff @(posedge clock) begin
    if (reset) begin
      {granted, grant, address_sent} <= '0;
    end else if (!granted) begin
      granted <= |wants;
      grant <= next_grant;
    end else begin
      granted <= !finished;
      address_sent <= !finished && (address_sent || (m_awvalid && m_awready) || (m_arvalid && m_arready));
    end
  end
endmodule
