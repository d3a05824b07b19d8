# SPDX-License-Identifier: Apache-2.0
#
# Is this Vivado one the flow knows, with the device installed? Then an in-memory project for it. The board's files
# are not asked for: device, pins and IP properties say everything, and many installations have another version of
# them or none.

namespace eval environment {
    # -1, 0 or 1: versions such as 2022.1 or 2022.1.2 compared by their numbers
    proc compare {a b} {
        foreach x [split $a .] y [split $b .] {
            if {$x eq "" || $y eq ""} {
                break
            }
            if {$x != $y} {
                return [expr {$x < $y ? -1 : 1}]
            }
        }
        return 0
    }

    proc check_version {options} {
        set version [version -short]
        if {![regexp {^\d+\.\d+(\.\d+)*$} $version]} {
            failure::raise 11 "cannot read Vivado's version '$version'"
        }
        if {[compare $version $::platform::vivado_oldest] < 0 || [compare $version $::platform::vivado_newest] > 0} {
            failure::raise 11 "Vivado $version is not supported: install $::platform::vivado_oldest to\
                $::platform::vivado_newest, or widen vivado_oldest/vivado_newest in tools/platform/platform.toml"
        }
        if {[dict get $options pcie] && [compare $version $::platform::vivado_newest_pcie] > 0} {
            failure::raise 11 "with the PCIe DMA of Vivado $version AMD's driver finds no configuration BAR\
                (dma_ip_drivers issue 362): take $::platform::vivado_newest_pcie, build without PCIE=1, or widen\
                vivado_newest_pcie in tools/platform/platform.toml"
        }
    }

    proc check_device {} {
        if {[llength [get_parts -quiet $::platform::part]] == 0} {
            failure::raise 12 "device files of $::platform::part are not installed: add Virtex UltraScale+ HBM\
                with Vivado's installer"
        }
    }

    proc check {options} {
        check_version $options
        check_device
    }

    proc open_project {options} {
        set_param general.maxThreads [dict get $options threads]
        foreach folder {ip checkpoints reports} {
            file mkdir [file join [dict get $options out] $folder]
        }
        failure::step "project" {
            create_project -in_memory -part $::platform::part
            set_property target_language Verilog [current_project]
            set_property default_lib work [current_project]
        }
    }

    # The design as the checkpoint of `step` left it.
    proc reopen {options step} {
        set_param general.maxThreads [dict get $options threads]
        failure::step "opening the checkpoint of $step" {
            open_checkpoint [file join [dict get $options out] checkpoints $step.dcp]
        }
    }
}
