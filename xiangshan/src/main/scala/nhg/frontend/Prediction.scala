// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import nhg._

/** Where an instruction ends decides where it belongs: a fetch block is a part of one aligned window of `fetchBytes`, and an
  * instruction belongs to the block that holds its last halfword. `end` is that halfword's index inside the window.
  */
object FetchWindow {
  def offsetBits(p: NhgParams): Int = log2Ceil(p.frontend.fetchBytes)
  def endBits(p: NhgParams): Int = offsetBits(p) - 1
  def halves(p: NhgParams): Int = p.frontend.fetchBytes / 2

  /** Number of the window of `pc`. */
  def of(pc: UInt, p: NhgParams): UInt = pc(p.pcBits - 1, offsetBits(p))
  def start(window: UInt, p: NhgParams): UInt = Cat(window, 0.U(offsetBits(p).W))
  def endOf(pc: UInt, p: NhgParams): UInt = pc(offsetBits(p) - 1, 1)

  /** Address of the last halfword of the instruction at `pc`. */
  def lastHalf(pc: UInt, isRvc: Bool): UInt = Mux(isRvc, pc, pc + 2.U)
  def lastHalfAt(window: UInt, end: UInt): UInt = Cat(window, end, 0.U(1.W))

  /** Executable memory: boot ROM, local and far memory. Regions are multiples of a window. */
  def isExecutable(physical: UInt, p: NhgParams): Bool =
    Seq(p.map.bootRom, p.map.local, p.map.far)
      .map(r => physical >= r.base.U(p.pcBits.W) && physical < r.end.U(p.pcBits.W))
      .reduce(_ || _)
}

/** Targets in the predictors' tables: an address of Sv39 without its lowest bit. One that is not canonical is predicted wrongly. */
object StoredTarget {
  def bits(p: NhgParams): Int = p.addressBits - 1
  def of(pc: UInt, p: NhgParams): UInt = pc(p.addressBits - 1, 1)
  def pc(stored: UInt): UInt = Cat(stored.head(1), stored, 0.U(1.W))
}

/** Path history: every taken control-flow instruction shifts one place and mixes in six bits of its own and its target's address.
  * Instructions that are not taken leave no mark, so the history at the start of a block holds for each instruction in it.
  */
object PathHistory {
  def taken(history: UInt, lastHalf: UInt, target: UInt): UInt = {
    val mark = lastHalf(6, 1) ^ Cat(target(3, 1), target(6, 4))
    (history << 1)(history.getWidth - 1, 0) ^ mark
  }

  /** The newest `length` bits folded to `width` bits by exclusive or. */
  def fold(history: UInt, length: Int, width: Int): UInt =
    (0 until length by width)
      .map(i => history(math.min(i + width, length) - 1, i).pad(width))
      .reduce(_ ^ _)
}

/** Speculative predictor state at the start of a block: kept in the FTQ, restored by a redirect. */
class PredictorState(p: NhgParams) extends Bundle {
  val history = UInt(p.frontend.historyBits.W)
  val ras = new RasState(p)
}

/** F0's prediction for one block. Without `taken` fetch goes on with the next window. */
class Prediction(p: NhgParams) extends Bundle {
  val taken = Bool()
  val end = UInt(FetchWindow.endBits(p).W) // of the taken instruction
  val cfiType = UInt(3.W)
  val target = UInt(p.pcBits.W)
  /** A bafin the BPT knows ends at `bafinEnd` and asked the BTQ. */
  val bafinAsked = Bool()
  val bafinEnd = UInt(FetchWindow.endBits(p).W)

  def isBafin: Bool = taken && cfiType === CfiType.bafin
}

/** Training of the predictors by one executed control-flow instruction, one cycle after the back end's update. */
class Training(p: NhgParams) extends Bundle {
  val lastHalf = UInt(p.pcBits.W)
  val cfiType = UInt(3.W)
  val taken = Bool()
  val target = UInt(p.pcBits.W)
  val mispredicted = Bool()
  val history = UInt(p.frontend.historyBits.W) // at the start of its block
}
