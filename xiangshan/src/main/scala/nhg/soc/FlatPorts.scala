// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.{Axi4Params, Axi4Port, DevicePort}
import chisel3._
import chisel3.util._
import nhg._

/** AXI4 manager with the signal names of the AXI specification, for the top's ports. Bursts are INCR. */
class FlatAxi4(p: Axi4Params) extends Bundle {
  val awvalid = Output(Bool())
  val awready = Input(Bool())
  val awid = Output(UInt(p.idBits.W))
  val awaddr = Output(UInt(p.addrBits.W))
  val awlen = Output(UInt(8.W))
  val awsize = Output(UInt(3.W))
  val wvalid = Output(Bool())
  val wready = Input(Bool())
  val wdata = Output(UInt(p.dataBits.W))
  val wstrb = Output(UInt((p.dataBits / 8).W))
  val wlast = Output(Bool())
  val bvalid = Input(Bool())
  val bready = Output(Bool())
  val bid = Input(UInt(p.idBits.W))
  val bresp = Input(UInt(2.W))
  val arvalid = Output(Bool())
  val arready = Input(Bool())
  val arid = Output(UInt(p.idBits.W))
  val araddr = Output(UInt(p.addrBits.W))
  val arlen = Output(UInt(8.W))
  val arsize = Output(UInt(3.W))
  val rvalid = Input(Bool())
  val rready = Output(Bool())
  val rid = Input(UInt(p.idBits.W))
  val rdata = Input(UInt(p.dataBits.W))
  val rresp = Input(UInt(2.W))
  val rlast = Input(Bool())

  def connect(port: Axi4Port): Unit = {
    awvalid := port.aw.valid
    port.aw.ready := awready
    awid := port.aw.bits.id
    awaddr := port.aw.bits.addr
    awlen := port.aw.bits.len
    awsize := port.aw.bits.size
    wvalid := port.w.valid
    port.w.ready := wready
    wdata := port.w.bits.data
    wstrb := port.w.bits.strb
    wlast := port.w.bits.last
    port.b.valid := bvalid
    bready := port.b.ready
    port.b.bits.id := bid
    port.b.bits.resp := bresp
    arvalid := port.ar.valid
    port.ar.ready := arready
    arid := port.ar.bits.id
    araddr := port.ar.bits.addr
    arlen := port.ar.bits.len
    arsize := port.ar.bits.size
    port.r.valid := rvalid
    rready := port.r.ready
    port.r.bits.id := rid
    port.r.bits.data := rdata
    port.r.bits.resp := rresp
    port.r.bits.last := rlast
  }
}

/** Device port of the top; see DevicePort. */
class FlatMmio(p: NhgParams) extends Bundle {
  val req_valid = Output(Bool())
  val req_ready = Input(Bool())
  val req_addr = Output(UInt(p.paddrBits.W))
  val req_write = Output(Bool())
  val req_size = Output(UInt(2.W))
  val req_data = Output(UInt(64.W))
  val req_mask = Output(UInt(8.W))
  val resp_valid = Input(Bool())
  val resp_data = Input(UInt(64.W))
  val resp_error = Input(Bool())

  def connect(port: DevicePort): Unit = {
    req_valid := port.req.valid
    port.req.ready := req_ready
    req_addr := port.req.bits.addr
    req_write := port.req.bits.write
    req_size := port.req.bits.size
    req_data := port.req.bits.data
    req_mask := port.req.bits.mask
    port.resp.valid := resp_valid
    port.resp.bits.data := resp_data
    port.resp.bits.error := resp_error
  }
}

/** Counters of the top, 64 bits each, since reset; `rob_head_*` for the watchdog. `cycles_*` are all cycles, each counted at its StallCause, in
  * that order (figures 3 and 14 of the paper); `cycle_cause` is this cycle's number in it, of the instruction at `rob_head_pc`.
  */
class SocProbe extends Bundle {
  val branches = UInt(64.W)
  val branch_mispredicts = UInt(64.W)
  val replays = UInt(64.W)
  val flushes = UInt(64.W)
  val cycles_retiring = UInt(64.W)
  val cycles_far_load = UInt(64.W)
  val cycles_near_load = UInt(64.W)
  val cycles_store = UInt(64.W)
  val cycles_amu = UInt(64.W)
  val cycles_finish = UInt(64.W)
  val cycles_recovery = UInt(64.W)
  val cycles_frontend = UInt(64.W)
  val cycles_registers = UInt(64.W)
  val cycles_queues = UInt(64.W)
  val cycles_execution = UInt(64.W)
  val stall_rob = UInt(64.W)
  val stall_registers = UInt(64.W)
  val stall_load_queue = UInt(64.W)
  val stall_store_queue = UInt(64.W)
  val stall_dispatch_queue = UInt(64.W)
  val stall_snapshot = UInt(64.W)
  val stall_amu_queue = UInt(64.W)
  val stall_serial = UInt(64.W)
  val loads = UInt(64.W)
  val load_misses = UInt(64.W)
  val load_forwards = UInt(64.W)
  val load_replays = UInt(64.W)
  val l1d_mshr_integral = UInt(64.W)
  val l2_misses = UInt(64.W)
  val l2_evictions = UInt(64.W)
  val l2_mshr_integral = UInt(64.W)
  val l3_misses = UInt(64.W)
  val l3_mshr_integral = UInt(64.W)
  val l2_prefetches = UInt(64.W)
  val l2_prefetches_useful = UInt(64.W) // asked for by L1D after they arrived
  val l2_prefetches_late = UInt(64.W) // ... before
  val itlb_misses = UInt(64.W)
  val dtlb_load_misses = UInt(64.W)
  val dtlb_store_misses = UInt(64.W) // of stores and of the AMU
  val l2_tlb_misses = UInt(64.W)
  val page_walk_reads = UInt(64.W)
  val page_walk_integral = UInt(64.W)
  val amu_requests = UInt(64.W)
  val amu_lines = UInt(64.W)
  val amu_cache_hits = UInt(64.W)
  val amu_finished = UInt(64.W)
  val amu_inflight_integral = UInt(64.W)
  val amu_busy_cycles = UInt(64.W)
  // Cycles in which something in the AMU waits for ... (several may count at once; AmuStall)
  val amu_stall_request_queue = UInt(64.W)
  val amu_stall_signal = UInt(64.W)
  val amu_stall_store_order = UInt(64.W)
  val amu_stall_mshr = UInt(64.W)
  val amu_stall_line_tag = UInt(64.W)
  val amu_stall_lookup_buffer = UInt(64.W)
  val amu_stall_cache = UInt(64.W)
  val amu_stall_memory = UInt(64.W)
  val rob_head_pc = UInt(64.W)
  val rob_head_valid = UInt(64.W)
  val cycle_cause = UInt(64.W)
}
