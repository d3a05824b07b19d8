// SPDX-License-Identifier: Apache-2.0
//
// The delayer as an IP block: far_memory_delayer with an AXI4-Lite register port, in plain Verilog and with the port names
// by which Vivado's IP packager and module references find the buses: S_AXI towards the core, M_AXI (no ID, answers in
// order) towards the memory, S_AXI_CTRL of CONTROL_BITS, 32 or 64. One clock; the other parameters as in
// far_memory_delayer. M_AXI is normal, modifiable, unprivileged secure data.
module far_memory_delayer_ip #(
    parameter integer ID_BITS      = 10,
    parameter integer ADDR_BITS    = 36,
    parameter integer DATA_BITS    = 256,
    parameter integer TRANSACTIONS = 512,
    parameter integer LATENCY_BITS = 16,
    parameter integer READ_BEATS   = 1024,
    parameter integer WRITE_BEATS  = 256,
    parameter integer BUCKET_BYTES = 128,
    parameter integer CONTROL_BITS = 32
) (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF S_AXI:M_AXI:S_AXI_CTRL, ASSOCIATED_RESET aresetn" *)
    input  wire aclk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire aresetn,
    // S_AXI_CTRL
    input  wire s_axi_ctrl_awvalid,
    output wire s_axi_ctrl_awready,
    input  wire [11:0] s_axi_ctrl_awaddr,
    input  wire s_axi_ctrl_wvalid,
    output wire s_axi_ctrl_wready,
    input  wire [CONTROL_BITS-1:0] s_axi_ctrl_wdata,
    input  wire [CONTROL_BITS/8-1:0] s_axi_ctrl_wstrb,
    output wire s_axi_ctrl_bvalid,
    input  wire s_axi_ctrl_bready,
    output wire [1:0] s_axi_ctrl_bresp,
    input  wire s_axi_ctrl_arvalid,
    output wire s_axi_ctrl_arready,
    input  wire [11:0] s_axi_ctrl_araddr,
    output wire s_axi_ctrl_rvalid,
    input  wire s_axi_ctrl_rready,
    output wire [CONTROL_BITS-1:0] s_axi_ctrl_rdata,
    output wire [1:0] s_axi_ctrl_rresp,
    // S_AXI
    input  wire s_axi_awvalid,
    output wire s_axi_awready,
    input  wire [ID_BITS-1:0] s_axi_awid,
    input  wire [ADDR_BITS-1:0] s_axi_awaddr,
    input  wire [7:0] s_axi_awlen,
    input  wire [2:0] s_axi_awsize,
    input  wire [1:0] s_axi_awburst,
    input  wire s_axi_wvalid,
    output wire s_axi_wready,
    input  wire [DATA_BITS-1:0] s_axi_wdata,
    input  wire [DATA_BITS/8-1:0] s_axi_wstrb,
    input  wire s_axi_wlast,
    output wire s_axi_bvalid,
    input  wire s_axi_bready,
    output wire [ID_BITS-1:0] s_axi_bid,
    output wire [1:0] s_axi_bresp,
    input  wire s_axi_arvalid,
    output wire s_axi_arready,
    input  wire [ID_BITS-1:0] s_axi_arid,
    input  wire [ADDR_BITS-1:0] s_axi_araddr,
    input  wire [7:0] s_axi_arlen,
    input  wire [2:0] s_axi_arsize,
    input  wire [1:0] s_axi_arburst,
    output wire s_axi_rvalid,
    input  wire s_axi_rready,
    output wire [ID_BITS-1:0] s_axi_rid,
    output wire [DATA_BITS-1:0] s_axi_rdata,
    output wire [1:0] s_axi_rresp,
    output wire s_axi_rlast,
    // M_AXI
    output wire m_axi_awvalid,
    input  wire m_axi_awready,
    output wire [ADDR_BITS-1:0] m_axi_awaddr,
    output wire [7:0] m_axi_awlen,
    output wire [2:0] m_axi_awsize,
    output wire [1:0] m_axi_awburst,
    output wire m_axi_wvalid,
    input  wire m_axi_wready,
    output wire [DATA_BITS-1:0] m_axi_wdata,
    output wire [DATA_BITS/8-1:0] m_axi_wstrb,
    output wire m_axi_wlast,
    input  wire m_axi_bvalid,
    output wire m_axi_bready,
    input  wire [1:0] m_axi_bresp,
    output wire m_axi_arvalid,
    input  wire m_axi_arready,
    output wire [ADDR_BITS-1:0] m_axi_araddr,
    output wire [7:0] m_axi_arlen,
    output wire [2:0] m_axi_arsize,
    output wire [1:0] m_axi_arburst,
    input  wire m_axi_rvalid,
    output wire m_axi_rready,
    input  wire [DATA_BITS-1:0] m_axi_rdata,
    input  wire [1:0] m_axi_rresp,
    input  wire m_axi_rlast,
    output wire [3:0] m_axi_awcache,
    output wire [2:0] m_axi_awprot,
    output wire [3:0] m_axi_arcache,
    output wire [2:0] m_axi_arprot
);
  assign m_axi_awcache = 4'b0011;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_awprot = 3'b000;
  assign m_axi_arprot = 3'b000;

  wire reset = !aresetn;
  wire control_valid, control_ready, control_write;
  wire [11:0] control_addr;
  wire [63:0] control_wdata, control_rdata;

  axi4lite_control #(.DATA_BITS(CONTROL_BITS)) control (
      .clock(aclk), .reset(reset),
      .awvalid(s_axi_ctrl_awvalid), .awready(s_axi_ctrl_awready), .awaddr(s_axi_ctrl_awaddr),
      .wvalid(s_axi_ctrl_wvalid), .wready(s_axi_ctrl_wready), .wdata(s_axi_ctrl_wdata), .wstrb(s_axi_ctrl_wstrb),
      .bvalid(s_axi_ctrl_bvalid), .bready(s_axi_ctrl_bready), .bresp(s_axi_ctrl_bresp), .arvalid(s_axi_ctrl_arvalid),
      .arready(s_axi_ctrl_arready), .araddr(s_axi_ctrl_araddr), .rvalid(s_axi_ctrl_rvalid),
      .rready(s_axi_ctrl_rready), .rdata(s_axi_ctrl_rdata), .rresp(s_axi_ctrl_rresp),
      .control_valid(control_valid), .control_ready(control_ready), .control_write(control_write),
      .control_addr(control_addr), .control_wdata(control_wdata), .control_rdata(control_rdata)
  );

  far_memory_delayer #(
      .ID_BITS(ID_BITS),
      .ADDR_BITS(ADDR_BITS),
      .DATA_BITS(DATA_BITS),
      .TRANSACTIONS(TRANSACTIONS),
      .LATENCY_BITS(LATENCY_BITS),
      .READ_BEATS(READ_BEATS),
      .WRITE_BEATS(WRITE_BEATS),
      .BUCKET_BYTES(BUCKET_BYTES)
  ) delayer (
      .clock(aclk), .reset(reset),
      /* verilator lint_off PINCONNECTEMPTY */
      .live_counters(),  // software reads the snapshot
      /* verilator lint_on PINCONNECTEMPTY */
      .control_valid(control_valid), .control_ready(control_ready), .control_write(control_write),
      .control_addr(control_addr), .control_wdata(control_wdata), .control_rdata(control_rdata),
      .s_awvalid(s_axi_awvalid), .s_awready(s_axi_awready), .s_awid(s_axi_awid), .s_awaddr(s_axi_awaddr),
      .s_awlen(s_axi_awlen), .s_awsize(s_axi_awsize), .s_awburst(s_axi_awburst), .s_wvalid(s_axi_wvalid),
      .s_wready(s_axi_wready), .s_wdata(s_axi_wdata), .s_wstrb(s_axi_wstrb), .s_wlast(s_axi_wlast),
      .s_bvalid(s_axi_bvalid), .s_bready(s_axi_bready), .s_bid(s_axi_bid), .s_bresp(s_axi_bresp),
      .s_arvalid(s_axi_arvalid), .s_arready(s_axi_arready), .s_arid(s_axi_arid), .s_araddr(s_axi_araddr),
      .s_arlen(s_axi_arlen), .s_arsize(s_axi_arsize), .s_arburst(s_axi_arburst), .s_rvalid(s_axi_rvalid),
      .s_rready(s_axi_rready), .s_rid(s_axi_rid), .s_rdata(s_axi_rdata), .s_rresp(s_axi_rresp), .s_rlast(s_axi_rlast),
      .m_awvalid(m_axi_awvalid), .m_awready(m_axi_awready), .m_awaddr(m_axi_awaddr), .m_awlen(m_axi_awlen),
      .m_awsize(m_axi_awsize), .m_awburst(m_axi_awburst), .m_wvalid(m_axi_wvalid), .m_wready(m_axi_wready),
      .m_wdata(m_axi_wdata), .m_wstrb(m_axi_wstrb), .m_wlast(m_axi_wlast), .m_bvalid(m_axi_bvalid),
      .m_bready(m_axi_bready), .m_bresp(m_axi_bresp), .m_arvalid(m_axi_arvalid), .m_arready(m_axi_arready),
      .m_araddr(m_axi_araddr), .m_arlen(m_axi_arlen), .m_arsize(m_axi_arsize), .m_arburst(m_axi_arburst),
      .m_rvalid(m_axi_rvalid), .m_rready(m_axi_rready), .m_rdata(m_axi_rdata), .m_rresp(m_axi_rresp),
      .m_rlast(m_axi_rlast)
  );
endmodule
