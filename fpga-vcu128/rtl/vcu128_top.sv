// SPDX-License-Identifier: Apache-2.0
//
// Top of the VCU128 design: pins, the IP of the vendor's catalogue (module names ip_*, made by scripts/ip.tcl) and
// everything else in `board_system`. Pins are in the generated pins.xdc.
//   clocks  100 MHz board oscillator -> 50 MHz for the core and all of ours, 100 MHz for the HBM side, one MMCM
//   memory  with NHG_DDR4: DDR4 local memory and boot ROM, HBM (AXI_16, both stacks) far memory, AXI_00 for its clock only
//           without: HBM stack 0 (AXI_00) local memory and boot ROM, stack 1 (AXI_16) far memory
//   host    JTAG-to-AXI always; PCIe DMA when NHG_XDMA is defined
//   led     7 HBM over temperature, 6 clocks locked, 5 memories initialised, 4 a burst was refused (hbm_guard),
//           3 button, 2 program ended, 1 core runs, 0 heartbeat
`include "axi.svh"
module vcu128_top
  import bus_types::*;
  import board_types::*;
(
    input  logic       clk_100mhz_p,
    input  logic       clk_100mhz_n,
    input  logic       cpu_reset,  // push button, active high: stops the core
    input  logic       uart_rx,
    output logic       uart_tx,
`ifdef NHG_XDMA
    input  logic       pcie_refclk_p,
    input  logic       pcie_refclk_n,
    input  logic       pcie_perst_n,
    input  logic [7:0] pcie_rx_p,
    input  logic [7:0] pcie_rx_n,
    output logic [7:0] pcie_tx_p,
    output logic [7:0] pcie_tx_n,
`endif
`ifdef NHG_DDR4
    output logic        ddr4_act_n,
    output logic [16:0] ddr4_adr,
    output logic [1:0]  ddr4_ba,
    output logic        ddr4_bg,
    output logic        ddr4_cke,
    output logic        ddr4_odt,
    output logic [1:0]  ddr4_cs_n,
    output logic        ddr4_ck_t,
    output logic        ddr4_ck_c,
    output logic        ddr4_reset_n,
    inout  wire  [7:0]  ddr4_dm_n,
    inout  wire  [63:0] ddr4_dq,
    inout  wire  [7:0]  ddr4_dqs_t,
    inout  wire  [7:0]  ddr4_dqs_c,
`endif
    output logic [7:0] led
);
  // Clocks. A lost lock resets everything; the button does not touch clocks or memory.
  logic core_clock, hbm_clock, local_clock, local_clock_unstable, clocks_locked;
`ifdef NHG_DDR4
  logic board_clock;  // the DDR4 controller has the same oscillator
  IBUFDS board_clock_buffer (.I(clk_100mhz_p), .IB(clk_100mhz_n), .O(board_clock));
`endif
  ip_clocks clocks (
`ifdef NHG_DDR4
      .clk_in1(board_clock),
`else
      .clk_in1_p(clk_100mhz_p), .clk_in1_n(clk_100mhz_n),
`endif
      .reset(1'b0), .clk_out1(core_clock), .clk_out2(hbm_clock), .locked(clocks_locked)
  );

  // Index 0: port of local memory, 1: port of far memory
  logic hbm_reset_n, local_reset_n, core_reset_n, local_complete;
  hbm_request_t [1:0] hbm_request;
  hbm_response_t [1:0] hbm_response;
  logic [1:0] hbm_complete, hbm_cattrip;
  logic [1:0][6:0] hbm_temperature_c;

