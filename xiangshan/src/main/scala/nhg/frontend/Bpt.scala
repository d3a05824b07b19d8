// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import nhg._

/** Bafin Prediction Table (paper IV-A): the addresses of up to `bptEntries` bafin instructions, compared in F0's cycle. Gives the
  * first known bafin at or after `start` in the window. Trained by every executed bafin; forgotten at fence.i.
  */
class Bpt(p: NhgParams) extends Module {
  private val entries = p.frontend.bptEntries
  require(isPow2(entries))
  val io = IO(new Bundle {
    val window = Input(UInt((p.pcBits - FetchWindow.offsetBits(p)).W))
    val start = Input(UInt(FetchWindow.endBits(p).W))
    val hit = Output(Bool())
    val end = Output(UInt(FetchWindow.endBits(p).W))
    val train = Input(Valid(new Training(p)))
    val forget = Input(Bool())
  })

  private val valid = RegInit(VecInit(Seq.fill(entries)(false.B)))
  private val halves = Reg(Vec(entries, UInt((p.pcBits - 1).W))) // address of the bafin's last halfword / 2
  private val victim = RegInit(0.U(log2Ceil(entries).W))
  private val ends = halves.map(_(FetchWindow.endBits(p) - 1, 0))

  private val matches = (0 until entries).map { i =>
    valid(i) && (halves(i) >> FetchWindow.endBits(p)) === io.window && ends(i) >= io.start
  }
  io.hit := matches.reduce(_ || _)
  io.end := matches.zip(ends).map { case (m, e) => Mux(m, e, (FetchWindow.halves(p) - 1).U) }.reduce((a, b) => Mux(a < b, a, b))

  private val half = io.train.bits.lastHalf >> 1
  private val trains = io.train.valid && io.train.bits.cfiType === CfiType.bafin
  private val known = valid.zip(halves).map { case (v, h) => v && h === half }.reduce(_ || _)
  when(trains && !known) {
    valid(victim) := true.B
    halves(victim) := half
    victim := victim + 1.U
  }
  when(io.forget) { valid.foreach(_ := false.B) }
  assert(PopCount(valid.zip(halves).map { case (v, h) => v && h === half }) <= 1.U, "BPT: an address is held twice")
}
