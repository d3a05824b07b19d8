// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.{Axi4Params, Axi4Port}
import chisel3._
import chisel3.util._

/** Two AXI4 managers share one port; the top ID bit tells them apart (0: `a`, 1: `b`). Addresses alternate under load; write
  * data follow the order of the accepted write addresses, at most `writesAhead` of them.
  */
class AxiMerge(inner: Axi4Params, writesAhead: Int = 16) extends Module {
  private val outer = inner.copy(idBits = inner.idBits + 1)
  val io = IO(new Bundle {
    val a = Flipped(new Axi4Port(inner))
    val b = Flipped(new Axi4Port(inner))
    val out = new Axi4Port(outer)
  })
  private val sides = Seq(io.a, io.b)

  private val read = Module(new RRArbiter(chiselTypeOf(io.out.ar.bits), 2))
  private val write = Module(new RRArbiter(chiselTypeOf(io.out.aw.bits), 2))
  for (k <- 0 until 2) {
    read.io.in(k).valid := sides(k).ar.valid
    read.io.in(k).bits := sides(k).ar.bits
    read.io.in(k).bits.id := Cat(k.U(1.W), sides(k).ar.bits.id)
    sides(k).ar.ready := read.io.in(k).ready
    write.io.in(k).valid := sides(k).aw.valid
    write.io.in(k).bits := sides(k).aw.bits
    write.io.in(k).bits.id := Cat(k.U(1.W), sides(k).aw.bits.id)
    sides(k).aw.ready := write.io.in(k).ready
  }
  // A queue behind each arbiter keeps a stalled address from changing while it waits.
  io.out.ar <> Queue(read.io.out, 2)

  private val order = Module(new Queue(UInt(1.W), writesAhead))
  private val addresses = Module(new Queue(chiselTypeOf(io.out.aw.bits), 2))
  private val accepts = order.io.enq.ready && addresses.io.enq.ready
  write.io.out.ready := accepts
  order.io.enq.valid := write.io.out.valid && accepts
  order.io.enq.bits := write.io.chosen
  addresses.io.enq.valid := write.io.out.valid && accepts
  addresses.io.enq.bits := write.io.out.bits
  io.out.aw <> addresses.io.deq

  private val owner = order.io.deq.bits
  private val ownerData = Mux(owner === 0.U, io.a.w.bits, io.b.w.bits)
  private val ownerValid = order.io.deq.valid && Mux(owner === 0.U, io.a.w.valid, io.b.w.valid)
  io.out.w.valid := ownerValid
  io.out.w.bits := ownerData
  io.a.w.ready := order.io.deq.valid && owner === 0.U && io.out.w.ready
  io.b.w.ready := order.io.deq.valid && owner === 1.U && io.out.w.ready
  order.io.deq.ready := io.out.w.fire && ownerData.last

  private val rSide = io.out.r.bits.id(inner.idBits)
  private val bSide = io.out.b.bits.id(inner.idBits)
  for (k <- 0 until 2) {
    sides(k).r.valid := io.out.r.valid && rSide === k.U
    sides(k).r.bits := io.out.r.bits
    sides(k).b.valid := io.out.b.valid && bSide === k.U
    sides(k).b.bits := io.out.b.bits
  }
  io.out.r.ready := Mux(rSide === 0.U, io.a.r.ready, io.b.r.ready)
  io.out.b.ready := Mux(bSide === 0.U, io.a.b.ready, io.b.b.ready)
}
