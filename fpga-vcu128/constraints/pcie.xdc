# SPDX-License-Identifier: Apache-2.0
#
# The PCIe DMA's clock has no relation to the core's. Every path between them belongs to an asynchronous FIFO
# (beat_crossing): Gray-coded pointers and words that stand still; they must arrive within the shorter period.
set pcie_clock [get_clocks -of_objects [get_pins xdma/axi_aclk]]
set core_clock [get_clocks -of_objects [get_pins clocks/clk_out1]]
set_max_delay -datapath_only -from $pcie_clock -to $core_clock 4.000
set_max_delay -datapath_only -from $core_clock -to $pcie_clock 4.000
