// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._

/** Dirty lines on their way from a slice to the level below. An entry exists from the eviction (address at once, data a cycle later)
  * until the line has been written there, so that no fetch of the line can overtake it. ID = entry.
  */
class SliceWritebackQueue(p: SliceParams) extends Module {
  private val n = p.writebacks
  private val idxBits = log2Ceil(n)

  val io = IO(new Bundle {
    val lookup = new Bundle {
      val lineAddr = Input(UInt(p.line.addrBits.W))
      val hit = Output(Bool())
    }
    val full = Output(Bool())
    val allocate = Input(Valid(UInt(p.line.addrBits.W)))
    val data = Input(UInt(p.line.bits.W)) // in the cycle after allocate
    val writeback = Decoupled(new LowerWriteback(p.line, p.lowerIdBits))
    val written = Flipped(Valid(UInt(p.lowerIdBits.W)))
  })

  private val valid = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val line = Reg(Vec(n, UInt(p.line.addrBits.W)))
  private val lines = SyncReadMem(n, UInt(p.line.bits.W))

  io.lookup.hit := VecInit((0 until n).map(k => valid(k) && line(k) === io.lookup.lineAddr)).asUInt.orR
  io.full := valid.asUInt.andR
  private val freeIdx = PriorityEncoder(valid.map(!_))
  private val toSend = Module(new Queue(UInt(idxBits.W), n))
  private val filled = RegNext(io.allocate.valid, false.B)
  private val filledIdx = RegNext(freeIdx)
  when(io.allocate.valid) {
    assert(!io.full, "write-back queue overflow")
    valid(freeIdx) := true.B
    line(freeIdx) := io.allocate.bits
  }
  when(filled) { lines.write(filledIdx, io.data) }
  toSend.io.enq.valid := filled
  toSend.io.enq.bits := filledIdx
  assert(!filled || toSend.io.enq.ready)

  // One line at a time: read the RAM, then offer the line until it is taken.
  private val offering = RegInit(false.B)
  private val current = Reg(UInt(idxBits.W))
  private val readData = lines.read(toSend.io.deq.bits, toSend.io.deq.fire)
  private val held = Reg(UInt(p.line.bits.W))
  private val justRead = RegNext(toSend.io.deq.fire, false.B)
  when(justRead) { held := readData }

  toSend.io.deq.ready := !offering
  when(toSend.io.deq.fire) {
    current := toSend.io.deq.bits
    offering := true.B
  }
  io.writeback.valid := offering
  io.writeback.bits.id := current
  io.writeback.bits.lineAddr := line(current)
  io.writeback.bits.data := Mux(justRead, readData, held)
  when(io.writeback.fire) { offering := false.B }

  private val writtenIdx = io.written.bits(idxBits - 1, 0)
  when(io.written.valid) {
    assert(valid(writtenIdx), "an idle write-back entry was written")
    valid(writtenIdx) := false.B
  }
}
