# SPDX-License-Identifier: Apache-2.0
#
# Logic optimisation, at which Vivado inserts the debug hub of JTAG-to-AXI and of the HBM's debug port.

namespace eval implement {
    # The hub has no clock of its own: the core's, which always runs once the clocks are locked.
    proc debug_hub {} {
        set hub [get_debug_cores dbg_hub]
        set_property C_CLK_INPUT_FREQ_HZ [expr {round(1e6 * $::platform::core_mhz)}] $hub
        set_property C_ENABLE_CLK_DIVIDER false $hub
        connect_debug_port dbg_hub/clk [get_nets core_clock]
    }

    proc opt {options} {
        failure::step "optimisation" {
            debug_hub
            opt_design
        }
        keep $options opt
        report_methodology -file [path $options reports opt_methodology.rpt]
    }
}
