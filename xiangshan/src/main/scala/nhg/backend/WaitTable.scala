// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Memory-dependence predictor: loads that were replayed because of an older store wait for the addresses of all older stores. 2-bit
  * counters indexed by pc: set to 3 on a replay, one lower after each sweep (one sweep every `sweepCycles`); non-zero means wait.
  */
class WaitTable(p: NhgParams, entries: Int = 1024, sweepCycles: Int = 1 << 16) extends Module {
  require(isPow2(entries) && isPow2(sweepCycles) && sweepCycles > entries)
  private val dw = p.backend.decodeWidth
  val io = IO(new Bundle {
    val pc = Input(Vec(dw, UInt(p.pcBits.W)))
    val mustWait = Output(Vec(dw, Bool()))
    val replayed = Input(Valid(UInt(p.pcBits.W)))
  })
  private val indexBits = log2Ceil(entries)
  private val table = Mem(entries, UInt(2.W))
  private val time = RegInit(0.U(log2Ceil(sweepCycles).W))
  private val initialised = RegInit(false.B) // the first sweep writes zeros
  time := time + 1.U
  private val sweepIdx = time(indexBits - 1, 0)
  private val sweeping = (time >> indexBits) === 0.U
  when(sweeping && sweepIdx.andR) { initialised := true.B }

  private def index(pc: UInt) = pc(indexBits, 1)
  for (i <- 0 until dw) { io.mustWait(i) := initialised && table.read(index(io.pc(i))) =/= 0.U }
  private val old = table.read(sweepIdx)
  when(io.replayed.valid && initialised) {
    table.write(index(io.replayed.bits), 3.U)
  }.elsewhen(sweeping) {
    table.write(sweepIdx, Mux(initialised && old =/= 0.U, old - 1.U, 0.U))
  }
}
