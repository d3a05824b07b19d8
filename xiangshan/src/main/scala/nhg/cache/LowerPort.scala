// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{Axi4Params, Axi4Port, LineParams}
import chisel3._
import chisel3.util._

class LowerFetch(p: LineParams, idBits: Int) extends Bundle {
  val id = UInt(idBits.W) // MSHR
  val lineAddr = UInt(p.addrBits.W)
  val isPrefetch = Bool() // nobody waited for the line when its MSHR was taken
}

class LowerLine(p: LineParams, idBits: Int) extends Bundle {
  val id = UInt(idBits.W)
  val halves = UInt(2.W) // which halves of `data` count
  val data = UInt(p.bits.W)
  val error = Bool()
  val last = Bool() // the line is complete
}

class LowerWriteback(p: LineParams, idBits: Int) extends Bundle {
  val id = UInt(idBits.W)
  val lineAddr = UInt(p.addrBits.W)
  val data = UInt(p.bits.W)
}

/** A slice, or several, to whatever is below. Of one line, a fetch never overtakes a write-back: it leaves after `written`. */
class LowerPort(p: LineParams, val idBits: Int) extends Bundle {
  val fetch = Decoupled(new LowerFetch(p, idBits))
  /** Fetched lines, whole or half by half, in any order of IDs; never refused. */
  val fetched = Flipped(Valid(new LowerLine(p, idBits)))
  /** A dirty line, held until it is taken. */
  val writeback = Decoupled(new LowerWriteback(p, idBits))
  /** ID of a write-back that has reached its place. */
  val written = Flipped(Valid(UInt(idBits.W)))
}

/** Memory below a cache: two AXI4 beats a line, low half first; the AXI ID is the MSHR or write-back. */
class AxiLower(p: LineParams, idBits: Int, axi: Axi4Params) extends Module {
  private val half = axi.dataBits
  require(p.bits == 2 * half && idBits <= axi.idBits)

  val io = IO(new Bundle {
    val upper = Flipped(new LowerPort(p, idBits))
    val mem = new Axi4Port(axi)
  })
  private def address(line: UInt): UInt = Cat(line, 0.U(p.offsetBits.W))
  private def idOf(id: UInt): UInt = id(idBits - 1, 0)
  private val beats = 2
  for (a <- Seq(io.mem.ar, io.mem.aw)) {
    a.bits.len := (beats - 1).U
    a.bits.size := log2Ceil(half / 8).U
  }

  private val fetch = io.upper.fetch
  io.mem.ar.valid := fetch.valid
  io.mem.ar.bits.id := fetch.bits.id
  io.mem.ar.bits.addr := address(fetch.bits.lineAddr)
  fetch.ready := io.mem.ar.ready

  private val secondBeat = Reg(Vec(1 << idBits, Bool()))
  private val rId = idOf(io.mem.r.bits.id)
  private val isHigh = secondBeat(rId)
  io.mem.r.ready := true.B
  when(io.mem.ar.fire) { secondBeat(fetch.bits.id) := false.B }
  when(io.mem.r.fire) {
    secondBeat(rId) := true.B
    assert(io.mem.r.bits.last === isHigh, "a line is two beats")
  }
  io.upper.fetched.valid := io.mem.r.valid
  io.upper.fetched.bits.id := rId
  io.upper.fetched.bits.halves := Cat(isHigh, !isHigh)
  io.upper.fetched.bits.data := Fill(beats, io.mem.r.bits.data)
  io.upper.fetched.bits.error := io.mem.r.bits.resp =/= 0.U
  io.upper.fetched.bits.last := io.mem.r.bits.last

  private val sendAddress :: sendLow :: sendHigh :: Nil = Enum(3)
  private val state = RegInit(sendAddress)
  private val writeback = io.upper.writeback
  io.mem.aw.valid := writeback.valid && state === sendAddress
  io.mem.aw.bits.id := writeback.bits.id
  io.mem.aw.bits.addr := address(writeback.bits.lineAddr)
  when(io.mem.aw.fire) { state := sendLow }
  io.mem.w.valid := state =/= sendAddress
  io.mem.w.bits.data := Mux(state === sendHigh, writeback.bits.data(2 * half - 1, half), writeback.bits.data(half - 1, 0))
  io.mem.w.bits.strb := Fill(half / 8, 1.U(1.W))
  io.mem.w.bits.last := state === sendHigh
  when(io.mem.w.fire) { state := Mux(state === sendLow, sendHigh, sendAddress) }
  writeback.ready := io.mem.w.fire && io.mem.w.bits.last

  io.mem.b.ready := true.B
  io.upper.written.valid := io.mem.b.valid
  io.upper.written.bits := idOf(io.mem.b.bits.id)
}

/** Memory below the slices of a cache. */
class AxiBelow(p: LineParams, idBits: Int, n: Int, axi: Axi4Params) extends Module {
  val io = IO(new Bundle {
    val slices = Vec(n, Flipped(new LowerPort(p, idBits)))
    val mem = new Axi4Port(axi)
  })
  private val lower = Module(new AxiLower(p, idBits + log2Ceil(n), axi))
  private val merge = Module(new LowerInterleave(p, idBits, n))
  merge.io.slices <> io.slices
  lower.io.upper <> merge.io.lower
  io.mem <> lower.io.mem
}
