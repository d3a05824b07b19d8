// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** L1I against a memory model that answers out of order after random times and changes its content at each invalidation. */
class ICacheTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(l1i = CacheParams(sets = 4, ways = 4, mshrs = 2))
  private val base = platform.Regions.local.base / 64

  behavior of "ICache"

  it should "return the newest content after every invalidation" in {
    test(new ICache(p)).withAnnotations(Simulators.verilatorOf("ICache")) { dut =>
      dut.clock.setTimeout(0)
      val rng = new Random(7)
      var generation = 0
      def window(number: Long): BigInt = BigInt(256, new Random(number * 1000 + generation))
      def line(number: Long): BigInt = window(2 * number) | window(2 * number + 1) << 256

      case class Fill(at: Int, id: Int, data: BigInt)
      val fills = mutable.ArrayBuffer[Fill]()
      var expected: Option[BigInt] = None
      var wanted = 2 * base
      var reads, requests = 0
      for (cycle <- 0 until 6000) {
        val invalidate = rng.nextInt(150) == 0
        if (invalidate) generation += 1
        val asks = rng.nextInt(8) > 0
        dut.io.wanted.valid.poke(asks.B)
        dut.io.wanted.bits.poke(wanted.U)
        dut.io.invalidate.poke(invalidate.B)
        val ready = rng.nextInt(3) > 0
        dut.io.l2.req.ready.poke(ready.B)
        val due = fills.find(_.at <= cycle)
        dut.io.l2.resp.valid.poke(due.isDefined.B)
        due.foreach { f =>
          dut.io.l2.resp.bits.id.poke(f.id.U)
          dut.io.l2.resp.bits.data.poke(f.data.U)
          fills -= f
        }
        expected.foreach(e => dut.io.data.expect(e.U))
        val hit = dut.io.hit.peek().litToBoolean
        val read = hit && rng.nextInt(3) > 0
        dut.io.read.poke(read.B)
        if (ready && dut.io.l2.req.valid.peek().litToBoolean) {
          val number = dut.io.l2.req.bits.lineAddr.peek().litValue.toLong
          fills += Fill(cycle + 2 + rng.nextInt(20), dut.io.l2.req.bits.id.peek().litValue.toInt, line(number))
          requests += 1
        }
        if (read) {
          reads += 1
          expected = Some(window(wanted))
          // A walk over 40 lines (more than the cache's 16), mostly sequential
          wanted = if (rng.nextInt(5) == 0) 2 * base + rng.nextInt(80) else 2 * base + (wanted + 1 - 2 * base) % 80
        }
        dut.clock.step()
      }
      println(s"  $reads windows read, $requests lines requested")
      assert(reads > 500 && requests < reads)
    }
  }

  it should "keep the lines used last" in {
    test(new ICache(p)).withAnnotations(Simulators.verilatorOf("ICache")) { dut =>
      def access(number: Long): Boolean = {
        dut.io.wanted.valid.poke(true.B)
        dut.io.wanted.bits.poke((2 * number).U)
        dut.io.read.poke(true.B)
        dut.io.l2.req.ready.poke(true.B)
        val hit = dut.io.hit.peek().litToBoolean
        var waiting = !hit
        while (waiting) {
          dut.io.l2.resp.valid.poke(false.B)
          val id = if (dut.io.l2.req.valid.peek().litToBoolean) Some(dut.io.l2.req.bits.id.peek().litValue) else None
          dut.clock.step()
          id.foreach { i =>
            dut.io.l2.resp.valid.poke(true.B)
            dut.io.l2.resp.bits.id.poke(i.U)
            dut.clock.step()
            dut.io.l2.resp.valid.poke(false.B)
          }
          waiting = !dut.io.hit.peek().litToBoolean
        }
        dut.clock.step()
        hit
      }
      // Set 0; the line prefetched after each goes to set 1
      val lines = (0 until 6).map(base + 4 * _)
      lines.take(4).foreach(l => assert(!access(l)))
      Seq(3, 0, 1).foreach(i => assert(access(lines(i))))
      assert(!access(lines(4))) // replaces line 2, the tree's oldest
      Seq(0, 1, 3, 4).foreach(i => assert(access(lines(i)), s"line $i"))
    }
  }
}
