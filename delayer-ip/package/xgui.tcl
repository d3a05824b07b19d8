# SPDX-License-Identifier: Apache-2.0
#
# Options page of the far-memory delayer in Vivado's IP catalogue. The lists and ranges of single parameters are set
# by package_ip.tcl; here are their labels and the rules between them (those of far_memory_delayer.sv).

proc init_gui {IPINST} {
    ipgui::add_param $IPINST -name Component_Name
    set ports [ipgui::add_page $IPINST -name Ports]
    foreach {parameter label} {
        ID_BITS   {Bits of an ID}
        ADDR_BITS {Bits of an address}
        DATA_BITS {Bits of a data beat}
        CONTROL_BITS {Bits of the register port}
    } {
        ipgui::add_param $IPINST -name $parameter -parent $ports -display_name $label
    }
    set depth [ipgui::add_page $IPINST -name {Depth}]
    foreach {parameter label} {
        TRANSACTIONS {Bursts in flight, each way}
        LATENCY_BITS {Bits of a latency in cycles}
        READ_BEATS   {Read beats in flight}
        WRITE_BEATS  {Write beats that wait for the memory}
        BUCKET_BYTES {Bytes of the token bucket}
    } {
        ipgui::add_param $IPINST -name $parameter -parent $depth -display_name $label
    }
}

proc validate_PARAM_VALUE.LATENCY_BITS {PARAM_VALUE.LATENCY_BITS PARAM_VALUE.TRANSACTIONS} {
    set bits [get_property value ${PARAM_VALUE.LATENCY_BITS}]
    if {2 * [get_property value ${PARAM_VALUE.TRANSACTIONS}] > 1 << $bits} {
        set_property errmsg {2^LATENCY_BITS must be at least twice TRANSACTIONS} ${PARAM_VALUE.LATENCY_BITS}
        return false
    }
    return true
}

proc validate_PARAM_VALUE.BUCKET_BYTES {PARAM_VALUE.BUCKET_BYTES PARAM_VALUE.DATA_BITS} {
    if {[get_property value ${PARAM_VALUE.BUCKET_BYTES}] < 4 * [get_property value ${PARAM_VALUE.DATA_BITS}] / 8} {
        set_property errmsg {BUCKET_BYTES must hold two beats each way} ${PARAM_VALUE.BUCKET_BYTES}
        return false
    }
    return true
}

# tclint-disable command-args
foreach parameter {ID_BITS ADDR_BITS DATA_BITS TRANSACTIONS LATENCY_BITS READ_BEATS WRITE_BEATS BUCKET_BYTES
    CONTROL_BITS} {
    if {[info procs validate_PARAM_VALUE.$parameter] eq {}} {
        proc validate_PARAM_VALUE.$parameter [list PARAM_VALUE.$parameter] { return true }
    }
    proc update_PARAM_VALUE.$parameter [list PARAM_VALUE.$parameter] {}
    proc update_MODELPARAM_VALUE.$parameter [list MODELPARAM_VALUE.$parameter PARAM_VALUE.$parameter] \
        [string map [list NAME $parameter] {
            set_property value [get_property value ${PARAM_VALUE.NAME}] ${MODELPARAM_VALUE.NAME}
        }]
}
# tclint-enable command-args
