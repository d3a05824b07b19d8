# SPDX-License-Identifier: Apache-2.0
#
# Stand-in for the Vivado commands that package_ip.tcl uses: knows nothing else, refuses unknown options and properties,
# and reports what was done, a line each, on standard output. It proves the script's logic, not that Vivado accepts it.
#   usage: tclsh mock_ipx.tcl SCRIPT VERSION MISSING_BUS [ARGUMENT ...]

set arguments [lassign $argv script mock_version missing_bus]
set argc [llength $arguments]
set argv $arguments
set properties {
    core      {name version display_name description supported_families}
    fileset   {top}
    bus       {slave_memory_map_ref}
    block     {range}
    parameter {value_validation_type value_validation_list
        value_validation_range_minimum value_validation_range_maximum}
}

proc report {args} { puts [join $args] }
proc version {option} {
    if {$option ne {-short}} { error "version: unknown option $option" }
    return $::mock_version
}
proc create_project {force name folder} {
    if {$force ne {-force}} { error "create_project: unknown option $force" }
    file mkdir $folder
}
proc add_files {option files} {
    if {$option ne {-norecurse}} { error "add_files: unknown option $option" }
    foreach file $files {
        if {![file exists $file]} { error "add_files: no file $file" }
        report source [file tail $file]
    }
    set ::files $files
}
proc current_fileset {} { return fileset:sources_1 }
proc update_compile_order {option set} {}
proc close_project {} { report closed }

proc set_property {property value object} {
    set kind [lindex [split $object :] 0]
    if {$property ni [dict get $::properties $kind]} { error "set_property: $kind has no property $property" }
    report property $object $property $value
}

# What the packager finds in the top's Verilog: parameters, and buses by the prefix of their ports.
proc top_text {} {
    set file [open [lsearch -inline $::files *_ip.v]]
    set text [read $file]
    close $file
    return $text
}

namespace eval ipx {
    proc package_project {args} {
        set options [lsearch -all -inline -not $args -import_files]
        foreach option [dict keys $options] {
            if {$option ni {-root_dir -vendor -library -taxonomy -set_current}} {
                error "package_project: unknown option $option"
            }
        }
        file mkdir [dict get $options -root_dir]
    }
    proc current_core {} { return core:1 }
    proc get_bus_interfaces {name option core} {
        set prefix [string tolower $name]_
        if {$name eq $::missing_bus || ![regexp "\\m${prefix}awvalid\\M" [::top_text]]} { return {} }
        return bus:$name
    }
    proc associate_bus_interfaces {busif name clock port core} { ::report clock $name $port }
    proc add_memory_map {name core} { return map:$name }
    proc add_address_block {name map} { return block:$name }
    proc get_user_parameters {name option core} {
        return [expr {[regexp "parameter integer $name\\s" [::top_text]] ? "parameter:$name" : ""}]
    }
    proc create_xgui_files {core} {}
    proc update_checksums {core} {}
    proc check_integrity {option core} { return 1 }
    proc save_core {core} { ::report saved }
}

source $script
