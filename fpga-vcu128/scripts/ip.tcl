# SPDX-License-Identifier: Apache-2.0
#
# IP of the vendor's catalogue. The newest version there is taken; every property that is set is read back, since Vivado
# ignores some values with no more than a warning. Properties are set in the order they stand here: the HBM's density
# and stacks decide which others exist, and byte enables need ECC correction off, whose bits they take. Facts and their
# sources: mock/catalogue.toml.

namespace eval ip {
    # name of the module -> {name in the catalogue, properties}
    proc table {options} {
        set core_mhz [format %.3f $::platform::core_mhz]
        set hbm_mhz [format %.3f $::platform::hbm_mhz]
        set board_mhz [format %.3f $::platform::board_mhz]
        set hbm_integer_mhz $::platform::hbm_mhz

        set ddr4 [string equal [dict get $options local] ddr4]
        set clocks [list \
            PRIM_SOURCE [expr {$ddr4 ? "No_buffer" : "Differential_clock_capable_pin"}] \
            PRIM_IN_FREQ $board_mhz \
            CLKOUT2_USED true \
            NUM_OUT_CLKS 2 \
            CLKOUT1_REQUESTED_OUT_FREQ $core_mhz \
            CLKOUT2_REQUESTED_OUT_FREQ $hbm_mhz \
            USE_RESET true \
            USE_LOCKED true \
            RESET_TYPE ACTIVE_HIGH]

        set hbm [list \
            USER_HBM_DENSITY 8GB \
            USER_HBM_STACK 2 \
            USER_MEMORY_DISPLAY 8192 \
            USER_SWITCH_ENABLE_00 TRUE \
            USER_SWITCH_ENABLE_01 TRUE \
            USER_CLK_SEL_LIST0 AXI_00_ACLK \
            USER_CLK_SEL_LIST1 AXI_16_ACLK]
        for {set port 0} {$port < 32} {incr port} {
            lappend hbm [format USER_SAXI_%02d $port] [expr {$port in {0 16} ? "true" : "false"}]
        }
        lappend hbm \
            USER_APB_EN false \
            USER_XSDB_INTF_EN [expr {[dict get $options hbm_xsdb] ? "TRUE" : "FALSE"}] \
            USER_HBM_REF_CLK_0 $hbm_integer_mhz \
            USER_HBM_REF_CLK_1 $hbm_integer_mhz \
            USER_AXI_INPUT_CLK_FREQ $hbm_integer_mhz \
            USER_AXI_INPUT_CLK1_FREQ $hbm_integer_mhz \
            USER_APB_PCLK_0 $hbm_integer_mhz \
            USER_APB_PCLK_1 $hbm_integer_mhz
        for {set controller 0} {$controller < 16} {incr controller} {
            lappend hbm USER_MC${controller}_ENABLE_ECC_CORRECTION false USER_MC${controller}_EN_DATA_MASK true
        }

        set jtag [list \
            PROTOCOL 0 \
            M_AXI_DATA_WIDTH 64 \
            M_AXI_ADDR_WIDTH 64 \
            M_AXI_ID_WIDTH 1]

        set uart [list \
            C_HAS_EXTERNAL_XIN 0 \
            C_HAS_EXTERNAL_RCLK 0]

        set result [list \
            ip_clocks [list clk_wiz $clocks] \
            ip_hbm [list hbm $hbm] \
            ip_jtag_axi [list jtag_axi $jtag] \
            ip_uart [list axi_uart16550 $uart]]
        if {$ddr4} {
            lappend result ip_ddr4 [list ddr4 [ddr4]]
        }
        if {[dict get $options pcie]} {
            lappend result ip_xdma [list xdma [xdma]]
        }
        return $result
    }

    # The board's memory; 64 of its 72 bits, without ECC, so that bytes can be written. Clock: the oscillator behind our
    # buffer.
    proc ddr4 {} {
        return [list \
            C0_DDR4_BOARD_INTERFACE Custom \
            System_Clock No_Buffer \
            Reference_Clock No_Buffer \
            C0.DDR4_Clamshell true \
            C0.DDR4_TimePeriod 750 \
            C0.DDR4_InputClockPeriod [expr {1000000 / $::platform::board_mhz}] \
            C0.DDR4_CLKOUT0_DIVIDE 3 \
            C0.DDR4_MemoryPart MT40A512M16HA-075E \
            C0.DDR4_DataWidth 64 \
            C0.DDR4_DataMask DM_NO_DBI \
            C0.DDR4_Ecc false \
            C0.DDR4_AxiSelection true \
            C0.DDR4_AxiDataWidth 256 \
            C0.DDR4_AxiAddressWidth 32 \
            C0.DDR4_AxiIDWidth 4 \
            C0.BANK_GROUP_WIDTH 1 \
            C0.CS_WIDTH 2]
    }

