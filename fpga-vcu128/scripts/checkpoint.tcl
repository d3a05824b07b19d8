# SPDX-License-Identifier: Apache-2.0
#
# What every step of the implementation ends with, and what it looks at. One file a step beside this one, so that a
# change of a later step keeps the checkpoints of those before it (fpga-vcu128/fingerprints.py).

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

    # Slack in ns of the worst setup or hold path, -inf when there is none.
    proc worst_slack {kind} {
        set paths [get_timing_paths -quiet -max_paths 1 -$kind]
        set slack [expr {[llength $paths] ? [get_property SLACK [lindex $paths 0]] : ""}]
        return [expr {[string is double -strict $slack] ? $slack : -Inf}]
    }

    # The option of a step that a user chose, if any.
    proc directive {options step} {
        set chosen [dict get $options ${step}_directive]
        return [expr {$chosen eq "" ? [list] : [list -directive $chosen]}]
    }
}
