# SPDX-License-Identifier: Apache-2.0
#
# The hardware manager, as far as programming needs it: server, cable, chain, one device. Each command has its place in
# that order; a device holds what was last written into it.

namespace eval mock {
    # none, manager, server, target
    variable hardware none
    variable hw_device {}
    variable hw_files [dict create]
    variable hw_configured 0
    variable jtag_hz 15000000

    proc require_hardware {command state} {
        variable hardware
        if {$hardware ne $state} {
            refuse "Labtoolstcl 44-513" "$command while the hardware manager is at '$hardware', it needs '$state'"
        }
        if {[fault_is fail $command]} {
            refuse "Labtools 27-3165" "$command was told to fail: End of startup status: LOW"
        }
    }

    # Devices in the chain, by the names Vivado gives them
    proc chain {} {
        variable faults
        return [expr {[fault chain] ? [split [dict get $faults chain] +] : {xcvu37p_0}}]
    }

    proc set_device_property {name value} {
        variable hw_files
        if {$name ni {PROGRAM.FILE PROBES.FILE}} {
            refuse "Common 17-54" "The object 'hw_device' does not have a property '$name'."
        }
        if {![file isfile $value]} {
            refuse "Labtools 27-3347" "File '$value' does not exist"
        }
        dict set hw_files $name $value
    }

    proc get_device_property {name} {
        variable hw_files
        variable hw_configured
        variable faults
        # Of a device with several dies there is one register for each.
        if {$name ne "REGISTER.USR_ACCESS.SLR0"} {
            refuse "Common 17-54" "The object 'hw_device' does not have a property '$name'."
        }
        if {[fault usr_access]} {
            return [dict get $faults usr_access]
        }
        if {!$hw_configured} {
            return 00000000
        }
        set channel [open [dict get $hw_files PROGRAM.FILE]]
        regexp {USR_ACCESS 0x([0-9a-fA-F]+)} [read $channel] -> word
        close $channel
        return [string toupper $word]
    }
}

proc open_hw_manager {args} {
    mock::parse open_hw_manager $args {-quiet} {} 0 0
    mock::require_hardware open_hw_manager none
    set mock::hardware manager
}

proc connect_hw_server {args} {
    mock::parse connect_hw_server $args {-quiet -allow_non_jtag} {-url} 0 0
    mock::require_hardware connect_hw_server manager
    if {[mock::fault no_server]} {
        mock::refuse "Labtools 27-2269" "Connection refused by hw_server."
    }
    set mock::hardware server
}

proc get_hw_targets {args} {
    mock::parse get_hw_targets $args {-quiet} {} 0 1
    return [expr {[mock::fault no_cable] ? {} : {localhost:3121/xilinx_tcf/Xilinx/0123456789A}}]
}

proc current_hw_target {args} {
    mock::parse current_hw_target $args {-quiet} {} 0 1
    mock::require_hardware current_hw_target server
}

proc list_property_value {args} {
    lassign [dict get [mock::parse list_property_value $args {} {} 2 2] ""] name target
    if {$name ne "PARAM.FREQUENCY"} {
        mock::refuse "Common 17-54" "The object 'hw_target' does not have a property '$name'."
    }
    return {125000 250000 500000 1000000 2500000 5000000 10000000 15000000 30000000}
}

proc mock::set_target_property {name value} {
    if {$value ni [list_property_value $name target]} {
        refuse "Common 17-69" "Illegal value '$value' of $name"
    }
    require_hardware set_property server
    variable jtag_hz
    set jtag_hz $value
}

proc open_hw_target {args} {
    mock::parse open_hw_target $args {-quiet} {} 0 1
    mock::require_hardware open_hw_target server
    # Not so in Vivado, where the debug hub is missed only when it is asked for.
    if {[mock::fault hub_khz] && $mock::jtag_hz * 5 > [dict get $mock::faults hub_khz] * 2000} {
        mock::refuse "Labtools 27-3403" "Dropping logic core: JTAG at $mock::jtag_hz Hz is too fast for the debug hub"
    }
    set mock::hardware target
}

proc close_hw_target {args} {
    mock::parse close_hw_target $args {-quiet} {} 0 1
    mock::require_hardware close_hw_target target
    set mock::hardware server
}

proc get_hw_devices {args} {
    mock::parse get_hw_devices $args {-quiet} {} 0 1
    return [mock::chain]
}

proc current_hw_device {args} {
    set words [dict get [mock::parse current_hw_device $args {-quiet} {} 1 1] ""]
    mock::require_hardware current_hw_device target
    set mock::hw_device [lindex $words 0]
}

proc program_hw_devices {args} {
    mock::parse program_hw_devices $args {-quiet} {} 1 1
    mock::require_hardware program_hw_devices target
    if {![dict exists $mock::hw_files PROGRAM.FILE]} {
        mock::refuse "Labtools 27-3222" "PROGRAM.FILE is not set"
    }
    set mock::hw_configured 1
}

proc refresh_hw_device {args} {
    mock::parse refresh_hw_device $args {-quiet} {-update_hw_probes} 1 1
    mock::require_hardware refresh_hw_device target
}

proc disconnect_hw_server {args} {
    mock::parse disconnect_hw_server $args {-quiet} {} 0 1
    mock::require_hardware disconnect_hw_server server
    set mock::hardware manager
}

proc close_hw_manager {args} {
    mock::parse close_hw_manager $args {-quiet} {} 0 0
    mock::require_hardware close_hw_manager manager
    set mock::hardware none
}
