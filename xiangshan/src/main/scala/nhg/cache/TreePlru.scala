// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._

/** Tree pseudo-LRU for a power-of-two number of ways; bit 0 is the root, children of k are 2k+1 and 2k+2. */
object TreePlru {
  def victim(state: UInt, ways: Int): UInt = {
    def walk(node: Int, span: Int): UInt =
      if (span == 2) state(node)
      else Cat(state(node), Mux(state(node), walk(2 * node + 2, span / 2), walk(2 * node + 1, span / 2)))
    walk(0, ways)
  }

  /** State after `way` was used: every node on its path points away from it. */
  def touch(state: UInt, way: UInt, ways: Int): UInt = {
    val next = Wire(Vec(ways - 1, Bool()))
    next := VecInit(state.asBools)
    val levels = log2Ceil(ways)
    def walk(node: Int, level: Int, onPath: Bool): Unit = if (level < levels) {
      val right = way(levels - 1 - level)
      when(onPath) { next(node) := !right }
      walk(2 * node + 1, level + 1, onPath && !right)
      walk(2 * node + 2, level + 1, onPath && right)
    }
    walk(0, 0, true.B)
    next.asUInt
  }
}
