// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Destination of a retiring instruction, if it `writes` one: `logical` is `physical` from now on, and `old` becomes free unless a move has
  * given it to another logical register, too. `isMove`: `physical` is such a register, not one of its own.
  */
class CommittedRegister(p: NhgParams) extends Bundle {
  val writes = Bool()
  val regClass = UInt(p.regClassBits.W)
  val logical = UInt(p.logicalRegBits.W)
  val physical = UInt(p.physicalRegBits.W)
  val old = UInt(p.physicalRegBits.W)
  val isMove = Bool()
  def writesTo(k: Int): Bool = writes && regClass === k.U
}

/** Register alias table of one class: speculative map (restored from a snapshot or from the committed map) and committed map. A
  * register fixed to zero stays physical register 0.
  *
  * Several logical registers may be one physical one, by moves. The committed map alone says when it becomes free: instructions commit in
  * order, so when the last logical register leaves it there, every move that copied it has committed before, and none can follow.
  */
class RenameTable(p: NhgParams, c: RegisterClass) extends Module {
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  private def map = Vec(c.logical, UInt(c.physicalBits.W))
  val io = IO(new Bundle {
    val lane = Input(Vec(
      dw,
      new Bundle {
        val lrs = Vec(p.backend.sources, UInt(c.logicalBits.W))
        val writes = Bool() // lrd becomes pdst
        val lrd = UInt(c.logicalBits.W)
        val pdst = UInt(c.physicalBits.W)
      }
    ))
    /** Per lane: sources and the destination's previous mapping, as they are after the older lanes. */
    val psrc = Output(Vec(dw, Vec(p.backend.sources, UInt(c.physicalBits.W))))
    val pold = Output(Vec(dw, UInt(c.physicalBits.W)))
    /** Map after each lane, for snapshots. */
    val after = Output(Vec(dw, map))
    val take = Input(Vec(dw, Bool())) // a prefix
    val commit = Input(Vec(
      cw,
      Valid(new Bundle {
        val logical = UInt(c.logicalBits.W)
        val physical = UInt(c.physicalBits.W)
        val old = UInt(c.physicalBits.W)
      })
    ))
    /** Per commit: its old register is nobody's any more. One register is told once. */
    val freed = Output(Vec(cw, Bool()))
    val restore = Input(Valid(map))
    val flush = Input(Bool())
  })
  private val initial = VecInit((0 until c.logical).map(_.U(c.physicalBits.W)))
  private val rat = RegInit(initial)
  private val committed = RegInit(initial)

  for (i <- 0 until dw) {
    def lookup(r: UInt): UInt = (0 until i).foldLeft(rat(r)) { (older, j) =>
      Mux(io.lane(j).writes && io.lane(j).lrd === r, io.lane(j).pdst, older)
    }
    for ((psrc, lrs) <- io.psrc(i).zip(io.lane(i).lrs)) { psrc := lookup(lrs) }
    io.pold(i) := lookup(io.lane(i).lrd)
  }
  private val writes = io.lane.map(l => Mux(l.writes, UIntToOH(l.lrd, c.logical), 0.U(c.logical.W)))
  private def isFixed(r: Int) = c.fixedZero && r == 0
  private var state: Seq[UInt] = rat
  private var next: Seq[UInt] = rat
  for (i <- 0 until dw) {
    state = (0 until c.logical).map(r => if (isFixed(r)) 0.U else Mux(writes(i)(r), io.lane(i).pdst, state(r)))
    next = (0 until c.logical).map(r => if (isFixed(r)) 0.U else Mux(io.take(i) && writes(i)(r), io.lane(i).pdst, next(r)))
    io.after(i) := VecInit(state)
  }
  when(io.flush) { rat := committed }
    .elsewhen(io.restore.valid) { rat := io.restore.bits }
    .elsewhen(io.take(0)) { rat := VecInit(next) }

  private val nextCommitted = WireDefault(committed)
  for (commit <- io.commit) {
    when(commit.valid) { nextCommitted(commit.bits.logical) := commit.bits.physical }
  }
  committed := nextCommitted
  private val held = nextCommitted.map(UIntToOH(_, c.physical)).reduce(_ | _)
  for (i <- 0 until cw) {
    val again = io.commit.drop(i + 1).map(younger => younger.valid && younger.bits.old === io.commit(i).bits.old)
    io.freed(i) := io.commit(i).valid && !held(io.commit(i).bits.old) && !VecInit(again :+ false.B).asUInt.orR
  }
  if (c.fixedZero) {
    assert(rat(0) === 0.U && committed(0) === 0.U, "the register that is fixed to zero has been renamed")
    for ((lane, take) <- io.lane.zip(io.take)) assert(!(take && lane.writes && lane.lrd === 0.U), "an instruction writes the register fixed to zero")
  }
}
