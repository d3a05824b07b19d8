// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{SpmLinePort, SpmWordPort}
import chisel3._
import chisel3.util._

/** Scratchpad memory: the last way of every slice of L2, whose lines are interleaved among the slices. A slice's part has 8 banks (word w is in bank
  * w mod 8), a row of all banks is a line. Two independent ports as in a dual-port block RAM, each one access a cycle, writes first: A the
  * core's words, B lines, of the AMU (one in all) or, while the ways are L2's, of each slice its own (data one cycle after the read).
  * What one port reads of a word that the other writes in the same cycle is not defined (rule 6 makes it the software's fault).
  *
  * @param latencyCycles from an accepted word read to its data, ≥ 1
  */
class Spm(p: AmuParams, slices: Int, latencyCycles: Int = 6) extends Module {
  require(latencyCycles >= 1 && isPow2(slices) && slices >= 2)
  val io = IO(new Bundle {
    val present = Input(Bool()) // the AMU's, and not L2's
    val word = Flipped(new SpmWordPort(p.spm))
    val line = Flipped(new SpmLinePort(p.spm))
    val ways = Vec(slices, Flipped(new SpmLinePort(p.spm.copy(bytes = p.spmBytes / slices))))
  })
  private val bankCount = p.lineBytes / 8
  private val rows = p.spmBytes / p.lineBytes / slices
  private val bankBits = log2Ceil(bankCount)
  private val sliceBits = log2Ceil(slices)
  private val banks = Seq.fill(slices, bankCount)(SyncReadMem(rows, Vec(8, UInt(8.W))))
  private def bytes(data: UInt): Vec[UInt] = VecInit((0 until 8).map(i => data(8 * i + 7, 8 * i)))
  private def sliceOf(line: UInt): UInt = p.line.sliceOf(line, slices)

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
  private val place = word(bankBits + sliceBits - 1, 0) // slice and bank
  private val wordData = banks.flatten.zipWithIndex.map { case (bank, i) =>
    access(bank, word >> (bankBits + sliceBits), write.valid && place === i.U, write.bits.data, write.bits.mask)
  }
  private val readPlace = RegEnable(place, read.fire)
  io.word.readData.valid := ShiftRegister(read.fire, latencyCycles, false.B, true.B)
  io.word.readData.bits := ShiftRegister(VecInit(wordData)(readPlace), latencyCycles - 1)

  // Port B
  private val lineData = for (((sliceBanks, way), k) <- banks.zip(io.ways).zipWithIndex) yield {
    val mine = sliceOf(io.line.write.bits.line) === k.U
    val writes = Mux(io.present, io.line.write.valid && mine, way.write.valid)
    val reads = Mux(io.present, io.line.read.bits >> sliceBits, way.read.bits)
    val written = Mux(io.present, io.line.write.bits.line >> sliceBits, way.write.bits.line)
    val data = Mux(io.present, io.line.write.bits.data, way.write.bits.data)
    val mask = Mux(io.present, io.line.write.bits.mask, way.write.bits.mask)
    way.write.ready := !io.present
    way.read.ready := !io.present && !way.write.valid
    way.readData := Cat(sliceBanks.zipWithIndex.map { case (bank, i) =>
      access(bank, Mux(writes, written, reads), writes, data(64 * i + 63, 64 * i), mask(8 * i + 7, 8 * i))
    }.reverse)
    way.readData
  }
  io.line.write.ready := io.present
  io.line.read.ready := io.present && !io.line.write.valid
  io.line.readData := VecInit(lineData)(RegEnable(sliceOf(io.line.read.bits), io.line.read.fire))
}
