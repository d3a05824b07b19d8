// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{BoundedWait, SpmLinePort, SpmParams}
import chisel3._
import chisel3.util._

/** The SPM's side of a slice: asks for the last way, and has its RAM. */
class SpmWayPort(spm: SpmParams) extends Bundle {
  val take = Input(Bool()) // amuctl[1], or the AMU still uses the SPM
  val present = Output(Bool()) // the last way belongs to the SPM
  val line = new SpmLinePort(spm)
}

/** Empties the last way set by set when the SPM asks for it; software may take the request back meanwhile. After reset the way is the cache's. */
class WayHandOver(p: SliceParams) extends Module {
  val io = IO(new Bundle {
    val take = Input(Bool())
    val present = Output(Bool())
    val set = Output(Valid(UInt(p.setBits.W))) // to be emptied next
    val emptied = Input(Bool())
    val active = Output(Bool())
  })
  private val taken = RegInit(false.B)
  private val set = RegInit(0.U((p.setBits + 1).W))
  private val done = set(p.setBits)
  io.active := io.take && !taken
  io.present := io.take && taken
  io.set.valid := io.active && !done
  io.set.bits := set(p.setBits - 1, 0)
  when(io.emptied) { set := set + 1.U }
  when(!io.take) {
    taken := false.B
    set := 0.U
  }.elsewhen(done) {
    taken := true.B
  }
  BoundedWait.memory(io.active && !io.emptied, "the hand-over of the SPM way")
}
