// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.SpmLinePort
import chisel3._
import chisel3.util._

/** A slice's data array: a line a cycle, read or write. If the last way can be handed over to the SPM it is the RAM that serves as
  * the SPM then (paper section V: 1 of 8 ways), reached through the SPM's line port.
  */
class SliceData(p: SliceParams) extends Module {
  private val plainWays = if (p.spm.isDefined) p.lastWay else p.ways

  class Access extends Bundle {
    val set = UInt(p.setBits.W)
    val way = UInt(p.wayBits.W)
  }
  val io = IO(new Bundle {
    val read = Input(Valid(new Access))
    val readData = Output(UInt(p.line.bits.W)) // one cycle later
    val write = Input(Valid(new Access))
    val writeData = Input(UInt(p.line.bits.W))
    val lastWay = p.spm.map(new SpmLinePort(_))
  })
  assert(!(io.read.valid && io.write.valid), "the data array is single-ported")

  private val lines = SyncReadMem(p.sets * plainWays, UInt(p.line.bits.W))
  private def address(a: Access) = a.way * p.sets.U + a.set
  private def isPlain(a: Access): Bool = if (p.spm.isDefined) a.way =/= p.lastWay.U else true.B

  private val plainRead = io.read.valid && isPlain(io.read.bits)
  private val plainData = lines.read(address(io.read.bits), plainRead)
  when(io.write.valid && isPlain(io.write.bits)) { lines.write(address(io.write.bits), io.writeData) }
  io.readData := plainData

  for (lastWay <- io.lastWay) {
    lastWay.read.valid := io.read.valid && !isPlain(io.read.bits)
    lastWay.read.bits := io.read.bits.set
    lastWay.write.valid := io.write.valid && !isPlain(io.write.bits)
    lastWay.write.bits.line := io.write.bits.set
    lastWay.write.bits.data := io.writeData
    lastWay.write.bits.mask := Fill(p.line.bytes, 1.U(1.W))
    assert(!lastWay.read.valid || lastWay.read.ready)
    assert(!lastWay.write.valid || lastWay.write.ready)
    io.readData := Mux(RegNext(plainRead), plainData, lastWay.readData)
  }
}
