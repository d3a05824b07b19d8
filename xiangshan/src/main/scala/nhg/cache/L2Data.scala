// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.SpmLinePort
import chisel3._
import chisel3.util._
import nhg._

/** L2's data array: a 64 B line a cycle, read or write. The last way is the RAM that serves as the SPM while `amuctl[1]` is set (paper
  * section V: 1 of 8 ways), reached through the SPM's line port.
  */
class L2Data(p: NhgParams) extends Module {
  private val setBits = log2Ceil(p.l2.sets)
  private val wayBits = log2Ceil(p.l2.ways)
  private val plainWays = p.l2.ways - 1

  class Access extends Bundle {
    val set = UInt(setBits.W)
    val way = UInt(wayBits.W)
  }
  val io = IO(new Bundle {
    val read = Input(Valid(new Access))
    val readData = Output(UInt(p.lineBits.W)) // one cycle later
    val write = Input(Valid(new Access))
    val writeData = Input(UInt(p.lineBits.W))
    val lastWay = new SpmLinePort(p.amu.spm)
  })
  assert(!(io.read.valid && io.write.valid), "L2 data array is single-ported")

  private val lines = SyncReadMem(p.l2.sets * plainWays, UInt(p.lineBits.W))
  private def address(a: Access) = a.way * p.l2.sets.U + a.set
  private def isLast(a: Access) = a.way === plainWays.U

  private val plainRead = io.read.valid && !isLast(io.read.bits)
  private val plainData = lines.read(address(io.read.bits), plainRead)
  when(io.write.valid && !isLast(io.write.bits)) { lines.write(address(io.write.bits), io.writeData) }

  io.lastWay.read.valid := io.read.valid && isLast(io.read.bits)
  io.lastWay.read.bits := io.read.bits.set
  io.lastWay.write.valid := io.write.valid && isLast(io.write.bits)
  io.lastWay.write.bits.line := io.write.bits.set
  io.lastWay.write.bits.data := io.writeData
  io.lastWay.write.bits.mask := Fill(p.lineBytes, 1.U(1.W))
  assert(!io.lastWay.read.valid || io.lastWay.read.ready)
  assert(!io.lastWay.write.valid || io.lastWay.write.ready)

  io.readData := Mux(RegNext(plainRead), plainData, io.lastWay.readData)
}
