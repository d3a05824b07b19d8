# SPDX-License-Identifier: Apache-2.0
#
# Endpoints without timing, each by its name, from `check_timing -verbose`. Our own cells have none. Some inside the
# vendor's IP cannot have any; `allowed` says which, and why. An entry reaches no further than one instance of such IP,
# and a register without a clock is only excused when what drives its clock pin lies in the same instance: a clock that
# we failed to give the IP is never excused.

namespace eval endpoints {
    # Checks of check_timing that must find nothing: where there is no clock, no requirement, or no end of a path
    variable checks {no_clock constant_clock unconstrained_internal_endpoints no_input_delay no_output_delay loops
        latch_loops}

    # {check, pattern of endpoints, reason}: the pattern begins with the instance's name
    variable allowed {
        {no_clock dbg_hub/inst/*
            "registers on the JTAG clock of the BSCAN primitive, which runs only while JTAG shifts"}
        {unconstrained_internal_endpoints dbg_hub/inst/*
            "fed by those registers; the hub's own synchronisers take them over"}
        {unconstrained_internal_endpoints hbm/inst/*
            "calibration and status between JTAG and the hard block, asynchronous by design of the IP (PG276)"}
        {unconstrained_internal_endpoints ddr4/inst/*
            "calibration status and resets between the controller's clocks, asynchronous by design of the IP (PG150)"}
        {unconstrained_internal_endpoints xdma/inst/*
            "status and reset of transceivers and PCIe block, asynchronous by design of the IP (PG195)"}
    }

    # What one check found: {number it counted, {endpoint, pin that drives its clock} ...}
    proc found {text check} {
        set count ""
        set names [list]
        set inside 0
        set root ""
        foreach line [split $text "\n"] {
            if {[regexp {^\s*\d+\. checking (\w+) \((\d+)\)} $line -> name number]} {
                set inside [string equal $name $check]
                set root ""
                if {$inside} {
                    set count $number
                }
            } elseif {[regexp {root clock pin: (\S+)} $line -> pin]} {
                set root $pin
            } elseif {$inside && [regexp {^\s*([A-Za-z_\\]\S*)\s*$} $line -> name]} {
                lappend names [list $name $root]
            }
        }
        return [list $count $names]
    }

    # The instance an entry of `allowed` reaches into; anything but vendor's IP is a mistake in the list.
    proc instance {pattern} {
        if {![regexp {^(\w+)/} $pattern -> instance]} {
            failure::raise 16 "endpoints.tcl allows $pattern, which does not begin with the name of an instance"
        }
        if {$instance ne "dbg_hub"} {
            foreach cell [get_cells -quiet $instance] {
                if {![string match ip_* [get_property REF_NAME $cell]]} {
                    failure::raise 16 "endpoints.tcl allows $pattern, but $instance is not the vendor's IP"
                }
            }
        }
        return $instance
    }

    # Why an endpoint may be without timing; nothing when it may not.
    proc excuse {check name root} {
        variable allowed
        foreach entry $allowed {
            lassign $entry of pattern reason
            set instance [instance $pattern]
            if {$of ne $check || ![string match $pattern $name]} {
                continue
            }
            if {$check ne "no_clock" || [string match $instance/* $root]} {
                return $reason
            }
        }
        return ""
    }

    # Looks through the report `text`, writes every endpoint with its verdict to `file`, and returns one entry for each
    # check with endpoints that have no excuse.
    proc violations {text file} {
        variable checks
        set result [list]
        set channel [open $file w]
        foreach check $checks {
            lassign [found $text $check] count names
            set ours [list]
            foreach pair $names {
                lassign $pair name root
                set reason [excuse $check $name $root]
                puts $channel "$check $name [expr {$reason eq "" ? "REFUSED" : "allowed: $reason"}]"
                if {$reason eq ""} {
                    lappend ours $name
                }
            }
            if {$count eq ""} {
                lappend result "$check: not in the report of check_timing"
            } elseif {[llength $names] < $count} {
                lappend result "$check: $count endpoints, of which the report names [llength $names]"
            } elseif {[llength $ours]} {
                set first [join [lrange $ours 0 2] {, }]
                set more [expr {[llength $ours] > 3 ? ", ..." : ""}]
                lappend result "$check: [llength $ours] unconstrained ($first$more); [file tail $file] names each"
            }
        }
        close $channel
        return $result
    }
}
