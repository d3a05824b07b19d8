// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec

private class PlruProbe(ways: Int) extends Module {
  val io = IO(new Bundle {
    val state = Input(UInt(TreePlru.stateBits(ways).W))
    val way = Input(UInt(log2Ceil(ways).W))
    val victim = Output(UInt(log2Ceil(ways).W))
    val next = Output(UInt(TreePlru.stateBits(ways).W))
  })
  io.victim := TreePlru.victim(io.state, ways)
  io.next := TreePlru.touch(io.state, io.way, ways)
}

/** Every state and every access, against a walk down the tree. */
class TreePlruTest extends AnyFlatSpec with ChiselScalatestTester {
  /** Nodes on the way to `way` from the root, each with the side taken (1: right). */
  private def path(way: Int, ways: Int): Seq[(Int, Int)] = {
    val levels = log2Ceil(ways)
    val sides = (0 until levels).map(l => way >> (levels - 1 - l) & 1)
    sides.scanLeft(0)((node, side) => 2 * node + 1 + side).zip(sides)
  }

  behavior of "TreePlru"

  for (ways <- Seq(2, 4, 8)) it should s"choose among $ways ways" in {
    test(new PlruProbe(ways)) { dut =>
      for (state <- 0 until 1 << (ways - 1); way <- 0 until ways) {
        dut.io.state.poke(state.U)
        dut.io.way.poke(way.U)
        val pointedTo = (0 until ways).find(w => path(w, ways).forall { case (node, side) => (state >> node & 1) == side })
        dut.io.victim.expect(pointedTo.get.U)
        val next = path(way, ways).foldLeft(state) { case (s, (node, side)) => if (side == 1) s & ~(1 << node) else s | 1 << node }
        dut.io.next.expect(next.U)
      }
    }
  }
}
