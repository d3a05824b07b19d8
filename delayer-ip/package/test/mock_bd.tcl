# SPDX-License-Identifier: Apache-2.0
#
# Stand-in for the Vivado commands of the example design in README.md: knows nothing else, and refuses unknown IP,
# properties, pins and interfaces. validate_bd_design looks for open clocks, resets and managers, for interfaces joined
# with other protocols or data widths, and for missing addresses. It shows that the script agrees with the block's ports
# and with what is written here of three IPs of AMD's (PG174, PG078), not that Vivado accepts it.
#   usage: tclsh mock_bd.tcl SCRIPT FOLDER_OF_RTL

lassign $argv script rtl

namespace eval bd {
    # IP -> properties with their defaults; interfaces: name -> mode, width property or number, protocol; clock, reset
    variable known {
        xilinx.com:ip:jtag_axi:1.2 {
            properties {PROTOCOL 0 M_AXI_DATA_WIDTH 32 M_AXI_ADDR_WIDTH 32 M_AXI_ID_WIDTH 1}
            interfaces {M_AXI {manager M_AXI_DATA_WIDTH PROTOCOL}} clock aclk reset aresetn
        }
        xilinx.com:ip:axi_bram_ctrl:4.1 {
            properties {DATA_WIDTH 32 PROTOCOL AXI4 BMG_INSTANCE EXTERNAL SINGLE_PORT_BRAM 0}
            interfaces {S_AXI {subordinate DATA_WIDTH PROTOCOL}} clock s_axi_aclk reset s_axi_aresetn
        }
    }
    variable cells [dict create]
    variable joined [dict create]
    variable ports [list]
    variable addresses 0
    variable validated 0
}

# The block as its Verilog has it: parameters and the buses' prefixes.
proc bd::know_delayer {file} {
    variable known
    set channel [open $file]
    set text [read $channel]
    close $channel
    set properties [dict create]
    foreach {line name value} [regexp -all -inline {parameter integer (\w+)\s*= (\d+)} $text] {
        dict set properties $name $value
    }
    set interfaces [dict create]
    foreach {bus mode width protocol} {S_AXI subordinate DATA_BITS AXI4 M_AXI manager DATA_BITS AXI4
        S_AXI_CTRL subordinate CONTROL_BITS AXI4LITE} {
        if {![regexp "\\m[string tolower $bus]_awvalid\\M" $text]} {
            error "far_memory_delayer_ip.v has no $bus"
        }
        dict set interfaces $bus [list $mode $width $protocol]
    }
    dict set known coroamu:ip:far_memory_delayer:1.0 \
        [dict create properties $properties interfaces $interfaces clock aclk reset aresetn]
}

proc bd::kind {cell} {
    variable cells
    variable known
    return [dict get $known [dict get $cells $cell ip]]
}

proc bd::value {cell property} {
    variable cells
    if {[dict exists $cells $cell values $property]} {
        return [dict get $cells $cell values $property]
    }
    return [dict get [kind $cell] properties $property]
}

# {protocol, data width} of an interface
proc bd::shape {pin} {
    lassign [split $pin /] cell name
    lassign [dict get [kind $cell] interfaces $name] mode width protocol
    if {$protocol eq "PROTOCOL"} {
        set protocol [string map {0 AXI4 2 AXI4LITE} [value $cell PROTOCOL]]
    }
    return [list $protocol [value $cell $width]]
}

proc create_project {args} {}
proc current_project {} { return project }
proc update_ip_catalog {} {}
proc create_bd_design {name} {}

proc create_bd_port {args} {
    lappend ::bd::ports [lindex $args end]
}

proc create_bd_cell {args} {
    set options [lrange $args 0 end-1]
    if {[dict get $options -type] ne "ip" || ![dict exists $::bd::known [dict get $options -vlnv]]} {
        error "create_bd_cell: unknown IP in $args"
    }
    dict set ::bd::cells [lindex $args end] [dict create ip [dict get $options -vlnv] values {}]
}

proc get_bd_cells {name} {
    dict get $::bd::cells $name
    return cell:$name
}

proc get_bd_ports {name} {
    if {$name ni $::bd::ports} { error "no port $name" }
    return port:$name
}

proc get_bd_intf_pins {pin} {
    lassign [split $pin /] cell name
    dict get [bd::kind $cell] interfaces $name
    return intf:$pin
}

proc get_bd_pins {pins} {
    set found [list]
    foreach pin $pins {
        lassign [split $pin /] cell name
        set kind [bd::kind $cell]
        if {$name ni [list [dict get $kind clock] [dict get $kind reset]]} { error "no pin $pin" }
        lappend found pin:$pin
    }
    return $found
}

proc set_property {args} {
    if {[lindex $args 0] eq "-dict"} {
        lassign $args option pairs object
    } else {
        lassign $args name value object
        set pairs [list $name $value]
    }
    if {$object eq "project"} {
        if {[dict keys $pairs] ne "ip_repo_paths"} { error "project has no property [dict keys $pairs]" }
        return
    }
    set cell [string range $object 5 end]
    foreach {name value} $pairs {
        if {![regexp {^CONFIG\.(\w+)$} $name -> key] || ![dict exists [bd::kind $cell] properties $key]} {
            error "$cell has no property $name"
        }
        dict set ::bd::cells $cell values $key $value
    }
}

proc connect_bd_intf_net {a b} {
    dict set ::bd::joined $a $b
    dict set ::bd::joined $b $a
}

proc connect_bd_net {source pins} {
    foreach pin $pins { dict set ::bd::joined $pin $source }
}

proc get_files {pattern} { return file:$pattern }

proc make_wrapper {args} {
    if {!$::bd::validated} { error "make_wrapper before validate_bd_design" }
}

proc assign_bd_address {} { set ::bd::addresses 1 }

proc validate_bd_design {} {
    foreach cell [dict keys $::bd::cells] {
        set kind [bd::kind $cell]
        foreach pin [list pin:$cell/[dict get $kind clock] pin:$cell/[dict get $kind reset]] {
            if {![dict exists $::bd::joined $pin]} { error "$pin is open" }
        }
        dict for {name interface} [dict get $kind interfaces] {
            set pin intf:$cell/$name
            if {![dict exists $::bd::joined $pin]} { error "$pin is open" }
            set other [dict get $::bd::joined $pin]
            if {[bd::shape [string range $pin 5 end]] ne [bd::shape [string range $other 5 end]]} {
                error "$pin is [bd::shape [string range $pin 5 end]], $other [bd::shape [string range $other 5 end]]"
            }
        }
    }
    if {!$::bd::addresses} { error "no addresses are assigned" }
    set ::bd::validated 1
}

bd::know_delayer [file join $rtl far_memory_delayer_ip.v]
source $script
if {!$bd::validated} { error "the design is not validated" }
puts "valid: [dict keys $bd::cells]"
