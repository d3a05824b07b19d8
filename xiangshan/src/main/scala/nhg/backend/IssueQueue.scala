// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Issue queue: up to `decodeWidth` micro-ops in, the oldest ready ones out (one or two ports). An entry is ready when no source is
  * marked in `busy` (per class, a bit per physical register), so wake-up is a change of `busy`. Age is a matrix: row i marks the entries older
  * than i. Micro-ops taken in the cycle of a squash may be dead; the next stage checks.
  *
  * @param reads  register classes that each source may come from
  * @param atHead micro-ops that are ready only when they are the oldest in the ROB, whatever is younger, if there are any
  */
class IssueQueue(p: NhgParams, entries: Int, ports: Int, reads: Seq[Set[String]], atHead: Option[MicroOp => Bool]) extends Module {
  require(ports == 1 || ports == 2)
  private val w = p.backend.decodeWidth
  val io = IO(new Bundle {
    val in = Input(Vec(w, Valid(new MicroOp(p)))) // any subset, in program order
    val free = Output(UInt(log2Ceil(entries + 1).W))
    val busy = Input(MixedVec(p.backend.registerClasses.map(c => UInt(c.physical.W))))
    val robHead = Input(UInt(p.robRing.bits.W))
    val out = Vec(ports, Decoupled(new MicroOp(p)))
    val kill = Input(new Kill(p))
  })
  private val valid = RegInit(0.U(entries.W))
  private val older = Reg(Vec(entries, UInt(entries.W)))
  private val psrc = Reg(Vec(entries, Vec(reads.length, new PhysicalRegister(p))))
  private val robPtr = Reg(Vec(entries, UInt(p.robRing.bits.W)))
  private val waitsForHead = atHead.map(_ => Reg(Vec(entries, Bool())))
  private val payload = Mem(entries, new MicroOp(p))
  io.free := PopCount(~valid)

  // select
  private def isBusy(register: PhysicalRegister, classes: Set[String]): Bool = {
    val numbers = classes.toSeq.map(p.backend.classIndex).sorted
    val busy = ByClass.among(register.regClass, numbers.map(k => k -> io.busy(k)(register.index)))
    if (numbers.contains(0)) busy else busy && register.regClass =/= 0.U // class 0: the operand is not used
  }
  private val ready = VecInit((0 until entries).map { i =>
    val isHeld = waitsForHead.fold(false.B)(waits => waits(i) && robPtr(i) =/= io.robHead)
    valid(i) && !isHeld && !psrc(i).zip(reads).map { case (register, classes) => isBusy(register, classes) }.reduce(_ || _)
  }).asUInt
  private def oldest(candidates: UInt): UInt =
    VecInit((0 until entries).map(i => candidates(i) && (older(i) & candidates) === 0.U)).asUInt
  private var candidates = ready
  private var issued = 0.U(entries.W)
  for (port <- io.out) {
    val pick = oldest(candidates)
    port.valid := pick.orR
    port.bits := payload.read(OHToUInt(pick))
    val gone = Mux(port.ready, pick, 0.U)
    candidates = candidates & ~gone
    issued = issued | gone
  }

  // enqueue: the k-th arrival gets the k-th free slot
  private var unused = ~valid
  private val freeSlots = (0 until w).map { _ =>
    val slot = PriorityEncoderOH(unused)
    unused = unused & ~slot
    slot
  }
  private val slots = io.in.indices.map { i =>
    val k = CountBefore(io.in.take(i).map(_.valid), log2Ceil(w))
    Mux(io.in(i).valid, VecInit(freeSlots)(k(log2Ceil(w) - 1, 0)), 0.U)
  }
  private val entering = slots.reduce(_ | _)
  for (e <- 0 until entries) { older(e) := older(e) & ~entering }
  for (i <- 0 until w) {
    when(io.in(i).valid) {
      val idx = OHToUInt(slots(i))
      val uop = io.in(i).bits
      payload.write(idx, uop)
      for (k <- reads.indices) { psrc(idx)(k) := uop.psrc(k) }
      robPtr(idx) := uop.robPtr
      for ((waits, mustBeOldest) <- waitsForHead.zip(atHead)) { waits(idx) := mustBeOldest(uop) }
      older(idx) := (valid | slots.take(i).foldLeft(0.U(entries.W))(_ | _))
    }
  }

  private val dead = VecInit((0 until entries).map(e => p.robRing.isBefore(io.kill.robPtr, robPtr(e)))).asUInt
  private val remaining = (valid & ~issued) | entering
  valid := MuxCase(remaining, Seq(io.kill.flush -> 0.U, io.kill.squash -> (remaining & ~dead)))

  assert(PopCount(io.in.map(_.valid)) <= io.free, "issue queue overflow")
  assert(!(io.kill.flush || io.kill.squash) || entering === 0.U, "micro-op dispatched during a squash")
}
