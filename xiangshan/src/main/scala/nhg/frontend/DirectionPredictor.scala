// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** Direction of conditional branches: TAGE. A bimodal base (`phtEntries` two-bit counters) and a table of `tageEntries` tagged three-bit
  * counters for each length of `tageHistory`; the longest history that matches decides, unless its entry is new and new entries have been
  * worse than the next shorter match lately. Combinational prediction for the BTB's slots; training re-reads the tables with the
  * branch's own history, so nothing else is kept per branch.
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
    val counterXor3 = UInt(3.W) // the memory starts at 0: an entry that was never written is a new one, not sure of anything
    val useful = UInt(2.W)
    def counter: UInt = counterXor3 ^ 3.U // taken from 4 on
    def taken: Bool = counter(2)
    /** Has not yet shown what it is worth. */
    def isNew: Bool = useful === 0.U && (counter === 3.U || counter === 4.U)
  }
  private val base = new AsyncTable(UInt(2.W), f.phtEntries)
  private val tagged = Seq.fill(tables)(new AsyncTable(new Entry, f.tageEntries))
  /** From 8 on the next shorter match is trusted more than a new entry. */
  private val trustShorter = RegInit(8.U(4.W))

  private case class Row(index: UInt, tag: UInt)

  /** What the tables say of one branch. `hits` and `provider`: a bit for each table. */
  private class Lookup(val lastHalf: UInt, history: UInt) {
    private val address = lastHalf >> 1
    val rows: Seq[Row] = f.tageHistory.map { length =>
      val index = lastHalf(indexBits, 1) ^ lastHalf(2 * indexBits, indexBits + 1) ^ PathHistory.fold(history, length, indexBits)
      Row(index, Tage.tag(address, history, length, tagBits))
    }
    val entries: Seq[Entry] = rows.zip(tagged).map { case (row, table) => table.read(row.index) }
    /** The memory starts at 0; a counter starts weakly not taken. */
    val counter: UInt = base.read(lastHalf(baseBits, 1)) ^ 1.U
    val hits: UInt = VecInit(entries.zip(rows).map { case (e, r) => e.tag === r.tag }).asUInt
    val provider: UInt = Tage.provider(hits)
    val shorter: UInt = Tage.provider(hits & ~provider)
    private def direction(oneHot: UInt) = Mux(oneHot.orR, Mux1H(oneHot, entries.map(_.taken)), counter(1))
    val longest: Bool = direction(provider)
    val alternative: Bool = direction(shorter)
    val providerIsNew: Bool = Mux1H(provider, entries.map(_.isNew))
    val taken: Bool = Mux(providerIsNew && trustShorter(3), alternative, longest)
  }

  for (i <- 0 until Btb.ways) { io.taken(i) := new Lookup(io.lastHalf(i), io.history).taken }

  private val trained = io.train.bits
  private val trains = io.train.valid && trained.cfiType === CfiType.branch
  private val old = new Lookup(trained.lastHalf, trained.history)
  private val wrong = old.taken =/= trained.taken
  private val differ = old.longest =/= old.alternative

  private val longer = Tage.longer(old.hits)
  private val free = VecInit(old.entries.map(_.useful === 0.U)).asUInt & longer
  private val allocated = Mux(wrong, PriorityEncoderOH(free), 0.U)

  when(trains && old.providerIsNew && differ) { trustShorter := Tage.step(trustShorter, old.alternative === trained.taken) }
  base.write(trains && !old.provider.orR, trained.lastHalf(baseBits, 1), Tage.step(old.counter, trained.taken) ^ 1.U)
  for (k <- 0 until tables) {
    val next = WireDefault(old.entries(k))
    when(old.provider(k)) {
      next.counterXor3 := Tage.step(old.entries(k).counter, trained.taken) ^ 3.U
      when(differ) { next.useful := Tage.step(old.entries(k).useful, old.longest === trained.taken) }
    }.elsewhen(allocated(k)) {
      next.tag := old.rows(k).tag
      next.counterXor3 := Mux(trained.taken, 4.U, 3.U) ^ 3.U(3.W)
      next.useful := 0.U
    }.otherwise {
      next.useful := Tage.step(old.entries(k).useful, false.B)
    }
    val ages = wrong && longer(k) && !free.orR
    tagged(k).write(trains && (old.provider(k) || allocated(k) || ages), old.rows(k).index, next)
  }
}
