// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import amu.{AmuOrderIO, AmuTranslationIO}
import bus.{BoundedWait, DevicePort, SpmWordPort}
import chisel3._
import chisel3.util._
import nhg._
import nhg.mmu.{Tlb, TranslationState, WalkPort}
import nhg.priv.{PmpState, TriggerState}

/** Load-store unit of NH-G with its L1 data cache (Table I: load/store queue 32/16, 2 load pipes, 16 MSHRs).
  *
  * Latencies in cycles from the accepted issue: L1D hit or forwarded store writes back in the next cycle. Loads read
  * speculatively past stores of unknown address, older loads and atomics, which find those that read too early (`violation`). Committed stores go to
  * the store buffer in order, two a cycle if they are of one line, and from there a line at a time to L1D. AMOs and device accesses are performed at
  * the ROB head. Late results (AMO, device, SPM) use the slot of the last load pipe.
  */
class Lsu(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val core = new LsuIO(p)
    val l2 = L1D.port(p)
    val mmio = new DevicePort(p.paddrBits)
    val spm = new SpmWordPort(p.amu.spm)
    val spmPresent = Input(Bool()) // the SPM way is taken from L2; low: accesses to the window fault
    val translation = Input(new TranslationState(p))
    val loadWalks = new WalkPort(p)
    val storeWalks = new WalkPort(p)
    val amuTranslation = Flipped(new AmuTranslationIO)
    val pmp = Input(new PmpState(p))
    val triggers = Input(new TriggerState)
    val spmWritten = Flipped(Valid(UInt(p.amu.spm.lineBits.W))) // by the AMU in this cycle
    val order = Flipped(new AmuOrderIO(p.amu))
    val probe = Output(new LsuProbe(p))
  })
  private val core = io.core

  private val cache = Module(new L1D(p))
  private val loadQueue = Module(new LoadQueue(p))
  private val storeQueue = Module(new StoreQueue(p))
  private val storeBuffer = Module(new StoreBuffer(p))
  private val storePipes = Seq.fill(p.lsu.storePipes)(Module(new StoreAddressPipe(p)))
  private val pipes = Seq.fill(p.lsu.loadPipes)(Module(new LoadPipe(p)))
  private val loadTlb = Module(new Tlb(p, p.mmu.load, p.lsu.loadPipes, fetches = false))
  private val storeTlb = Module(new Tlb(p, p.mmu.store, p.lsu.storePipes + 1, fetches = false))
  private val spmUnit = Module(new SpmUnit(p))
  private val mmioUnit = Module(new MmioUnit(p))
  private val atomicUnit = Module(new AtomicUnit(p))

  private val squash = Wire(new Squash(p))
  squash.flush := core.flush
  squash.restore := core.restore.valid
  squash.lqTail := core.restore.bits.lqTail
  squash.sqTail := core.restore.bits.sqTail

  // queues
  loadQueue.io.alloc := core.allocLoads
  loadQueue.io.commit := core.commitLoads
  loadQueue.io.squash := squash
  core.lqTail := loadQueue.io.tail
  core.lqFree := loadQueue.io.free
  storeQueue.io.alloc := core.allocStores
  storeQueue.io.commit := core.commitStores
  storeQueue.io.squash := squash
  core.sqTail := storeQueue.io.tail
  core.sqFree := storeQueue.io.free
  core.storesDrained := storeQueue.io.drained
  core.storesInLines := storeQueue.io.drained && !cache.io.mshrHoldsStores
  storeBuffer.io.in <> storeQueue.io.buffer
  storeQueue.io.bufferEmpty := storeBuffer.io.empty
  loadQueue.io.storeEvents := storeQueue.io.events
  loadQueue.io.refilled := cache.io.refilled
  loadQueue.io.mshrFree := cache.io.mshrFree
  // A load in s0 still reads what is lost in this cycle; one in s1 reads from the SPM in this cycle.
  loadQueue.io.changed(0) := Pipe(cache.io.lost)
  loadQueue.io.changed(1).valid := io.spmWritten.valid
  loadQueue.io.changed(1).bits := (p.map.spm.base.U(p.paddrBits.W) >> log2Ceil(p.lineBytes)) | io.spmWritten.bits
  loadQueue.io.atomicDone := atomicUnit.io.result.fire

  // translation
  for ((tlb, walks) <- Seq(loadTlb -> io.loadWalks, storeTlb -> io.storeWalks)) {
    tlb.io.state := io.translation
    walks <> tlb.io.walk
  }
  private val ofAmu = storeTlb.io.lookup.last
  ofAmu.address := io.amuTranslation.address
  ofAmu.isStore := io.amuTranslation.isStore
  ofAmu.walks := io.amuTranslation.walks
  io.amuTranslation.physical := ofAmu.physical
  io.amuTranslation.pageFault := ofAmu.pageFault
  io.amuTranslation.miss := ofAmu.miss
  io.amuTranslation.waits := ofAmu.waits
  io.amuTranslation.denied := io.pmp.denies(ofAmu.physical, Mux(ofAmu.isStore, io.pmp.write, io.pmp.read))
  io.amuTranslation.woken := io.storeWalks.woken
  loadQueue.io.woken := io.loadWalks.woken
  storeQueue.io.woken := io.storeWalks.woken

  // stores
  for ((pipe, i) <- storePipes.zipWithIndex) {
    pipe.io.issue <> core.storeAddress(i)
    pipe.io.squash := squash
    pipe.io.spmPresent := io.spmPresent
    pipe.io.pmp := io.pmp
    pipe.io.triggers := io.triggers
    pipe.io.tlb <> storeTlb.io.lookup(i)
    pipe.io.replay := (if (i == 0) storeQueue.io.replay else 0.U.asTypeOf(storeQueue.io.replay))
    storeQueue.io.resolved(i) := pipe.io.resolved
    storeQueue.io.missed(i) := pipe.io.missed
    loadQueue.io.check(i) := pipe.io.check
    storeQueue.io.data(i).valid := core.storeData(i).valid
    storeQueue.io.data(i).bits := core.storeData(i).bits
    core.storeData(i).ready := true.B
    core.storeDone(i) := pipe.io.done
  }
  core.storeDataDone := storeQueue.io.dataDone
  core.violation := loadQueue.io.violation
  core.headWaitsForFar := loadQueue.io.headWaitsForFar

  // loads
  for ((pipe, i) <- pipes.zipWithIndex) {
    pipe.io.issue <> core.load(i)
    pipe.io.replay := loadQueue.io.replay(i)
    pipe.io.squash := squash
    pipe.io.spmPresent := io.spmPresent
    pipe.io.pmp := io.pmp
    pipe.io.triggers := io.triggers
    pipe.io.tlb <> loadTlb.io.lookup(i)
    pipe.io.cache <> cache.io.load(i)
    pipe.io.mshrFree := cache.io.mshrFree
    pipe.io.forward <> storeQueue.io.forward(i)
    pipe.io.buffered <> storeBuffer.io.lookup(i)
    spmUnit.io.load(i) <> pipe.io.spm
    loadQueue.io.started(i) := pipe.io.started
    loadQueue.io.update(i) := pipe.io.update
    core.writeback(i) := pipe.io.writeback
    core.fault(i) := pipe.io.fault
  }
  spmUnit.io.squash := squash
  io.spm.read <> spmUnit.io.read
  spmUnit.io.readData := io.spm.readData
  io.spm.write <> storeQueue.io.spmWrite

  // operations at the ROB head
  private def atHead(robIdx: UInt): Bool = core.robHead.valid && core.robHead.bits === robIdx && !core.flush
  private val headStore = storeQueue.io.head.bits
  private val headStoreReady = storeQueue.io.head.valid && atHead(headStore.op.robIdx) && headStore.olderDrained
  atomicUnit.io.start := headStoreReady && headStore.op.isAmo &&
    (headStore.dataValid || headStore.op.exception.valid)
  atomicUnit.io.head := headStore
  atomicUnit.io.refilled := cache.io.refilled
  atomicUnit.io.lost := cache.io.lost
  assert(!(atomicUnit.io.active && core.flush), "LSU: flush of the AMO at the ROB head")

  mmioUnit.io.store.valid := headStoreReady && headStore.op.isMmio && !headStore.op.exception.valid && !headStore.op.isAmo &&
    headStore.dataValid
  mmioUnit.io.store.bits := headStore
  mmioUnit.io.load.valid := loadQueue.io.head.valid && atHead(loadQueue.io.head.bits.robIdx)
  mmioUnit.io.load.bits := loadQueue.io.head.bits
  mmioUnit.io.flush := core.flush
  io.mmio <> mmioUnit.io.port

  // the AMO owns the store pipe while it is active: nothing else can be committed then
  cache.io.store.s0.valid := Mux(atomicUnit.io.active, atomicUnit.io.cache.s0.valid, storeBuffer.io.cache.s0.valid)
  cache.io.store.s0.bits := Mux(atomicUnit.io.active, atomicUnit.io.cache.s0.bits, storeBuffer.io.cache.s0.bits)
  cache.io.store.amoWord := atomicUnit.io.cache.amoWord
  cache.io.store.amoWrites := atomicUnit.io.cache.amoWrites
  atomicUnit.io.cache.s1_word := cache.io.store.s1_word
  for ((port, owns) <- Seq[(StorePipePort, Bool)](atomicUnit.io.cache -> atomicUnit.io.active, storeBuffer.io.cache -> !atomicUnit.io.active)) {
    port.s0.ready := owns && cache.io.store.s0.ready
    port.s1_valid := owns && cache.io.store.s1_valid
    port.s1_done := owns && cache.io.store.s1_done
    port.s1_failed := owns && cache.io.store.s1_failed
  }

  // results: the last pipe's slot is shared, operations at the ROB head first
  private val slotFree = !pipes.last.io.writeback.valid
  private val late = Module(new Arbiter(new LsuWriteback(p), 3))
  late.io.in(0) <> atomicUnit.io.result
  late.io.in(1) <> mmioUnit.io.loadResult
  late.io.in(2) <> spmUnit.io.result
  late.io.out.ready := slotFree
  BoundedWait.onChip(late.io.in.map(i => i.valid && !i.ready).reduce(_ || _), "a late result of the LSU")
  BoundedWait.memory(atomicUnit.io.active, "an atomic at the ROB head")
  BoundedWait.memory(!storeQueue.io.drained && !storeQueue.io.leaves && !storeBuffer.io.state.freed.orR, "a committed store")
  when(slotFree) {
    core.writeback.last.valid := late.io.out.valid
    core.writeback.last.bits := late.io.out.bits
  }
  core.fault.last.valid := late.io.out.fire && late.io.out.bits.exception.valid
  core.fault.last.bits.robIdx := late.io.out.bits.robIdx
  core.fault.last.bits.exception := late.io.out.bits.exception
  assert(
    PopCount(core.fault.map(_.valid)) === PopCount(core.writeback.map(w => w.valid && w.bits.exception.valid)),
    "LSU: as many faults as results with an exception"
  )
  loadQueue.io.lateDone(0).valid := mmioUnit.io.loadResult.fire
  loadQueue.io.lateDone(0).bits := mmioUnit.io.loadIdx
  loadQueue.io.lateDone(1).valid := spmUnit.io.result.fire
  loadQueue.io.lateDone(1).bits := spmUnit.io.resultIdx

  private val lastStore = storePipes.last.io.done
  mmioUnit.io.storeResult.ready := !lastStore.valid
  core.storeDone.last.valid := lastStore.valid || mmioUnit.io.storeResult.valid
  core.storeDone.last.bits := Mux(lastStore.valid, lastStore.bits, mmioUnit.io.storeResult.bits)
  storeQueue.io.headPerformed := atomicUnit.io.result.fire || mmioUnit.io.storeResult.fire

  // caches and AMU
  io.l2 <> cache.io.l2
  io.order.sqDeqPtr := storeQueue.io.deq
  io.order.storeBuffer := storeBuffer.io.state
  cache.io.queryLine := io.order.queryLine
  cache.io.awaited := Mux(atomicUnit.io.active, atomicUnit.io.awaited, loadQueue.io.awaited)
  io.order.queryBusy := cache.io.queryBusy

  io.probe.loads := PopCount(pipes.map(_.io.writeback.valid))
  io.probe.loadMisses := PopCount(pipes.map(_.io.missed))
  io.probe.forwards := PopCount(pipes.map(_.io.usedForward))
  io.probe.replays := PopCount(loadQueue.io.replay.map(_.valid))
  io.probe.mshrOccupancy := cache.io.mshrOccupancy
}
