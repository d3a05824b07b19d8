// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{Axi4Address, Axi4WriteData, Axi4WriteResponse}
import chisel3._
import chisel3.util._
import nhg._

/** Dirty lines on their way from L2 to memory. An entry exists from the eviction (address at once, data a cycle later) until the
  * AXI write response, so that no read of the line can overtake it. AXI ID = entry; two 32 B beats.
  */
class L2WritebackQueue(p: NhgParams, n: Int) extends Module {
  require(isPow2(n) && n <= (1 << p.amu.axi.idBits))
  private val idxBits = log2Ceil(n)

  val io = IO(new Bundle {
    val lookup = new Bundle {
      val lineAddr = Input(UInt(p.lineAddrBits.W))
      val hit = Output(Bool())
    }
    val full = Output(Bool())
    val allocate = Input(Valid(UInt(p.lineAddrBits.W)))
    val data = Input(UInt(p.lineBits.W)) // in the cycle after allocate
    val mem = new Bundle {
      val aw = Decoupled(new Axi4Address(p.amu.axi))
      val w = Decoupled(new Axi4WriteData(p.amu.axi))
      val b = Flipped(Decoupled(new Axi4WriteResponse(p.amu.axi)))
    }
  })

  private val valid = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val line = Reg(Vec(n, UInt(p.lineAddrBits.W)))
  private val lines = SyncReadMem(n, UInt(p.lineBits.W))

  io.lookup.hit := VecInit((0 until n).map(k => valid(k) && line(k) === io.lookup.lineAddr)).asUInt.orR
  io.full := valid.asUInt.andR
  private val freeIdx = PriorityEncoder(valid.map(!_))
  private val toSend = Module(new Queue(UInt(idxBits.W), n))
  private val filled = RegNext(io.allocate.valid, false.B)
  private val filledIdx = RegNext(freeIdx)
  when(io.allocate.valid) {
    assert(!io.full, "L2 write-back queue overflow")
    valid(freeIdx) := true.B
    line(freeIdx) := io.allocate.bits
  }
  when(filled) { lines.write(filledIdx, io.data) }
  toSend.io.enq.valid := filled
  toSend.io.enq.bits := filledIdx
  assert(!filled || toSend.io.enq.ready)

  // One line at a time: read the RAM, then AW, then two W beats.
  private val idle :: address :: low :: high :: Nil = Enum(4)
  private val state = RegInit(idle)
  private val current = Reg(UInt(idxBits.W))
  private val readData = lines.read(toSend.io.deq.bits, toSend.io.deq.fire)
  private val held = Reg(UInt(p.lineBits.W))
  private val justRead = RegNext(toSend.io.deq.fire, false.B)
  when(justRead) { held := readData }
  private val word = Mux(justRead, readData, held)

  toSend.io.deq.ready := state === idle
  when(toSend.io.deq.fire) {
    current := toSend.io.deq.bits
    state := address
  }
  io.mem.aw.valid := state === address
  io.mem.aw.bits.id := current
  io.mem.aw.bits.addr := Cat(line(current), 0.U(log2Ceil(p.lineBytes).W))
  io.mem.aw.bits.len := 1.U
  io.mem.aw.bits.size := 5.U
  when(io.mem.aw.fire) { state := low }
  io.mem.w.valid := state === low || state === high
  io.mem.w.bits.data := Mux(state === high, word(p.lineBits - 1, p.lineBits / 2), word(p.lineBits / 2 - 1, 0))
  io.mem.w.bits.strb := Fill(p.lineBytes / 2, 1.U(1.W))
  io.mem.w.bits.last := state === high
  when(io.mem.w.fire) { state := Mux(state === low, high, idle) }

  io.mem.b.ready := true.B
  private val bIdx = io.mem.b.bits.id(idxBits - 1, 0)
  when(io.mem.b.fire) {
    assert(valid(bIdx), "AXI write response for an idle write-back entry")
    valid(bIdx) := false.B
  }
}
