// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import nhg._

/** Data array of the L1D: as many banks as a line has 64-bit words, each of sets x ways words, addressed by {set, way}. Word w of
  * a line in way k lies in bank w xor k: a whole line takes one row of every bank, and so do the words w of all ways of a set. A load reads these
  * before its way is known.
  *
  * Ports: one word read per load pipe, one line-side read (any set of words), one write (any set of words).
  * Reads answer in the next cycle. A read of a word in the cycle of its write returns either value: the store pipe does not read
  * then, loads are covered by the store buffer (same byte values elsewhere in the word, since stores write merged words).
  */
class L1DData(p: NhgParams) extends Module {
  private val words = p.lineBytes / 8
  private val wordBits = log2Ceil(words)
  private val wayBits = log2Ceil(p.l1d.ways)
  private val rows = p.l1d.sets * p.l1d.ways
  private val rowBits = log2Ceil(rows)
  require(p.l1d.ways <= words, s"the L1D's ways (${p.l1d.ways}) need banks of their own, there are $words")

  val io = IO(new Bundle {
    val load = Vec(
      p.lsu.loadPipes,
      new Bundle {
        val s0_valid = Input(Bool())
        val s0_set = Input(UInt((rowBits - wayBits).W))
        val s0_word = Input(UInt(wordBits.W))
        val s1_way = Input(UInt(wayBits.W))
        val s1_data = Output(UInt(64.W))
      }
    )
    val line = new Bundle {
      val enable = Input(UInt(words.W))
      val row = Input(UInt(rowBits.W))
      val data = Output(Vec(words, UInt(64.W))) // one cycle later
    }
    val write = new Bundle {
      val enable = Input(UInt(words.W))
      val row = Input(UInt(rowBits.W))
      val data = Input(Vec(words, UInt(64.W)))
    }
  })

  private val banks = Seq.fill(words)(SyncReadMem(rows, UInt(64.W)))
  private def wayOf(row: UInt): UInt = row(wayBits - 1, 0)

  for (port <- io.load) {
    val ofAllWays = banks.zipWithIndex.map { case (m, b) =>
      val way = (port.s0_word ^ b.U)(wayBits - 1, 0) // with fewer ways than words some banks hold the word in no way: nobody selects them
      m.read(Cat(port.s0_set, way), port.s0_valid)
    }
    port.s1_data := VecInit(ofAllWays)(RegEnable(port.s0_word, port.s0_valid) ^ port.s1_way)
  }

  private val read = banks.zipWithIndex.map { case (m, b) => m.read(io.line.row, io.line.enable(wayOf(io.line.row) ^ b.U(wordBits.W))) }
  private val readWay = RegEnable(wayOf(io.line.row), io.line.enable.orR)
  for (w <- 0 until words) { io.line.data(w) := VecInit(read)(readWay ^ w.U(wordBits.W)) }

  for ((m, b) <- banks.zipWithIndex) {
    val word = wayOf(io.write.row) ^ b.U(wordBits.W)
    when(io.write.enable(word)) { m.write(io.write.row, io.write.data(word)) }
  }
}
