// SPDX-License-Identifier: Apache-2.0
//
// Top of the VCU128 design: pins, the IP of the vendor's catalogue (module names ip_*, made by scripts/ip.tcl) and
// everything else in `board_system`. Pins are in the generated pins.xdc.
//   clocks  100 MHz board oscillator -> 50 MHz for the core and all of ours, 100 MHz for the HBM side, one MMCM
//   memory  HBM stack 0 (AXI_00) local memory and boot ROM, both stacks (AXI_16) far memory
//   host    JTAG-to-AXI always; PCIe DMA when NHG_XDMA is defined
//   led     7 HBM over temperature, 6 clocks locked, 5 HBM initialised, 4 a burst was refused (hbm_guard),
//           3 button, 2 program ended, 1 core runs, 0 heartbeat
module vcu128_top
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
    output logic [7:0] led
);
  // Clocks. A lost lock resets everything; the button does not touch clocks or memory.
  logic core_clock, hbm_clock, clocks_locked;
  ip_clocks clocks (
      .clk_in1_p(clk_100mhz_p), .clk_in1_n(clk_100mhz_n), .reset(1'b0),
      .clk_out1(core_clock), .clk_out2(hbm_clock), .locked(clocks_locked)
  );

  // Index 0: port of local memory, 1: port of far memory
  logic hbm_reset_n, core_reset_n;
  logic [1:0] hbm_awvalid, hbm_awready, hbm_wvalid, hbm_wready, hbm_bvalid, hbm_bready;
  logic [1:0] hbm_arvalid, hbm_arready, hbm_rvalid, hbm_rready, hbm_complete, hbm_cattrip;
  logic [1:0][HBM_ADDR_BITS-1:0] hbm_awaddr, hbm_araddr;
  logic [1:0][3:0] hbm_awlen, hbm_arlen;
  logic [1:0][1:0] hbm_awburst, hbm_arburst;
  axi_write_t [1:0] hbm_w;
  axi_read_t [1:0] hbm_r;
  logic [1:0][1:0] hbm_bresp;
  logic [1:0][6:0] hbm_temperature_c;

`define NHG_HBM_PORT(n, i) \
      .AXI_``n``_ACLK(hbm_clock), .AXI_``n``_ARESET_N(hbm_reset_n), \
      .AXI_``n``_ARADDR(hbm_araddr[i]), .AXI_``n``_ARBURST(hbm_arburst[i]), .AXI_``n``_ARID(6'd0), \
      .AXI_``n``_ARLEN(hbm_arlen[i]), .AXI_``n``_ARSIZE(3'd5), .AXI_``n``_ARVALID(hbm_arvalid[i]), \
      .AXI_``n``_ARREADY(hbm_arready[i]), \
      .AXI_``n``_AWADDR(hbm_awaddr[i]), .AXI_``n``_AWBURST(hbm_awburst[i]), .AXI_``n``_AWID(6'd0), \
      .AXI_``n``_AWLEN(hbm_awlen[i]), .AXI_``n``_AWSIZE(3'd5), .AXI_``n``_AWVALID(hbm_awvalid[i]), \
      .AXI_``n``_AWREADY(hbm_awready[i]), \
      .AXI_``n``_WDATA(hbm_w[i].data), .AXI_``n``_WSTRB(hbm_w[i].strb), .AXI_``n``_WLAST(hbm_w[i].last), \
      .AXI_``n``_WDATA_PARITY(32'd0), .AXI_``n``_WVALID(hbm_wvalid[i]), .AXI_``n``_WREADY(hbm_wready[i]), \
      .AXI_``n``_BID(), .AXI_``n``_BRESP(hbm_bresp[i]), .AXI_``n``_BVALID(hbm_bvalid[i]), \
      .AXI_``n``_BREADY(hbm_bready[i]), \
      .AXI_``n``_RDATA(hbm_r[i].data), .AXI_``n``_RDATA_PARITY(), .AXI_``n``_RID(), \
      .AXI_``n``_RRESP(hbm_r[i].resp), .AXI_``n``_RLAST(hbm_r[i].last), .AXI_``n``_RVALID(hbm_rvalid[i]), \
      .AXI_``n``_RREADY(hbm_rready[i]),

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
  logic jtag_awvalid, jtag_awready, jtag_wvalid, jtag_wready, jtag_wlast, jtag_bvalid, jtag_bready;
  logic jtag_arvalid, jtag_arready, jtag_rvalid, jtag_rready, jtag_rlast, jtag_awid, jtag_bid, jtag_arid, jtag_rid;
  logic [63:0] jtag_awaddr, jtag_araddr, jtag_wdata, jtag_rdata;
  logic [7:0] jtag_awlen, jtag_arlen, jtag_wstrb;
  logic [2:0] jtag_awsize, jtag_arsize;
  logic [1:0] jtag_awburst, jtag_arburst, jtag_bresp, jtag_rresp;
  ip_jtag_axi jtag (
      .aclk(core_clock), .aresetn(core_reset_n),
      .m_axi_awid(jtag_awid), .m_axi_awaddr(jtag_awaddr), .m_axi_awlen(jtag_awlen), .m_axi_awsize(jtag_awsize),
      .m_axi_awburst(jtag_awburst), .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(), .m_axi_awqos(),
      .m_axi_awvalid(jtag_awvalid), .m_axi_awready(jtag_awready),
      .m_axi_wdata(jtag_wdata), .m_axi_wstrb(jtag_wstrb), .m_axi_wlast(jtag_wlast), .m_axi_wvalid(jtag_wvalid),
      .m_axi_wready(jtag_wready),
      .m_axi_bid(jtag_bid), .m_axi_bresp(jtag_bresp), .m_axi_bvalid(jtag_bvalid), .m_axi_bready(jtag_bready),
      .m_axi_arid(jtag_arid), .m_axi_araddr(jtag_araddr), .m_axi_arlen(jtag_arlen), .m_axi_arsize(jtag_arsize),
      .m_axi_arburst(jtag_arburst), .m_axi_arlock(), .m_axi_arcache(), .m_axi_arprot(), .m_axi_arqos(),
      .m_axi_arvalid(jtag_arvalid), .m_axi_arready(jtag_arready),
      .m_axi_rid(jtag_rid), .m_axi_rdata(jtag_rdata), .m_axi_rresp(jtag_rresp), .m_axi_rlast(jtag_rlast),
      .m_axi_rvalid(jtag_rvalid), .m_axi_rready(jtag_rready)
  );

  // PCIe DMA, 256-bit, in its own clock
  logic pcie_clock, pcie_reset_n;
  logic pcie_awvalid, pcie_awready, pcie_wvalid, pcie_wready, pcie_wlast, pcie_bvalid, pcie_bready;
  logic pcie_arvalid, pcie_arready, pcie_rvalid, pcie_rready, pcie_rlast;
  logic [3:0] pcie_awid, pcie_bid, pcie_arid, pcie_rid;
  logic [63:0] pcie_awaddr, pcie_araddr;
  logic [255:0] pcie_wdata, pcie_rdata;
  logic [31:0] pcie_wstrb;
  logic [7:0] pcie_awlen, pcie_arlen;
  logic [2:0] pcie_awsize, pcie_arsize;
  logic [1:0] pcie_awburst, pcie_arburst, pcie_bresp, pcie_rresp;
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
      .m_axi_awid(pcie_awid), .m_axi_awaddr(pcie_awaddr), .m_axi_awlen(pcie_awlen), .m_axi_awsize(pcie_awsize),
      .m_axi_awburst(pcie_awburst), .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(),
      .m_axi_awvalid(pcie_awvalid), .m_axi_awready(pcie_awready),
      .m_axi_wdata(pcie_wdata), .m_axi_wstrb(pcie_wstrb), .m_axi_wlast(pcie_wlast), .m_axi_wvalid(pcie_wvalid),
      .m_axi_wready(pcie_wready),
      .m_axi_bid(pcie_bid), .m_axi_bresp(pcie_bresp), .m_axi_bvalid(pcie_bvalid), .m_axi_bready(pcie_bready),
      .m_axi_arid(pcie_arid), .m_axi_araddr(pcie_araddr), .m_axi_arlen(pcie_arlen), .m_axi_arsize(pcie_arsize),
      .m_axi_arburst(pcie_arburst), .m_axi_arlock(), .m_axi_arcache(), .m_axi_arprot(),
      .m_axi_arvalid(pcie_arvalid), .m_axi_arready(pcie_arready),
      .m_axi_rid(pcie_rid), .m_axi_rdata(pcie_rdata), .m_axi_rresp(pcie_rresp), .m_axi_rlast(pcie_rlast),
      .m_axi_rvalid(pcie_rvalid), .m_axi_rready(pcie_rready)
  );
`else
  assign pcie_clock = core_clock;
  assign pcie_reset_n = core_reset_n;
  assign {pcie_awvalid, pcie_wvalid, pcie_wlast, pcie_bready, pcie_arvalid, pcie_rready} = '0;
  assign {pcie_awid, pcie_arid, pcie_awaddr, pcie_araddr, pcie_wdata, pcie_wstrb, pcie_awlen, pcie_arlen} = '0;
  assign {pcie_awsize, pcie_arsize, pcie_awburst, pcie_arburst} = '0;
`endif

  // UART 16550, AXI4-Lite, 32-bit
  logic uart_awvalid, uart_awready, uart_wvalid, uart_wready, uart_bvalid, uart_bready;
  logic uart_arvalid, uart_arready, uart_rvalid, uart_rready, uart_interrupt;
  logic [12:0] uart_awaddr, uart_araddr;
  logic [31:0] uart_wdata, uart_rdata;
  logic [3:0] uart_wstrb;
  logic [1:0] uart_bresp, uart_rresp;
  ip_uart uart (
      .s_axi_aclk(core_clock), .s_axi_aresetn(core_reset_n), .ip2intc_irpt(uart_interrupt), .freeze(1'b0),
      .s_axi_awaddr(uart_awaddr), .s_axi_awvalid(uart_awvalid), .s_axi_awready(uart_awready),
      .s_axi_wdata(uart_wdata), .s_axi_wstrb(uart_wstrb), .s_axi_wvalid(uart_wvalid), .s_axi_wready(uart_wready),
      .s_axi_bresp(uart_bresp), .s_axi_bvalid(uart_bvalid), .s_axi_bready(uart_bready),
      .s_axi_araddr(uart_araddr), .s_axi_arvalid(uart_arvalid), .s_axi_arready(uart_arready),
      .s_axi_rdata(uart_rdata), .s_axi_rresp(uart_rresp), .s_axi_rvalid(uart_rvalid), .s_axi_rready(uart_rready),
      .baudoutn(), .ctsn(1'b0), .dcdn(1'b0), .ddis(), .dsrn(1'b0), .dtrn(), .out1n(), .out2n(), .rin(1'b1), .rtsn(),
      .rxrdyn(), .sin(uart_rx), .sout(uart_tx), .txrdyn()
  );

  // The configuration word that scripts/output.tcl sets to the git commit
  logic [31:0] bitstream_commit;
  USR_ACCESSE2 commit_word (.CFGCLK(), .DATA(bitstream_commit), .DATAVALID());

  board_system system (.*);
endmodule
