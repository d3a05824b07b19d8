// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import nhg._

/** Pointer and value of the top of the return stack: enough to repair what a wrong path did to the top. */
class RasState(p: NhgParams) extends Bundle {
  val depth = UInt(log2Ceil(p.frontend.rasEntries).W) // modulo the size
  val top = UInt(p.pcBits.W)
}

/** Return address stack of `rasEntries` addresses, circular. The top lies in a register, what is below it in a memory. Each
  * cycle one operation works on the current state or, with `restore`, on a restored one; it is a call, a return or neither.
  */
class Ras(p: NhgParams) extends Module {
  require(isPow2(p.frontend.rasEntries))
  val io = IO(new Bundle {
    val state = Output(new RasState(p))
    val restore = Input(Valid(new RasState(p)))
    val call = Input(Bool())
    val returnAddress = Input(UInt(p.pcBits.W))
    val ret = Input(Bool())
  })
  assert(!(io.call && io.ret), "an operation is a call or a return")

  private val state = RegInit(0.U.asTypeOf(new RasState(p)))
  private val below = Mem(p.frontend.rasEntries, UInt(p.pcBits.W))
  private val from = Mux(io.restore.valid, io.restore.bits, state)
  private val beneath = from.depth - 1.U
  io.state := state

  when(io.call) {
    below.write(from.depth, from.top)
    state.depth := from.depth + 1.U
    state.top := io.returnAddress
  }.elsewhen(io.ret) {
    state.depth := beneath
    state.top := below.read(beneath)
  }.elsewhen(io.restore.valid) {
    state := io.restore.bits
  }
}
