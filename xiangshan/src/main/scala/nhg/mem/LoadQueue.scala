// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.BoundedWait
import chisel3._
import chisel3.experimental.ChiselEnum
import chisel3.util._
import nhg._

/** A store address that has just become known, against younger loads that have already read. */
class OrderCheck(p: NhgParams) extends Bundle {
  val sqPtr = UInt(p.sqPtrBits.W)
  val lqPtr = UInt(p.lqPtrBits.W) // loads from here on are younger
  val word = UInt((p.paddrBits - 3).W)
  val mask = UInt(8.W)
}

/** Things that happened in the store queue in the last cycle, by SQ index. */
class StoreEvents(p: NhgParams) extends Bundle {
  private def indices = Vec(p.lsu.storePipes, Valid(UInt((p.sqPtrBits - 1).W)))
  val address = indices
  val data = indices
  val drained = indices
}

/** Load queue: one entry per load from rename to commit, with the reason why it waits. Woken entries go through the
  * load pipes again, oldest first, ahead of new loads.
  *
  * Memory order: finds the oldest load that read too early, which then runs again. That is one that read before an older store's address was known,
  * and one whose bytes another agent may have changed since (its line left L1D, or the AMU wrote to its line of the SPM) when an older load reads some
  * of them or an older LR or AMO, which all count as acquire, is performed.
  */
class LoadQueue(p: NhgParams) extends Module {
  private val n = p.lsu.loadQueue
  private val ring = p.loadRing
  private val idxBits = log2Ceil(n)
  private val pipes = p.lsu.loadPipes
  private val countBits = log2Ceil(p.backend.decodeWidth + 1)

  val io = IO(new Bundle {
    val alloc = Input(UInt(countBits.W))
    val commit = Input(UInt(log2Ceil(p.backend.commitWidth + 1).W))
    val squash = Input(new Squash(p))
    val tail = Output(UInt(p.lqPtrBits.W))
    val free = Output(UInt(p.lqPtrBits.W))

    val started = Vec(pipes, Flipped(Valid(new LoadOp(p)))) // s1 of each pass that began without a physical address
    val update = Vec(pipes, Flipped(Valid(new LoadUpdate(p))))
    val replay = Vec(pipes, Valid(new LoadOp(p)))
    val refilled = Flipped(Valid(new Refilled(p)))
    val mshrFree = Input(Bool())
    val woken = Input(Bool()) // a walk of page tables has ended
    val storeEvents = Input(new StoreEvents(p))
    /** A load whose data came late (SPM, device) has been written back. */
    val lateDone = Vec(2, Flipped(Valid(UInt(idxBits.W))))
    /** The oldest load when it waits to be performed at the ROB head. */
    val head = Valid(new LoadOp(p))
    /** The line of the oldest load, until that has its data. */
    val awaited = Valid(UInt(p.lineAddrBits.W))
    val headWaitsForFar = Output(Bool()) // the oldest load waits for a line of far memory
    val check = Vec(p.lsu.storePipes, Flipped(Valid(new OrderCheck(p))))
    /** Lines that another agent may write after every read of a load in s1 in this cycle or before. */
    val changed = Vec(2, Flipped(Valid(UInt(p.lineAddrBits.W))))
    val atomicDone = Input(Bool()) // LR or AMO, which is older than every load here
    val violation = Valid(UInt(p.robIdxBits.W))
  })

  private object State extends ChiselEnum {
    val inPipe, retry, mshrFree, line, storeAddress, storeData, storeDrain, head, spm, translation, done = Value
  }
  private val headPtr = RegInit(0.U(p.lqPtrBits.W))
  private val tailPtr = RegInit(0.U(p.lqPtrBits.W))
  private val state = RegInit(VecInit(Seq.fill(n)(State.inPipe)))
  private val waitIdx = Reg(Vec(n, UInt(new LoadUpdate(p).waitIdx.getWidth.W)))
  private val word = Reg(Vec(n, UInt((p.paddrBits - 3).W)))
  private val mask = Reg(Vec(n, UInt(8.W)))
  private val executed = Reg(Vec(n, Bool()))
  private val forwarded = Reg(Vec(n, Bool()))
  private val fwdPtr = Reg(Vec(n, UInt(p.sqPtrBits.W)))
  private val stale = Reg(Vec(n, Bool())) // executed, and its line has changed since
  private val busError = Reg(Vec(n, Bool()))
  private val ops = Mem(n, new LoadOp(p))

