// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._
import nhg._

/** Counts AMU stores on their way to memory by a hash of their line, so that a demand miss never fetches bytes that such
  * a store is about to replace (docs/ami.md rule 7: no stale copy). A false match only delays the miss. Local and far
  * lines never share a counter: a local miss does not wait for far memory.
  */
class StoreFilter(p: NhgParams, counters: Int = 2048) extends Module {
  private val bits = log2Ceil(counters)
  private val countBits = log2Ceil(p.amu.lines + 1)
  val io = IO(new Bundle {
    val ready = Output(Bool()) // low while the counters are cleared after reset
    val lookup = Input(UInt(p.lineAddrBits.W))
    val busy = Output(Bool())
    val enter = Input(Valid(UInt(p.lineAddrBits.W)))
    val leave = Input(Valid(UInt(p.lineAddrBits.W)))
  })

  private val farBit = log2Ceil(p.map.far.base) - log2Ceil(p.lineBytes)
  private def index(line: UInt): UInt = {
    val folded = (0 until p.lineAddrBits by (bits - 1))
      .map(k => line(math.min(k + bits - 2, p.lineAddrBits - 1), k))
      .map(_.pad(bits - 1))
      .reduce(_ ^ _)
    Cat(line(p.lineAddrBits - 1, farBit).orR, folded)
  }

  private val count = Mem(counters, UInt(countBits.W))
  private val clearing = RegInit(true.B)
  private val clearIdx = RegInit(0.U(bits.W))
  io.ready := !clearing
  io.busy := count(index(io.lookup)) =/= 0.U

  private val enterIdx = index(io.enter.bits)
  private val leaveIdx = index(io.leave.bits)
  private val same = io.enter.valid && io.leave.valid && enterIdx === leaveIdx
  when(clearing) {
    count(clearIdx) := 0.U
    clearIdx := clearIdx + 1.U
    when(clearIdx === (counters - 1).U) { clearing := false.B }
    assert(!io.enter.valid && !io.leave.valid)
  }.elsewhen(!same) {
    when(io.enter.valid) {
      assert(!count(enterIdx).andR, "store filter: counter overflow")
      count(enterIdx) := count(enterIdx) + 1.U
    }
    when(io.leave.valid) {
      assert(count(leaveIdx) =/= 0.U, "an AMU store left the filter twice")
      count(leaveIdx) := count(leaveIdx) - 1.U
    }
  }
}
