// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._

/** Pointers into a ring of `entries` places, a power of two or not: the index of a place with one wrap bit above it, which changes when
  * the pointer passes the last place. Two pointers can be compared while they are at most `entries` places apart, so a full and an
  * empty queue differ. A pointer is a UInt of `bits` bits and crosses ports and registers as such.
  */
case class Ring(entries: Int) {
  require(entries >= 2, s"a ring has two places or more, not $entries")
  val indexBits: Int = log2Ceil(entries)
  val bits: Int = indexBits + 1

  def index(ptr: UInt): UInt = ptr(indexBits - 1, 0)
  def wrap(ptr: UInt): Bool = ptr(indexBits)

  /** `n` places further, 0 … entries. */
  def add(ptr: UInt, n: UInt): UInt =
    if (isPow2(entries)) (ptr + n)(bits - 1, 0)
    else {
      val sum = index(ptr) +& n
      val passes = sum >= entries.U
      Cat(wrap(ptr) ^ passes, Mux(passes, sum - entries.U, sum)(indexBits - 1, 0))
    }

  /** Places from `from` up to but not including `to`, 0 … entries. */
  def distance(to: UInt, from: UInt): UInt =
    if (isPow2(entries)) (to - from)(bits - 1, 0)
    else {
      val lap = Mux(wrap(to) === wrap(from), 0.U(bits.W), entries.U(bits.W))
      (index(to) + lap - index(from))(bits - 1, 0)
    }

  /** `a` is older than `b`. */
  def isBefore(a: UInt, b: UInt): Bool = (wrap(a) =/= wrap(b)) ^ (index(a) < index(b))

  /** The pointer of a place that is in use, known by its index; `head` is the oldest place in use. */
  def fromIndex(index: UInt, head: UInt): UInt = Cat(wrap(head) ^ (index < this.index(head)), index(indexBits - 1, 0))

  /** One bit a place: those from `from` up to but not including `to`. */
  def mask(from: UInt, to: UInt): UInt = {
    def below(ptr: UInt): UInt = (UIntToOH(index(ptr), entries) - 1.U)(entries - 1, 0)
    Mux(wrap(from) === wrap(to), below(to) & ~below(from), below(to) | ~below(from))
  }

  /** The bits of `mask`, one a place, from that of `head` on. */
  def rotate(mask: UInt, head: UInt): UInt = (Cat(mask, mask) >> index(head))(entries - 1, 0)
}
