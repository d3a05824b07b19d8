# SPDX-License-Identifier: Apache-2.0
#
# Synthesis to bitstream as a chain of states. Files that Vivado would write are written with one line that says what
# they are not.

namespace eval mock {
    proc write_file {path text} {
        if {![file isdirectory [file dirname $path]]} {
            refuse "Common 17-69" "directory of $path does not exist"
        }
        set channel [open $path w]
        puts $channel $text
        close $channel
    }

    proc licence {feature} {
        if {[fault licence_[string tolower $feature]]} {
            refuse "Common 17-345" "A valid license was not found for feature '$feature' and/or device 'xcvu37p'."
        }
    }

    # Moves the design on by one step of the flow.
    proc advance {command from to arguments options} {
        require $command $from
        parse $command $arguments {-quiet -verbose} $options 0 0
        licence Implementation
        variable state
        set state $to
    }

    # A property of the bitstream, or its default
    proc bitstream_property {name default} {
        variable design_properties
        set key BITSTREAM.CONFIG.$name
        return [expr {[dict exists $design_properties $key] ? [dict get $design_properties $key] : $default}]
    }

    # What the device needs to know to read its bitstream from a flash of `megabytes` at `interface`. Vivado itself
    # only checks the width; the rest shows as a device that does not start from its flash.
    proc check_flash {interface megabytes} {
        variable design_properties
        set width [bitstream_property SPI_BUSWIDTH 1]
        if {$interface ne "SPIx$width"} {
            refuse "Writecfgmem 68-20" "SPI_BUSWIDTH property is set to \"$width\", the interface is $interface"
        }
        if {![dict exists $design_properties CONFIG_MODE] || [dict get $design_properties CONFIG_MODE] ne $interface} {
            refuse "Mock 1-8" "CONFIG_MODE is not $interface"
        }
        if {$megabytes > 16 && [bitstream_property SPI_32BIT_ADDR NO] ne "YES"} {
            refuse "Mock 1-9" "a flash of $megabytes MB needs SPI_32BIT_ADDR YES"
        }
        if {[bitstream_property EXTMASTERCCLK_EN DISABLE] ne "DISABLE"} {
            refuse "Mock 1-10" "EXTMASTERCCLK_EN: the board is not known to have a clock at EMCCLK"
        }
        if {[bitstream_property CONFIGRATE ""] eq ""} {
            refuse "Mock 1-11" "CONFIGRATE is not set: the device would read its flash at 2.7 MHz"
        }
    }
}

proc synth_design {args} {
    mock::require synth_design project
    set options [mock::parse synth_design $args {} \
        {-top -part -flatten_hierarchy -include_dirs -verilog_define -directive} 0 0]
    mock::licence Synth
    if {[dict get $options -part] ne [dict get $mock::project part]} {
        mock::refuse "Mock 1-3" "synthesis for [dict get $options -part], project for [dict get $mock::project part]"
    }
    foreach directory [dict get $options -include_dirs] {
        if {![file isdirectory $directory]} {
            mock::refuse "Synth 8-1" "include directory '$directory' does not exist"
        }
    }
    if {[llength $mock::constraint_files] == 0} {
        mock::refuse "Mock 1-4" "no constraints were read"
    }
    mock::read_header [dict get $options -top] [dict get $options -verilog_define]
    foreach {name kind} $mock::instances {
        if {[string match ip_* $kind] && ![dict exists $mock::ips $kind]} {
            mock::refuse "Synth 8-439" "module '$kind' not found"
        }
    }
    dict for {module stage} $mock::ip_stage {
        if {$stage ne "synthesised"} {
            mock::refuse "Mock 1-5" "IP $module is only $stage"
        }
        if {$module ni [dict values $mock::instances]} {
            mock::refuse "Mock 1-6" "IP $module is not instantiated in [dict get $options -top]"
        }
    }
    foreach object [get_ips -quiet ip_xdma] {
        regexp {\d+$} [get_property CONFIG.select_quad $object] mock::quad
    }
    mock::apply_constraints
    set mock::state synthesised
}

proc opt_design {args} {
    mock::check_debug_hub
    mock::advance opt_design synthesised optimised $args {-directive}
}

proc place_design {args} {
    mock::check_clock_placement
    mock::advance place_design optimised placed $args {-directive}
}

proc phys_opt_design {args} {
    mock::require phys_opt_design {placed routed}
    mock::parse phys_opt_design $args {-quiet} {-directive} 0 0
}

proc route_design {args} {
    mock::advance route_design placed routed $args {-directive}
}

proc write_checkpoint {args} {
    mock::require write_checkpoint {synthesised optimised placed routed}
    set file [lindex [dict get [mock::parse write_checkpoint $args {-force} {} 1 1] ""] 0]
    mock::write_file $file "# mock checkpoint, not a design"
    set channel [open $file a]
    foreach name {state clocks delayed ports port_pins port_standards design_properties quad instances nets
        net_properties} {
        puts $channel [list set mock::$name [set mock::$name]]
    }
    close $channel
}

proc open_checkpoint {args} {
    mock::require open_checkpoint none
    set file [lindex [dict get [mock::parse open_checkpoint $args {} {-part} 1 1] ""] 0]
    if {![file isfile $file]} {
        mock::refuse "Common 17-69" "Command failed: File '$file' does not exist"
    }
    source $file
}

proc write_bitstream {args} {
    mock::require write_bitstream routed
    set file [lindex [dict get [mock::parse write_bitstream $args {-force} {} 1 1] ""] 0]
    mock::check_ports
    if {[mock::fault route_errors] || [mock::fault unrouted]} {
        mock::refuse "DRC RTSTAT-1" "Unrouted nets; error(s) found during DRC, no bitstream is made"
    }
    foreach name {CONFIG_VOLTAGE CFGBVS BITSTREAM.CONFIG.USR_ACCESS} {
        if {![dict exists $mock::design_properties $name]} {
            mock::refuse "DRC CFGBVS-1" "$name is not set"
        }
    }
    mock::write_file $file "mock bitstream, USR_ACCESS [dict get $mock::design_properties BITSTREAM.CONFIG.USR_ACCESS]"
}

proc write_debug_probes {args} {
    mock::require write_debug_probes routed
    set file [lindex [dict get [mock::parse write_debug_probes $args {-force} {} 1 1] ""] 0]
    mock::write_file $file "mock debug probes"
}

proc write_cfgmem {args} {
    mock::require write_cfgmem routed
    set options [mock::parse write_cfgmem $args {-force} {-format -interface -size -loadbit -file} 0 0]
    lassign [dict get $options -loadbit] direction address file
    if {$direction ni {up down} || ![file isfile $file]} {
        mock::refuse "Writecfgmem 68-4" "bitfile '$file' does not exist"
    }
    mock::check_flash [dict get $options -interface] [dict get $options -size]
    mock::write_file [dict get $options -file] "mock flash image"
}
