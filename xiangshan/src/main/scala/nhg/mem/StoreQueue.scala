// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.SpmWordPort
import chisel3._
import chisel3.util._
import nhg._

/** The oldest store that has not committed, for the units that act at the ROB head. */
class HeadStore(p: NhgParams) extends Bundle {
  val op = new StoreOp(p)
  val dataValid = Bool()
  val data = UInt(64.W) // as the register had it
  val olderDrained = Bool() // every older store has been performed
}

/** Store queue: an entry per store, AMO, LR and SC from rename until it has been performed or is in the store buffer.
  *
  * Pointers, oldest first: deq <= commit <= tail. From deq on stores leave in order: to the store buffer, one a cycle or two neighbours in one
  * line, which it shows to loads from the next cycle on; or to the SPM, where they may overtake stores in the buffer.
  * Forwarding takes the youngest older store that touches the load's bytes: it serves the load when it covers all of them;
  * otherwise the load waits until that store has left.
  */
class StoreQueue(p: NhgParams) extends Module {
  private val n = p.lsu.storeQueue
  private val ring = p.storeRing
  private val idxBits = log2Ceil(n)
  private val pipes = p.lsu.storePipes
  require(pipes == 2, s"StoreQueue: written for 2 stores a cycle, not $pipes")

  val io = IO(new Bundle {
    val alloc = Input(UInt(log2Ceil(p.backend.decodeWidth + 1).W))
    val commit = Input(UInt(log2Ceil(p.backend.commitWidth + 1).W))
    val squash = Input(new Squash(p))
    val tail = Output(UInt(p.sqPtrBits.W))
    val free = Output(UInt(p.sqPtrBits.W))
    val deq = Output(UInt(p.sqPtrBits.W))
    val drained = Output(Bool()) // every committed store has been performed
    val leaves = Output(Bool()) // a committed store leaves the queue

    val resolved = Vec(pipes, Flipped(Valid(new StoreOp(p))))
    val missed = Vec(pipes, Flipped(Valid(new MissedStore(p))))
    val woken = Input(Bool()) // a walk of page tables has ended
    val replay = Valid(new StoreOp(p)) // the oldest that may be translated again
    val data = Vec(pipes, Flipped(Valid(new StoreDataIssue(p))))
    val dataDone = Vec(pipes, Valid(UInt(p.robIdxBits.W)))
    val forward = Vec(p.lsu.loadPipes, new ForwardPort(p))
    val events = Output(new StoreEvents(p))

    val buffer = Decoupled(new StoreWords(p))
    val bufferEmpty = Input(Bool())
    val spmWrite = new SpmWordPort(p.amu.spm).write.cloneType
    val head = Valid(new HeadStore(p))
    val headPerformed = Input(Bool()) // AMO or device store done, not yet committed
  })

  private val deqPtr = RegInit(0.U(p.sqPtrBits.W))
  private val commitPtr = RegInit(0.U(p.sqPtrBits.W))
  private val tailPtr = RegInit(0.U(p.sqPtrBits.W))
  private def idx(ptr: UInt): UInt = ring.index(ptr)

  private val addrValid = RegInit(0.U(n.W))
  private val dataValid = RegInit(0.U(n.W))
  private val dataReported = RegInit(0.U(n.W))
  private val performed = RegInit(0.U(n.W)) // AMOs and device stores
  private val writes = Reg(UInt(n.W)) // may be matched by a load
  private val forwards = Reg(UInt(n.W)) // plain store to memory or SPM
  private val word = Reg(Vec(n, UInt((p.paddrBits - 3).W)))
  private val mask = Reg(Vec(n, UInt(8.W)))
  private val ops = Mem(n, new StoreOp(p))
  private val data = Mem(n, UInt(64.W))

