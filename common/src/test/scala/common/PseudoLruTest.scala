// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec

private class PlruProbe(policy: PseudoLru, ways: Int) extends Module {
  val io = IO(new Bundle {
    val state = Input(UInt(policy.stateBits(ways).W))
    val way = Input(UInt(log2Ceil(ways).W))
    val victim = Output(UInt(log2Ceil(ways).W))
    val next = Output(UInt(policy.stateBits(ways).W))
  })
  io.victim := policy.victim(io.state, ways)
  io.next := policy.touch(io.state, io.way, ways)
}

/** Every state and every access: the tree's against a walk down it, the bits' against a set of ways. */
class PseudoLruTest extends AnyFlatSpec with ChiselScalatestTester {
  /** Nodes on the way to `way` from the root, each with the side taken (1: right). */
  private def path(way: Int, ways: Int): Seq[(Int, Int)] = {
    val levels = log2Ceil(ways)
    val sides = (0 until levels).map(l => way >> (levels - 1 - l) & 1)
    sides.scanLeft(0)((node, side) => 2 * node + 1 + side).zip(sides)
  }

  behavior of "TreePlru"

  for (ways <- Seq(2, 4, 8)) it should s"choose among $ways ways" in {
    test(new PlruProbe(TreePlru, ways)) { dut =>
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

  behavior of "BitPlru"

  for (ways <- Seq(3, 6)) it should s"choose among $ways ways" in {
    test(new PlruProbe(BitPlru, ways)) { dut =>
      for (state <- 0 until (1 << ways) - 1; way <- 0 until ways) {
        dut.io.state.poke(state.U)
        dut.io.way.poke(way.U)
        val used = (0 until ways).filter(w => (state >> w & 1) == 1).toSet
        dut.io.victim.expect(((0 until ways).toSet -- used).min.U)
        val next = if ((used + way).size == ways) Set(way) else used + way
        dut.io.next.expect(next.map(1 << _).sum.U)
      }
    }
  }
}
