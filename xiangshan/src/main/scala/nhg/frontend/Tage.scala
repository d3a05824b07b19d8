// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._

/** What the tagged predictors share: the longest history that matches provides, and a wrong prediction enters a longer one. */
object Tage {
  /** One-hot, longest history last: the last of `hits`, 0 when there is none. */
  def provider(hits: UInt): UInt = Reverse(PriorityEncoderOH(Reverse(hits)))

  /** Tables with a longer history than the longest of `hits`. */
  def longer(hits: UInt): UInt = VecInit((0 until hits.getWidth).map(k => !(hits >> k).orR)).asUInt

  /** A saturating counter's next value. */
  def step(value: UInt, up: Bool): UInt =
    Mux(up, Mux(value.andR, value, value + 1.U), Mux(value.orR, value - 1.U, value))

  /** Two folds of different widths, so that what one of them loses the other keeps. */
  def tag(address: UInt, history: UInt, length: Int, width: Int): UInt =
    address(width - 1, 0) ^ PathHistory.fold(history, length, width) ^ (PathHistory.fold(history, length, width - 1) << 1)(width - 1, 0)
}