  // pointers
  private val commitNext = ring.add(commitPtr, io.commit)
  private val squashing = io.squash.flush || io.squash.restore
  commitPtr := commitNext
  tailPtr := Mux(io.squash.flush, commitNext, Mux(io.squash.restore, io.squash.sqTail, ring.add(tailPtr, io.alloc)))
  io.tail := tailPtr
  io.deq := deqPtr
  io.drained := deqPtr === commitPtr && io.bufferEmpty
  private val allocated = Mux(squashing, 0.U, ring.mask(tailPtr, ring.add(tailPtr, io.alloc)))
  private val live = ring.mask(deqPtr, tailPtr)
  assert(squashing || io.alloc <= io.free, "SQ overflow")
  assert(io.commit <= ring.distance(tailPtr, commitPtr), "SQ underflow")
  for (k <- 0 until p.backend.commitWidth) {
    val i = idx(ring.add(commitPtr, k.U))
    val op = ops(i)
    assert(io.commit <= k.U || (addrValid(i) && dataValid(i) && !op.exception.valid), "SQ: a store commits without address and data")
    assert(io.commit <= k.U || performed(i) || !(op.isAmo || op.isMmio), "SQ: an AMO or device store commits unperformed")
  }

  // address and data arrive
  private def bit(valid: Bool, index: UInt): UInt = Mux(valid, UIntToOH(index, n), 0.U)
  private def anyOf(masks: Seq[UInt]): UInt = masks.reduce(_ | _)
  private val resolvedBits = io.resolved.map(r => bit(r.valid, idx(r.bits.sqPtr)))
  for (r <- io.resolved) {
    val i = idx(r.bits.sqPtr)
    when(r.valid) {
      ops(i) := r.bits
      word(i) := r.bits.word
      mask(i) := r.bits.mask
      assert(live(i) && !addrValid(i), "SQ: address for an entry that does not wait for one")
    }
  }
  // those that have missed the TLB, and of them those that wait for a walk
  private val missed = RegInit(0.U(n.W))
  private val waits = Reg(UInt(n.W))
  private val missedBits = io.missed.map(m => bit(m.valid, idx(m.bits.op.sqPtr)))
  for (m <- io.missed) { when(m.valid) { ops(idx(m.bits.op.sqPtr)) := m.bits.op } }
  private val awake = ring.rotate(live & missed & ~waits, deqPtr)
  private val again = (idx(deqPtr) + PriorityEncoder(awake))(idxBits - 1, 0)
  io.replay.valid := awake.orR
  io.replay.bits := ops(again)
  missed := (missed & ~allocated & ~bit(awake.orR, again)) | anyOf(missedBits)
  waits := (waits & ~Fill(n, io.woken)) | anyOf(io.missed.zip(missedBits).map { case (m, here) => Mux(m.bits.waits, here, 0.U) })

  private def updated(bits: UInt, value: StoreOp => Bool): UInt =
    (bits & ~anyOf(resolvedBits)) | anyOf(io.resolved.zip(resolvedBits).map { case (r, here) => Mux(value(r.bits), here, 0.U) })
  writes := updated(writes, _.writes)
  forwards := updated(forwards, op => !op.isAmo && !op.isMmio)
  private val dataArrives = io.data.map(d => d.valid && !io.squash.killsStore(d.bits.sqPtr))
  private val dataBits = io.data.zip(dataArrives).map { case (d, arrives) => bit(arrives, idx(d.bits.sqPtr)) }
  for ((d, arrives) <- io.data.zip(dataArrives)) {
    val i = idx(d.bits.sqPtr)
    when(arrives) {
      data(i) := d.bits.data
      assert(live(i) && !dataValid(i), "SQ: data for an entry that does not wait for it")
    }
  }
  assert(!(resolvedBits.reduce(_ & _).orR || dataBits.reduce(_ & _).orR), "SQ: two addresses or two data for an entry")
  addrValid := (addrValid & ~allocated) | anyOf(resolvedBits)
  dataValid := (dataValid & ~allocated) | anyOf(dataBits)

  // the ROB index comes with the address: data is reported when both are there
  private var reportable = live & addrValid & dataValid & ~dataReported
  private val reports = io.dataDone.map { done =>
    val here = PriorityEncoderOH(reportable)
    val op = ops(OHToUInt(here))
    done.valid := reportable.orR && !io.squash.killsStore(op.sqPtr)
    done.bits := op.robIdx
    reportable = reportable & ~here
    Mux(done.valid, here, 0.U)
  }
  dataReported := (dataReported & ~allocated) | anyOf(reports)

