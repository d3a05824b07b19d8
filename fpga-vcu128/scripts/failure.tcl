# SPDX-License-Identifier: Apache-2.0
#
# Failures with an exit code. Vivado's own errors are recognised by their message ID where the user can do something
# about them; everything else is a failed step.

namespace eval failure {
    # Ends the flow: `code` is the exit code, `message` one line.
    proc raise {code message} {
        return -code error -errorcode [list NHG $code] $message
    }

    # Runs a Vivado step; its errors become failures that name the step.
    proc step {name script} {
        if {[catch {uplevel 1 $script} message details]} {
            if {[lindex [dict get $details -errorcode] 0] eq "NHG"} {
                return -options $details $message
            }
            set line [first_line $message]
            if {[regexp -nocase {Common 17-345|valid license was not found} $message]} {
                raise 13 "$name: no licence for the device ($line); get one that covers [set ::platform::part]"
            }
            raise 17 "$name failed: $line; the whole message is in vivado.log"
        }
    }

    proc first_line {text} {
        return [string trim [lindex [split [string trim $text] "\n"] 0]]
    }

    # Tells the failure on standard error and returns the exit code.
    proc report {message details} {
        set code [dict get $details -errorcode]
        if {[lindex $code 0] ne "NHG"} {
            puts stderr [dict get $details -errorinfo]
            puts stderr "build: [first_line $message]; the whole message is in vivado.log"
            return 17
        }
        puts stderr "build: [first_line $message]"
        return [lindex $code 1]
    }
}
