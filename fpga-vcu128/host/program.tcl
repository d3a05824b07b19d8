# SPDX-License-Identifier: Apache-2.0
#
# Programs the board over JTAG: vivado or vivado_lab -mode batch -source program.tcl -tclargs key=value ...
#   bit=FILE ltx=FILE   the bitstream and its debug probes
#   url=HOST:PORT       of the hw_server, which must be running
#   part=NAME           the device's part, of which the first word names it in the JTAG chain: xcvu37p
#   commit=HEX8         what USR_ACCESS must read afterwards
#   core_khz=N          of the bitstream's debug hub, which limits JTAG's clock
# Exit codes: 0 done · 20 no hw_server, cable or device · 21 the device did not start · 22 it reports another commit.
# The last line on standard error says what happened and what to do.

set script_dir [file dirname [file normalize [info script]]]
source [file join $script_dir .. scripts failure.tcl]
source [file join $script_dir .. .. tools nhg board jtag_clock.tcl]

namespace eval program {
    proc connect {url} {
        open_hw_manager
        if {[catch {connect_hw_server -url $url} message]} {
            failure::raise 20 "no hw_server at $url ([failure::first_line $message]): start hw_server on the machine\
                with the cable, or name another with HW_SERVER=host:port"
        }
    }

    # The first device of this name behind any cable, its target left open. A name in the chain is xcvu37p_0.
    proc device {name core_khz} {
        set seen [list]
        foreach target [get_hw_targets -quiet] {
            if {[catch {
                current_hw_target $target
                jtag_clock::limit $target $core_khz
                open_hw_target
            } message]} {
                lappend seen "$target ([failure::first_line $message])"
                continue
            }
            foreach device [get_hw_devices -quiet] {
                if {[string match ${name}_* $device]} {
                    current_hw_device $device
                    return $device
                }
                lappend seen $device
            }
            close_hw_target
        }
        if {[llength $seen] == 0} {
            failure::raise 20 "no JTAG cable: connect the board's USB port, switch the board on, and give yourself\
                access to the cable (fpga-vcu128/host/60-nhg-board.rules)"
        }
        failure::raise 20 "no $name behind the cable, only [join $seen {, }]: is the board switched on, and is it a\
            VCU128?"
    }

    proc configure {device options} {
        set_property PROGRAM.FILE [dict get $options bit] $device
        set_property PROBES.FILE [dict get $options ltx] $device
        if {[catch {
            program_hw_devices $device
            refresh_hw_device $device
        } message]} {
            failure::raise 21 "programming failed ([failure::first_line $message]): switch the board off and on, and\
                look at the DONE LED"
        }
    }

    proc verify {device commit} {
        # The device has three dies (SLR) with such a register each; the first is the one that loads the others.
        set read [get_property REGISTER.USR_ACCESS.SLR0 $device]
        if {![string is xdigit -strict $read] || "0x$read" != "0x$commit"} {
            failure::raise 22 "the device reports commit '$read' in USR_ACCESS, the bitstream is of $commit: another\
                program may hold the cable; close it and repeat"
        }
    }

    proc run {options} {
        connect [dict get $options url]
        set device [device [lindex [split [dict get $options part] -] 0] [dict get $options core_khz]]
        puts "program: found $device"
        configure $device $options
        verify $device [dict get $options commit]
        puts "program: done"
        close_hw_target
        disconnect_hw_server
        close_hw_manager
    }
}

set options [dict create]
foreach argument $argv {
    dict set options {*}[regexp -inline -all {[^=]+} $argument]
}
if {[catch {program::run $options} message details]} {
    set code [dict get $details -errorcode]
    puts stderr [failure::first_line $message]
    exit [expr {[lindex $code 0] eq "NHG" ? [lindex $code 1] : 21}]
}
exit 0
