# SPDX-License-Identifier: Apache-2.0
#
# The board flow, non-project: vivado -mode batch -source build.tcl -tclargs key=value ...
#   out=DIR         everything is written there: ip/ checkpoints/ reports/ and the bitstream
#   sources=FILE    Verilog files, one a line, in order of compilation
#   platform=FILE   platform.tcl, made from tools/platform/platform.toml
#   pins=FILE       pins.xdc, made from the same
#   pcie_pins=FILE  one of pcie_pins_*.xdc, for pcie=1
#   include=LIST    Verilog include directories, a Tcl list
#   commit=HEX8     goes into USR_ACCESS; 00000000 for a tree that is not clean
#   ddr4_pins=FILE  ddr4_pins.xdc, for local=ddr4
#   local=ddr4|hbm  where local memory lies; the default is ddr4
#   pcie=0|1        with PCIe DMA
#   hbm_xsdb=0|1    with the HBM's debug port, through which Vivado shows calibration and temperature; the default is 1
#   place_directive=WORD route_directive=WORD   of place_design and route_design; the default is Vivado's
#   threads=N       of Vivado
#   stop_after=STEP environment ip synth opt place route bitstream; the default is bitstream
#   resume=STEP     go on from the checkpoint of synth, opt, place or route in out=; the ip step needs no word, it takes
#                   what is finished in out=/ip
#   recheck=1       only look at the routed design in out= once more: is everything met? Writes no output but reports
# Exit codes: 0 done · 2 arguments · 11 Vivado version · 12 device files · 13 licence · 15 IP or property ·
# 16 timing or routing violated (the output is named .VIOLATED) · 17 a Vivado step failed. The last line on standard
# error says what happened and what to do.

set script_dir [file dirname [file normalize [info script]]]
foreach file {failure environment ip design checkpoint synth opt place route endpoints gates output} {
    source [file join $script_dir $file.tcl]
}

namespace eval build {
    variable steps {environment ip synth opt place route bitstream}

    # UG904's; asked for before hours have passed
    variable directives {
        place {Default Explore WLDrivenBlockPlacement EarlyBlockPlacement ExtraNetDelay_high ExtraNetDelay_low
            AltSpreadLogic_high AltSpreadLogic_medium AltSpreadLogic_low ExtraPostPlacementOpt ExtraTimingOpt
            SSI_SpreadLogic_high SSI_SpreadLogic_low SSI_SpreadSLLs SSI_BalanceSLLs SSI_BalanceSLRs SSI_HighUtilSLRs
            RuntimeOptimized Quick}
        route {Default Explore AggressiveExplore NoTimingRelaxation MoreGlobalIterations HigherDelayCost
            AdvancedSkewModeling AlternateCLBRouting RuntimeOptimized Quick}
    }

    # Arguments as a dictionary, with defaults; unknown and missing ones are failures.
    proc arguments {argv} {
        set options [dict create local ddr4 pcie 0 hbm_xsdb 1 threads 8 stop_after bitstream resume {} recheck 0 \
            place_directive {} route_directive {}]
        set known {out sources platform pins ddr4_pins pcie_pins include commit local pcie hbm_xsdb threads stop_after
            resume recheck place_directive route_directive}
        foreach argument $argv {
            if {![regexp {^([a-z0-9_]+)=(.*)$} $argument -> key value] || $key ni $known} {
                failure::raise 2 "unknown argument '$argument'; known: [join $known]"
            }
            dict set options $key $value
        }
        foreach key {out sources platform pins include commit} {
            if {![dict exists $options $key]} {
                failure::raise 2 "argument $key= is missing"
            }
        }
        if {![regexp {^[0-9a-f]{8}$} [dict get $options commit]]} {
            failure::raise 2 "commit=[dict get $options commit] is not eight hexadecimal digits"
        }
        foreach key {pcie hbm_xsdb recheck} {
            if {[dict get $options $key] ni {0 1}} {
                failure::raise 2 "$key=[dict get $options $key]: 0 or 1"
            }
        }
        if {[dict get $options local] ni {ddr4 hbm}} {
            failure::raise 2 "local=[dict get $options local]: ddr4 or hbm"
        }
        foreach step {place route} {
            set chosen [dict get $options ${step}_directive]
            if {$chosen ne "" && $chosen ni [dict get $::build::directives $step]} {
                failure::raise 2 "${step}_directive=$chosen: one of [dict get $::build::directives $step]"
            }
        }
        if {[dict get $options stop_after] ni $::build::steps} {
            failure::raise 2 "stop_after=[dict get $options stop_after]: one of $::build::steps"
        }
        if {[dict get $options resume] ni {{} synth opt place route}} {
            failure::raise 2 "resume=[dict get $options resume]: one of synth opt place route"
        }
        return $options
    }

    # The steps in order; each leaves its checkpoint and reports behind.
    proc run {options} {
        variable steps
        if {[dict get $options recheck]} {
            environment::check $options
            environment::reopen $options route
            output::recheck [gates::violations $options]
            return
        }
        set resume [dict get $options resume]
        set todo $steps
        if {$resume ne ""} {
            environment::check $options
            environment::reopen $options $resume
            set todo [lrange $steps [expr {[lsearch -exact $steps $resume] + 1}] end]
        }
        foreach step $todo {
            puts "build: step [expr {[lsearch -exact $steps $step] + 1}] of [llength $steps], $step"
            switch $step {
                environment {
                    environment::check $options
                    environment::open_project $options
                }
                ip {
                    ip::create_all $options
                }
                synth {
                    design::add_all $options
                    implement::synth $options
                }
                opt - place - route {
                    implement::$step $options
                }
                bitstream {
                    output::write $options [gates::violations $options]
                }
            }
            if {$step eq [dict get $options stop_after]} {
                break
            }
        }
    }
}

if {[catch {
    set options [build::arguments $argv]
    source [dict get $options platform]
    build::run $options
} message details]} {
    exit [failure::report $message $details]
}
exit 0
