// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Count
import nhg._
import nhg.frontend.FetchedPages
import nhg.mem.LsuWriteback
import nhg.priv.Pmp

/** Performance counters (64 bits, since reset) and the ROB head for the watchdog. `cycles` are all cycles, each at its StallCause; `cause` is this
  * cycle's; `stall*` are cycles in which rename is blocked, by resource (several may count at once).
  */
class BackendPerf(p: NhgParams) extends Bundle {
  val branches = UInt(64.W) // control-flow instructions retired
  val mispredicts = UInt(64.W) // of those
  val replays = UInt(64.W)
  val flushes = UInt(64.W) // all others from the ROB head
  val cycles = Vec(StallCause.all.length, UInt(64.W))
  val stallRob = UInt(64.W)
  val stallFreeList = UInt(64.W)
  val stallLoadQueue = UInt(64.W)
  val stallStoreQueue = UInt(64.W)
  val stallDispatchQueue = UInt(64.W)
  val stallSnapshot = UInt(64.W)
  val stallAmuQueue = UInt(64.W)
  val stallSerial = UInt(64.W)
  val headValid = Bool()
  val headPc = UInt(64.W)
  val cause = UInt(StallCause.getWidth.W)
}

/** Counts. Everything here is for observation. */
class PerfCounters(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val commit = Input(Vec(p.backend.commitWidth, Valid(new RobEntry(p))))
    val empty = Input(Bool())
    val headPc = Input(UInt(64.W))
    val head = Input(UInt(p.robRing.bits.W))
    val resolution = Input(Valid(new Resolution(p)))
    val flush = Input(Valid(new RobFlush(p)))
    val stall = Input(new RenameStall(p))
    val cause = Input(UInt(StallCause.getWidth.W))
    val cycles = Input(Vec(StallCause.all.length, UInt(64.W)))
    val perf = Output(new BackendPerf(p))
  })
  private val perf = io.perf
  perf.branches := Count.events(PopCount(io.commit.map(c => c.valid && c.bits.isCfi)))
  // Those of wrong paths count as little as their branches do.
  private val mispredicted = Reg(Vec(p.backend.robEntries, Bool()))
  when(io.resolution.valid) { mispredicted(p.robRing.index(io.resolution.bits.robPtr)) := io.resolution.bits.mispredicted }
  perf.mispredicts := Count.events(PopCount(io.commit.zipWithIndex.map { case (c, i) =>
    c.valid && c.bits.isCfi && mispredicted(p.robRing.index(p.robRing.add(io.head, i.U)))
  }))
  perf.replays := Count.events(io.flush.valid && io.flush.bits.isReplay)
  perf.flushes := Count.events(io.flush.valid && !io.flush.bits.isReplay)

  perf.stallRob := Count.events(io.stall.rob)
  perf.stallFreeList := Count.events(io.stall.freeList)
  perf.stallLoadQueue := Count.events(io.stall.loadQueue)
  perf.stallStoreQueue := Count.events(io.stall.storeQueue)
  perf.stallDispatchQueue := Count.events(io.stall.dispatchQueue)
  perf.stallSnapshot := Count.events(io.stall.snapshot)
  perf.stallAmuQueue := Count.events(io.stall.amuQueue)
  perf.stallSerial := Count.events(io.stall.serial)

  perf.headValid := !io.empty
  perf.headPc := io.headPc
  perf.cause := io.cause
  perf.cycles := io.cycles
}

/** Commit trace: one record per retired or trapped instruction. Keeps what only the trace needs (instruction bits, memory addresses,
  * getfin/bafin results, which are reported even when rd is x0).
  */
class CommitTrace(p: NhgParams) extends Module {
  private val n = p.backend.robEntries
  private val dw = p.backend.decodeWidth
  private class Access extends Bundle {
    val addr = UInt(p.paddrBits.W)
    val isMmio = Bool()
  }
  val io = IO(new Bundle {
    val allocate = Input(Vec(dw, Bool()))
    val tailIdx = Input(UInt(p.robIdxBits.W))
    val inst = Input(Vec(dw, UInt(32.W))) // as fetched
    val rd = Input(Vec(dw, UInt(5.W)))
    val pages = Input(Vec(dw, new FetchedPages(p)))
    val access = Input(Vec(p.lsu.loadPipes + p.lsu.storePipes, Valid(new LsuWriteback(p))))
    val finResult = Input(Valid(new PortResult(p)))
    val request = Input(Valid(UInt(p.paddrBits.W))) // of the AMU, that commits
    val head = Input(UInt(p.robRing.bits.W))
    val commit = Input(Vec(p.backend.commitWidth, Valid(new RobEntry(p))))
    val commitPc = Input(Vec(p.backend.commitWidth, UInt(p.pcBits.W)))
    val value = Input(Vec(p.backend.commitWidth, UInt(64.W)))
    val trap = Input(new Trap)
    val records = Output(Vec(p.backend.commitWidth, new CommitRecord(p)))
  })
  private val insts = new GroupMem(UInt(37.W), n, dw max p.backend.commitWidth) // {rd field, instruction}
  insts.write(io.tailIdx, io.allocate, io.rd.zip(io.inst).map { case (rd, inst) => Cat(rd, inst) })
  private val pages = new GroupMem(new FetchedPages(p), n, dw max p.backend.commitWidth)
  pages.write(io.tailIdx, io.allocate, io.pages)
  private val accesses = Mem(n, new Access)
  for (a <- io.access) {
    val word = Wire(new Access)
    word.addr := a.bits.paddr
    word.isMmio := a.bits.isMmio
    when(a.valid) { accesses.write(a.bits.robIdx, word) }
  }
  private val finValues = Mem(n, UInt(64.W))
  when(io.finResult.valid) { finValues.write(p.robRing.index(io.finResult.bits.robPtr), io.finResult.bits.data) }

  private val inst = insts.readGroup(p.robRing.index(io.head))
  private val page = pages.readGroup(p.robRing.index(io.head))
  for (i <- 0 until p.backend.commitWidth) {
    val r = io.records(i)
    val c = io.commit(i)
    val where = p.robRing.index(p.robRing.add(io.head, i.U))
    val access = accesses.read(where)
    val trap = if (i == 0) io.trap.valid else false.B
    r.valid := c.valid || trap
    r.pc := Mux(trap, io.trap.pc, Pc.address(io.commitPc(i)))
    r.inst := inst(i)(31, 0)
    r.writes := c.valid && (c.bits.register.writes || c.bits.isFin)
    r.rdClass := Mux(r.writes, c.bits.register.regClass, 0.U)
    r.rd := Mux(r.writes, inst(i)(36, 32), 0.U)
    r.rdValue := Mux(c.bits.isFin, finValues.read(where), io.value(i))
    r.trap := trap
    r.cause := Mux(trap, io.trap.code, 0.U)
    r.tval := Mux(trap, io.trap.exception.tval, 0.U)
    r.fetchFirst := Cat(page(i).first, r.pc(Pmp.grainBits - 1, 0))
    r.fetchLast := Cat(page(i).last, r.pc(Pmp.grainBits - 1, 0) + Mux(c.bits.isRvc, 0.U, 2.U))
    val request = if (i == 0) io.request.valid else false.B
    r.memValid := c.valid && (c.bits.isLoad && !c.bits.isPrefetch || c.bits.isStore) || request
    r.memAddr := Mux(request, io.request.bits, access.addr)
    r.memIsMmio := r.memValid && !request && access.isMmio
  }
}
