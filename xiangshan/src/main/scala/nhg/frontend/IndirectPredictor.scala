// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** Targets of indirect jumps by path history: ITTAGE. Tagged tables over growing history lengths (`ittage`); the longest that matches
  * gives the target, above the BTB's last one. A jump that was mispredicted enters a longer table. Like the direction's tables they
  * are read again with the jump's own history when it trains.
  */
class IndirectPredictor(p: NhgParams) extends Module {
  private val f = p.frontend
  private val tagBits = 9
  private val windowBits = p.pcBits - FetchWindow.offsetBits(p)
  require(f.ittage.forall(t => isPow2(t.entries) && t.history <= f.historyBits) && f.ittage == f.ittage.sortBy(_.history))

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
    val confidence = UInt(2.W) // right since it was entered, less wrong
    val target = UInt(StoredTarget.bits(p).W) // 0: nothing there
  }
  private val tables = f.ittage.map(t => new AsyncTable(new Entry, t.entries))

  /** What the tables say of the indirect jumps of a window. */
  private class Lookup(window: UInt, history: UInt) {
    val indices: Seq[UInt] = f.ittage.map { t =>
      val bits = log2Ceil(t.entries)
      window(bits - 1, 0) ^ PathHistory.fold(history, t.history, bits)
    }
    val tags: Seq[UInt] = f.ittage.map { t =>
      Tage.tag(window ^ (window >> log2Ceil(t.entries)), history, t.history, tagBits)
    }
    val entries: Seq[Entry] = tables.zip(indices).map { case (table, index) => table.read(index) }
    val hits: UInt = VecInit(entries.zip(tags).map { case (e, tag) => e.tag === tag && e.target =/= 0.U }).asUInt
  }

  private val found = new Lookup(io.window, io.history)
  private val provider = Tage.provider(found.hits)
  private val entry = Mux1H(provider, found.entries)
  io.hit := provider.orR
  io.end := entry.end
  io.target := StoredTarget.pc(entry.target)

  private val trained = io.train.bits
  private val old = new Lookup(FetchWindow.of(trained.lastHalf, p), trained.history)
  private val end = FetchWindow.endOf(trained.lastHalf, p)
  private val target = StoredTarget.of(trained.target, p)
  /** Matches for this jump; one of another jump of the window is no better than none. */
  private val known = old.hits & VecInit(old.entries.map(_.end === end)).asUInt
  private val trainedTable = Tage.provider(known)
  private val longer = Tage.longer(known)
  private val free = VecInit(old.entries.map(_.confidence === 0.U)).asUInt & longer
  private val allocated = Mux(trained.mispredicted, PriorityEncoderOH(free), 0.U)
  private val isIndirect = trained.cfiType === CfiType.jalr || trained.cfiType === CfiType.call
  private val trains = io.train.valid && isIndirect

  for (k <- f.ittage.indices) {
    val next = WireDefault(old.entries(k))
    val right = old.entries(k).target === target
    when(trainedTable(k)) {
      next.confidence := Tage.step(old.entries(k).confidence, right)
      when(old.entries(k).confidence === 0.U) { next.target := target }
    }.elsewhen(allocated(k)) {
      next.tag := old.tags(k)
      next.end := end
      next.confidence := 0.U
      next.target := target
    }.otherwise {
      next.confidence := Tage.step(old.entries(k).confidence, false.B)
    }
    val ages = trained.mispredicted && longer(k) && !free.orR
    tables(k).write(trains && (trainedTable(k) || allocated(k) || ages), old.indices(k), next)
  }
}
