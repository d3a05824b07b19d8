// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._

/** Counters, 0 at reset. */
object Count {

  /** Events since reset, `step` of them this cycle; 64 bits, which no run fills. */
  def events(step: UInt): UInt = {
    val total = RegInit(0.U(64.W))
    total := total + step
    total
  }

  /** How many are inside, never more than `most`: `enter` come in and `leave` go out this cycle. */
  def held(most: Int, enter: UInt, leave: UInt): UInt = {
    val inside = RegInit(0.U(log2Ceil(most + 1).W))
    val withNew = inside +& enter
    inside := withNew - leave
    assert(withNew >= leave, "count below 0")
    assert(withNew - leave <= most.U, s"count above $most")
    inside
  }
}
