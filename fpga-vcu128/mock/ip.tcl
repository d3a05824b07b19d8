# SPDX-License-Identifier: Apache-2.0
#
# IP: definitions, instances, properties checked against the catalogue, targets, synthesis. Stricter than Vivado: an
# unknown property or an illegal value is an error, and every instance must have been generated and synthesised.

namespace eval mock {
    variable ips [dict create]
    variable ip_stage [dict create]
    variable ip_values [dict create]
    variable ip_directory [dict create]

    proc set_ip_property {name value module} {
        variable ips
        variable ip_values
        set ip [dict get $ips $module]
        if {![regexp {^CONFIG\.(.+)$} $name -> key] || ![dict exists $::catalogue::properties $ip $key]} {
            refuse "Common 17-54" "The object '$module' does not have a property '$name'."
        }
        if {[dict get $::mock::ip_stage $module] ne "created"} {
            refuse "Mock 1-2" "$module: $name is set after its targets were generated"
        }
        set rule [dict get $::catalogue::properties $ip $key]
        if {[dict exists $rule values]} {
            if {$value ni [dict get $rule values]} {
                refuse "IP_Flow 19-3461" "Value '$value' is out of the range for parameter '$key' of $module;\
                    valid values: [dict get $rule values]"
            }
        } else {
            lassign [dict get $rule range] low high
            if {![string is double -strict $value] || $value < $low || $value > $high} {
                refuse "IP_Flow 19-3461" "Value '$value' is out of the range ($low,$high) for parameter '$key' of\
                    $module"
            }
        }
        set enabled 1
        if {[dict exists $rule needs]} {
            lassign [dict get $rule needs] other wanted
            set enabled [string equal -nocase [get_ip_property CONFIG.$other $module] $wanted]
        }
        if {(!$enabled && ![string equal -nocase $value [dict get $rule default]]) || [fault_is ignore $key]} {
            puts "WARNING: \[IP_Flow 19-3374\] An attempt to modify the value of disabled parameter '$key' is ignored"
            return
        }
        dict set ip_values $module $key $value
    }

    proc get_ip_property {name module} {
        variable ips
        variable ip_values
        set ip [dict get $ips $module]
        if {$name eq "IPDEF"} {
            return [lindex [get_ipdefs -all xilinx.com:ip:$ip:*] end]
        }
        if {![regexp {^CONFIG\.(.+)$} $name -> key] || ![dict exists $::catalogue::properties $ip $key]} {
            refuse "Common 17-54" "The object '$module' does not have a property '$name'."
        }
        if {[dict exists $ip_values $module $key]} {
            return [dict get $ip_values $module $key]
        }
        return [dict get $::catalogue::properties $ip $key default]
    }

    # The IP's file: what read_ip needs to know it again. Vivado's has another form.
    proc write_xci {module} {
        variable ips
        variable ip_stage
        variable ip_values
        variable ip_directory
        set values [expr {[dict exists $ip_values $module] ? [dict get $ip_values $module] : {}}]
        set folder [file join [dict get $ip_directory $module] $module]
        write_file [file join $folder $module.xci] \
            [list ip [dict get $ips $module] stage [dict get $ip_stage $module] values $values]
    }

    # Written for the tests: what was configured, one property a line.
    proc write_ip_configuration {module directory} {
        variable ips
        set ip [dict get $ips $module]
        set channel [open [file join $directory $module configuration.txt] w]
        puts $channel "ip=$ip"
        foreach key [dict keys [dict get $::catalogue::properties $ip]] {
            puts $channel "$key=[get_ip_property CONFIG.$key $module]"
        }
        close $channel
    }
}

proc get_ipdefs {args} {
    set pattern [lindex [dict get [mock::parse get_ipdefs $args {-quiet -all} {} 1 1] ""] 0]
    set found [list]
    dict for {name versions} $catalogue::versions {
        foreach version $versions {
            set vlnv xilinx.com:ip:$name:$version
            if {[string match $pattern $vlnv] && ![mock::fault_is no_ip $name]} {
                lappend found $vlnv
            }
        }
    }
    return $found
}

