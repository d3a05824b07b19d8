// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{Axi4Address, Axi4WriteData}
import chisel3._
import chisel3.util._

/** Turns lookup misses into AXI transactions, a narrow one each: the 32 B beats that hold the bytes, one or two.
  * The AXI ID is the line tag. AW and W leave together, W data in AW order.
  */
class MemoryAccess(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new Bundle {
      val request = new TaggedLine(p)
      val data = UInt(p.lineBits.W) // store bytes in their place
    }))
    val ar = Decoupled(new Axi4Address(p.axi))
    val aw = Decoupled(new Axi4Address(p.axi))
    val w = Decoupled(new Axi4WriteData(p.axi))
  })
  private val beatBytes = p.axi.dataBits / 8
  private val line = io.in.bits.request.line
  private val usesLow = line.offset < beatBytes.U
  private val twoBeats = usesLow && line.offset +& line.count > beatBytes.U

  private val ar = Wire(Decoupled(new Axi4Address(p.axi)))
  private val aw = Wire(Decoupled(new Axi4Address(p.axi)))
  private val w = Wire(Decoupled(new Axi4WriteData(p.axi)))
  io.ar <> Queue(ar, 2)
  io.aw <> Queue(aw, 2)
  io.w <> Queue(w, 2)

  Seq(ar, aw).foreach { channel =>
    channel.bits.id := io.in.bits.request.tag
    channel.bits.addr := Cat(line.lineAddr, !usesLow, 0.U(log2Ceil(beatBytes).W))
    channel.bits.len := twoBeats
    channel.bits.size := log2Ceil(beatBytes).U
  }
  private val secondBeat = RegInit(false.B)
  private val high = secondBeat || !usesLow
  private val mask = ByteAlign.mask(line.offset, line.count, p.lineBytes)
  private val isLast = secondBeat || !twoBeats
  w.bits.data := Mux(high, io.in.bits.data(p.lineBits - 1, p.axi.dataBits), io.in.bits.data(p.axi.dataBits - 1, 0))
  w.bits.strb := Mux(high, mask(p.lineBytes - 1, beatBytes), mask(beatBytes - 1, 0))
  w.bits.last := isLast

  private val isStore = io.in.valid && line.isStore
  ar.valid := io.in.valid && !line.isStore
  aw.valid := isStore && !secondBeat && w.ready
  w.valid := isStore && (secondBeat || aw.ready)
  io.in.ready := Mux(line.isStore, w.fire && isLast, ar.ready)
  when(w.fire) { secondBeat := !isLast }
}
