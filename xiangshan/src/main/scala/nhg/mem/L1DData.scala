// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import nhg._

/** Data array of the L1D: 8 banks (one per 64-bit word of a line) of sets x ways words, addressed by {set, way}.
  *
  * Ports: one word read per load pipe, one line-side read (any set of banks), one write (any set of banks).
  * Reads answer in the next cycle. A read of a word in the cycle of its write returns either value: the store pipe bypasses,
  * loads are covered by the store queue (same byte values elsewhere in the word, since stores write merged words).
  */
class L1DData(p: NhgParams) extends Module {
  private val banks = p.lineBytes / 8
  private val rows = p.l1d.sets * p.l1d.ways
  private val rowBits = log2Ceil(rows)

  val io = IO(new Bundle {
    val load = Vec(p.lsu.loadPipes, new Bundle {
      val enable = Input(Bool())
      val row = Input(UInt(rowBits.W))
      val word = Input(UInt(log2Ceil(banks).W))
      val data = Output(UInt(64.W)) // one cycle later
    })
    val line = new Bundle {
      val enable = Input(UInt(banks.W))
      val row = Input(UInt(rowBits.W))
      val data = Output(Vec(banks, UInt(64.W))) // one cycle later
    }
    val write = new Bundle {
      val enable = Input(UInt(banks.W))
      val row = Input(UInt(rowBits.W))
      val data = Input(Vec(banks, UInt(64.W)))
    }
  })

  private val bank = Seq.fill(banks)(SyncReadMem(rows, UInt(64.W)))

  for (port <- io.load) {
    val words = bank.zipWithIndex.map { case (m, b) => m.read(port.row, port.enable && port.word === b.U) }
    port.data := VecInit(words)(RegEnable(port.word, port.enable))
  }
  for ((m, b) <- bank.zipWithIndex) {
    io.line.data(b) := m.read(io.line.row, io.line.enable(b))
    when(io.write.enable(b)) { m.write(io.write.row, io.write.data(b)) }
  }
}
