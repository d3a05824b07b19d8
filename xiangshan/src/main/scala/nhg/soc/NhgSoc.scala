// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import amu.{Amu, Spm}
import chisel3._
import chisel3.util._
import nhg._
import nhg.backend.Backend
import nhg.cache.L2Cache
import nhg.frontend.Frontend
import nhg.mem.Lsu

/** NH-G with its caches and the AMU: one AXI4 port to memory (local and far, told apart outside by the address), one device
  * port, the commit trace and the counters. A far request leaves at `mem`, from L2 (demand misses, IDs below 1024) or from the
  * AMU (IDs from 1024 on), and never passes through both.
  */
class NhgSoc(p: NhgParams = NhgParams()) extends Module {
  val reset_pc = IO(Input(UInt(p.pcBits.W)))
  val mem = IO(new FlatAxi4(p.amu.axi.copy(idBits = p.amu.axi.idBits + 1)))
  val mmio = IO(new FlatMmio(p))
  val commit = IO(Output(Vec(p.backend.commitWidth, new CommitRecord(p))))
  val probe = IO(Output(new SocProbe))

  private val frontend = Module(new Frontend(p))
  private val backend = Module(new Backend(p))
  private val lsu = Module(new Lsu(p))
  private val l2 = Module(new L2Cache(p))
  private val amu = Module(new Amu(p.amu))
  private val spm = Module(new Spm(p.amu))
  private val merge = Module(new AxiMerge(p.amu.axi))

  frontend.io.resetPc := reset_pc
  frontend.io.core <> backend.io.frontend
  frontend.io.l2 <> l2.io.l1i
  frontend.io.btq <> amu.io.btq

  backend.io.lsu <> lsu.io.core
  backend.io.amuRequest <> amu.io.request
  backend.io.amuFinish <> amu.io.finish
  backend.io.amuCsr <> amu.io.csr
  commit := backend.io.commit

  lsu.io.l2 <> l2.io.l1d
  lsu.io.order <> amu.io.order
  mmio.connect(lsu.io.mmio)

  // The last L2 way is the SPM's RAM; the line port serves whoever owns the way.
  private val spmPresent = l2.io.spmPresent
  amu.io.amuctl := Cat(spmPresent, backend.io.amuctl(0))
  backend.io.spmPresent := spmPresent
  amu.io.probeClear := false.B
  amu.io.cache <> l2.io.amu
  l2.io.takeSpmWay := backend.io.amuctl(1)
  lsu.io.spm.present := spmPresent
  spm.io.word.read <> lsu.io.spm.read
  spm.io.word.write <> lsu.io.spm.write
  lsu.io.spm.readData := spm.io.word.readData
  spm.io.line.read.valid := Mux(spmPresent, amu.io.spm.read.valid, l2.io.lastWay.read.valid)
  spm.io.line.read.bits := Mux(spmPresent, amu.io.spm.read.bits, l2.io.lastWay.read.bits)
  spm.io.line.write.valid := Mux(spmPresent, amu.io.spm.write.valid, l2.io.lastWay.write.valid)
  spm.io.line.write.bits := Mux(spmPresent, amu.io.spm.write.bits, l2.io.lastWay.write.bits)
  for (port <- Seq(amu.io.spm, l2.io.lastWay)) {
    port.read.ready := spm.io.line.read.ready
    port.write.ready := spm.io.line.write.ready
    port.readData := spm.io.line.readData
  }
  assert(!spmPresent || !(l2.io.lastWay.read.valid || l2.io.lastWay.write.valid), "L2 uses the way that is the SPM")
  assert(spmPresent || !(amu.io.spm.read.valid || amu.io.spm.write.valid), "AMU uses the SPM while the way is not taken")

  merge.io.a <> l2.io.mem
  merge.io.b <> amu.io.axi
  mem.connect(merge.io.out)

  private def sum(step: UInt): UInt = {
    val total = RegInit(0.U(64.W))
    total := total + step
    total
  }
  private val perf = backend.io.perf
  probe.branches := perf.branches
  probe.branch_mispredicts := perf.mispredicts
  probe.replays := perf.replays
  probe.flushes := perf.flushes
  probe.cycles_frontend := perf.empty
  probe.cycles_load := perf.headLoad
  probe.cycles_store := perf.headStore
  probe.cycles_amo := perf.headAmo
  probe.cycles_ami := perf.headAmi
  probe.cycles_finish := perf.headFin
  probe.cycles_other := perf.headOther
  probe.stall_rob := perf.stallRob
  probe.stall_registers := perf.stallFreeList
  probe.stall_load_queue := perf.stallLoadQueue
  probe.stall_store_queue := perf.stallStoreQueue
  probe.stall_dispatch_queue := perf.stallDispatchQueue
  probe.stall_snapshot := perf.stallSnapshot
  probe.stall_amu_queue := perf.stallAmuQueue
  probe.stall_serial := perf.stallSerial
  probe.loads := sum(lsu.io.probe.loads)
  probe.load_misses := sum(lsu.io.probe.loadMisses)
  probe.load_forwards := sum(lsu.io.probe.forwards)
  probe.load_replays := sum(lsu.io.probe.replays)
  probe.l1d_mshr_integral := sum(lsu.io.probe.mshrOccupancy)
  probe.l2_misses := sum(l2.io.probe.demandMiss)
  probe.l2_evictions := sum(l2.io.probe.eviction)
  probe.l2_mshr_integral := sum(l2.io.probe.mshrs)
  probe.amu_requests := amu.io.probe.requests
  probe.amu_lines := amu.io.probe.lines
  probe.amu_cache_hits := amu.io.probe.cacheHits
  probe.amu_finished := amu.io.probe.finished
  probe.amu_inflight_integral := amu.io.probe.inFlightIntegral
  probe.amu_busy_cycles := amu.io.probe.busyCycles
  probe.rob_head_pc := perf.headPc
  probe.rob_head_valid := perf.headValid
}
