# SPDX-License-Identifier: Apache-2.0
#
# The DDR4 controller makes its clock from the same oscillator as the core's, but in an MMCM of its own and at another
# rate: as good as asynchronous. Every path between them belongs to an asynchronous FIFO (axi_crossing) or a bit_sync.
# One buffer gives the oscillator to both MMCMs, and only one of them can be in the buffer's own clock region.
set_property CLOCK_DEDICATED_ROUTE BACKBONE [get_nets board_clock]
set local_clock [get_clocks -of_objects [get_pins ddr4/c0_ddr4_ui_clk]]
set core_clock [get_clocks -of_objects [get_pins clocks/clk_out1]]
set_max_delay -datapath_only -from $local_clock -to $core_clock 3.000
set_max_delay -datapath_only -from $core_clock -to $local_clock 3.000
