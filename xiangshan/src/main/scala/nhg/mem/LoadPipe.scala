// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.experimental.ChiselEnum
import chisel3.util._
import nhg._
import nhg.mmu.{Sv39, TlbLookup}
import nhg.priv.{PmpState, TriggerState}

/** A load between s0 and s1, and as the load queue keeps it for a replay. */
class LoadOp(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val lqPtr = UInt(p.lqPtrBits.W)
  val sqPtr = UInt(p.sqPtrBits.W)
  val dest = new PhysicalDestination(p)
  val vaddr = UInt(p.addressBits.W) // sign-extended
  val translated = Bool() // `addr`, isSpm and isMmio are known
  val addr = UInt(p.paddrBits.W)
  val size = UInt(2.W)
  val unsigned = Bool()
  val isPrefetch = Bool()
  val waitForStores = Bool()
  val isSpm = Bool()
  val isMmio = Bool()
  val busError = Bool() // its line does not exist

  def offset: UInt = addr(2, 0)
  def mask: UInt = ByteLanes.mask(offset, size)
  def word: UInt = addr >> 3
  def extract(data: UInt): UInt = ByteLanes.extract(data, offset, size, unsigned)

  /** Result of this load without exception. */
  def result(p: NhgParams, value: UInt): LsuWriteback = {
    val w = Wire(new LsuWriteback(p))
    w.robIdx := robIdx
    w.dest := dest
    val isBoxed = dest.regClass === p.backend.fpClass.U && size === 2.U
    w.data := Cat(value(63, 32) | Fill(32, isBoxed), value(31, 0))
    w.exception := 0.U.asTypeOf(w.exception)
    w.paddr := addr
    w.isMmio := isMmio
    w
  }
}

/** What became of a load in s1; anything but `done` waits in the load queue. */
object LoadOutcome extends ChiselEnum {
  val done, retry, mshrFree, line, storeAddress, storeData, storeDrain, head, spm, translation = Value
}

class LoadUpdate(p: NhgParams) extends Bundle {
  val lqIdx = UInt((p.lqPtrBits - 1).W)
  val outcome = LoadOutcome()
  val waitIdx = UInt((log2Ceil(p.l1d.mshrs) max (p.sqPtrBits - 1)).W) // MSHR or SQ entry waited for
  val executed = Bool() // memory has been read: an older store to these bytes must not come any more
  val reads = Bool() // SPM or cache, now or when its line is there; not what it forwards, which is younger than what others wrote
  val word = UInt((p.paddrBits - 3).W)
  val mask = UInt(8.W)
  val forwarded = Bool() // every byte came from the store fwdPtr
  val fwdPtr = UInt(p.sqPtrBits.W)
}

/** Question of a load to the store queue, answered in the same cycle (s1). */
class ForwardPort(p: NhgParams) extends Bundle {
  val word = Input(UInt((p.paddrBits - 3).W))
  val mask = Input(UInt(8.W))
  val sqPtr = Input(UInt(p.sqPtrBits.W)) // stores below are older
  val unknown = Output(Bool()) // an older store has no address yet
  val unknownIdx = Output(UInt((p.sqPtrBits - 1).W)) // the youngest of those
  val overlaps = Output(Bool()) // an older store writes some of the bytes; the youngest such:
  val ptr = Output(UInt(p.sqPtrBits.W))
  val covers = Output(Bool()) // it writes all of them and may be forwarded
  val dataValid = Output(Bool())
  val data = Output(UInt(64.W)) // as the store's register had it
  val offset = Output(UInt(3.W)) // its first byte in the word
}

/** One load pipe: s0 virtual address and start of the tag and data reads, which need its page offset only; s1 physical address (`tlb`), checks,
  * selection between store queue, store buffer and cache, write-back or the reason to wait. A load that cannot finish in s1 leaves the pipe and comes back as
  * a replay, with its physical address if it is known.
  */