  // pointers
  private val headNext = ring.add(headPtr, io.commit)
  headPtr := headNext
  tailPtr := Mux(io.squash.flush, headNext, Mux(io.squash.restore, io.squash.lqTail, ring.add(tailPtr, io.alloc)))
  io.tail := tailPtr
  io.free := n.U - ring.distance(tailPtr, headPtr)
  private val live = ring.mask(headPtr, tailPtr)
  private val squashing = io.squash.flush || io.squash.restore
  assert(squashing || io.alloc <= io.free, "LQ overflow")
  assert(io.commit <= ring.distance(tailPtr, headPtr), "LQ underflow")
  for (k <- 0 until p.backend.commitWidth) {
    assert(io.commit <= k.U || state(ring.index(ring.add(headPtr, k.U))) === State.done, "LQ: a load commits without its data")
  }

  for (s <- io.started) {
    val idx = ring.index(s.bits.lqPtr)
    when(s.valid) {
      ops(idx) := s.bits
      word(idx) := s.bits.word
      mask(idx) := s.bits.mask
      assert(live(idx), "LQ: issue of a load without an entry")
    }
  }

  // replay: the oldest entries that may go
  private val retryMask = VecInit(state.map(_ === State.retry)).asUInt
  private val mshrMask = VecInit(state.map(_ === State.mshrFree)).asUInt
  private val eligible = live & (retryMask | Mux(io.mshrFree, mshrMask, 0.U))
  pipes match {
    case 2 =>
    case _ => throw new IllegalArgumentException("LoadQueue: the replay selection is written for 2 load pipes")
  }
  private val ordered = ring.rotate(eligible, headPtr)
  private val first = PriorityEncoder(ordered)
  private val rest = ordered & (ordered - 1.U)
  private val second = PriorityEncoder(rest)
  private val selected = Seq((ordered.orR, first), (rest.orR, second))
  for (((valid, distance), r) <- selected.zip(io.replay)) {
    val idx = (ring.index(headPtr) + distance)(idxBits - 1, 0)
    r.valid := valid
    r.bits := ops(idx)
    r.bits.busError := busError(idx)
    when(valid) { state(idx) := State.inPipe }
  }

  // wake-ups; a squashed entry keeps its old state until it is allocated again and must not wake in that very cycle
  for (i <- 0 until n) {
    def wakes(waiting: State.Type, events: Vec[Valid[UInt]]): Bool =
      live(i) && state(i) === waiting && VecInit(events.map(e => e.valid && waitIdx(i) === e.bits)).asUInt.orR
    val refillHere = live(i) && state(i) === State.line && io.refilled.valid && waitIdx(i) === io.refilled.bits.id
    when(refillHere || live(i) && state(i) === State.translation && io.woken ||
      wakes(State.storeAddress, io.storeEvents.address) ||
      wakes(State.storeData, io.storeEvents.data) ||
      wakes(State.storeDrain, io.storeEvents.drained)) {
      state(i) := State.retry
    }
    when(refillHere) { busError(i) := io.refilled.bits.error }
  }

