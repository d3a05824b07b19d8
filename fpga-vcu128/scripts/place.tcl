# SPDX-License-Identifier: Apache-2.0
#
# Placement.

namespace eval implement {
    proc place {options} {
        failure::step "placement" {
            place_design {*}[directive $options place]
            phys_opt_design
        }
        keep $options place
    }
}