`ifdef NHG_DDR4
  // Local memory; its port is 256 bits wide like HBM's. Index 0 of what goes to HBM is a port without traffic.
  localparam bit LOCAL_IN_DDR4 = 1;
  hbm_request_t [1:0] stack_request;
  hbm_response_t [1:0] stack_response;
  assign stack_request = {hbm_request[1], hbm_request_t'(0)};
  assign hbm_response[1] = stack_response[1];
  wire [3:0] ddr4_b_id, ddr4_r_id;
  assign {hbm_response[0].b.id, hbm_response[0].r.id} = {2'd0, ddr4_b_id, 2'd0, ddr4_r_id};
  ip_ddr4 ddr4 (
      .c0_sys_clk_i(board_clock), .sys_rst(1'b0), .c0_init_calib_complete(local_complete),
      .c0_ddr4_act_n(ddr4_act_n), .c0_ddr4_adr(ddr4_adr), .c0_ddr4_ba(ddr4_ba), .c0_ddr4_bg(ddr4_bg), .c0_ddr4_cke(ddr4_cke),
      .c0_ddr4_odt(ddr4_odt), .c0_ddr4_cs_n(ddr4_cs_n), .c0_ddr4_ck_t(ddr4_ck_t), .c0_ddr4_ck_c(ddr4_ck_c), .c0_ddr4_reset_n(ddr4_reset_n),
      .c0_ddr4_dm_dbi_n(ddr4_dm_n), .c0_ddr4_dq(ddr4_dq), .c0_ddr4_dqs_t(ddr4_dqs_t), .c0_ddr4_dqs_c(ddr4_dqs_c),
      .c0_ddr4_ui_clk(local_clock), .c0_ddr4_ui_clk_sync_rst(local_clock_unstable), .c0_ddr4_aresetn(local_reset_n), .dbg_clk(), .dbg_bus(),
      .c0_ddr4_s_axi_awid(4'd0), .c0_ddr4_s_axi_awaddr(hbm_request[0].aw.addr[31:0]), .c0_ddr4_s_axi_awlen({4'd0, hbm_request[0].aw.len}),
      .c0_ddr4_s_axi_awsize(3'd5), .c0_ddr4_s_axi_awburst(hbm_request[0].aw.burst), .c0_ddr4_s_axi_awlock(1'b0),
      .c0_ddr4_s_axi_awcache(4'd3), .c0_ddr4_s_axi_awprot(3'd0), .c0_ddr4_s_axi_awqos(4'd0),
      .c0_ddr4_s_axi_awvalid(hbm_request[0].aw_valid), .c0_ddr4_s_axi_awready(hbm_response[0].aw_ready),
      .c0_ddr4_s_axi_wdata(hbm_request[0].w.data), .c0_ddr4_s_axi_wstrb(hbm_request[0].w.strb), .c0_ddr4_s_axi_wlast(hbm_request[0].w.last),
      .c0_ddr4_s_axi_wvalid(hbm_request[0].w_valid), .c0_ddr4_s_axi_wready(hbm_response[0].w_ready),
      .c0_ddr4_s_axi_bid(ddr4_b_id), .c0_ddr4_s_axi_bresp(hbm_response[0].b.resp), .c0_ddr4_s_axi_bvalid(hbm_response[0].b_valid),
      .c0_ddr4_s_axi_bready(hbm_request[0].b_ready),
      .c0_ddr4_s_axi_arid(4'd0), .c0_ddr4_s_axi_araddr(hbm_request[0].ar.addr[31:0]), .c0_ddr4_s_axi_arlen({4'd0, hbm_request[0].ar.len}),
      .c0_ddr4_s_axi_arsize(3'd5), .c0_ddr4_s_axi_arburst(hbm_request[0].ar.burst), .c0_ddr4_s_axi_arlock(1'b0),
      .c0_ddr4_s_axi_arcache(4'd3), .c0_ddr4_s_axi_arprot(3'd0), .c0_ddr4_s_axi_arqos(4'd0),
      .c0_ddr4_s_axi_arvalid(hbm_request[0].ar_valid), .c0_ddr4_s_axi_arready(hbm_response[0].ar_ready),
      .c0_ddr4_s_axi_rid(ddr4_r_id), .c0_ddr4_s_axi_rdata(hbm_response[0].r.data), .c0_ddr4_s_axi_rresp(hbm_response[0].r.resp),
      .c0_ddr4_s_axi_rlast(hbm_response[0].r.last), .c0_ddr4_s_axi_rvalid(hbm_response[0].r_valid),
      .c0_ddr4_s_axi_rready(hbm_request[0].r_ready)
  );
`else
  localparam bit LOCAL_IN_DDR4 = 0;
  hbm_request_t [1:0] stack_request;
  hbm_response_t [1:0] stack_response;
  assign stack_request = hbm_request;
  assign hbm_response = stack_response;
  assign local_clock = hbm_clock;
  assign local_clock_unstable = 1'b0;
  assign local_complete = hbm_complete[0];
