// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._

/** Liveness of a queue, an arbiter's input or a retry loop as an assertion: `waiting` must end within `limitCycles`. Why it does is
  * argued in docs/design/progress.md. The counter feeds the assertion only, so synthesis leaves it out.
  */
object BoundedWait {
  /** For waits that end without an answer of memory: far above anything a legal run shows (the longest is the 2,048 cycles
    * after reset in which the store filter is cleared).
    */
  val onChipCycles: Int = 1 << 13

  /** For waits that end with an answer of memory: latencies reach 65,535 cycles, and 512 lines queue at the lowest bandwidths. */
  val memoryCycles: Int = 1 << 21

  /** @param what names the wait in the assertion's message */
  def apply(waiting: Bool, limitCycles: Int, what: String): Unit = {
    val cycles = RegInit(0.U(log2Ceil(limitCycles + 1).W))
    cycles := Mux(waiting, cycles + 1.U, 0.U)
    assert(cycles =/= limitCycles.U, s"no progress: $what has waited $limitCycles cycles")
  }

  def onChip(waiting: Bool, what: String): Unit = apply(waiting, onChipCycles, what)
  def memory(waiting: Bool, what: String): Unit = apply(waiting, memoryCycles, what)
}
