// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Branches that trips or older branches decide, executed in order: predicted, then trained. */
class DirectionPredictorTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()

  private class Bench(dut: DirectionPredictor) {
    dut.clock.setTimeout(0)
    private val s = new Signals
    private val mask = (BigInt(1) << p.frontend.historyBits) - 1
    private var history = BigInt(0)

    /** Executes a branch: true when the prediction was wrong. */
    def branch(at: Long, taken: Boolean): Boolean = {
      s.set(dut.io.history, history)
      s.set(dut.io.lastHalf(2), at)
      val wrong = s.is(dut.io.taken(2)) != taken
      s.set(dut.io.train.valid, true)
      s.set(dut.io.train.bits.lastHalf, at)
      s.set(dut.io.train.bits.history, history)
      s.set(dut.io.train.bits.cfiType, CfiType.branch.litValue)
      s.set(dut.io.train.bits.taken, taken)
      dut.clock.step()
      s.set(dut.io.train.valid, false)
      if (taken) history = ((history << 1) & mask) ^ ((at >> 1) & 63)
      wrong
    }
  }

  behavior of "DirectionPredictor"

  it should "know the exits of loops of up to 64 trips" in {
    test(new DirectionPredictor(p)).withAnnotations(Simulators.verilatorOf("DirectionPredictor")) { dut =>
      val bench = new Bench(dut)
      for (trips <- Seq(3, 16, 33, 64)) {
        def round(): Int = {
          val inner = (0 until trips).count(trip => bench.branch(0x80000110L, taken = trip < trips - 1))
          inner + (if (bench.branch(0x80000122L, taken = true)) 1 else 0)
        }
        (0 until 20).foreach(_ => round())
        val wrong = Seq.fill(10)(round()).sum
        assert(wrong == 0, s"$wrong wrong in 10 rounds of $trips trips")
      }
    }
  }

  it should "follow a branch that two older ones decide, with others in between" in {
    test(new DirectionPredictor(p)).withAnnotations(Simulators.verilatorOf("DirectionPredictor")) { dut =>
      val random = new Random(3)
      val bench = new Bench(dut)
      def round(): Boolean = {
        val (a, b) = (random.nextBoolean(), random.nextBoolean())
        bench.branch(0x80000204L, a)
        bench.branch(0x80000218L, b)
        (0 until 5).foreach(k => bench.branch(0x80000300L + 16 * k, taken = true))
        bench.branch(0x80000402L, a ^ b)
      }
      (0 until 200).foreach(_ => round())
      val wrong = (0 until 200).count(_ => round())
      assert(wrong <= 2, s"$wrong of 200 wrong")
    }
  }

  it should "do with a random branch no worse than its bias" in {
    test(new DirectionPredictor(p)).withAnnotations(Simulators.verilatorOf("DirectionPredictor")) { dut =>
      val random = new Random(4)
      val bench = new Bench(dut)
      def round(): Boolean = bench.branch(0x80000500L, random.nextInt(10) < 8)
      (0 until 1000).foreach(_ => round())
      val wrong = (0 until 1000).count(_ => round())
      assert(wrong < 340, s"$wrong of 1000 wrong, a fifth of them cannot be known")
    }
  }
}
