// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random groups in and out against a queue. */
class IBufferTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(frontend = FrontendParams(ibufEntries = 16))

  "IBuffer" should "give instructions in order, several a cycle, and none after a flush" in {
    test(new IBuffer(p)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(1)
      val s = new Signals
      val queue = mutable.Queue[(BigInt, Boolean)]()
      var taken, full = 0
      for (_ <- 0 until 1500) {
        for (k <- 0 until p.backend.decodeWidth) {
          assert(s.is(dut.io.valid(k)) == (k < queue.length), s"valid($k) with ${queue.length} held")
          queue.lift(k).foreach { case (raw, predTaken) =>
            assert(s.get(dut.io.out(k).raw) == raw && s.is(dut.io.out(k).predTaken) == predTaken, s"instruction $k")
          }
        }
        val ready = s.is(dut.io.ready)
        assert(ready == (queue.length <= 8), "room for eight")
        if (!ready) full += 1
        val flush = random.nextInt(50) == 0
        val count = if (ready) random.nextInt(IBuffer.width + 1) else 0
        val arriving = Seq.fill(count)((BigInt(32, random), random.nextBoolean()))
        s.set(dut.io.count, count)
        for (((raw, predTaken), in) <- arriving.zip(dut.io.in)) {
          s.set(in.raw, raw)
          s.set(in.predTaken, predTaken)
        }
        val take = random.nextInt(3) != 0
        s.set(dut.io.take, take)
        s.set(dut.io.flush, flush)
        if (take) for (_ <- 0 until p.backend.decodeWidth if queue.nonEmpty) { queue.dequeue(); taken += 1 }
        queue ++= arriving
        if (flush) queue.clear()
        dut.clock.step()
      }
      assert(taken > 1500 && full > 100, s"$taken taken, $full cycles without room")
    }
  }
}
