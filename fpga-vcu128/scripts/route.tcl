# SPDX-License-Identifier: Apache-2.0
#
# Routing.

namespace eval implement {
    # A second physical optimisation only when the first routing misses its setup times.
    proc route {options} {
        failure::step "routing" {
            route_design {*}[directive $options route]
            if {[worst_slack setup] < 0} {
                phys_opt_design
            }
        }
        keep $options route
        report_route_status -file [path $options reports route_status.rpt]
        report_drc -file [path $options reports route_drc.rpt]
        report_clock_interaction -file [path $options reports route_clock_interaction.rpt]
        report_power -file [path $options reports route_power.rpt]
    }
}
