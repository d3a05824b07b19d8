# SPDX-License-Identifier: Apache-2.0
#
# Synthesis.

namespace eval implement {
    proc synth {options} {
        set defines [list]
        if {[dict get $options pcie]} {
            lappend defines NHG_XDMA
        }
        if {[dict get $options local] eq "ddr4"} {
            lappend defines NHG_DDR4
        }
        lappend defines SYNTHESIS
        failure::step "synthesis" {
            synth_design -top vcu128_top -part $::platform::part -flatten_hierarchy rebuilt \
                -include_dirs [dict get $options include] -verilog_define $defines
            set_property CONFIG_VOLTAGE 1.8 [current_design]
        }
        keep $options synth
        report_cdc -details -file [path $options reports synth_cdc.rpt]
    }
}
