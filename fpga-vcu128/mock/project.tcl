# SPDX-License-Identifier: Apache-2.0
#
# Version, parameters, parts, project, sources and the two commands that set and get any property.

proc version {args} {
    mock::parse version $args {-short} {} 0 0
    if {[mock::fault version]} {
        return [dict get $mock::faults version]
    }
    return $mock::version
}

proc set_param {args} {
    set words [dict get [mock::parse set_param $args {} {} 2 2] ""]
    if {[lindex $words 0] ni {general.maxThreads board.repoPaths}} {
        mock::refuse "Common 17-53" "Parameter '[lindex $words 0]' does not exist."
    }
    if {[lindex $words 0] eq "general.maxThreads" && ![string is integer -strict [lindex $words 1]]} {
        mock::refuse "Common 17-53" "general.maxThreads takes a number"
    }
}

proc get_parts {args} {
    set pattern [lindex [dict get [mock::parse get_parts $args {-quiet} {} 1 1] ""] 0]
    return [expr {[mock::fault no_part] ? {} : [lsearch -all -inline -glob $catalogue::parts $pattern]}]
}

proc create_project {args} {
    mock::require create_project none
    set options [mock::parse create_project $args {-in_memory -force} {-part} 0 2]
    if {![dict exists $options -part] || [dict get $options -part] ni $catalogue::parts} {
        mock::refuse "Coretcl 2-106" "Specified part could not be found."
    }
    dict set mock::project part [dict get $options -part]
    set mock::state project
    return project_object
}

proc current_project {args} {
    mock::parse current_project $args {-quiet} {} 0 0
    if {$mock::state eq "none"} {
        mock::refuse "Common 17-53" "User Exception: No open project."
    }
    return project_object
}

proc current_design {args} {
    mock::parse current_design $args {-quiet} {} 0 0
    if {$mock::in_constraints || [mock::rank $mock::state] >= [mock::rank synthesised]} {
        return design_object
    }
    mock::refuse "Common 17-53" "User Exception: No open design."
}

namespace eval mock {
    variable sources [list]
    variable design_properties [dict create]
    variable design_values {
        CONFIG_VOLTAGE {1.8}
        CFGBVS {GND VCCO}
        CONFIG_MODE {SPIx4 SPIx8}
        BITSTREAM.CONFIG.SPI_BUSWIDTH {1 2 4 8}
        BITSTREAM.CONFIG.SPI_FALL_EDGE {YES NO}
        BITSTREAM.CONFIG.EXTMASTERCCLK_EN {DISABLE div-1 div-2 div-4}
        BITSTREAM.CONFIG.SPI_32BIT_ADDR {YES NO}
        BITSTREAM.CONFIG.CONFIGRATE {2.7 5.3 8.0 10.6 21.3 31.9 36.4 51.0 56.7 63.8 72.9 85.0 102.0 127.5 170.0}
        BITSTREAM.GENERAL.COMPRESS {TRUE FALSE}
    }
    variable project_values {
        target_language {Verilog VHDL}
        default_lib {work xil_defaultlib}
    }

    proc set_project_property {name value} {
        variable project_values
        if {$name eq "board_part"} {
            refuse "Board 49-71" "The board_part definition was not found for $value: no board files are installed"
        } elseif {![dict exists $project_values $name]} {
            refuse "Common 17-54" "The object 'project' does not have a property '$name'."
        } elseif {$value ni [dict get $project_values $name]} {
            refuse "Common 17-69" "Illegal value '$value' of project property $name"
        }
    }

    proc set_design_property {name value} {
        variable design_values
        variable design_properties
        if {$name eq "BITSTREAM.CONFIG.USR_ACCESS"} {
            if {![regexp {^0[xX][0-9A-Fa-f]{8}$} $value]} {
                refuse "Common 17-69" "Illegal value '$value' of $name"
            }
        } elseif {![dict exists $design_values $name]} {
            refuse "Common 17-54" "The object 'design' does not have a property '$name'."
        } elseif {$value ni [dict get $design_values $name]} {
            refuse "Common 17-69" "Illegal value '$value' of $name"
        }
        dict set design_properties $name $value
    }
}

proc set_property {args} {
    set words [dict get [mock::parse set_property $args {} {} 3 3] ""]
    lassign $words name value objects
    if {[llength $objects] == 0} {
        mock::refuse "Common 17-55" "'set_property' expects at least one object."
    }
    foreach object $objects {
        switch -glob $object {
            project_object { mock::set_project_property $name $value }
            design_object { mock::set_design_property $name $value }
            ip:* { mock::set_ip_property $name $value [string range $object 3 end] }
            xc* { mock::set_device_property $name $value }
            localhost:* { mock::set_target_property $name $value }
            net:* { mock::set_net_property $name $value [string range $object 4 end] }
            debug:* { mock::set_debug_property $name $value }
            port:* { mock::set_port_property $name $value [string range $object 5 end] }
            default { mock::refuse "Common 17-58" "'$object' is not an object" }
        }
    }
}

proc get_property {args} {
    set words [dict get [mock::parse get_property $args {-quiet} {} 2 2] ""]
    lassign $words name object
    if {[llength $object] != 1} {
        mock::refuse "Common 17-55" "'get_property' expects at least one object."
    }
    switch -glob $object {
        ip:* { return [mock::get_ip_property $name [string range $object 3 end]] }
        xc* { return [mock::get_device_property $name] }
        localhost:* { return $mock::jtag_hz }
        cell:* { return [mock::get_cell_property $name [string range $object 5 end]] }
        path:* { return [mock::get_path_property $name [string range $object 5 end]] }
        default { mock::refuse "Common 17-58" "'$object' is not an object with properties" }
    }
}

proc read_verilog {args} {
    mock::require read_verilog project
    set options [mock::parse read_verilog $args {-sv} {-library} 1 1]
    foreach file [lindex [dict get $options ""] 0] {
        if {![file isfile $file]} {
            mock::refuse "Common 17-69" "Command failed: File '$file' does not exist"
        }
        if {$file in $mock::sources} {
            mock::refuse "Project 1-162" "File '$file' is read twice"
        }
        lappend mock::sources $file
    }
}
