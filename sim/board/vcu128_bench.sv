// SPDX-License-Identifier: Apache-2.0
//
// The real top of the board with models of the vendor's IP (models/). The clocks of board and PCIe come from outside.
module vcu128_bench (
    input logic clock_100mhz,
    input logic clock_pcie,
    input logic pcie_perst_n,
    input logic button
);
  vcu128_top top (
      .clk_100mhz_p(clock_100mhz), .clk_100mhz_n(!clock_100mhz), .cpu_reset(button), .uart_rx(1'b1), .uart_tx(),
`ifdef NHG_DDR4
      .ddr4_act_n(), .ddr4_adr(), .ddr4_ba(), .ddr4_bg(), .ddr4_cke(), .ddr4_odt(), .ddr4_cs_n(), .ddr4_ck_t(), .ddr4_ck_c(), .ddr4_reset_n(),
      .ddr4_dm_n(), .ddr4_dq(), .ddr4_dqs_t(), .ddr4_dqs_c(),
`endif
      .pcie_refclk_p(clock_pcie), .pcie_refclk_n(!clock_pcie), .pcie_perst_n,
      .pcie_rx_p('0), .pcie_rx_n('1), .pcie_tx_p(), .pcie_tx_n(), .led()
  );
endmodule
