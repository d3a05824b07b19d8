// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{Axi4ReadData, Axi4WriteResponse, BoundedWait, SpmLineWrite}
import chisel3._
import chisel3.util._

/** The response path: R beats and cache hits to the SPM, B and store hits to the group counters (paper IV-B: a counter per group).
  * Nothing here waits for the request queue or the finish queue (rule 8): an R beat waits only for the SPM writer, which always gets
  * on, and a counter event only for an event of another source. A load line counts when its last byte is in the SPM.
  */
class Responses(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val r = Flipped(Decoupled(new Axi4ReadData(p.axi)))
    val b = Flipped(Decoupled(new Axi4WriteResponse(p.axi)))
    val loadHit = Flipped(Decoupled(new Bundle {
      val request = new TaggedLine(p)
      val data = UInt(p.lineBits.W)
    }))
    val storeHit = Flipped(Decoupled(new TaggedLine(p)))
    val readTag = Output(Vec(2, UInt(p.lineTagBits.W)))
    val read = Input(Vec(2, new LineRequest(p)))
    val spmWrite = Decoupled(new SpmLineWrite(p.spm))
    val storeDone = Valid(UInt(p.lineAddrBits.W))
    /** One line request of this group is complete, its tag is free. */
    val counted = Valid(new Bundle {
      val tag = UInt(p.lineTagBits.W)
      val id = UInt(p.idBits.W)
    })
  })
  private val beatBytes = p.axi.dataBits / 8
  private val writer = Module(new SpmWriter(p))
  io.spmWrite <> writer.io.write

  // R beat: the bytes of the line request that lie in this half of the line
  private val r = Queue(io.r, 2)
  private val tag = r.bits.id(p.lineTagBits - 1, 0)
  io.readTag(0) := tag
  private val line = io.read(0)
  private val end = line.offset +& line.count
  private val twoBeats = line.offset < beatBytes.U && end > beatBytes.U
  private val isHigh = Mux(twoBeats, r.bits.last, line.offset >= beatBytes.U)
  private val start = Mux(twoBeats && isHigh, beatBytes.U, line.offset)
  private val stop = Mux(twoBeats && !isHigh, beatBytes.U, end)
  private val beat = Wire(new SpmPiece(p))
  beat.tag := tag
  beat.id := line.id
  beat.isLast := r.bits.last
  beat.offset := start
  beat.count := stop - start
  beat.spmAddr := line.spmAddr + (start - line.offset)
  beat.data := Fill(2, r.bits.data)
  assert(!r.valid || (r.bits.resp === 0.U && !line.isStore), "AXI read error, or read data for a store")

  private val hit = Wire(new SpmPiece(p))
  private val hitRequest = io.loadHit.bits.request
  hit.tag := hitRequest.tag
  hit.id := hitRequest.line.id
  hit.isLast := true.B
  hit.offset := hitRequest.line.offset
  hit.count := hitRequest.line.count
  hit.spmAddr := hitRequest.line.spmAddr
  hit.data := io.loadHit.bits.data

  writer.io.in.valid := r.valid || io.loadHit.valid
  writer.io.in.bits := Mux(r.valid, beat, hit)
  r.ready := writer.io.in.ready
  io.loadHit.ready := writer.io.in.ready && !r.valid

  BoundedWait.onChip(r.valid && !r.ready, "read data of the AMU")
  BoundedWait.memory(io.loadHit.valid && !io.loadHit.ready, "a load hit of the AMU")

  // One count a cycle: SPM writer, then B, then store hits
  private val b = Queue(io.b, 2)
  private val storeTag = b.bits.id(p.lineTagBits - 1, 0)
  io.readTag(1) := storeTag
  assert(!b.valid || (b.bits.resp === 0.U && io.read(1).isStore), "AXI write error, or write response for a load")
  b.ready := !writer.io.counted.valid
  io.storeHit.ready := !writer.io.counted.valid && !b.valid
  BoundedWait.memory(b.valid && !b.ready, "a write response of the AMU")
  BoundedWait.memory(io.storeHit.valid && !io.storeHit.ready, "a store hit of the AMU")
  io.storeDone.valid := b.fire
  io.storeDone.bits := io.read(1).lineAddr
  io.counted.valid := writer.io.counted.valid || b.valid || io.storeHit.valid
  io.counted.bits.tag := Mux(writer.io.counted.valid, writer.io.counted.bits.tag, Mux(b.valid, storeTag, io.storeHit.bits.tag))
  io.counted.bits.id := Mux(writer.io.counted.valid, writer.io.counted.bits.id, Mux(b.valid, io.read(1).id, io.storeHit.bits.line.id))
}