`endif

`define NHG_HBM_PORT(n, i) \
      .AXI_``n``_ACLK(hbm_clock), .AXI_``n``_ARESET_N(hbm_reset_n), \
      .AXI_``n``_ARADDR(stack_request[i].ar.addr), .AXI_``n``_ARBURST(stack_request[i].ar.burst), .AXI_``n``_ARID(stack_request[i].ar.id), \
      .AXI_``n``_ARLEN(stack_request[i].ar.len), .AXI_``n``_ARSIZE(3'd5), .AXI_``n``_ARVALID(stack_request[i].ar_valid), \
      .AXI_``n``_ARREADY(stack_response[i].ar_ready), \
      .AXI_``n``_AWADDR(stack_request[i].aw.addr), .AXI_``n``_AWBURST(stack_request[i].aw.burst), .AXI_``n``_AWID(stack_request[i].aw.id), \
      .AXI_``n``_AWLEN(stack_request[i].aw.len), .AXI_``n``_AWSIZE(3'd5), .AXI_``n``_AWVALID(stack_request[i].aw_valid), \
      .AXI_``n``_AWREADY(stack_response[i].aw_ready), \
      .AXI_``n``_WDATA(stack_request[i].w.data), .AXI_``n``_WSTRB(stack_request[i].w.strb), .AXI_``n``_WLAST(stack_request[i].w.last), \
      .AXI_``n``_WDATA_PARITY(32'd0), .AXI_``n``_WVALID(stack_request[i].w_valid), .AXI_``n``_WREADY(stack_response[i].w_ready), \
      .AXI_``n``_BID(stack_response[i].b.id), .AXI_``n``_BRESP(stack_response[i].b.resp), .AXI_``n``_BVALID(stack_response[i].b_valid), \
      .AXI_``n``_BREADY(stack_request[i].b_ready), \
      .AXI_``n``_RDATA(stack_response[i].r.data), .AXI_``n``_RDATA_PARITY(), .AXI_``n``_RID(stack_response[i].r.id), \
      .AXI_``n``_RRESP(stack_response[i].r.resp), .AXI_``n``_RLAST(stack_response[i].r.last), .AXI_``n``_RVALID(stack_response[i].r_valid), \
      .AXI_``n``_RREADY(stack_request[i].r_ready),

  ip_hbm hbm (
      .HBM_REF_CLK_0(hbm_clock), .HBM_REF_CLK_1(hbm_clock),
      `NHG_HBM_PORT(00, 0)
      `NHG_HBM_PORT(16, 1)
      .APB_0_PCLK(hbm_clock), .APB_0_PRESET_N(hbm_reset_n), .APB_1_PCLK(hbm_clock), .APB_1_PRESET_N(hbm_reset_n),
      .apb_complete_0(hbm_complete[0]), .apb_complete_1(hbm_complete[1]),
      .DRAM_0_STAT_CATTRIP(hbm_cattrip[0]), .DRAM_0_STAT_TEMP(hbm_temperature_c[0]),
      .DRAM_1_STAT_CATTRIP(hbm_cattrip[1]), .DRAM_1_STAT_TEMP(hbm_temperature_c[1])
  );
`undef NHG_HBM_PORT

  // JTAG-to-AXI, 64-bit, in the core's clock
  jtag_request_t jtag_request;
  jtag_response_t jtag_response;
  ip_jtag_axi jtag (
      .aclk(core_clock), .aresetn(core_reset_n),
      `AXI4_FLAT(m_axi_, jtag_request, jtag_response), `AXI4_FLAT_BURST(m_axi_, jtag_request),
      `AXI4_FLAT_ID(m_axi_, jtag_request, jtag_response),
      .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(), .m_axi_awqos(), .m_axi_arlock(), .m_axi_arcache(), .m_axi_arprot(), .m_axi_arqos()
  );

  // PCIe DMA, 256-bit, in its own clock
  logic pcie_clock, pcie_reset_n;
  pcie_request_t pcie_request;
  pcie_response_t pcie_response;