class LoadPipe(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val issue = Flipped(Decoupled(new LoadIssue(p)))
    val replay = Flipped(Valid(new LoadOp(p)))
    val squash = Input(new Squash(p))
    val spmPresent = Input(Bool())
    val tlb = Flipped(new TlbLookup)
    val pmp = Input(new PmpState(p))
    val triggers = Input(new TriggerState)
    val started = Valid(new LoadOp(p)) // s1: in a pipe, not translated before
    val cache = Flipped(new L1DLoadPort(p))
    val mshrFree = Input(Bool())
    val forward = Flipped(new ForwardPort(p))
    val buffered = Flipped(new StoreBufferLookup(p))
    val spm = Decoupled(new LoadOp(p))
    val update = Valid(new LoadUpdate(p))
    val writeback = Valid(new LsuWriteback(p))
    val fault = Valid(new LsuFault(p))
    val missed = Output(Bool())
    val usedForward = Output(Bool())
  })

  // s0
  io.issue.ready := !io.replay.valid
  private val issue = io.issue.bits
  private val s0_vaddr = issue.base + Cat(Fill(52, issue.imm(11)), issue.imm)
  private val s0_new = Wire(new LoadOp(p))
  s0_new.robIdx := issue.robIdx
  s0_new.lqPtr := issue.lqPtr
  s0_new.sqPtr := issue.sqPtr
  s0_new.dest := issue.dest
  s0_new.size := issue.size
  s0_new.unsigned := issue.unsigned
  s0_new.isPrefetch := issue.isPrefetch
  s0_new.waitForStores := issue.waitForStores
  s0_new.busError := false.B
  s0_new.translated := false.B
  for (known <- Seq(s0_new.vaddr, s0_new.addr, s0_new.isSpm, s0_new.isMmio)) { known := DontCare } // in s1

  private val s0_op = Mux(io.replay.valid, io.replay.bits, s0_new)
  private val s0_addr = Mux(io.replay.valid, Sv39.extend(io.replay.bits.vaddr), s0_vaddr)
  private val s0_valid = (io.replay.valid || io.issue.valid) && !io.squash.killsLoad(s0_op.lqPtr)
  io.cache.s0_valid := s0_valid
  io.cache.s0_pageOffset := s0_addr(p.pageOffsetBits - 1, 0)

  // s1
  private val s1_alive = RegNext(s0_valid, false.B)
  private val s1_addr = RegEnable(s0_addr, s0_valid)
  private val s1_kept = RegEnable(s0_op, s0_valid)
  private val s1_first = !s1_kept.translated
  io.tlb.address := s1_addr
  io.tlb.isStore := false.B
  private val s1_class = AddressClass(p, io.tlb.physical, io.spmPresent)
  private val s1_op = WireDefault(s1_kept)
  s1_op.vaddr := s1_addr
  when(s1_first) {
    s1_op.translated := !io.tlb.miss
    s1_op.addr := io.tlb.physical
    s1_op.isSpm := s1_class.spm
    s1_op.isMmio := s1_class.mmio
  }
  io.started.valid := s1_alive && s1_first
  io.started.bits := s1_op

  private val s1_misaligned = ByteLanes.misaligned(s1_addr(2, 0), s1_op.size)
  private val s1_denied = io.pmp.denies(io.tlb.physical, io.pmp.read)
  private val s1_legal = s1_class.asUInt.orR && !s1_denied && !io.tlb.pageFault
  private val s1_watched = io.triggers.fires(_.load, s1_addr, ByteLanes.bytes(s1_op.size))
  private val s1_refused = s1_first && !s1_op.isPrefetch && (s1_watched || s1_misaligned) // by its address alone
  private val s1_missing = s1_first && !s1_refused && io.tlb.miss
  private val s1_exception = s1_refused || Mux(s1_first, !s1_op.isPrefetch && !s1_missing && !s1_legal, s1_op.busError)
  private val s1_valid = s1_alive && !io.squash.killsLoad(s1_op.lqPtr)
  io.tlb.walks := s1_valid && s1_missing
  io.cache.s1_line := s1_op.addr >> log2Ceil(p.lineBytes)

  io.forward.word := s1_op.word
  io.forward.mask := s1_op.mask
  io.forward.sqPtr := s1_op.sqPtr
  private val fwd = io.forward
  io.buffered.word := s1_op.word

  private val s1_reads = !s1_exception && !s1_missing && !s1_op.isPrefetch && !s1_op.isMmio // looks at the store queue
  private val waitsAddress = s1_reads && s1_op.waitForStores && fwd.unknown
  private val overlaps = s1_reads && !waitsAddress && fwd.overlaps
  private val waitsData = overlaps && fwd.covers && !fwd.dataValid
  private val waitsDrain = overlaps && !fwd.covers
  private val forwards = overlaps && fwd.covers && fwd.dataValid
  private val reads = s1_reads && !waitsAddress && !overlaps // from SPM or cache
  private val readsCache = reads && !s1_op.isSpm
  // Bytes of committed stores: of the store buffer, else of an MSHR, whose line is not there.
  private val storedMask = io.buffered.mask | io.cache.s1_storeMask
  private val storedWord = ByteLanes.merge(io.cache.s1_storeWord, io.buffered.data, io.buffered.mask)
  private val inBuffer = readsCache && (s1_op.mask & ~storedMask) === 0.U // every byte
  private val hits = readsCache && io.cache.s1_hit
  private val misses = readsCache && !inBuffer && !io.cache.s1_hit && !io.cache.s1_conflict
  private val prefetches = s1_op.isPrefetch && !s1_missing && s1_class.memory && s1_legal && !io.cache.s1_hit && !io.cache.s1_conflict

  io.cache.s1_used := s1_valid && hits
  io.cache.s1_miss := s1_valid && (misses || prefetches)
  io.cache.s1_isPrefetch := s1_op.isPrefetch
  io.spm.valid := s1_valid && reads && s1_op.isSpm
  io.spm.bits := s1_op

  private val finished = s1_exception || s1_op.isPrefetch && !s1_missing || forwards || inBuffer || hits
  io.update.valid := s1_valid
  io.update.bits.lqIdx := p.loadRing.index(s1_op.lqPtr)
  io.update.bits.executed := forwards || inBuffer || hits || (io.spm.valid && io.spm.ready)
  io.update.bits.reads := reads
  io.update.bits.word := s1_op.word
  io.update.bits.mask := s1_op.mask
  io.update.bits.forwarded := forwards
  io.update.bits.fwdPtr := fwd.ptr
  io.update.bits.outcome := MuxCase(
    LoadOutcome.retry,
    Seq(
      finished -> LoadOutcome.done,
      s1_missing -> Mux(io.tlb.waits, LoadOutcome.translation, LoadOutcome.retry),
      waitsAddress -> LoadOutcome.storeAddress,
      waitsData -> LoadOutcome.storeData,
      waitsDrain -> LoadOutcome.storeDrain,
      s1_op.isMmio -> LoadOutcome.head,
      (io.spm.valid && io.spm.ready) -> LoadOutcome.spm,
      (misses && io.cache.s1_accepted) -> LoadOutcome.line,
      (misses && !io.mshrFree) -> LoadOutcome.mshrFree
    )
  )
  io.update.bits.waitIdx := Mux(waitsAddress, fwd.unknownIdx, Mux(overlaps, p.storeRing.index(fwd.ptr), io.cache.s1_mshr))

  private val word = Mux(forwards, fwd.data, ByteLanes.merge(io.cache.s1_word, storedWord, storedMask))
  private val offset = Mux(forwards, s1_op.offset - fwd.offset, s1_op.offset)
  io.writeback.valid := s1_valid && finished
  io.writeback.bits := s1_op.result(p, ByteLanes.extract(word, offset, s1_op.size, s1_op.unsigned))
  when(s1_exception) {
    io.writeback.bits.dest.writes := false.B
    io.writeback.bits.exception.valid := true.B
    io.writeback.bits.exception.cause := MuxCase(
      Cause.loadAccess,
      Seq(
        (s1_refused && s1_watched) -> Cause.breakpoint,
        s1_refused -> Cause.loadMisaligned,
        (s1_first && io.tlb.pageFault) -> Cause.loadPage
      )
    )
    io.writeback.bits.exception.tval := s1_addr
  }
  io.fault.valid := s1_valid && s1_exception
  io.fault.bits.robIdx := s1_op.robIdx
  io.fault.bits.exception := io.writeback.bits.exception
  io.missed := s1_valid && misses && io.cache.s1_accepted
  io.usedForward := s1_valid && (forwards || inBuffer)
}