  // results of s1
  private def changes(word: UInt): Bool = VecInit(io.changed.map(c => c.valid && c.bits === word >> (log2Ceil(p.lineBytes) - 3))).asUInt.orR
  private val isStale = VecInit((0 until n).map(i => stale(i) || changes(word(i))))
  stale := isStale
  for (u <- io.update) {
    when(u.valid) {
      val idx = u.bits.lqIdx
      state(idx) := MuxLookup(
        u.bits.outcome.asUInt,
        State.retry,
        Seq(
          LoadOutcome.done -> State.done,
          LoadOutcome.mshrFree -> State.mshrFree,
          LoadOutcome.line -> State.line,
          LoadOutcome.storeAddress -> State.storeAddress,
          LoadOutcome.storeData -> State.storeData,
          LoadOutcome.storeDrain -> State.storeDrain,
          LoadOutcome.head -> State.head,
          LoadOutcome.spm -> State.spm,
          LoadOutcome.translation -> State.translation
        ).map { case (o, s) => o.asUInt -> s }
      )
      waitIdx(idx) := u.bits.waitIdx
      executed(idx) := u.bits.executed
      forwarded(idx) := u.bits.forwarded
      fwdPtr(idx) := u.bits.fwdPtr
      stale(idx) := changes(u.bits.word)
      assert(state(idx) === State.inPipe, "LQ: result of a load that is in no pipe")
    }
  }
  for (l <- io.lateDone) {
    when(l.valid) {
      state(l.bits) := State.done
      assert(state(l.bits) === State.spm || state(l.bits) === State.head, "LQ: late data nobody waits for")
    }
  }

  // new entries start empty, whatever wakes the squashed load that was there before; their first pass through a pipe fills them in
  private val allocated = Mux(squashing, 0.U, ring.mask(tailPtr, ring.add(tailPtr, io.alloc)))
  for (i <- 0 until n) {
    when(allocated(i)) {
      state(i) := State.inPipe
      executed(i) := false.B
      busError(i) := false.B
    }
  }

  private val headIdx = ring.index(headPtr)
  io.head.valid := live(headIdx) && state(headIdx) === State.head
  io.head.bits := ops(headIdx)
  private val headStarts = io.started.map(s => s.valid && ring.index(s.bits.lqPtr) === headIdx)
  private val headWord = Mux(headStarts.reduce(_ || _), Mux1H(headStarts, io.started.map(_.bits.word)), word(headIdx))
  io.awaited.valid := live(headIdx) && state(headIdx) =/= State.done
  io.awaited.bits := headWord >> (log2Ceil(p.lineBytes) - 3)
  private val headWaitsForLine = live(headIdx) && (state(headIdx) === State.line || state(headIdx) === State.mshrFree)
  io.headWaitsForFar := headWaitsForLine && AddressClass.isFar(p, Cat(headWord, 0.U(3.W)))
  BoundedWait.memory(headWaitsForLine && io.commit === 0.U && !squashing, "the line of the oldest load")

  // memory order
  private def readers(ofWord: UInt, bytes: UInt): UInt =
    VecInit((0 until n).map(i => executed(i) && word(i) === ofWord && (mask(i) & bytes).orR)).asUInt
  private val beforeStore = io.check.map { c =>
    val saved = VecInit((0 until n).map(i => forwarded(i) && p.storeRing.isBefore(c.bits.sqPtr, fwdPtr(i)))).asUInt
    Mux(c.valid, ring.mask(c.bits.lqPtr, tailPtr) & readers(c.bits.word, c.bits.mask) & ~saved, 0.U)
  }
  private val beforeLoad = io.update.map { u =>
    val younger = ring.mask(ring.fromIndex(u.bits.lqIdx, headPtr), tailPtr)
    Mux(u.valid && u.bits.reads, younger & readers(u.bits.word, u.bits.mask) & isStale.asUInt, 0.U)
  }
  private val beforeAtomic = Mux(io.atomicDone, live & executed.asUInt & isStale.asUInt, 0.U)
  private val tooEarly = (beforeStore ++ beforeLoad :+ beforeAtomic).reduce(_ | _)
  private val violator = ops((ring.index(headPtr) + PriorityEncoder(ring.rotate(tooEarly, headPtr)))(idxBits - 1, 0))
  io.violation.valid := tooEarly.orR && !io.squash.killsLoad(violator.lqPtr)
  io.violation.bits := violator.robIdx
}
