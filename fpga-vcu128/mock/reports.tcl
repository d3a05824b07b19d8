# SPDX-License-Identifier: Apache-2.0
#
# Reports in the form Vivado writes them, with numbers that follow the constraints and the injected faults.

namespace eval mock {
    # Worst slack in ns, by kind
    proc slack {kind} {
        return [expr {[fault $kind] ? -0.123 : [dict get {setup 1.234 hold 0.045 pulse_width 0.800} $kind]}]
    }

    proc get_path_property {name kind} {
        if {$name ne "SLACK"} {
            refuse "Common 17-54" "The object 'timing_path' does not have a property '$name'."
        }
        return [slack $kind]
    }

    proc has_clock {} {
        variable clocks
        return [expr {[dict size $clocks] > 0 && ![fault no_paths]}]
    }

    # Endpoints a fault names: PIN+PIN, each with what drives its clock as PIN<PIN
    proc faulty_endpoints {name} {
        variable faults
        set result [list]
        if {[fault $name]} {
            foreach endpoint [split [dict get $faults $name] +] {
                lappend result [split $endpoint <]
            }
        }
        return $result
    }

    # What each check of check_timing finds: name -> {endpoint, pin that drives its clock} ...
    proc timing_checks {} {
        set unclocked [faulty_endpoints no_clock]
        if {![has_clock]} {
            lappend unclocked {soc/core/pc_reg/C clk_100mhz_p}
        }
        return [list no_clock $unclocked constant_clock {} pulse_width_clock {} \
            unconstrained_internal_endpoints [faulty_endpoints unconstrained] \
            no_input_delay [ports_without_delay input] no_output_delay [ports_without_delay output] multiple_clock {} \
            generated_clocks {} loops [faulty_endpoints loop] partial_input_delay {} partial_output_delay {} \
            latch_loops {}]
    }

    # As Vivado writes it: contents, then one section for each check, in which -verbose names every endpoint.
    proc timing_check_report {verbose} {
        set contents [list "check_timing report" "" "Table of Contents" "-----------------"]
        set sections [list]
        set number 0
        foreach {check endpoints} [timing_checks] {
            incr number
            set count [expr {[llength $endpoints] + ([llength $endpoints] && [fault unnamed])}]
            set title "$number. checking $check ($count)"
            lappend contents $title
            lappend sections "" $title [string repeat - [string length $title]]
            if {[llength $endpoints] == 0} {
                lappend sections " There are 0 pins or ports."
            }
            foreach endpoint $endpoints {
                lassign $endpoint name root
                lappend sections [expr {$check eq "no_clock"
                    ? " There is 1 register/latch pin with no clock driven by root clock pin: $root (HIGH)"
                    : " There is 1 pin or port. (HIGH)"}] ""
                if {$verbose} {
                    lappend sections $name
                }
            }
        }
        return [join [concat $contents $sections] "\n"]
    }

    proc timing_summary {} {
        set lines [list "| Timing Summary (mock)" "" [timing_check_report 0]]
        set columns {"WNS(ns)" "TNS(ns)" "TNS Failing Endpoints" "TNS Total Endpoints" "WHS(ns)" "THS(ns)"
            "THS Failing Endpoints" "THS Total Endpoints" "WPWS(ns)" "TPWS(ns)" "TPWS Failing Endpoints"
            "TPWS Total Endpoints"}
        lappend lines "" "    [join $columns {  }]"
        set rules [list]
        set numbers [list]
        foreach column $columns {
            lappend rules [string repeat - [string length $column]]
        }
        foreach kind {setup hold pulse_width} {
            set slack [slack $kind]
            set failing [expr {$slack < 0 ? 3 : 0}]
            lappend numbers [expr {[has_clock] ? [format %.3f $slack] : "NA"}] \
                [format %.3f [expr {$failing * $slack}]] $failing 1000
        }
        lappend lines "    [join $rules {  }]" "    [join $numbers {      }]"
        return [join $lines "\n"]
    }

    proc route_status {} {
        set routable 500000
        set errors [expr {[fault route_errors] ? 17 : 0}]
        set routed [expr {$routable - $errors - ([fault unrouted] ? 5 : 0)}]
        return [join [list "Design Route Status" \
            "                                               :      # nets :" \
            "   # of logical nets.......................... :     900000 :" \
            "       # of nets not needing routing.......... :     400000 :" \
            "       # of routable nets..................... :     $routable :" \
            "           # of fully routed nets............. :     $routed :" \
            "       # of nets with routing errors.......... :     $errors :"] "\n"]
    }

    # -file or -return_string, in a state that has a design
    proc report {command arguments flags text} {
        require $command {synthesised optimised placed routed}
        set options [parse $command $arguments [concat $flags -return_string -quiet] {-file -name -max_paths} 0 0]
        if {[dict exists $options -file]} {
            write_file [dict get $options -file] $text
        } elseif {[dict exists $options -return_string]} {
            return $text
        } else {
            puts $text
        }
        return
    }
}

proc get_timing_paths {args} {
    mock::require get_timing_paths {synthesised optimised placed routed}
    set options [mock::parse get_timing_paths $args {-quiet -setup -hold} {-max_paths} 0 0]
    if {![mock::has_clock]} {
        return
    }
    return path:[expr {[dict exists $options -hold] ? "hold" : "setup"}]
}

proc report_timing_summary {args} {
    return [mock::report report_timing_summary $args {-no_header -no_detailed_paths} [mock::timing_summary]]
}

proc check_timing {args} {
    set verbose [expr {"-verbose" in $args}]
    return [mock::report check_timing $args {-verbose -no_header} [mock::timing_check_report $verbose]]
}

proc report_route_status {args} {
    mock::require report_route_status routed
    return [mock::report report_route_status $args {} [mock::route_status]]
}

# Reports that nothing reads back: the arguments are checked, one line is written.
foreach {command flags} {report_utilization -hierarchical report_cdc -details report_methodology {} report_drc {}
    report_clock_interaction {} report_power {}} {
    interp alias {} $command {} mock::report_plain $command $flags
}

proc mock::report_plain {command flags args} {
    return [report $command $args $flags "mock $command"]
}
