# SPDX-License-Identifier: Apache-2.0
#
# Packages the delayer for Vivado's IP catalogue.
#   vivado -mode batch -source delayer-ip/package/package_ip.tcl [-tclargs FOLDER]     FOLDER: default build/ip_repo
# Afterwards: set_property ip_repo_paths FOLDER [current_project]; update_ip_catalog. The block is far_memory_delayer.
# Not run in Vivado; test/ runs it against a stand-in that knows the ipx commands of UG1118 and UG835.
# An error ends in one line and leaves no FOLDER/far_memory_delayer behind.

namespace eval package_ip {
    variable here [file dirname [file normalize [info script]]]
    variable name far_memory_delayer
    variable version 1.0
    variable buses {S_AXI M_AXI S_AXI_CTRL}
    # Parameter -> the values Vivado may offer: {range least most} or {list value ...}
    variable legal_values {
        ID_BITS      {range 1 16}
        ADDR_BITS    {range 12 64}
        DATA_BITS    {list 32 64 128 256 512 1024}
        TRANSACTIONS {list 4 8 16 32 64 128 256 512 1024 2048 4096}
        LATENCY_BITS {range 4 16}
        READ_BEATS   {list 256 512 1024 2048 4096 8192}
        WRITE_BEATS  {list 16 32 64 128 256 512 1024}
        BUCKET_BYTES {range 64 16384}
        CONTROL_BITS {list 32 64}
    }
}

proc package_ip::check_version {} {
    if {[package vcompare [version -short] 2020.2] < 0} {
        error "Vivado [version -short] is too old: use 2020.2 or newer"
    }
}

proc package_ip::add_sources {folder} {
    variable here
    variable name
    create_project -force packaging $folder
    set rtl [file join $here .. rtl]
    set files [lsort [concat [glob -directory $rtl *.sv] [glob -directory $rtl *.v]]]
    add_files -norecurse $files
    set_property top ${name}_ip [current_fileset]
    update_compile_order -fileset sources_1
}

proc package_ip::create_core {root} {
    variable name
    variable version
    ipx::package_project -root_dir $root -vendor coroamu -library ip -taxonomy /AXI_Infrastructure -import_files \
        -set_current true
    set core [ipx::current_core]
    set_property name $name $core
    set_property version $version $core
    set_property display_name {Far-memory delayer} $core
    set_property description \
        {Latency with jitter and bandwidth of far memory for an AXI4 port, exact to the cycle} $core
    set_property supported_families {virtexuplusHBM Production virtexuplus Production kintexuplus Production} $core
    return $core
}

# The packager finds the buses by their port names; one it did not find would be missing in the catalogue.
proc package_ip::check_buses {core} {
    variable buses
    foreach bus $buses {
        if {[llength [ipx::get_bus_interfaces $bus -of_objects $core]] != 1} {
            error "the packager did not find the bus $bus: compare the port names of far_memory_delayer_ip.v"
        }
        ipx::associate_bus_interfaces -busif $bus -clock aclk $core
    }
    set map [ipx::add_memory_map S_AXI_CTRL $core]
    set_property slave_memory_map_ref S_AXI_CTRL [ipx::get_bus_interfaces S_AXI_CTRL -of_objects $core]
    set_property range 4096 [ipx::add_address_block registers $map]
}

proc package_ip::restrict_parameters {core} {
    variable legal_values
    dict for {parameter values} $legal_values {
        set object [ipx::get_user_parameters $parameter -of_objects $core]
        if {[llength $object] != 1} {
            error "far_memory_delayer_ip.v has no parameter $parameter"
        }
        if {[lindex $values 0] eq {list}} {
            set_property value_validation_type list $object
            set_property value_validation_list [lrange $values 1 end] $object
        } else {
            set_property value_validation_type range_long $object
            set_property value_validation_range_minimum [lindex $values 1] $object
            set_property value_validation_range_maximum [lindex $values 2] $object
        }
    }
}

# The packager names its own page of options after the core as it was when it was made; ours takes that place.
proc package_ip::install_gui {core root} {
    variable here
    variable name
    variable version
    ipx::create_xgui_files $core
    set place [file join $root xgui "${name}_v[string map {. _} $version].tcl"]
    file mkdir [file dirname $place]
    file copy -force [file join $here xgui.tcl] $place
}

proc package_ip::finish {core} {
    ipx::update_checksums $core
    if {![ipx::check_integrity -quiet $core]} {
        error {the packager found the core incomplete: run ipx::check_integrity for its reasons}
    }
    ipx::save_core $core
    close_project
}

proc package_ip::run {folder} {
    variable name
    check_version
    set root [file join $folder $name]
    file mkdir $root
    set project [file join $folder .packaging]
    if {[catch {
        add_sources $project
        set core [create_core $root]
        check_buses $core
        restrict_parameters $core
        install_gui $core $root
        finish $core
    } reason]} {
        file delete -force $root $project
        error $reason
    }
    file delete -force $project
    puts "packaged: $root"
}

proc package_ip::output_folder {arguments} {
    variable here
    if {[llength $arguments]} {
        return [file normalize [lindex $arguments 0]]
    }
    return [file normalize [file join $here .. .. build ip_repo]]
}

if {[catch { package_ip::run [package_ip::output_folder $argv] } reason]} {
    puts stderr "package_ip: $reason"
    exit 1
}
