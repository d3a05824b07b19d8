# SPDX-License-Identifier: Apache-2.0
#
# Verilog and constraints into the project.

namespace eval design {
    proc read_lines {file} {
        set channel [open $file]
        set lines [split [string trim [read $channel]] "\n"]
        close $channel
        return $lines
    }

    proc add_all {options} {
        failure::step "reading the sources" {
            read_verilog -sv [read_lines [dict get $options sources]]
        }
        set constraints [list [dict get $options pins]]
        set folder [file join $::script_dir .. constraints]
        lappend constraints [file join $folder vcu128.xdc]
        if {[dict get $options local] eq "ddr4"} {
            lappend constraints [dict get $options ddr4_pins] [file join $folder ddr4.xdc]
        }
        if {[dict get $options pcie]} {
            lappend constraints [dict get $options pcie_pins] [file join $folder pcie.xdc]
        }
        failure::step "reading the constraints" {
            read_xdc $constraints
        }
    }
}
