// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Jump targets are 64 bits wide, program counters only pcBits. A jump beyond them goes to `WidePc.beyond`, which has no memory, and the
  * fetch fault there reports the whole address: nothing younger than such a jump executes, so one register holds it.
  */
object WidePc {
  def beyond(p: NhgParams): UInt = ((BigInt(1) << p.pcBits) - 2).U(p.pcBits.W)
  def narrow(p: NhgParams, target: UInt): UInt =
    Mux(target(63, p.pcBits).orR, beyond(p), Cat(target(p.pcBits - 1, 1), 0.U(1.W)))
}

class WidePc(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val jump = Input(Valid(UInt(64.W))) // whole target of a jump to `beyond`
    val trap = Input(new Trap)
    val widened = Output(new Trap)
  })
  private val target = Reg(UInt(64.W))
  when(io.jump.valid) { target := Cat(io.jump.bits(63, 1), 0.U(1.W)) }
  private val isBeyond = io.trap.pc === WidePc.beyond(p)
  io.widened := io.trap
  when(isBeyond) {
    io.widened.pc := target
    when(!io.trap.isInterrupt) { io.widened.exception.tval := target }
  }
}