    proc xdma {} {
        return [list \
            functional_mode DMA \
            mode_selection Advanced \
            pcie_blk_locn PCIE4C_X1Y0 \
            en_gt_selection true \
            select_quad GTY_Quad_227 \
            pl_link_cap_max_link_width X8 \
            pl_link_cap_max_link_speed 8.0_GT/s \
            axi_data_width 256_bit \
            axisten_freq $::platform::pcie_mhz \
            xdma_axi_intf_mm AXI_Memory_Mapped \
            xdma_rnum_chnl 1 \
            xdma_wnum_chnl 1 \
            xdma_num_usr_irq 1 \
            cfg_mgmt_if false]
    }

    # The newest version of an IP in the catalogue, as VLNV.
    proc newest {name} {
        set found [get_ipdefs -quiet -all xilinx.com:ip:$name:*]
        if {[llength $found] == 0} {
            failure::raise 15 "IP $name is not in the catalogue of this Vivado: install the device family and its IP"
        }
        return [lindex [lsort -dictionary $found] end]
    }

    # Numbers are compared as numbers, words without regard to case: Vivado writes both its own way.
    proc same {a b} {
        if {[string is double -strict $a] && [string is double -strict $b]} {
            return [expr {$a == $b}]
        }
        return [string equal -nocase $a $b]
    }

    proc configure {module properties} {
        foreach {name value} $properties {
            if {[catch {set_property CONFIG.$name $value [get_ips $module]} message]} {
                failure::raise 15 "$module: CONFIG.$name = $value was refused: [failure::first_line $message]"
            }
        }
    }

    proc read_back {module properties} {
        foreach {name value} $properties {
            set read [get_property CONFIG.$name [get_ips $module]]
            if {![same $read $value]} {
                failure::raise 15 "$module: CONFIG.$name was set to $value and reads '$read'; the IP of this version\
                    knows another value or decides it itself"
            }
        }
    }

    # What the synthesised netlist of an IP depends on
    proc identity {vlnv properties} {
        return [list vivado [version -short] part $::platform::part vlnv $vlnv properties $properties]
    }

    # The file that says of which identity the IP in its folder is; there once the IP is synthesised.
    proc marker {folder module} {
        return [file join $folder $module.finished]
    }

    proc finished {folder module identity} {
        if {![file isfile [marker $folder $module]] || ![file isfile [file join $folder $module $module.xci]]} {
            return 0
        }
        set channel [open [marker $folder $module]]
        set kept [read -nonewline $channel]
        close $channel
        return [string equal $kept $identity]
    }

    proc finish {folder module identity} {
        set channel [open [marker $folder $module].partial w]
        puts $channel $identity
        close $channel
        file rename -force [marker $folder $module].partial [marker $folder $module]
    }

    # Makes one IP, or takes the one that an earlier run has synthesised with the same Vivado and the same properties.
    proc create {module name properties options} {
        set folder [file join [dict get $options out] ip]
        set vlnv [newest $name]
        set identity [identity $vlnv $properties]
        if {[finished $folder $module $identity]} {
            puts "ip: $module is $vlnv, as an earlier run synthesised it"
            failure::step "IP $module" {
                read_ip [file join $folder $module $module.xci]
            }
            read_back $module $properties
            return
        }
        puts "ip: $module is $vlnv"
        file delete -force [marker $folder $module] [file join $folder $module]
        failure::step "IP $module" {
            create_ip -vlnv $vlnv -module_name $module -dir $folder
        }
        configure $module $properties
        read_back $module $properties
        failure::step "IP $module" {
            generate_target all [get_ips $module]
            synth_ip [get_ips $module]
        }
        finish $folder $module $identity
    }

    # Makes every IP; their versions are noted for the manifest.
    proc create_all {options} {
        set channel [open [file join [dict get $options out] ip_versions.txt] w]
        foreach {module entry} [table $options] {
            lassign $entry name properties
            create $module $name $properties $options
            puts $channel "$module=[newest $name]"
        }
        close $channel
    }
}
