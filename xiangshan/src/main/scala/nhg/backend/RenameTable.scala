// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Destination of a retiring instruction; lrd 0: none. `pold` becomes free. */
class CommittedRegister(p: NhgParams) extends Bundle {
  val lrd = UInt(5.W)
  val pdst = UInt(p.pregBits.W)
  val pold = UInt(p.pregBits.W)
}

/** Register alias table: speculative map (restored from a snapshot or from the committed map) and committed map. x0 is p0. */
class RenameTable(p: NhgParams) extends Module {
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  private def map = Vec(32, UInt(p.pregBits.W))
  val io = IO(new Bundle {
    val lane = Input(Vec(dw, new Bundle {
      val lrs1 = UInt(5.W)
      val lrs2 = UInt(5.W)
      val lrd = UInt(5.W) // 0: no destination
      val pdst = UInt(p.pregBits.W)
    }))
    /** Per lane: sources and the destination's previous mapping, as they are after the older lanes. */
    val psrc1 = Output(Vec(dw, UInt(p.pregBits.W)))
    val psrc2 = Output(Vec(dw, UInt(p.pregBits.W)))
    val pold = Output(Vec(dw, UInt(p.pregBits.W)))
    /** Map after each lane, for snapshots. */
    val after = Output(Vec(dw, map))
    val take = Input(Vec(dw, Bool())) // a prefix
    val commit = Input(Vec(cw, Valid(new CommittedRegister(p))))
    val restore = Input(Valid(map))
    val flush = Input(Bool())
  })
  private val initial = VecInit((0 until 32).map(_.U(p.pregBits.W)))
  private val rat = RegInit(initial)
  private val committed = RegInit(initial)

  for (i <- 0 until dw) {
    def lookup(r: UInt): UInt = (0 until i).foldLeft(rat(r)) { (older, j) =>
      Mux(io.lane(j).lrd === r && r =/= 0.U, io.lane(j).pdst, older)
    }
    io.psrc1(i) := lookup(io.lane(i).lrs1)
    io.psrc2(i) := lookup(io.lane(i).lrs2)
    io.pold(i) := lookup(io.lane(i).lrd)
  }
  private val writes = io.lane.map(l => UIntToOH(l.lrd, 32) & ~1.U(32.W))
  private var state: Seq[UInt] = rat
  private var next: Seq[UInt] = rat
  for (i <- 0 until dw) {
    state = (0 until 32).map(r => if (r == 0) 0.U else Mux(writes(i)(r), io.lane(i).pdst, state(r)))
    next = (0 until 32).map(r => if (r == 0) 0.U else Mux(io.take(i) && writes(i)(r), io.lane(i).pdst, next(r)))
    io.after(i) := VecInit(state)
  }
  when(io.flush) { rat := committed }
    .elsewhen(io.restore.valid) { rat := io.restore.bits }
    .elsewhen(io.take(0)) { rat := VecInit(next) }

  for (c <- io.commit) {
    when(c.valid && c.bits.lrd =/= 0.U) { committed(c.bits.lrd) := c.bits.pdst }
  }
  assert(rat(0) === 0.U && committed(0) === 0.U, "x0 renamed")
}
