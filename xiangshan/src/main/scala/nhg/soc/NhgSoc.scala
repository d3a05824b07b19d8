// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import amu.AmuStall
import chisel3._
import chisel3.util._
import common.Count
import nhg._
import nhg.backend.{CommitRecord, StallCause}
import nhg.cache.{AxiBelow, L3Cache, SliceParams}
import nhg.mmu.PageWalker
import nhg.priv.PrivilegedTrace
import nhg.tile.NhgTile
import platform.PlicLimits

/** The tiles, L3, CLINT and PLIC on their way to memory and devices: one AXI4 port to memory (local and far, told apart outside by the address), one device
  * port, interrupt lines of devices (bit i is source i + 1), the commit trace with the privileged state, and the counters. At `mem` a
  * request of the caches has an ID below 1024, one of the AMU an ID from 1024 on.
  */
class NhgSoc(p: NhgParams = NhgParams()) extends Module {
  require(p.tiles == 1, s"NhgSoc: ${p.tiles} tiles need coherence between their L2 caches, which is not there yet; use tiles = 1")
  val reset_pc = IO(Input(UInt(p.addressBits.W)))
  val mem = IO(new FlatAxi4(p.amu.axi.copy(idBits = p.amu.axi.idBits + 1)))
  val mmio = IO(new FlatMmio(p))
  val interrupts = IO(Input(UInt(PlicLimits.sources.W)))
  val commit = IO(Output(Vec(p.backend.commitWidth, new CommitRecord(p))))
  val privileged = IO(Output(new PrivilegedTrace))
  val probe = IO(Output(new SocProbe))

  private val tile = Module(new NhgTile(p))
  private val merge = Module(new AxiMerge(p.amu.axi))

  tile.io.resetPc := reset_pc
  tile.io.hartId := 0.U // the number of the tile
  commit := tile.io.commit
  privileged := tile.io.privileged
  merge.io.b <> tile.io.amuMemory
  mem.connect(merge.io.out)
  private val clint = Module(new Clint(p))
  clint.io.core <> tile.io.mmio
  private val plic = Module(new Plic(p))
  plic.io.core <> clint.io.devices
  plic.io.lines := interrupts
  mmio.connect(plic.io.devices)
  tile.io.lines.time := clint.io.time
  tile.io.lines.machineSoftware := clint.io.machineSoftware
  tile.io.lines.machineTimer := clint.io.machineTimer
  tile.io.lines.machineExternal := plic.io.machine
  tile.io.lines.supervisorExternal := plic.io.supervisor

  probe.l3_misses := 0.U
  probe.l3_mshr_integral := 0.U
  private val l2Slice = SliceParams.l2(p)
  p.l3 match {
    case Some(params) =>
      val l3 = Module(new L3Cache(SliceParams.l3(p, params), l2Slice.lowerIdBits, p.amu.axi))
      l3.io.upper <> tile.io.lower
      l3.io.lookup <> tile.io.l3Lookup.get
      merge.io.a <> l3.io.mem
      probe.l3_misses := Count.events(l3.io.probe.demandMiss)
      probe.l3_mshr_integral := Count.events(l3.io.probe.mshrs)
    case None =>
      val memory = Module(new AxiBelow(p.line, l2Slice.lowerIdBits, p.l2.slices, p.amu.axi))
      memory.io.slices <> tile.io.lower
      merge.io.a <> memory.io.mem
  }

  private val perf = tile.io.probe.core.backend
  private val lsu = tile.io.probe.core.lsu
  private val l2 = tile.io.probe.l2
  private val walker = tile.io.probe.core.walker
  private val amu = tile.io.probe.amu
  probe.branches := perf.branches
  probe.branch_mispredicts := perf.mispredicts
  probe.replays := perf.replays
  probe.flushes := perf.flushes
  probe.stall_rob := perf.stallRob
  probe.stall_registers := perf.stallFreeList
  probe.stall_load_queue := perf.stallLoadQueue
  probe.stall_store_queue := perf.stallStoreQueue
  probe.stall_dispatch_queue := perf.stallDispatchQueue
  probe.stall_snapshot := perf.stallSnapshot
  probe.stall_amu_queue := perf.stallAmuQueue
  probe.stall_serial := perf.stallSerial
  probe.loads := Count.events(lsu.loads)
  probe.load_misses := Count.events(lsu.loadMisses)
  probe.load_forwards := Count.events(lsu.forwards)
  probe.load_replays := Count.events(lsu.replays)
  probe.l1d_mshr_integral := Count.events(lsu.mshrOccupancy)
  probe.l2_misses := Count.events(l2.demandMiss)
  probe.l2_evictions := Count.events(l2.eviction)
  probe.l2_mshr_integral := Count.events(l2.mshrs)
  probe.l2_prefetches := Count.events(l2.prefetch)
  probe.l2_prefetches_useful := Count.events(l2.prefetchUseful)
  probe.l2_prefetches_late := Count.events(l2.prefetchLate)
  probe.itlb_misses := Count.events(walker.requests(PageWalker.fetch))
  probe.dtlb_load_misses := Count.events(walker.requests(PageWalker.load))
  probe.dtlb_store_misses := Count.events(walker.requests(PageWalker.store))
  probe.l2_tlb_misses := Count.events(walker.l2TlbMiss)
  probe.page_walk_reads := Count.events(walker.read)
  probe.page_walk_integral := Count.events(walker.walks)
  probe.amu_requests := amu.requests
  probe.amu_lines := amu.lines
  probe.amu_cache_hits := amu.cacheHits
  probe.amu_finished := amu.finished
  probe.amu_inflight_integral := amu.inFlightIntegral
  probe.amu_busy_cycles := amu.busyCycles
  for (
    (counter, cause) <- Seq(
      probe.amu_stall_request_queue -> AmuStall.requestQueueFull,
      probe.amu_stall_signal -> AmuStall.signal,
      probe.amu_stall_store_order -> AmuStall.storeOrder,
      probe.amu_stall_mshr -> AmuStall.mshr,
      probe.amu_stall_line_tag -> AmuStall.lineTag,
      probe.amu_stall_lookup_buffer -> AmuStall.lookupBuffer,
      probe.amu_stall_cache -> AmuStall.cache,
      probe.amu_stall_memory -> AmuStall.memory
    )
  ) counter := amu.stallCycles(cause)
  for (
    (counter, cause) <- Seq(
      probe.cycles_retiring -> StallCause.retiring,
      probe.cycles_far_load -> StallCause.farLoad,
      probe.cycles_near_load -> StallCause.nearLoad,
      probe.cycles_store -> StallCause.store,
      probe.cycles_amu -> StallCause.amu,
      probe.cycles_finish -> StallCause.fin,
      probe.cycles_recovery -> StallCause.recovery,
      probe.cycles_frontend -> StallCause.frontend,
      probe.cycles_registers -> StallCause.registers,
      probe.cycles_queues -> StallCause.queues,
      probe.cycles_execution -> StallCause.execution
    )
  ) counter := perf.cycles(cause.asUInt)
  probe.rob_head_pc := perf.headPc
  probe.rob_head_valid := perf.headValid
  probe.cycle_cause := perf.cause
}
