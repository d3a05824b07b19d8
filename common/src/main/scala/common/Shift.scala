// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._

/** Shifts that keep the width of `x`, a power of two up to 64 bits, with `amount` of as many bits as that needs. Chisel's `<<` widens, and
  * nothing on the way to the simulator narrows it again: it would calculate with several words where one will do.
  */
object Shift {
  def left(x: UInt, amount: UInt): UInt = steps(x, amount)((word, n) => Cat(word(word.getWidth - 1 - n, 0), 0.U(n.W)))

  /** `fill` comes in from above. */
  def right(x: UInt, amount: UInt, fill: Bool): UInt = steps(x, amount)((word, n) => Cat(Fill(n, fill), word(word.getWidth - 1, n)))

  def rotateRight(x: UInt, amount: UInt): UInt = steps(x, amount)((word, n) => Cat(word(n - 1, 0), word(word.getWidth - 1, n)))

  private def steps(x: UInt, amount: UInt)(by: (UInt, Int) => UInt): UInt = {
    require(isPow2(x.getWidth) && amount.getWidth == log2Ceil(x.getWidth), s"Shift: ${x.getWidth} bits by an amount of ${amount.getWidth} bits")
    (0 until amount.getWidth).foldLeft(x) { (word, k) =>
      val next = Wire(UInt(x.getWidth.W))
      next := Mux(amount(k), by(word, 1 << k), word)
      next
    }
  }
}
