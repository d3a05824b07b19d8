# SPDX-License-Identifier: Apache-2.0
#
# The host program's end in Vivado's hardware manager (vivado or vivado_lab): reads and writes over JTAG-to-AXI (UG835,
# UG908, PG174). tools/nhg/board/jtag.py starts it and is the other end of the socket.
#   arguments  port of the host program on this machine, URL of the hw_server, address of the scratch registers,
#              the core's clock in kHz
#   request    read ADDRESS WORDS | write ADDRESS WORDS HEX | quit     (64-bit words, address in hex without 0x)
#   reply      ok [HEX] | error one line
# HEX is one number: the word at the lowest address has the lowest 16 digits. How hw_axi orders the words of a burst is
# not documented the same way everywhere, so `find_orders` finds it out on the two scratch registers of the board.

set WORD_DIGITS 16
set SCRATCH_ADDRESS [lindex $argv 2]
source [file join [file dirname [file normalize [info script]]] jtag_clock.tcl]

proc one_line {text} {
    return [string trim [regsub -all {\s+} $text " "]]
}

# The JTAG-to-AXI core of the first target that has one.
proc open_board {url} {
    open_hw_manager
    connect_hw_server -url $url
    foreach target [get_hw_targets -quiet] {
        current_hw_target $target
        jtag_clock::limit $target [lindex $::argv 3]
        open_hw_target
        foreach device [get_hw_devices -quiet] {
            current_hw_device $device
            refresh_hw_device -quiet $device
            set cores [get_hw_axis -quiet -of_objects $device]
            if {[llength $cores]} {
                set core [lindex $cores 0]
                if {[get_property AXI_DATA_WIDTH $core] != 64} {
                    error "the JTAG-to-AXI core of $device is not 64 bits wide:\
                        the bitstream is not one of this project"
                }
                reset_hw_axi $core
                return $core
            }
        }
        close_hw_target
    }
    error "no JTAG-to-AXI core behind $url: program the board with the output of make bitstream"
}

# The same words in the opposite order.
proc reversed {hex} {
    set result ""
    for {set i 0} {$i < [string length $hex]} {incr i $::WORD_DIGITS} {
        set result [string range $hex $i [expr {$i + $::WORD_DIGITS - 1}]]$result
    }
    return $result
}

proc run_transaction {kind address words {data {}}} {
    set options [list -force -type $kind -address [format %016llx 0x$address] -len $words -burst INCR]
    if {$kind eq "write"} {
        lappend options -data $data
    }
    create_hw_axi_txn {*}$options nhg_transaction $::core
    run_hw_axi [get_hw_axi_txns nhg_transaction]
    refresh_hw_axi $::core
    set response [get_property [expr {$kind eq "read" ? "STATUS.RRESP" : "STATUS.BRESP"}] $::core]
    if {$response ne "OKAY"} {
        error "$kind at 0x$address: the board answered $response"
    }
    if {$kind eq "write"} {
        return
    }
    set data [string tolower [string map {_ {} { } {} 0x {}} [get_property DATA [get_hw_axi_txns nhg_transaction]]]]
    if {[string length $data] != $words * $::WORD_DIGITS} {
        error "read at 0x$address: [string length $data] digits for $words words"
    }
    return $data
}

# Does the first word of a burst come last in its hexadecimal number (1) or first (0)? Words of their own tell.
proc find_orders {} {
    set words {1111111122222222 3333333344444444}
    set second [format %x [expr {$::SCRATCH_ADDRESS + 8}]]
    set first [format %x $::SCRATCH_ADDRESS]
    run_transaction write $first 2 [join $words ""]
    set at_first [run_transaction read $first 1]
    set ::write_lowest_last [expr {$at_first eq [lindex $words 1]}]
    if {$at_first ni $words} {
        error "the scratch register reads $at_first after a burst:\
            the bitstream is not one of this project, or the link is bad"
    }
    run_transaction write $first 1 [lindex $words 0]
    run_transaction write $second 1 [lindex $words 1]
    set both [run_transaction read $first 2]
    set ::read_lowest_last [expr {$both eq [join [lreverse $words] ""]}]
    if {!$::read_lowest_last && $both ne [join $words ""]} {
        error "the scratch registers read $both as a burst: the link is bad"
    }
}

# Without expr, which would take a number of hexadecimal digits for a decimal one.
proc ordered {lowest_last hex} {
    if {$lowest_last} {
        return $hex
    }
    return [reversed $hex]
}

proc serve {request} {
    lassign $request operation address words data
    switch -- $operation {
        read { return "ok [ordered $::read_lowest_last [run_transaction read $address $words]]" }
        write {
            run_transaction write $address $words [ordered $::write_lowest_last $data]
            return ok
        }
        default { error "unknown request $operation" }
    }
}

proc main {port url} {
    set channel [socket 127.0.0.1 $port]
    fconfigure $channel -buffering line -translation lf
    if {[catch {
        set ::core [open_board $url]
        find_orders
    } message]} {
        puts $channel "error [one_line $message]"
        exit 1
    }
    puts $channel ok
    while {[gets $channel request] >= 0 && $request ne "quit"} {
        if {[catch {serve $request} reply]} {
            set reply "error [one_line $reply]"
        }
        puts $channel $reply
    }
    close $channel
    close_hw_manager
}

main [lindex $argv 0] [lindex $argv 1]
exit 0
