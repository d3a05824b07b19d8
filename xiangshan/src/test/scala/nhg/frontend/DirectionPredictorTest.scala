// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import org.scalatest.flatspec.AnyFlatSpec

class DirectionPredictorTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(frontend = FrontendParams(phtEntries = 256, tageEntries = 64, tageHistory = Seq(8, 16, 32), historyBits = 32))

  behavior of "DirectionPredictor"

  it should "learn a loop's exit from the path history" in {
    test(new DirectionPredictor(p)) { dut =>
      dut.clock.setTimeout(0)
      val inner = 0x80000110L // taken six times, then not
      val outer = 0x80000120L
      var history = BigInt(0)
      val mask = (BigInt(1) << 32) - 1
      var wrong = 0

      def branch(at: Long, taken: Boolean, count: Boolean): Unit = {
        dut.io.history.poke(history.U)
        dut.io.lastHalf(2).poke(at.U)
        if (dut.io.taken(2).peek().litToBoolean != taken && count) wrong += 1
        dut.io.train.valid.poke(true.B)
        dut.io.train.bits.lastHalf.poke(at.U)
        dut.io.train.bits.history.poke(history.U)
        dut.io.train.bits.cfiType.poke(CfiType.branch)
        dut.io.train.bits.taken.poke(taken.B)
        dut.clock.step()
        if (taken) history = ((history << 2) & mask) ^ ((at >> 1) & 63)
      }

      for (round <- 0 until 60) {
        val count = round >= 40
        (0 until 6).foreach(_ => branch(inner, taken = true, count))
        branch(inner, taken = false, count)
        branch(outer, taken = true, count)
      }
      println(s"  $wrong of 160 wrong after training")
      assert(wrong <= 2)
    }
  }
}
