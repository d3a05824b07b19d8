// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._

/** The part of a request that lies in one cache line. */
class LineRequest(p: AmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val isStore = Bool()
  val lineAddr = UInt(p.lineAddrBits.W)
  val offset = UInt(p.lineOffsetBits.W) // first byte in the memory line
  val count = UInt((p.lineOffsetBits + 1).W) // bytes, 1 … 64
  val spmAddr = UInt(p.spmAddrBits.W) // of the first byte
}

/** Splits a coarse request into cache-line requests in address order, one a cycle (paper IV-B). */
class Splitter(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new CoarseRequest(p)))
    val out = Decoupled(new LineRequest(p))
  })

  private val busy = RegInit(false.B)
  private val rest = Reg(new CoarseRequest(p)) // not handed over yet

  private val offset = rest.addr(p.lineOffsetBits - 1, 0)
  private val room = p.lineBytes.U - offset
  private val isLast = rest.size <= room
  private val count = Mux(isLast, rest.size, room)

  io.out.valid := busy
  io.out.bits.id := rest.id
  io.out.bits.isStore := rest.isStore
  io.out.bits.lineAddr := rest.addr >> p.lineOffsetBits
  io.out.bits.offset := offset
  io.out.bits.count := count
  io.out.bits.spmAddr := rest.spmAddr

  io.in.ready := !busy || (io.out.ready && isLast)
  when(io.in.fire) {
    busy := true.B
    rest := io.in.bits
    assert(io.in.bits.size =/= 0.U && io.in.bits.addr(11, 0) +& io.in.bits.size <= 4096.U, "request not inside a page")
  }.elsewhen(io.out.fire) {
    busy := !isLast
    rest.addr := rest.addr + count
    rest.size := rest.size - count
    rest.spmAddr := rest.spmAddr + count
  }
}
