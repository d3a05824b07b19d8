// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._

/** A replacement policy that approximates LRU, as functions of its state; state 0 is legal. */
trait PseudoLru {
  def stateBits(ways: Int): Int
  /** The way to replace. */
  def victim(state: UInt, ways: Int): UInt
  /** State after an access to `way`. */
  def touch(state: UInt, way: UInt, ways: Int): UInt
}

/** Tree pseudo-LRU over a power of two of ways. The state has one bit per inner node: bit 0 is the root, bits 2k + 1 and 2k + 2 are the
  * left (lower ways) and the right child of bit k; 0 points left.
  */
object TreePlru extends PseudoLru {
  def stateBits(ways: Int): Int = {
    require(isPow2(ways) && ways >= 2, s"tree PLRU needs a power of two of ways, not $ways")
    ways - 1
  }

  /** The way that the bits point to. */
  def victim(state: UInt, ways: Int): UInt = {
    def walk(node: Int, span: Int): UInt =
      if (span == 2) state(node)
      else Cat(state(node), Mux(state(node), walk(2 * node + 2, span / 2), walk(2 * node + 1, span / 2)))
    require(state.getWidth == stateBits(ways))
    walk(0, ways)
  }

  /** State after an access to `way`: every node on its path points away from it. */
  def touch(state: UInt, way: UInt, ways: Int): UInt = {
    val levels = log2Ceil(ways)
    val next = for (node <- 0 until stateBits(ways)) yield {
      val level = log2Ceil(node + 2) - 1
      val position = node + 1 - (1 << level)
      val onPath = if (level == 0) true.B else way(levels - 1, levels - level) === position.U
      Mux(onPath, !way(levels - 1 - level), state(node))
    }
    VecInit(next).asUInt
  }
}

/** Bit pseudo-LRU over any number of ways: a bit for each that has been used lately, all others cleared when the last one is set; the victim is the
  * first way without.
  */
object BitPlru extends PseudoLru {
  def stateBits(ways: Int): Int = {
    require(ways >= 2, s"a replacement among $ways ways")
    ways
  }

  def victim(state: UInt, ways: Int): UInt = PriorityEncoder(~state)

  def touch(state: UInt, way: UInt, ways: Int): UInt = {
    val used = UIntToOH(way, ways)
    val all = state | used
    Mux(all.andR, used, all)
  }
}
