# SPDX-License-Identifier: Apache-2.0
#
# Synthesis, optimisation, placement, routing. Each step ends with a checkpoint and its reports.

namespace eval implement {
    proc path {options folder name} {
        return [file join [dict get $options out] $folder $name]
    }

    # The checkpoint gets its name when it is whole: a run that is interrupted never goes on from half of one.
    proc keep {options step} {
        failure::step "checkpoint after $step" {
            set partial [path $options checkpoints $step.partial.dcp]
            write_checkpoint -force $partial
            file rename -force $partial [path $options checkpoints $step.dcp]
            report_utilization -hierarchical -file [path $options reports ${step}_utilization.rpt]
            report_timing_summary -file [path $options reports ${step}_timing.rpt]
        }
    }

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

    proc opt {options} {
        failure::step "optimisation" {
            opt_design
        }
        keep $options opt
        report_methodology -file [path $options reports opt_methodology.rpt]
    }

    proc place {options} {
        failure::step "placement" {
            place_design
            phys_opt_design
        }
        keep $options place
    }

    # A second physical optimisation only when the first routing misses its setup times.
    proc route {options} {
        failure::step "routing" {
            route_design
            if {[gates::worst_slack setup] < 0} {
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
