// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{SpmLinePort, SpmWordPort}
import chisel3._
import chisel3.util._

/** Scratchpad memory: one L2 way of 8 banks (word w is in bank w mod 8), a row of all banks is a line. Two independent ports as in a
  * dual-port block RAM, each one access a cycle, writes first: A the core's words, B the AMU's lines (data one cycle after the read).
  * What one port reads of a word that the other writes in the same cycle is not defined (rule 6 makes it the software's fault).
  *
  * @param latencyCycles from an accepted word read to its data, ≥ 1
  */
class Spm(p: AmuParams, latencyCycles: Int = 6) extends Module {
  require(latencyCycles >= 1)
  val io = IO(new Bundle {
    val word = Flipped(new SpmWordPort(p.spm))
    val line = Flipped(new SpmLinePort(p.spm))
  })
  private val bankCount = p.lineBytes / 8
  private val rows = p.spmBytes / p.lineBytes
  private val bankBits = log2Ceil(bankCount)
  private val banks = Seq.fill(bankCount)(SyncReadMem(rows, Vec(8, UInt(8.W))))
  private def bytes(data: UInt): Vec[UInt] = VecInit((0 until 8).map(i => data(8 * i + 7, 8 * i)))

  /** One port of a bank: a single address for reads and writes, as a block RAM has. Returns, a cycle later, what it read unless it wrote. */
  private def access(bank: SyncReadMem[Vec[UInt]], row: UInt, write: Bool, data: UInt, mask: UInt): UInt = {
    val port = bank(row)
    when(write) {
      bytes(data).zip(mask.asBools).zip(port).foreach { case ((byte, enabled), place) => when(enabled) { place := byte } }
    }
    port.asUInt
  }

  // Port A
  private val write = io.word.write
  private val read = io.word.read
  write.ready := true.B
  read.ready := !write.valid
  private val word = Mux(write.valid, write.bits.word, read.bits)
  private val wordData = banks.zipWithIndex.map { case (bank, i) =>
    access(bank, word >> bankBits, write.valid && word(bankBits - 1, 0) === i.U, write.bits.data, write.bits.mask)
  }
  private val readBank = RegEnable(read.bits(bankBits - 1, 0), read.fire)
  io.word.readData.valid := ShiftRegister(read.fire, latencyCycles, false.B, true.B)
  io.word.readData.bits := ShiftRegister(VecInit(wordData)(readBank), latencyCycles - 1)

  // Port B
  io.line.write.ready := true.B
  io.line.read.ready := !io.line.write.valid
  private val line = Mux(io.line.write.valid, io.line.write.bits.line, io.line.read.bits)
  private val lineData = banks.zipWithIndex.map { case (bank, i) =>
    access(bank, line, io.line.write.valid, io.line.write.bits.data(64 * i + 63, 64 * i), io.line.write.bits.mask(8 * i + 7, 8 * i))
  }
  io.line.readData := Cat(lineData.reverse)
}
