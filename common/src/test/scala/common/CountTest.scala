// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

private class CountProbe(most: Int) extends Module {
  val io = IO(new Bundle {
    val enter = Input(UInt(2.W))
    val leave = Input(UInt(2.W))
    val entered = Output(UInt(64.W))
    val inside = Output(UInt(3.W))
  })
  io.entered := Count.events(io.enter)
  io.inside := Count.held(most, io.enter, io.leave)
}

class CountTest extends AnyFlatSpec with ChiselScalatestTester {
  private val most = 5

  "Count" should "count events, and what is inside between empty and full" in {
    test(new CountProbe(most)) { dut =>
      val random = new Random(1)
      var entered, inside, timesFull = 0
      for (_ <- 0 until 500) {
        dut.io.entered.expect(entered.U)
        dut.io.inside.expect(inside.U)
        val leave = random.nextInt(inside.min(3) + 1)
        val enter = random.nextInt((most - inside + leave).min(3) + 1)
        dut.io.enter.poke(enter.U)
        dut.io.leave.poke(leave.U)
        dut.clock.step()
        entered += enter
        inside += enter - leave
        if (inside == most) timesFull += 1
      }
      assert(timesFull > 20)
    }
  }

  for ((what, enter, leave) <- Seq(("more than fit", 3, 0), ("fewer than none", 0, 1))) it should s"refuse to hold $what" in {
    assertThrows[ChiselAssertionError] {
      test(new CountProbe(most)) { dut =>
        dut.io.enter.poke(enter.U)
        dut.io.leave.poke(leave.U)
        dut.clock.step(2)
      }
    }
  }
}
