// SPDX-License-Identifier: Apache-2.0
//
// Between XSTop's peripheral port (p_) and the board's devices (io_): one read and one write at a time, so that the board
// needs no ID, and the page XSTop starts from when it has no reset-vector port (the UART's first, which on the board lies before
// the registers of the UART). Reads there are answered here, with four instructions and the address they jump to:
//   auipc t0, 0; ld t0, 16(t0); jr t0; nop; .dword reset_pc
module xstop_peripheral #(
    parameter int ID_BITS   = 2,
    parameter int ADDR_BITS = 31
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic [38:0]          reset_pc,
    input  logic                 p_awvalid,
    output logic                 p_awready,
    input  logic [ID_BITS-1:0]   p_awid,
    input  logic [ADDR_BITS-1:0] p_awaddr,
    input  logic [7:0]           p_awlen,
    input  logic [2:0]           p_awsize,
    input  logic [1:0]           p_awburst,
    input  logic                 p_wvalid,
    output logic                 p_wready,
    input  logic [63:0]          p_wdata,
    input  logic [7:0]           p_wstrb,
    input  logic                 p_wlast,
    output logic                 p_bvalid,
    input  logic                 p_bready,
    output logic [ID_BITS-1:0]   p_bid,
    output logic [1:0]           p_bresp,
    input  logic                 p_arvalid,
    output logic                 p_arready,
    input  logic [ID_BITS-1:0]   p_arid,
    input  logic [ADDR_BITS-1:0] p_araddr,
    input  logic [7:0]           p_arlen,
    input  logic [2:0]           p_arsize,
    input  logic [1:0]           p_arburst,
    output logic                 p_rvalid,
    input  logic                 p_rready,
    output logic [ID_BITS-1:0]   p_rid,
    output logic [63:0]          p_rdata,
    output logic [1:0]           p_rresp,
    output logic                 p_rlast,
    output logic                 io_awvalid,
    input  logic                 io_awready,
    output logic [35:0]          io_awaddr,
    output logic [7:0]           io_awlen,
    output logic [2:0]           io_awsize,
    output logic [1:0]           io_awburst,
    output logic                 io_wvalid,
    input  logic                 io_wready,
    output logic [63:0]          io_wdata,
    output logic [7:0]           io_wstrb,
    output logic                 io_wlast,
    input  logic                 io_bvalid,
    output logic                 io_bready,
    input  logic [1:0]           io_bresp,
    output logic                 io_arvalid,
    input  logic                 io_arready,
    output logic [35:0]          io_araddr,
    output logic [7:0]           io_arlen,
    output logic [2:0]           io_arsize,
    output logic [1:0]           io_arburst,
    input  logic                 io_rvalid,
    output logic                 io_rready,
    input  logic [63:0]          io_rdata,
    input  logic [1:0]           io_rresp,
    input  logic                 io_rlast
);
  localparam logic [63:0] START_0 = {32'h0102_b283, 32'h0000_0297};
  localparam logic [63:0] START_1 = {32'h0000_0013, 32'h0002_8067};
  localparam logic [23:0] START_PAGE = nhg_platform::UART_BASE[35:12];

  // Writes
  logic writing;  // the address has been taken, the response has not
  assign io_awvalid = p_awvalid && !writing;
  assign p_awready = io_awready && !writing;
  assign io_awaddr = 36'(p_awaddr);
  assign {io_awlen, io_awsize, io_awburst} = {p_awlen, p_awsize, p_awburst};
  assign {io_wvalid, io_wdata, io_wstrb, io_wlast} = {p_wvalid, p_wdata, p_wstrb, p_wlast};
  assign p_wready = io_wready;
  assign {p_bvalid, p_bresp, io_bready} = {io_bvalid, io_bresp, p_bready};
  always_ff @(posedge clock) begin
    if (reset) writing <= 1'b0;
    else writing <= (writing || (io_awvalid && io_awready)) && !(p_bvalid && p_bready);
    if (p_awvalid && p_awready) p_bid <= p_awid;
  end

  // Reads, of a device or of the start page
  typedef enum logic [1:0] {IDLE, DEVICE, START} state_t;
  state_t state;
  logic [11:0] offset;
  logic [7:0] beats_left;
  logic [2:0] size;
  logic fixed;
  wire is_start = 24'(p_araddr >> 12) == START_PAGE;
  assign io_arvalid = state == IDLE && p_arvalid && !is_start;
  assign p_arready = state == IDLE && (is_start || io_arready);
  assign io_araddr = 36'(p_araddr);
  assign {io_arlen, io_arsize, io_arburst} = {p_arlen, p_arsize, p_arburst};
  assign p_rvalid = state == START || (state == DEVICE && io_rvalid);
  assign io_rready = state == DEVICE && p_rready;
  assign p_rresp = state == START ? 2'b00 : io_rresp;
  assign p_rlast = state == START ? beats_left == 0 : io_rlast;
  always_comb begin
    p_rdata = io_rdata;
    if (state == START)
      case (offset[11:3])
        9'd0: p_rdata = START_0;
        9'd1: p_rdata = START_1;
        9'd2: p_rdata = 64'(reset_pc);
        default: p_rdata = '0;
      endcase
  end
  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
    end else if (state == IDLE) begin
      if (p_arvalid && p_arready) begin
        state <= is_start ? START : DEVICE;
        p_rid <= p_arid;
        {offset, beats_left, size, fixed} <= {p_araddr[11:0], p_arlen, p_arsize, p_arburst == 2'b00};
      end
    end else if (p_rvalid && p_rready) begin
      if (p_rlast) state <= IDLE;
      beats_left <= beats_left - 1'b1;
      if (!fixed) offset <= ((offset >> size) + 1'b1) << size;
    end
  end
endmodule
