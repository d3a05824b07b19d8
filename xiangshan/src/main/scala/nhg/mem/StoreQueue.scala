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

/** Store queue: an entry per store, AMO, LR and SC from rename until it has been performed.
  *
  * Pointers, oldest first: deq (freed up to here) <= send (next to leave for L1D or SPM) <= commit <= tail. A sent store stays
  * visible to forwarding until two cycles after its write, which covers every load that read the arrays before it.
  * Forwarding takes the youngest older store that touches the load's bytes: it serves the load when it covers all of them;
  * otherwise the load waits until that store has drained.
  */
class StoreQueue(p: NhgParams) extends Module {
  private val n = p.lsu.storeQueue
  private val ring = p.storeRing
  private val idxBits = log2Ceil(n)

  val io = IO(new Bundle {
    val alloc = Input(UInt(log2Ceil(p.backend.decodeWidth + 1).W))
    val commit = Input(UInt(log2Ceil(p.backend.commitWidth + 1).W))
    val squash = Input(new Squash(p))
    val tail = Output(UInt(p.sqPtrBits.W))
    val free = Output(UInt(p.sqPtrBits.W))
    val deq = Output(UInt(p.sqPtrBits.W))
    val drained = Output(Bool())
    val performs = Output(Bool()) // a committed store leaves the queue

    val resolved = Flipped(Valid(new StoreOp(p)))
    val data = Flipped(Valid(new StoreDataIssue(p)))
    val dataDone = Valid(UInt(p.robIdxBits.W))
    val forward = Vec(p.lsu.loadPipes, new ForwardPort(p))
    val events = Output(new StoreEvents(p))

    val cache = Flipped(new StorePipePort(p))
    val spmWrite = new SpmWordPort(p.amu.spm).write.cloneType
    val head = Valid(new HeadStore(p))
    val headPerformed = Input(Bool()) // AMO or device store done, not yet committed
  })

  private val deqPtr = RegInit(0.U(p.sqPtrBits.W))
  private val sendPtr = RegInit(0.U(p.sqPtrBits.W))
  private val commitPtr = RegInit(0.U(p.sqPtrBits.W))
  private val tailPtr = RegInit(0.U(p.sqPtrBits.W))
  private def idx(ptr: UInt): UInt = ring.index(ptr)

  private val addrValid = RegInit(0.U(n.W))
  private val dataValid = RegInit(0.U(n.W))
  private val dataReported = RegInit(0.U(n.W))
  private val performed = RegInit(0.U(n.W))
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
  io.free := n.U - ring.distance(tailPtr, deqPtr)
  io.deq := deqPtr
  io.drained := deqPtr === commitPtr
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
  private val resolvedBit = Mux(io.resolved.valid, UIntToOH(idx(io.resolved.bits.sqPtr), n), 0.U)
  private val dataKilled = io.squash.killsStore(io.data.bits.sqPtr)
  private val dataArrives = io.data.valid && !dataKilled
  private val dataBit = Mux(dataArrives, UIntToOH(idx(io.data.bits.sqPtr), n), 0.U)
  when(io.resolved.valid) {
    val i = idx(io.resolved.bits.sqPtr)
    val plain = !io.resolved.bits.isAmo && !io.resolved.bits.isMmio
    ops(i) := io.resolved.bits
    word(i) := io.resolved.bits.word
    mask(i) := io.resolved.bits.mask
    writes := writes.bitSet(i, io.resolved.bits.writes)
    forwards := forwards.bitSet(i, plain)
    assert(live(i) && !addrValid(i), "SQ: address for an entry that does not wait for one")
  }
  when(dataArrives) {
    val i = idx(io.data.bits.sqPtr)
    data(i) := io.data.bits.data
    assert(live(i) && !dataValid(i), "SQ: data for an entry that does not wait for it")
  }
  addrValid := (addrValid & ~allocated) | resolvedBit
  dataValid := (dataValid & ~allocated) | dataBit

  // the ROB index comes with the address: data is reported when both are there
  private val reportable = live & addrValid & dataValid & ~dataReported
  private val reportIdx = PriorityEncoder(reportable)
  private val reported = ops(reportIdx)
  io.dataDone.valid := reportable.orR && !io.squash.killsStore(reported.sqPtr)
  io.dataDone.bits := reported.robIdx
  dataReported := (dataReported & ~allocated) | Mux(io.dataDone.valid, UIntToOH(reportIdx, n), 0.U)

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

  // committed stores leave in order: to the cache, one a cycle, or to the SPM, when no store is in the cache's pipe
  private val sendIdx = idx(sendPtr)
  private val sendOp = ops(sendIdx)
  private val sendData = ByteLanes.place(data(sendIdx), sendOp.offset)
  private val sending = sendPtr =/= commitPtr
  private val sendPlain = sending && !sendOp.isAmo && !sendOp.isMmio
  io.cache.s0.valid := sendPlain && !sendOp.isSpm
  io.cache.s0.bits.addr := sendOp.addr
  io.cache.s0.bits.data := sendData
  io.cache.s0.bits.mask := sendOp.mask
  io.cache.s0.bits.isAmo := false.B
  io.spmWrite.valid := sendPlain && sendOp.isSpm && !io.cache.s1_valid
  io.spmWrite.bits.word := sendOp.addr(log2Ceil(p.map.spm.bytes) - 1, 3)
  io.spmWrite.bits.data := sendData
  io.spmWrite.bits.mask := sendOp.mask

  private val st1_ptr = RegEnable(sendPtr, io.cache.s0.fire)
  when(io.cache.s1_failed) {
    sendPtr := st1_ptr
  }.elsewhen(io.cache.s0.fire || io.spmWrite.fire || (sending && !sendPlain)) {
    sendPtr := ring.add(sendPtr, 1.U)
  }

  private val performedNow =
    Mux(io.cache.s1_done, UIntToOH(idx(st1_ptr), n), 0.U) |
      Mux(io.spmWrite.fire, UIntToOH(sendIdx, n), 0.U) |
      Mux(io.headPerformed, UIntToOH(idx(commitPtr), n), 0.U)
  performed := (performed & ~allocated) | performedNow
  private val dequeues = deqPtr =/= commitPtr && performed(idx(deqPtr))
  when(dequeues) { deqPtr := ring.add(deqPtr, 1.U) }
  io.performs := dequeues

  // the unit at the ROB head
  private val commitIdx = idx(commitPtr)
  io.head.valid := commitPtr =/= tailPtr && addrValid(commitIdx) && !performed(commitIdx)
  io.head.bits.op := ops(commitIdx)
  io.head.bits.dataValid := dataValid(commitIdx)
  io.head.bits.data := data(commitIdx)
  io.head.bits.olderDrained := deqPtr === commitPtr

  // the load queue hears of events one cycle later, so no load misses the one it has just decided to wait for
  private def event(valid: Bool, index: UInt): Valid[UInt] = {
    val e = Wire(Valid(UInt(idxBits.W)))
    e.valid := RegNext(valid, false.B)
    e.bits := RegEnable(index, valid)
    e
  }
  io.events.address := event(io.resolved.valid, idx(io.resolved.bits.sqPtr))
  io.events.data := event(dataArrives, idx(io.data.bits.sqPtr))
  io.events.drained := event(dequeues, idx(deqPtr))
}
