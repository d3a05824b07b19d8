# SPDX-License-Identifier: Apache-2.0
#
# What a routed design must satisfy. A result that cannot be read counts as a violation: an empty answer to
# get_timing_paths means that nothing was constrained.

namespace eval gates {
    # The twelve numbers of the design timing summary: for setup, hold and pulse width the worst slack in ns, its sum,
    # failing endpoints, endpoints.
    proc summary_numbers {text} {
        set after_rule 0
        foreach line [split $text "\n"] {
            if {$after_rule} {
                set numbers [regexp -all -inline {\S+} $line]
                if {[llength $numbers] == 12} {
                    return $numbers
                }
                return {}
            }
            if {[regexp {^\s*-------\s+-------\s} $line]} {
                set after_rule 1
            }
        }
        return {}
    }

    # Number of nets of a line of the route status
    proc net_count {text label} {
        if {[regexp "# of ${label}\\.* *: *(\\d+) *:" $text -> count]} {
            return $count
        }
        return ""
    }

    proc timing {text} {
        set found [list]
        set numbers [summary_numbers $text]
        foreach {kind index} {setup 0 hold 4 pulse-width 8} {
            set slack [lindex $numbers $index]
            if {![string is double -strict $slack]} {
                lappend found "$kind: no slack in the timing summary"
            } elseif {$slack < 0} {
                lappend found "$kind slack $slack ns"
            }
        }
        return $found
    }

    proc routing {text} {
        set found [list]
        set errors [net_count $text "nets with routing errors"]
        set routable [net_count $text "routable nets"]
        set routed [net_count $text "fully routed nets"]
        if {$errors eq "" || $routable eq "" || $routed eq ""} {
            lappend found "routing: the route status cannot be read"
        } elseif {$errors != 0 || $routable != $routed} {
            lappend found "routing: $errors nets with errors, $routed of $routable nets routed"
        }
        return $found
    }

    # Everything that is wrong with the routed design, one entry each; empty when nothing is.
    proc violations {options} {
        set found [list]
        foreach kind {setup hold} {
            set slack [implement::worst_slack $kind]
            if {$slack < 0} {
                lappend found "worst $kind path: slack $slack ns"
            }
        }
        set reports [file join [dict get $options out] reports]
        check_timing -verbose -file [file join $reports route_check_timing.rpt]
        return [concat $found [timing [report_timing_summary -return_string]] \
            [endpoints::violations [check_timing -verbose -return_string] \
                [file join $reports route_unconstrained.txt]] \
            [routing [report_route_status -return_string]]]
    }
}
