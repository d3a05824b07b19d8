# SPDX-License-Identifier: Apache-2.0
#
# JTAG's clock, before the cable is opened: at most 1 / 2.5 of that of the design's debug hub, which is the core's
# (UG908); otherwise the hub is not found, or loses words. A cable's own frequency stays if it is slow enough.

namespace eval jtag_clock {
    proc limit {target core_khz} {
        set highest_hz [expr {$core_khz * 1000 * 2 / 5}]
        if {[get_property PARAM.FREQUENCY $target] <= $highest_hz} {
            return
        }
        foreach hz [lsort -integer -decreasing [list_property_value PARAM.FREQUENCY $target]] {
            if {$hz <= $highest_hz} {
                set_property PARAM.FREQUENCY $hz $target
                return
            }
        }
        error "the cable of $target has no JTAG clock of $highest_hz Hz or less, which a core at $core_khz kHz needs"
    }
}