proc create_ip {args} {
    mock::require create_ip project
    set options [mock::parse create_ip $args {} {-vlnv -module_name -dir} 0 0]
    foreach key {-vlnv -module_name -dir} {
        if {![dict exists $options $key]} {
            mock::refuse "Common 17-165" "create_ip needs $key"
        }
    }
    set vlnv [dict get $options -vlnv]
    set module [dict get $options -module_name]
    if {$vlnv ni [get_ipdefs -all xilinx.com:ip:*]} {
        mock::refuse "Coretcl 2-1133" "Requested IP '$vlnv' cannot be created."
    }
    if {[dict exists $mock::ips $module]} {
        mock::refuse "IP_Flow 19-3505" "IP '$module' exists already"
    }
    if {![file isdirectory [dict get $options -dir]]} {
        mock::refuse "IP_Flow 19-3420" "directory [dict get $options -dir] does not exist"
    }
    dict set mock::ips $module [lindex [split $vlnv :] 2]
    dict set mock::ip_stage $module created
    dict set mock::ip_directory $module [dict get $options -dir]
    set folder [file join [dict get $options -dir] $module]
    if {[file exists $folder]} {
        mock::refuse "IP_Flow 19-3421" "folder $folder of the IP exists already"
    }
    file mkdir $folder
    mock::write_xci $module
    return ip:$module
}

proc get_ips {args} {
    set pattern [lindex [dict get [mock::parse get_ips $args {-quiet} {} 0 1] ""] 0]
    if {$pattern eq ""} {
        set pattern *
    }
    set found [list]
    foreach module [dict keys $mock::ips $pattern] {
        lappend found ip:$module
    }
    return $found
}

proc generate_target {args} {
    mock::require generate_target project
    set words [dict get [mock::parse generate_target $args {} {} 2 2] ""]
    if {[lindex $words 0] ne "all"} {
        mock::refuse "Common 17-69" "generate_target: '[lindex $words 0]' is not a target"
    }
    foreach object [lindex $words 1] {
        set module [string range $object 3 end]
        dict set mock::ip_stage $module generated
        mock::write_xci $module
        mock::write_ip_configuration $module [dict get $mock::ip_directory $module]
    }
}

proc synth_ip {args} {
    mock::require synth_ip project
    set words [dict get [mock::parse synth_ip $args {-quiet -force} {} 1 1] ""]
    if {[mock::fault licence_synth]} {
        mock::refuse "Common 17-345" "A valid license was not found for feature 'Synthesis' and/or device 'xcvu37p'."
    }
    foreach object [lindex $words 0] {
        set module [string range $object 3 end]
        if {[dict get $mock::ip_stage $module] ne "generated"} {
            mock::refuse "IP_Flow 19-3664" "$module has no generated synthesis targets"
        }
        if {[mock::fault_is fail_ip $module]} {
            mock::refuse "Mock 1-1" "synth_ip of $module was told to fail"
        }
        dict set mock::ip_stage $module synthesised
        mock::write_xci $module
    }
}

proc read_ip {args} {
    mock::require read_ip project
    foreach file [lindex [dict get [mock::parse read_ip $args {-quiet} {} 1 1] ""] 0] {
        if {![file isfile $file]} {
            mock::refuse "Common 17-69" "Command failed: File '$file' does not exist"
        }
        set module [file rootname [file tail $file]]
        if {[dict exists $mock::ips $module]} {
            mock::refuse "IP_Flow 19-3505" "IP '$module' exists already"
        }
        set channel [open $file]
        set known [read $channel]
        close $channel
        dict set mock::ips $module [dict get $known ip]
        dict set mock::ip_stage $module [dict get $known stage]
        dict set mock::ip_values $module [dict get $known values]
        dict set mock::ip_directory $module [file dirname [file dirname $file]]
    }
}
