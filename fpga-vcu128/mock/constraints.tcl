# SPDX-License-Identifier: Apache-2.0
#
# XDC files: read early, applied at synthesis, in an interpreter that has only the commands XDC may have. Ports are
# those of the top's header, instances those its text instantiates.

namespace eval mock {
    variable in_constraints 0
    variable constraint_files [list]
    variable ports [dict create]
    variable instances [list]
    variable nets [list]
    variable net_properties [dict create]
    variable debug_hub_clock {}
    variable port_pins [dict create]
    variable port_standards [dict create]
    variable pin_users [dict create]
    variable clocks [dict create]
    variable delayed [dict create]
    # Of the PCIe IP's lane 0
    variable quad {}

    # Ports of `module` in the sources: name -> bits. The header is the one form the project uses: one port a line,
    # `ifdef on its own line.
    proc read_header {module defines} {
        variable sources
        variable ports
        variable instances
        variable nets
        foreach file $sources {
            set channel [open $file]
            set text [read $channel]
            close $channel
            if {![regexp "(?:^|\\n)module ${module}\\y" $text]} {
                continue
            }
            set active 1
            set header 1
            foreach line [split $text "\n"] {
                if {[regexp {^`ifdef (\w+)} $line -> name]} {
                    set active [expr {$name in $defines}]
                } elseif {[regexp {^`else} $line]} {
                    set active [expr {!$active}]
                } elseif {[regexp {^`endif} $line]} {
                    set active 1
                } elseif {!$active} {
                    continue
                } elseif {$header && [regexp {^\);} $line]} {
                    set header 0
                } elseif {$header && [regexp {^\s*(input|output|inout)\s+(?:logic|wire)\s+(?:\[(\d+):0\]\s+)?(\w+)} \
                        $line -> direction high name]} {
                    dict set ports $name [list $direction [expr {$high eq "" ? 0 : $high + 1}]]
                } elseif {!$header && \
                        [regexp {^\s+([A-Za-z]\w*)\s+(?:#\(.*\)\s+)?(\w+)\s+\((\.\*\);)?$} $line -> kind name]} {
                    lappend instances $name $kind
                } elseif {!$header && [regexp {^\s+logic\s+([\w, ]+);} $line -> names]} {
                    lappend nets {*}[split [string map {" " ""} $names] ,]
                }
            }
            return
        }
        refuse "Synth 8-439" "module '$module' not found"
    }

    # Names of the single bits of a port
    proc bits {name} {
        variable ports
        lassign [dict get $ports $name] direction width
        if {$width == 0} {
            return [list $name]
        }
        set result [list]
        for {set i 0} {$i < $width} {incr i} {
            lappend result "$name\[$i\]"
        }
        return $result
    }

    proc all_bits {} {
        variable ports
        set result [list]
        foreach name [dict keys $ports] {
            lappend result {*}[bits $name]
        }
        return $result
    }

    proc set_port_property {name value bit} {
        variable port_pins
        variable port_standards
        variable pin_users
        switch $name {
            PACKAGE_PIN {
                if {$value ni $::catalogue::pins} {
                    refuse "Common 17-69" "'$value' is not a valid site or package pin name."
                }
                if {[dict exists $pin_users $value]} {
                    refuse "Vivado 12-1411" "pin $value is taken by [dict get $pin_users $value], not free for $bit"
                }
                dict set pin_users $value $bit
                dict set port_pins $bit $value
            }
            IOSTANDARD {
                if {$value ni $::catalogue::standards} {
                    refuse "Common 17-69" "'$value' is not a valid I/O standard"
                }
                dict set port_standards $bit $value
            }
            PULLTYPE {
                if {$value ni {PULLUP PULLDOWN KEEPER NONE}} {
                    refuse "Common 17-69" "'$value' is not a pull type"
                }
            }
            default {
                refuse "Common 17-54" "The object '$bit' does not have a property '$name'."
            }
        }
    }

    proc apply_constraints {} {
        variable constraint_files
        variable in_constraints
        set in_constraints 1
        foreach file $constraint_files {
            set box [interp create -safe]
            foreach command [$box eval {info commands}] {
                if {$command ni {set list expr lindex interp}} {
                    $box hide $command
                }
            }
            foreach command {set_property get_ports get_pins get_nets get_clocks create_clock set_false_path
                set_max_delay set_input_delay set_output_delay current_design} {
                $box alias $command $command
            }
            set channel [open $file]
            set text [read $channel]
            close $channel
            if {[catch {$box eval $text} message]} {
                refuse "Designutils 20-1307" "$file: $message"
            }
            interp delete $box
        }
        set in_constraints 0
    }

    proc set_net_property {name value net} {
        variable net_properties
        set routes {TRUE FALSE BACKBONE SAME_CMT_COLUMN ANY_CMT_COLUMN}
        if {$name ne "CLOCK_DEDICATED_ROUTE" || $value ni $routes} {
            refuse "Common 17-54" "The object '$net' does not have a property '$name' of this value."
        }
        dict set net_properties $net $value
    }

    # The MMCMs of the clock wizard and of DDR4 cannot both lie in the region of the pin that feeds them.
    proc check_clock_placement {} {
        variable instances
        variable net_properties
        if {[dict exists $instances ddr4] && ![dict exists $net_properties board_clock]} {
            refuse "Place 30-675" "Sub-optimal placement for a global clock-capable IO pin and MMCM pair:\
                net board_clock needs CLOCK_DEDICATED_ROUTE BACKBONE"
        }
    }

    proc set_debug_property {name value} {
        if {$name ni {C_CLK_INPUT_FREQ_HZ C_ENABLE_CLK_DIVIDER C_USER_SCAN_CHAIN}} {
            refuse "Common 17-54" "The object 'dbg_hub' does not have a property '$name'."
        }
    }

    # The hub that IP with a debug port brings, at opt_design.
    proc check_debug_hub {} {
        variable debug_hub_clock
        if {$debug_hub_clock eq ""} {
            refuse "Chipscope 16-213" "The debug port 'dbg_hub/clk' has 1 unconnected channels (bits)."
        }
    }

    # Every port that is not a transceiver's has a pin and a standard; checked before the bitstream, as DRC does.
    proc check_ports {} {
        variable ports
        variable port_pins
        variable port_standards
        foreach bit [all_bits] {
            if {[regexp {^pcie_[rt]x_} $bit]} {
                continue
            }
            if {![dict exists $port_pins $bit]} {
                refuse "DRC UCIO-1" "Unconstrained Logical Port: $bit has no location"
            }
            # Those of DDR4 come with the IP's own constraints.
            if {![dict exists $port_standards $bit] && ![regexp {^(pcie_refclk|ddr4)_} $bit]} {
                refuse "DRC NSTD-1" "Unspecified I/O Standard: $bit"
            }
        }
        foreach bit [all_bits] {
            if {[regexp {^(.*)_p$} $bit -> base] && [dict exists $port_standards $bit]} {
                if {[dict get $port_standards $bit] ne [dict get $port_standards ${base}_n]} {
                    refuse "DRC IOSTDTYPE-1" "$bit and ${base}_n have different standards"
                }
            }
        }
        check_refclk
    }

    # The PCIe clock sits at a pair of reference clock pins in reach of the quad that the IP was given.
    proc check_refclk {} {
        variable port_pins
        if {![dict exists $port_pins pcie_refclk_p]} {
            return
        }
        set pin [dict get $port_pins pcie_refclk_p]
        if {![dict exists $::catalogue::refclks $pin]} {
            refuse "DRC REQP-46" "pcie_refclk_p at $pin: no reference clock input of a transceiver"
        }
        set clock [dict get $::catalogue::refclks $pin]
        if {[dict get $port_pins pcie_refclk_n] ne [dict get $clock n]} {
            refuse "DRC REQP-46" "pcie_refclk_n is not at [dict get $clock n], the partner of $pin"
        }
        variable quad
        if {abs($quad - [dict get $clock quad]) > 2} {
            refuse "DRC REQP-46" "pcie_refclk_p at $pin, quad [dict get $clock quad], does not reach quad $quad"
        }
    }

    # Bits of ports without a delay or a clock, by direction
    proc ports_without_delay {direction} {
        variable ports
        variable delayed
        variable clocks
        set found [list]
        foreach name [dict keys $ports] {
            if {[lindex [dict get $ports $name] 0] ni [list $direction inout] ||
                [regexp {^pcie_([rt]x|refclk)_} $name]} {
                continue
            }
            foreach bit [bits $name] {
                if {![dict exists $delayed $direction,$bit] && ![dict exists $clocks $bit] &&
                    ![string match *_n $bit]} {
                    lappend found $bit
                }
            }
        }
        return $found
    }
}

proc read_xdc {args} {
    mock::require read_xdc project
    foreach file [lindex [dict get [mock::parse read_xdc $args {-unmanaged} {-ref} 1 1] ""] 0] {
        if {![file isfile $file]} {
            mock::refuse "Common 17-69" "Command failed: File '$file' does not exist"
        }
        lappend mock::constraint_files $file
    }
}

proc get_ports {args} {
    set found [list]
    foreach pattern [lindex [dict get [mock::parse get_ports $args {-quiet} {} 1 1] ""] 0] {
        foreach bit [mock::all_bits] {
            if {$bit eq $pattern || [string match [string map {\[ \\\[ \] \\\]} $pattern] $bit]} {
                lappend found port:$bit
            }
        }
    }
    if {[llength $found] == 0} {
        mock::refuse "Vivado 12-584" "No ports matched '[lindex $args end]'."
    }
    return $found
}

# Pins of instances of the top are checked by the instance's name; a filter by name must fit a register bank.
proc get_pins {args} {
    set options [mock::parse get_pins $args {-hierarchical -quiet} {-filter} 0 1]
    if {[dict exists $options -filter]} {
        if {![regexp {^NAME =~ \S+$} [dict get $options -filter]]} {
            mock::refuse "Common 17-161" "get_pins: the filter '[dict get $options -filter]' is not of the known form"
        }
        return [list pin:[dict get $options -filter]]
    }
    set name [lindex [dict get $options ""] 0]
    lassign [split $name /] instance pin
    if {![dict exists $mock::instances $instance]} {
        mock::refuse "Vivado 12-508" "No pins matched '$name'."
    }
    return [list pin:$name]
}

# Nets of the top that its text declares
proc get_nets {args} {
    set name [lindex [dict get [mock::parse get_nets $args {} {} 1 1] ""] 0]
    if {$name ni $mock::nets} {
        mock::refuse "Vivado 12-507" "No nets matched '$name'."
    }
    return net:$name
}

proc get_debug_cores {args} {
    mock::require get_debug_cores synthesised
    if {[dict get [mock::parse get_debug_cores $args {} {} 1 1] ""] ne "dbg_hub"} {
        mock::refuse "Chipscope 16-3" "No debug core matched '$args'."
    }
    return debug:dbg_hub
}

proc connect_debug_port {args} {
    lassign [dict get [mock::parse connect_debug_port $args {} {} 2 2] ""] port net
    if {$port ne "dbg_hub/clk" || ![string match net:* $net]} {
        mock::refuse "Chipscope 16-4" "connect_debug_port $args"
    }
    set mock::debug_hub_clock $net
}

# Instances of the top, by their name
proc get_cells {args} {
    set found [list]
    foreach pattern [lindex [dict get [mock::parse get_cells $args {-quiet} {} 1 1] ""] 0] {
        foreach {name kind} $mock::instances {
            if {[string match $pattern $name]} {
                lappend found cell:$name
            }
        }
    }
    return $found
}

proc mock::get_cell_property {name instance} {
    if {$name ne "REF_NAME"} {
        refuse "Common 17-54" "The object '$instance' does not have a property '$name'."
    }
    return [dict get $::mock::instances $instance]
}

proc get_clocks {args} {
    set options [mock::parse get_clocks $args {-quiet -include_generated_clocks} {-of_objects} 0 1]
    if {[dict exists $options -of_objects]} {
        return clock:[string range [dict get $options -of_objects] 4 end]
    }
    set name [lindex [dict get $options ""] 0]
    if {$name ni [dict values $mock::clocks]} {
        mock::refuse "Vivado 12-4739" "No clocks matched '$name'."
    }
    return clock:$name
}

proc create_clock {args} {
    set options [mock::parse create_clock $args {-add} {-name -period -waveform} 1 1]
    if {![dict exists $options -period] || ![string is double -strict [dict get $options -period]]} {
        mock::refuse "Common 17-165" "create_clock needs -period in ns"
    }
    foreach port [lindex [dict get $options ""] 0] {
        dict set mock::clocks [string range $port 5 end] [dict get $options -name]
    }
}

proc set_false_path {args} {
    set options [mock::parse set_false_path $args {-setup -hold} {-from -to -through} 0 0]
    if {![dict exists $options -from] && ![dict exists $options -to]} {
        mock::refuse "Common 17-165" "set_false_path needs -from or -to"
    }
}

proc set_max_delay {args} {
    set options [mock::parse set_max_delay $args {-datapath_only} {-from -to} 1 1]
    if {[dict exists $options -datapath_only] && ![dict exists $options -from]} {
        mock::refuse "Constraints 18-540" "set_max_delay -datapath_only needs -from"
    }
}

proc mock::io_delay {command args} {
    set options [parse $command $args {-min -max -add_delay} {-clock} 2 2]
    if {![dict exists $options -clock] || [dict get $options -clock] ni [dict values $::mock::clocks]} {
        refuse "Constraints 18-401" "$command: -clock is missing or not defined"
    }
    foreach port [lindex [dict get $options ""] 1] {
        dict set ::mock::delayed [string range $command 4 end-6],[string range $port 5 end] 1
    }
}

foreach command {set_input_delay set_output_delay} {
    interp alias {} $command {} mock::io_delay $command
}
