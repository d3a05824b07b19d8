# SPDX-License-Identifier: Apache-2.0
#
# Bitstream, probes, flash image and the results that the manifest is made from. A design with violations is named
# .VIOLATED and ends the flow with exit code 16, also when Vivado itself makes no bitstream of it (unrouted nets).

namespace eval output {
    proc results {options violations} {
        set numbers [gates::summary_numbers [report_timing_summary -return_string]]
        set channel [open [file join [dict get $options out] results.txt] w]
        puts $channel "vivado=[version -short]"
        puts $channel "part=$::platform::part"
        puts $channel "commit=[dict get $options commit]"
        puts $channel "local=[dict get $options local]"
        puts $channel "pcie=[dict get $options pcie]"
        puts $channel "hbm_xsdb=[dict get $options hbm_xsdb]"
        puts $channel "place_directive=[dict get $options place_directive]"
        puts $channel "route_directive=[dict get $options route_directive]"
        foreach {name index} {wns_ns 0 whs_ns 4 wpws_ns 8} {
            puts $channel "$name=[lindex $numbers $index]"
        }
        foreach violation $violations {
            puts $channel "violation=$violation"
        }
        close $channel
    }

    proc images {base} {
        failure::step "bitstream" {
            write_bitstream -force $base.bit
            write_debug_probes -force $base.ltx
            write_cfgmem -force -format mcs -interface SPIx4 -size 256 \
                -loadbit "up 0x00000000 $base.bit" -file $base.mcs
        }
    }

    # What the gates say of the routed design, and nothing else.
    proc recheck {violations} {
        if {[llength $violations]} {
            failure::raise 16 "[join $violations {; }]: the routed design is not met"
        }
    }

    proc write {options violations} {
        set name [expr {[llength $violations] ? "vcu128_top.VIOLATED" : "vcu128_top"}]
        set base [file join [dict get $options out] $name]
        failure::step "bitstream" {
            set_property BITSTREAM.CONFIG.USR_ACCESS 0x[dict get $options commit] [current_design]
            write_checkpoint -force $base.dcp
        }
        if {[catch {images $base} message details]} {
            if {[llength $violations] == 0} {
                return -options $details $message
            }
            lappend violations $message
        }
        results $options $violations
        if {[llength $violations]} {
            failure::raise 16 "[join $violations {; }]: the output is named $name.*, do not use it"
        }
    }
}