`ifdef NHG_XDMA
  logic pcie_refclk, pcie_refclk_gt;
  IBUFDS_GTE4 #(.REFCLK_HROW_CK_SEL(2'b00)) pcie_refclk_buffer (
      .I(pcie_refclk_p), .IB(pcie_refclk_n), .CEB(1'b0), .O(pcie_refclk_gt), .ODIV2(pcie_refclk)
  );
  ip_xdma xdma (
      .sys_clk(pcie_refclk), .sys_clk_gt(pcie_refclk_gt), .sys_rst_n(pcie_perst_n), .user_lnk_up(),
      .pci_exp_txp(pcie_tx_p), .pci_exp_txn(pcie_tx_n), .pci_exp_rxp(pcie_rx_p), .pci_exp_rxn(pcie_rx_n),
      .axi_aclk(pcie_clock), .axi_aresetn(pcie_reset_n),
      .usr_irq_req(1'b0), .usr_irq_ack(), .msi_enable(), .msi_vector_width(),
      `AXI4_FLAT(m_axi_, pcie_request, pcie_response), `AXI4_FLAT_BURST(m_axi_, pcie_request),
      `AXI4_FLAT_ID(m_axi_, pcie_request, pcie_response),
      .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(), .m_axi_arlock(), .m_axi_arcache(), .m_axi_arprot()
  );
`else
  assign pcie_clock = core_clock;
  assign pcie_reset_n = 1'b0;
  assign pcie_request = '0;
`endif

  // UART 16550, AXI4-Lite, 32-bit
  lite_request_t lite_request;
  lite_response_t lite_response;
  logic uart_interrupt;
  ip_uart uart (
      .s_axi_aclk(core_clock), .s_axi_aresetn(core_reset_n), .ip2intc_irpt(uart_interrupt), .freeze(1'b0),
      .s_axi_awaddr(lite_request.addr), .s_axi_awvalid(lite_request.aw_valid), .s_axi_awready(lite_response.aw_ready),
      .s_axi_wdata(lite_request.data), .s_axi_wstrb(lite_request.strb), .s_axi_wvalid(lite_request.w_valid),
      .s_axi_wready(lite_response.w_ready),
      .s_axi_bresp(lite_response.b_resp), .s_axi_bvalid(lite_response.b_valid), .s_axi_bready(lite_request.b_ready),
      .s_axi_araddr(lite_request.addr), .s_axi_arvalid(lite_request.ar_valid), .s_axi_arready(lite_response.ar_ready),
      .s_axi_rdata(lite_response.data), .s_axi_rresp(lite_response.r_resp), .s_axi_rvalid(lite_response.r_valid),
      .s_axi_rready(lite_request.r_ready),
      .baudoutn(), .ctsn(1'b0), .dcdn(1'b0), .ddis(), .dsrn(1'b0), .dtrn(), .out1n(), .out2n(), .rin(1'b1), .rtsn(),
      .rxrdyn(), .sin(uart_rx), .sout(uart_tx), .txrdyn()
  );

  // The configuration word that scripts/output.tcl sets to the git commit
  logic [31:0] bitstream_commit;
  USR_ACCESSE2 commit_word (.CFGCLK(), .DATA(bitstream_commit), .DATAVALID());

  board_system #(.LOCAL_IN_DDR4(LOCAL_IN_DDR4)) system (.*);
endmodule
