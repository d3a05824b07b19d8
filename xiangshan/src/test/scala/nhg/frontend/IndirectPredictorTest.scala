// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Each pair of jump and path has its own target; a target that was right twice stays until it was wrong twice. */
class IndirectPredictorTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()

  private class Bench(dut: IndirectPredictor) {
    private val s = new Signals
    def train(pc: BigInt, history: BigInt, target: BigInt, mispredicted: Boolean = true, cfiType: UInt = CfiType.jalr): Unit = {
      s.set(dut.io.train.valid, true)
      s.set(dut.io.train.bits.lastHalf, pc)
      s.set(dut.io.train.bits.history, history)
      s.set(dut.io.train.bits.target, target)
      s.set(dut.io.train.bits.taken, true)
      s.set(dut.io.train.bits.mispredicted, mispredicted)
      s.set(dut.io.train.bits.cfiType, cfiType.litValue)
      dut.clock.step()
      s.set(dut.io.train.valid, false)
    }
    def lookUp(pc: BigInt, history: BigInt): Option[BigInt] = {
      s.set(dut.io.window, pc >> 5)
      s.set(dut.io.history, history)
      if (s.is(dut.io.hit) && s.get(dut.io.end) == (pc >> 1 & 15)) Some(s.get(dut.io.target)) else None
    }
  }

  behavior of "IndirectPredictor"

  it should "tell targets apart by the path, and forget nothing but by collision" in {
    test(new IndirectPredictor(p)) { dut =>
      val random = new Random(8)
      val bench = new Bench(dut)
      val newest = (BigInt(1) << p.frontend.indirectHistory) - 1
      val jumps = Seq.fill(40)((BigInt(0x80001000L) + 2 * random.nextInt(4096), BigInt(p.frontend.historyBits, random)))
      val targets = jumps.map(_ => BigInt(platform.Regions.local.base) + 2 * random.nextInt(1 << 20))
      for (((pc, history), target) <- jumps.zip(targets)) {
        assert(bench.lookUp(pc, history).forall(_ != target))
        bench.train(pc, history, target)
        assert(bench.lookUp(pc, history).contains(target), "known from then on")
        assert(bench.lookUp(pc, history ^ (newest + 1)).contains(target), "older history does not count")
        assert(bench.lookUp(pc, history ^ 1).isEmpty && bench.lookUp(pc, history ^ (newest + 1) / 2).isEmpty, "another path")
      }
      val kept = jumps.zip(targets).count { case ((pc, history), target) => bench.lookUp(pc, history).contains(target) }
      assert(kept >= 33, s"$kept of ${jumps.length} are still known")
    }
  }

  it should "change a confirmed target only when it was wrong twice" in {
    test(new IndirectPredictor(p)) { dut =>
      val bench = new Bench(dut)
      val (pc, history) = (BigInt(0x80004446L), BigInt(0x1234567))
      val (first, second) = (BigInt(0x80000100L), BigInt(0x80000200L))
      def expect(target: BigInt): Unit = assert(bench.lookUp(pc, history).contains(target))
      bench.train(pc, history, first)
      bench.train(pc, history, second)
      expect(second) // never confirmed
      bench.train(pc, history, second, mispredicted = false)
      bench.train(pc, history, first)
      expect(second) // doubted
      bench.train(pc, history, first)
      expect(first)
      bench.train(pc, history, first, mispredicted = false)
      bench.train(pc, history, second)
      bench.train(pc, history, first, mispredicted = false) // confirmed again
      bench.train(pc, history, second)
      expect(first)
    }
  }

  it should "learn from mispredicted indirect jumps and calls only" in {
    test(new IndirectPredictor(p)) { dut =>
      val bench = new Bench(dut)
      for ((cfiType, k) <- Seq(CfiType.branch, CfiType.jal, CfiType.call, CfiType.ret, CfiType.jalr, CfiType.bafin).zipWithIndex) {
        val pc = BigInt(platform.Regions.local.base) + 0x40 * k
        bench.train(pc, 5, 0x1000, mispredicted = false, cfiType)
        assert(bench.lookUp(pc, 5).isEmpty)
        bench.train(pc, 5, 0x1000, mispredicted = true, cfiType)
        val indirect = cfiType.litValue == CfiType.call.litValue || cfiType.litValue == CfiType.jalr.litValue
        assert(bench.lookUp(pc, 5).isDefined == indirect, s"type $k")
      }
    }
  }
}
