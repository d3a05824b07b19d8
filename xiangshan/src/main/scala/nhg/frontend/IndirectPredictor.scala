// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** Targets of indirect jumps by path history: a tagged table of `indirectEntries` entries over the newest `indirectHistory` bits. Above the
  * BTB's last target where it hits; entered when an indirect jump was mispredicted.
  */
class IndirectPredictor(p: NhgParams) extends Module {
  private val f = p.frontend
  private val indexBits = log2Ceil(f.indirectEntries)
  private val tagBits = 10
  private val windowBits = p.pcBits - FetchWindow.offsetBits(p)
  require(isPow2(f.indirectEntries) && f.indirectHistory <= f.historyBits)

  val io = IO(new Bundle {
    val window = Input(UInt(windowBits.W))
    val history = Input(UInt(f.historyBits.W))
    val hit = Output(Bool())
    val end = Output(UInt(FetchWindow.endBits(p).W))
    val target = Output(UInt(p.pcBits.W))
    val train = Input(Valid(new Training(p)))
  })

  private class Entry extends Bundle {
    val tag = UInt(tagBits.W)
    val end = UInt(FetchWindow.endBits(p).W)
    val confident = Bool()
    val target = UInt((p.pcBits - 1).W)
  }
  private val table = new AsyncTable(new Entry, f.indirectEntries)
  private def index(window: UInt, history: UInt) =
    window(indexBits - 1, 0) ^ PathHistory.fold(history, f.indirectHistory, indexBits)
  private def tag(window: UInt, history: UInt) =
    window(tagBits + indexBits - 1, indexBits) ^ window(tagBits - 1, 0) ^ PathHistory.fold(history, f.indirectHistory, tagBits)
  private def read(window: UInt, history: UInt) = table.read(index(window, history))

  private val found = read(io.window, io.history)
  io.hit := found.tag === tag(io.window, io.history) && found.target =/= 0.U
  io.end := found.end
  io.target := Cat(found.target, 0.U(1.W))

  private val trained = io.train.bits
  private val window = FetchWindow.of(trained.lastHalf, p)
  private val end = FetchWindow.endOf(trained.lastHalf, p)
  private val old = read(window, trained.history)
  private val known = old.tag === tag(window, trained.history) && old.end === end
  private val right = old.target === trained.target(p.pcBits - 1, 1)
  private val entry = Wire(new Entry)
  entry.tag := tag(window, trained.history)
  entry.end := end
  entry.confident := known && right
  entry.target := trained.target(p.pcBits - 1, 1)
  private val isIndirect = trained.cfiType === CfiType.jalr || trained.cfiType === CfiType.call
  private val doubted = WireDefault(old)
  doubted.confident := false.B
  private val doubts = old.confident && !(known && right)
  table.write(io.train.valid && isIndirect && (known || trained.mispredicted), index(window, trained.history), Mux(doubts, doubted, entry))
}
