// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** Direction of conditional branches: a small TAGE. A bimodal base (`phtEntries` two-bit counters) and tables of `tageEntries`
  * tagged three-bit counters over growing path-history lengths; the longest history that matches decides. Combinational
  * prediction for the BTB's slots; training re-reads the tables with the branch's own history, so nothing else is kept per branch.
  */
class DirectionPredictor(p: NhgParams) extends Module {
  private val f = p.frontend
  private val tables = f.tageHistory.size
  private val indexBits = log2Ceil(f.tageEntries)
  private val baseBits = log2Ceil(f.phtEntries)
  private val tagBits = 9
  require(f.tageHistory.max <= f.historyBits && f.tageHistory == f.tageHistory.sorted)

  val io = IO(new Bundle {
    val lastHalf = Input(Vec(Btb.ways, UInt(p.pcBits.W)))
    val history = Input(UInt(f.historyBits.W))
    val taken = Output(Vec(Btb.ways, Bool()))
    val train = Input(Valid(new Training(p)))
  })

  private class Entry extends Bundle {
    val tag = UInt(tagBits.W)
    val counter = UInt(3.W) // taken from 4 on
    val useful = UInt(2.W)
  }
  private val base = new AsyncTable(UInt(2.W), f.phtEntries)
  private val tagged = Seq.fill(tables)(new AsyncTable(new Entry, f.tageEntries))

  /** The memory starts at 0; a counter starts weakly not taken. */
  private def readBase(lastHalf: UInt) = base.read(lastHalf(baseBits, 1)) ^ 1.U

  private case class Row(index: UInt, tag: UInt)
  private def rows(lastHalf: UInt, history: UInt): Seq[Row] = f.tageHistory.map { length =>
    val folded = PathHistory.fold(history, length, indexBits)
    val index = lastHalf(indexBits, 1) ^ lastHalf(2 * indexBits, indexBits + 1) ^ folded
    val tag = lastHalf(tagBits, 1) ^ PathHistory.fold(history, length, tagBits) ^
      (PathHistory.fold(history, length, tagBits - 1) << 1)(tagBits - 1, 0)
    Row(index, tag)
  }

  for (i <- 0 until Btb.ways) {
    val found = rows(io.lastHalf(i), io.history).zip(tagged).map { case (row, table) =>
      val entry = table.read(row.index)
      (entry.tag === row.tag, entry.counter(2))
    }
    io.taken(i) := found.foldLeft(readBase(io.lastHalf(i))(1)) { case (shorter, (hit, taken)) => Mux(hit, taken, shorter) }
  }

  private val trained = io.train.bits
  private val trains = io.train.valid && trained.cfiType === CfiType.branch
  private val row = rows(trained.lastHalf, trained.history)
  private val entry = row.zip(tagged).map { case (r, table) => table.read(r.index) }
  private val hits = VecInit(entry.zip(row).map { case (e, r) => e.tag === r.tag }).asUInt
  private val counter = readBase(trained.lastHalf)
  /** Longest match, one-hot; 0 means the base decides. */
  private val provider = Reverse(PriorityEncoderOH(Reverse(hits)))
  private val others = hits & ~provider
  private val second = Reverse(PriorityEncoderOH(Reverse(others)))
  private def direction(oneHot: UInt) = Mux(oneHot.orR, Mux1H(oneHot, entry.map(_.counter(2))), counter(1))
  private val predicted = direction(provider)
  private val alternative = direction(second)
  private val wrong = predicted =/= trained.taken

  /** Tables with longer history than the provider's. */
  private val longer = VecInit((0 until tables).map(k => !(hits >> k).orR)).asUInt
  private val free = VecInit(entry.map(_.useful === 0.U)).asUInt & longer
  private val allocated = Mux(wrong, PriorityEncoderOH(free), 0.U)

  private def step(value: UInt, up: Bool): UInt =
    Mux(up, Mux(value.andR, value, value + 1.U), Mux(value.orR, value - 1.U, value))

  base.write(trains && !provider.orR, trained.lastHalf(baseBits, 1), step(counter, trained.taken) ^ 1.U)
  for (k <- 0 until tables) {
    val next = WireDefault(entry(k))
    when(provider(k)) {
      next.counter := step(entry(k).counter, trained.taken)
      when(predicted =/= alternative) { next.useful := step(entry(k).useful, !wrong) }
    }.elsewhen(allocated(k)) {
      next.tag := row(k).tag
      next.counter := Mux(trained.taken, 4.U, 3.U)
      next.useful := 0.U
    }.otherwise {
      next.useful := step(entry(k).useful, false.B)
    }
    val ages = wrong && longer(k) && !free.orR
    tagged(k).write(trains && (provider(k) || allocated(k) || ages), row(k).index, next)
  }
}
