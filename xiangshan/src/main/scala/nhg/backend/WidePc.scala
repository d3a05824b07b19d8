// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** The address for which `Pc.beyond` stands. Fetch gets there by a redirect alone, and what it finds is the redirect's first instruction: a fetch fault that
  * nothing younger follows. So one register holds the address, from the newest jump on.
  */
class WidePc(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val redirect = Input(Valid(new Bundle {
      val pc = UInt(p.pcBits.W)
      val isJump = Bool() // or a trap or return; others go on, or begin again, where they were
      val address = UInt(64.W) // of a jump's target
    }))
    val fetched = Input(UInt(p.pcBits.W)) // of the first instruction to be decoded
    val fetchedAddress = Output(UInt(64.W))
    val oldest = Input(UInt(p.pcBits.W)) // of the ROB head
    val oldestAddress = Output(UInt(64.W))
  })
  private val target = Reg(UInt(64.W))
  private val to = io.redirect.bits
  when(io.redirect.valid && to.isJump && to.pc === Pc.beyond(p)) { target := Cat(to.address(63, 1), 0.U(1.W)) }
  private def address(pc: UInt): UInt = Mux(pc === Pc.beyond(p), target, Pc.address(pc))
  io.fetchedAddress := address(io.fetched)
  io.oldestAddress := address(io.oldest)
}
