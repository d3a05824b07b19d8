# SPDX-License-Identifier: Apache-2.0
#
# Stand-in for Vivado's hardware manager in tclsh: the commands jtag_server.tcl uses, with the options UG835 lists for
# them; anything else is an error. It behaves like the vendor's tool as far as that is documented; it proves the
# script's logic, not that the vendor's tool accepts it. The board's memory is a file.
#   environment  BOARD_FILE   address space of the board, a sparse file
#                BOARD_ORDER  lowest_last or lowest_first: order of a burst's words in -data and DATA
#                BOARD_FAULT  empty, or no_server, no_core, narrow, slverr
#   arguments    those of vivado; -source FILE is run with the words after -tclargs as argv

proc fault {name} { return [expr {$::env(BOARD_FAULT) eq $name}] }

# Options and operands of a command: checks the options against those allowed, `name:value` taking a value.
proc parse {command allowed arguments} {
    set values [dict create operands {}]
    for {set i 0} {$i < [llength $arguments]} {incr i} {
        set word [lindex $arguments $i]
        if {[string match -* $word]} {
            if {"$word:value" in $allowed} {
                incr i
                dict set values $word [lindex $arguments $i]
            } elseif {$word in $allowed} {
                dict set values $word 1
            } else {
                error "ERROR: \[Common 17-170\] Unknown option '$word' of $command"
            }
        } else {
            dict lappend values operands $word
        }
    }
    return $values
}

set state closed
set connected 0
set target_open 0
set transactions [dict create]
set responses [dict create STATUS.RRESP OKAY STATUS.BRESP OKAY AXI_DATA_WIDTH 64]
if {[fault narrow]} { dict set responses AXI_DATA_WIDTH 32 }

proc open_hw_manager {args} { set ::state open }
proc close_hw_manager {args} { set ::state closed }
proc connect_hw_server {args} {
    set url [dict get [parse connect_hw_server {-url:value -allow_non_jtag -quiet} $args] -url]
    if {$::state ne "open"} { error "ERROR: hardware manager is not open" }
    if {[fault no_server]} {
        error "ERROR: \[Labtoolstcl 44-494\] There is no active target available for server at $url."
    }
    set ::connected 1
}
proc get_hw_targets {args} {
    parse get_hw_targets {-quiet} $args
    return [expr {$::connected ? "localhost:3121/xilinx_tcf/Xilinx/000001" : ""}]
}
proc current_hw_target {target} { if {$target ni [get_hw_targets]} { error "ERROR: no target $target" } }
proc list_property_value {property target} {
    if {$property ne "PARAM.FREQUENCY"} { error "ERROR: \[Common 17-54\] no property $property" }
    return {125000 250000 500000 1000000 2500000 5000000 10000000 15000000 30000000}
}
set jtag_hz 15000000
proc set_property {property value target} {
    if {$value ni [list_property_value $property $target] || $::target_open} {
        error "ERROR: \[Common 17-69\] $property"
    }
    set ::jtag_hz $value
}
proc open_hw_target {args} {
    # The debug hub answers only a JTAG clock of 1 / 2.5 of its own.
    if {$::jtag_hz * 5 > [lindex $::argv 3] * 2000} {
        error "ERROR: \[Labtools 27-3403\] Dropping logic core: debug hub not detected"
    }
    set ::target_open 1
}
proc close_hw_target {args} { set ::target_open 0 }
proc get_hw_devices {args} {
    parse get_hw_devices {-quiet} $args
    return [expr {$::target_open ? "xcvu37p_0" : ""}]
}
proc current_hw_device {device} { if {$device ni [get_hw_devices]} { error "ERROR: no device $device" } }
proc refresh_hw_device {args} { parse refresh_hw_device {-quiet -update_hw_probes:value} $args; set ::refreshed 1 }
proc get_hw_axis {args} {
    parse get_hw_axis {-quiet -of_objects:value} $args
    return [expr {[info exists ::refreshed] && ![fault no_core] ? "hw_axi_1" : ""}]
}
proc reset_hw_axi {core} { if {$core ne "hw_axi_1"} { error "ERROR: no hw_axi $core" } }
proc refresh_hw_axi {core} { if {$core ne "hw_axi_1"} { error "ERROR: no hw_axi $core" } }

proc create_hw_axi_txn {args} {
    set options [parse create_hw_axi_txn \
        {-force -quiet -address:value -data:value -type:value -len:value -burst:value -cache:value -id:value} $args]
    lassign [dict get $options operands] name core
    if {$core ne "hw_axi_1"} { error "ERROR: no hw_axi $core" }
    if {[dict exists $::transactions $name] && ![dict exists $options -force]} {
        error "ERROR: transaction $name exists"
    }
    set length [dict get $options -len]
    if {$length < 1 || $length > 256} { error "ERROR: AXI4 bursts have 1 to 256 beats, not $length" }
    if {![regexp {^[0-9a-fA-F]{1,16}$} [dict get $options -address]]} {
        error "ERROR: bad address [dict get $options -address]"
    }
    scan [dict get $options -address] %llx address
    if {($address & 4095) + 8 * $length > 4096} { error "ERROR: burst crosses 4 KiB" }
    dict set options -address $address
    dict set ::transactions $name $options
}
proc get_hw_axi_txns {args} {
    set names [dict get [parse get_hw_axi_txns {-quiet} $args] operands]
    foreach name $names { if {![dict exists $::transactions $name]} { error "ERROR: no transaction $name" } }
    return $names
}
proc in_order {words} {
    if {$::env(BOARD_ORDER) eq "lowest_last"} { return [lreverse $words] }
    return $words
}
proc run_hw_axi {args} {
    foreach name [dict get [parse run_hw_axi {-quiet} $args] operands] {
        set options [dict get $::transactions $name]
        set length [dict get $options -len]
        set write [expr {[string tolower [dict get $options -type]] eq "write"}]
        set refused [expr {[fault slverr] && [dict get $options -address] < 0x10000}]
        dict set ::responses [expr {$write ? "STATUS.BRESP" : "STATUS.RRESP"}] [expr {$refused ? "SLVERR" : "OKAY"}]
        if {$refused} { continue }
        set file [open $::env(BOARD_FILE) r+b]
        seek $file [dict get $options -address]
        if {$write} {
            set words [regexp -all -inline {.{16}} [dict get $options -data]]
            if {[llength $words] != $length} { error "ERROR: [llength $words] words of data for a burst of $length" }
            foreach word [in_order $words] { puts -nonewline $file [string reverse [binary format H16 $word]] }
        } else {
            set words {}
            for {set i 0} {$i < $length} {incr i} {
                binary scan [string reverse [read $file 8]] H16 word
                lappend words $word
            }
            dict set ::transactions $name DATA [join [in_order $words] ""]
        }
        close $file
    }
}
proc get_property {property object} {
    if {$property eq "PARAM.FREQUENCY"} { return $::jtag_hz }
    if {$object eq "hw_axi_1"} { return [dict get $::responses $property] }
    return [dict get $::transactions $object $property]
}

set source_file ""
for {set i 0} {$i < [llength $argv]} {incr i} {
    switch -- [lindex $argv $i] {
        -mode { incr i }
        -nolog - -nojournal - -notrace {}
        -source { incr i; set source_file [lindex $argv $i] }
        -tclargs { set arguments [lrange $argv [expr {$i + 1}] end]; break }
        default { puts "ERROR: unknown option [lindex $argv $i]"; exit 1 }
    }
}
set argv $arguments
source $source_file
