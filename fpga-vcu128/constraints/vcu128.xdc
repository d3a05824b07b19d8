# SPDX-License-Identifier: Apache-2.0
#
# Configuration of the device and timing of what the clocks do not cover. Pins and the input clock: pins.xdc, generated.
# Core and HBM clock come from one MMCM and are timed against each other: no exception is needed for their crossings.

set_property CONFIG_VOLTAGE 1.8 [current_design]
set_property CFGBVS GND [current_design]
set_property CONFIG_MODE SPIx4 [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]
set_property BITSTREAM.CONFIG.SPI_FALL_EDGE YES [current_design]
# The flash has 256 MB: addresses of 24 bits end at 16. The device makes the configuration clock itself, at a rate that
# public designs for boards with this flash use; a clock at its EMCCLK pin is not documented for this board.
set_property BITSTREAM.CONFIG.SPI_32BIT_ADDR YES [current_design]
set_property BITSTREAM.CONFIG.EXTMASTERCCLK_EN DISABLE [current_design]
set_property BITSTREAM.CONFIG.CONFIGRATE 51.0 [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]

# The lock of the MMCM resets both domains asynchronously; reset_sync releases them.
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *_domain/stages_reg[*]/PRE}]
