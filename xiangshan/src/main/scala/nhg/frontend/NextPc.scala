// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import nhg._

/** F0: next-PC prediction for the block that starts at `pc`, in one cycle (a predicted-taken instruction costs no bubble).
  * The first taken instruction of the window wins; the BPT is asked before every other predictor (paper IV-A): a bafin that is
  * reached pops the BTQ and ends the block, or, when the BTQ is empty, is predicted not taken.
  */
class NextPc(p: NhgParams) extends Module {
  private val ways = Btb.ways
  val io = IO(new Bundle {
    val pc = Input(UInt(p.pcBits.W))
    val history = Input(UInt(p.frontend.historyBits.W))
    val rasTop = Input(UInt(p.pcBits.W))
    val btqValid = Input(Bool())
    val btqTarget = Input(UInt(p.pcBits.W))
    val prediction = Output(new Prediction(p))
    val train = Input(Valid(new Training(p)))
    val forgetBafins = Input(Bool())
    val forget = Input(Valid(UInt(p.pcBits.W))) // of the BTB
  })

  private val window = FetchWindow.of(io.pc, p)
  private val start = FetchWindow.endOf(io.pc, p)

  private val btb = Module(new Btb(p))
  btb.io.window := window
  btb.io.train := io.train
  btb.io.forget := io.forget
  private val slots = btb.io.slots

  private val direction = Module(new DirectionPredictor(p))
  direction.io.lastHalf := VecInit(slots.map(s => FetchWindow.lastHalfAt(window, s.end)))
  direction.io.history := io.history
  direction.io.train := io.train

  private val indirect = Module(new IndirectPredictor(p))
  indirect.io.window := window
  indirect.io.history := io.history
  indirect.io.train := io.train

  private val bpt = Module(new Bpt(p))
  bpt.io.window := window
  bpt.io.start := start
  bpt.io.train := io.train
  bpt.io.forget := io.forgetBafins

  private val taken = (0 until ways).map { i =>
    slots(i).hit && slots(i).end >= start && (slots(i).cfiType =/= CfiType.branch || direction.io.taken(i))
  }
  private val first = (0 until ways).map { i =>
    taken(i) && (0 until ways).filter(_ != i).map { j =>
      !taken(j) || slots(i).end < slots(j).end || (slots(i).end === slots(j).end && (i < j).B)
    }.reduce(_ && _)
  }
  private val slot = Mux1H(first, slots)
  private val btbTaken = taken.reduce(_ || _)
  private val asked = bpt.io.hit && !(btbTaken && slot.end < bpt.io.end)
  private val bafinTaken = asked && io.btqValid
  private val isIndirect = slot.cfiType === CfiType.jalr || slot.cfiType === CfiType.call

  io.prediction.taken := btbTaken || bafinTaken
  io.prediction.end := Mux(bafinTaken, bpt.io.end, slot.end)
  io.prediction.cfiType := Mux(bafinTaken, CfiType.bafin, slot.cfiType)
  io.prediction.target := MuxCase(
    slot.target,
    Seq(
      bafinTaken -> io.btqTarget,
      (slot.cfiType === CfiType.ret) -> io.rasTop,
      (isIndirect && indirect.io.hit && indirect.io.end === slot.end) -> indirect.io.target
    )
  )
  io.prediction.bafinAsked := asked
  io.prediction.bafinEnd := bpt.io.end
}
