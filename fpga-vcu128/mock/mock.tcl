# SPDX-License-Identifier: Apache-2.0
#
# The Tcl part of the mock: defines the commands of Vivado that the flow uses, then sources the flow.
# The installation it stands for has no board files: a flow that asks for them ends in an error.
# usage: tclsh mock.tcl CATALOGUE.tcl VERSION SCRIPT ARG...
#
# Faults in NHG_MOCK_FAULT:
#   version=V            what `version -short` says          no_part             not installed
#   no_ip=NAME           not in the catalogue                ignore=PROPERTY     keeps its default with a warning
#   licence_synth licence_implementation                     fail=COMMAND        the command ends in an error
#   fail_ip=MODULE       its synthesis ends in an error
#   no_server no_cable chain=NAME+NAME usr_access=HEX   what the hardware manager finds, and what the device reports
#   hub_khz=N            clock of the design's debug hub
#   setup hold pulse_width  negative slack                   no_paths            nothing is constrained
#   unconstrained=PINS no_clock=PINS loop=PINS   endpoints PIN+PIN, or PIN<PIN with what drives the clock pin
#   unnamed              check_timing counts one more than it names       route_errors unrouted

set mock_dir [file dirname [file normalize [info script]]]
set argv [lassign $argv catalogue_file mock_version mock_script]
source $catalogue_file

namespace eval mock {
    variable version $::mock_version
    variable faults [dict create]
    variable project [dict create part ""]
    # Order of the flow: number of the state after the last step
    variable states {none project synthesised optimised placed routed}
    variable state none

    proc load_faults {} {
        variable faults
        if {![info exists ::env(NHG_MOCK_FAULT)]} {
            return
        }
        set known {version no_part no_ip ignore licence_synth licence_implementation fail fail_ip setup hold
            pulse_width no_paths unconstrained no_clock loop unnamed route_errors unrouted
            no_server no_cable chain usr_access hub_khz}
        foreach fault [split $::env(NHG_MOCK_FAULT) ,] {
            set name [lindex [split $fault =] 0]
            if {$name ni $known} {
                refuse "mock" "unknown fault $name"
            }
            dict set faults $name [join [lrange [split $fault =] 1 end] =]
        }
    }

    proc fault {name} {
        variable faults
        return [dict exists $faults $name]
    }

    proc fault_is {name value} {
        variable faults
        return [expr {[dict exists $faults $name] && [dict get $faults $name] eq $value}]
    }

    # An error as Vivado words it.
    proc refuse {id message} {
        return -code error "ERROR: \[$id\] $message"
    }

    proc rank {name} {
        variable states
        return [lsearch -exact $states $name]
    }

    # The flow must be in one of the states of `allowed`.
    proc require {command allowed} {
        variable state
        if {$state ni $allowed} {
            refuse "Common 17-53" "User Exception: $command after '$state'; it needs one of: $allowed"
        }
        if {[fault_is fail $command]} {
            refuse "Mock 1-1" "$command was told to fail"
        }
    }

    # Splits `arguments` by the options of `command`: `flags` stand alone, `valued` take a word. Returns a dictionary
    # of the options and, under "", the other words; their number must lie between `least` and `most`.
    proc parse {command arguments flags valued least most} {
        set result [dict create "" [list]]
        while {[llength $arguments]} {
            set arguments [lassign $arguments word]
            if {$word in $flags} {
                dict set result $word 1
            } elseif {$word in $valued} {
                if {[llength $arguments] == 0} {
                    refuse "Common 17-165" "Too few arguments: $word of $command has no value"
                }
                set arguments [lassign $arguments value]
                dict set result $word $value
            } elseif {[regexp {^-[a-z]} $word]} {
                refuse "Common 17-170" "Unknown option '$word', please type '$command -help' for usage info."
            } else {
                dict lappend result "" $word
            }
        }
        set count [llength [dict get $result ""]]
        if {$count < $least || $count > $most} {
            refuse "Common 17-165" "$command has $count arguments, it takes $least to $most"
        }
        return $result
    }

    # Vivado 2020.2 may run Tcl 8.5: what came with 8.6 does not exist here.
    proc hide_new_tcl {} {
        foreach command {try throw lmap tailcall coroutine yield yieldto zlib} {
            catch {rename ::$command {}}
        }
    }
}

foreach file {project ip constraints flow reports hardware} {
    source [file join $mock_dir $file.tcl]
}
mock::load_faults
mock::hide_new_tcl
set argc [llength $argv]
source $mock_script