  // forwarding
  for (f <- io.forward) {
    val older = ring.mask(deqPtr, f.sqPtr)
    val belowIdx = (UIntToOH(idx(f.sqPtr), n) - 1.U)(n - 1, 0)
    def youngest(set: UInt): UInt = { // entries just below the load's pointer are the youngest
      val near = set & belowIdx
      (n - 1).U(idxBits.W) - PriorityEncoder(Reverse(Mux(near.orR, near, set)))
    }
    val unknown = older & ~addrValid
    f.unknown := unknown.orR
    f.unknownIdx := youngest(unknown)
    val touches = VecInit((0 until n).map(i => word(i) === f.word && (mask(i) & f.mask).orR)).asUInt &
      older & addrValid & writes
    val i = youngest(touches)
    f.overlaps := touches.orR
    f.ptr := ring.fromIndex(i, deqPtr)
    f.covers := forwards(i) && (f.mask & ~mask(i)) === 0.U
    f.dataValid := dataValid(i)
    f.data := data(i)
    f.offset := PriorityEncoder(mask(i))
  }

  // committed stores leave in order
  private val leaving = Seq(deqPtr, ring.add(deqPtr, 1.U))
  private val leavingOps = leaving.map(ptr => ops(idx(ptr)))
  private val first = leavingOps.head
  private val words = leaving.zip(leavingOps).map { case (ptr, op) =>
    val word = Wire(new StoreWord(p))
    word.index := op.wordInLine(p)
    word.data := ByteLanes.place(data(idx(ptr)), op.offset)
    word.mask := op.mask
    word
  }
  private def inMemory(op: StoreOp): Bool = !op.isAmo && !op.isMmio && !op.isSpm
  private val committed = deqPtr =/= commitPtr
  private val both = leaving(1) =/= commitPtr && inMemory(leavingOps(1)) && first.lineAddr(p) === leavingOps(1).lineAddr(p)
  private val sameWord = words(0).index === words(1).index
  io.buffer.valid := committed && inMemory(first)
  io.buffer.bits.lineAddr := first.lineAddr(p)
  for ((to, word) <- io.buffer.bits.words.zip(words)) { to.bits := word }
  io.buffer.bits.words(0).valid := true.B
  io.buffer.bits.words(1).valid := both && !sameWord
  when(both && sameWord) {
    io.buffer.bits.words(0).bits.data := ByteLanes.merge(words(0).data, words(1).data, words(1).mask)
    io.buffer.bits.words(0).bits.mask := words(0).mask | words(1).mask
  }
  io.spmWrite.valid := committed && !first.isAmo && !first.isMmio && first.isSpm
  io.spmWrite.bits.word := first.addr(log2Ceil(p.map.spm.bytes) - 1, 3)
  io.spmWrite.bits.data := words(0).data
  io.spmWrite.bits.mask := words(0).mask

  performed := (performed & ~allocated) | bit(io.headPerformed, idx(commitPtr))
  private val leaves = Seq(io.buffer.fire || io.spmWrite.fire || committed && performed(idx(deqPtr)), io.buffer.fire && both)
  deqPtr := ring.add(deqPtr, PopCount(leaves))
  io.leaves := leaves.head
  io.free := n.U - ring.distance(tailPtr, deqPtr) + PopCount(leaves)

  // the unit at the ROB head
  private val commitIdx = idx(commitPtr)
  io.head.valid := commitPtr =/= tailPtr && addrValid(commitIdx) && !performed(commitIdx)
  io.head.bits.op := ops(commitIdx)
  io.head.bits.dataValid := dataValid(commitIdx)
  io.head.bits.data := data(commitIdx)
  io.head.bits.olderDrained := !committed && io.bufferEmpty

  // the load queue hears of events one cycle later, so no load misses the one it has just decided to wait for
  private def tell(to: Seq[Valid[UInt]], valid: Seq[Bool], index: Seq[UInt]): Unit =
    for ((e, (v, i)) <- to.zip(valid.zip(index))) {
      e.valid := RegNext(v, false.B)
      e.bits := RegEnable(i, v)
    }
  tell(io.events.address, io.resolved.map(_.valid), io.resolved.map(r => idx(r.bits.sqPtr)))
  tell(io.events.data, dataArrives, io.data.map(d => idx(d.bits.sqPtr)))
  tell(io.events.drained, leaves, leaving.map(idx))
}
