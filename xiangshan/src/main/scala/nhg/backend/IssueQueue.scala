// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Issue queue: up to `decodeWidth` micro-ops in, the oldest ready ones out (one or two ports). An entry is ready when neither source
  * is marked in `busy` (bit per physical register), so wake-up is a change of `busy`. Age is a matrix: row i marks the entries older
  * than i. Micro-ops taken in the cycle of a squash may be dead; the next stage checks.
  */
class IssueQueue(p: NhgParams, entries: Int, ports: Int) extends Module {
  require(ports == 1 || ports == 2)
  private val w = p.backend.decodeWidth
  val io = IO(new Bundle {
    val in = Input(Vec(w, Valid(new MicroOp(p)))) // any subset, in program order
    val free = Output(UInt(log2Ceil(entries + 1).W))
    val busy = Input(UInt(p.backend.intPhysRegs.W))
    val out = Vec(ports, Decoupled(new MicroOp(p)))
    val kill = Input(new Kill(p))
  })
  private val valid = RegInit(0.U(entries.W))
  private val older = Reg(Vec(entries, UInt(entries.W)))
  private val src1 = Reg(Vec(entries, UInt(p.pregBits.W)))
  private val src2 = Reg(Vec(entries, UInt(p.pregBits.W)))
  private val robPtr = Reg(Vec(entries, UInt(RobPtr.bits(p).W)))
  private val payload = Mem(entries, new MicroOp(p))
  io.free := PopCount(~valid)

  // select
  private val ready = VecInit((0 until entries).map(i => valid(i) && !io.busy(src1(i)) && !io.busy(src2(i)))).asUInt
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
      src1(idx) := uop.psrc1
      src2(idx) := uop.psrc2
      robPtr(idx) := uop.robPtr
      older(idx) := (valid | slots.take(i).foldLeft(0.U(entries.W))(_ | _))
    }
  }

  private val dead = VecInit((0 until entries).map(e => RobPtr.younger(p, robPtr(e), io.kill.robPtr))).asUInt
  private val remaining = (valid & ~issued) | entering
  valid := MuxCase(remaining, Seq(io.kill.flush -> 0.U, io.kill.squash -> (remaining & ~dead)))

  assert(PopCount(io.in.map(_.valid)) <= io.free, "issue queue overflow")
  assert(!(io.kill.flush || io.kill.squash) || entering === 0.U, "micro-op dispatched during a squash")
}
