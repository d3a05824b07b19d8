// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Each pair of jump and path has its own target; a target that was right stays until it was wrong as often. */
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

    /** Executes the jump: true when it went where it was predicted to go. */
    def jump(pc: BigInt, history: BigInt, target: BigInt): Boolean = {
      val right = lookUp(pc, history).contains(target)
      train(pc, history, target, mispredicted = !right)
      right
    }
  }

  behavior of "IndirectPredictor"

  /** One jump; its target follows the history bit `depth` jumps ago, the newer ones are random. */
  private def rightOf100(dut: IndirectPredictor, depth: Int): Int = {
    val random = new Random(depth)
    val bench = new Bench(dut)
    val pc = BigInt(0x80001000L) + 0x40 * depth
    def step(): Boolean = {
      // Three paths lead here; they differ in nothing but the bits up to `depth`.
      val path = random.nextInt(3)
      val history = (BigInt(path & 1) << depth) | (BigInt(path >> 1) << (depth / 2))
      bench.jump(pc, history, BigInt(0x80002000L) + 0x100 * path)
    }
    (0 until 60).foreach(_ => step())
    (0 until 100).count(_ => step())
  }

  it should "tell targets apart by the path, as far back as its longest history" in {
    test(new IndirectPredictor(p)).withAnnotations(Simulators.verilatorOf("IndirectPredictor")) { dut =>
      dut.clock.setTimeout(0)
      val longest = p.frontend.ittage.map(_.history).max
      for (depth <- Seq(1, 3, 7, 12, 15, longest - 1)) {
        assert(rightOf100(dut, depth) == 100, s"the path $depth jumps ago decides")
      }
      assert(rightOf100(dut, longest + 1) < 90, "beyond the history nothing is known")
    }
  }

  it should "change a confirmed target only when it was wrong as often as right" in {
    test(new IndirectPredictor(p)).withAnnotations(Simulators.verilatorOf("IndirectPredictor")) { dut =>
      val bench = new Bench(dut)
      val (pc, history) = (BigInt(0x80004446L), BigInt(0))
      val (first, second) = (BigInt(0x80000100L), BigInt(0x80000200L))
      // Not mispredicted: nothing is entered elsewhere, so one entry is watched.
      bench.train(pc, history, first)
      assert(bench.lookUp(pc, history).contains(first))
      bench.train(pc, history, second, mispredicted = false)
      assert(bench.lookUp(pc, history).contains(second), "never confirmed")
      bench.train(pc, history, second, mispredicted = false)
      bench.train(pc, history, second, mispredicted = false)
      bench.train(pc, history, first, mispredicted = false)
      bench.train(pc, history, first, mispredicted = false)
      assert(bench.lookUp(pc, history).contains(second), "doubted twice, as it was confirmed twice")
      bench.train(pc, history, first, mispredicted = false)
      assert(bench.lookUp(pc, history).contains(first))
    }
  }

  it should "enter a longer history when a shorter one was wrong, and take places that were of no use" in {
    test(new IndirectPredictor(p)).withAnnotations(Simulators.verilatorOf("IndirectPredictor")) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(8)
      val bench = new Bench(dut)
      val jumps = Seq.fill(200)((BigInt(0x80001000L) + 2 * random.nextInt(1 << 14), BigInt(32, random)))
      val targets = jumps.map(_ => CanonicalPc.draw(p, random))
      for (_ <- 0 until 10; ((pc, history), target) <- random.shuffle(jumps.zip(targets))) bench.jump(pc, history, target)
      val known = jumps.zip(targets).count { case ((pc, history), target) => bench.lookUp(pc, history).contains(target) }
      assert(known >= 190, s"$known of ${jumps.length} are known")
    }
  }

  it should "learn from mispredicted indirect jumps and calls only" in {
    test(new IndirectPredictor(p)).withAnnotations(Simulators.verilatorOf("IndirectPredictor")) { dut =>
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
