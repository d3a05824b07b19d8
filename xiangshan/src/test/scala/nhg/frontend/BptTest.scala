// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Random bafin addresses against a list of the four that were entered last (paper IV-A: 4 entries; only bafin enters). */
class BptTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()

  "Bpt" should "know the newest bafins, and give the first one at or after the start of a block" in {
    test(new Bpt(p)) { dut =>
      val random = new Random(1)
      val s = new Signals
      var known = Vector[Long]() // addresses of last halfwords, oldest first
      var hits, forgotten = 0
      def address(): Long = platform.Regions.local.base + random.nextInt(3) * 32 + random.nextInt(16) * 2
      for (_ <- 0 until 1500) {
        val window = platform.Regions.local.base + random.nextInt(3) * 32
        val start = random.nextInt(16)
        s.set(dut.io.window, window >> 5)
        s.set(dut.io.start, start)
        val reached = known.filter(a => a >= window + 2 * start && a < window + 32)
        assert(s.is(dut.io.hit) == reached.nonEmpty, f"window $window%x from $start")
        if (reached.nonEmpty) {
          hits += 1
          assert(s.get(dut.io.end) == (reached.min - window) / 2, "the first bafin of the block")
        }
        val trains = random.nextInt(3) == 0
        val isBafin = random.nextInt(4) != 0
        val at = address()
        s.set(dut.io.train.valid, trains)
        s.set(dut.io.train.bits.lastHalf, at)
        s.set(dut.io.train.bits.cfiType, if (isBafin) CfiType.bafin.litValue else CfiType.jalr.litValue)
        s.set(dut.io.train.bits.taken, random.nextBoolean())
        val forgets = random.nextInt(80) == 0
        s.set(dut.io.forget, forgets)
        // the places are used in turn, also after a fence.i
        if (trains && isBafin && !known.contains(at)) known = (known :+ at).takeRight(p.frontend.bptEntries)
        if (forgets) { known = Vector(); forgotten += 1 }
        dut.clock.step()
      }
      assert(hits > 200 && forgotten > 5)
    }
  }
}
