// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** L1D's release queue under random arrivals and an L2 that takes releases fast and slowly in turn, against a list. */
class WritebackQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val entries = 4

  "WritebackQueue" should "give every line in order, whole, and know which lines wait" in {
    test(new WritebackQueue(p, entries)) { dut =>
      dut.clock.setTimeout(0)
      val s = new Signals
      val random = new Random(1)
      val lines = (0 until 6).map(BigInt(p.map.local.base) / 64 + _)
      val waiting = mutable.Queue.empty[(BigInt, Boolean, BigInt)]
      var full, empty, merged = 0
      for (now <- 0 until 2000) {
        val slow = now / 50 % 2 == 0
        val arrives = random.nextInt(2) == 0
        val line = (lines(random.nextInt(lines.length)), random.nextBoolean(), BigInt(p.lineBits, random))
        s.set(dut.io.enqueue.valid, arrives)
        s.set(dut.io.enqueue.bits.lineAddr, line._1)
        s.set(dut.io.enqueue.bits.isProbeAck, line._2)
        s.set(dut.io.enqueue.bits.data, line._3)
        s.set(dut.io.release.ready, random.nextInt(if (slow) 8 else 2) == 0)
        val asked = lines(random.nextInt(lines.length))
        s.set(dut.io.queryLine, asked)
        assert(s.is(dut.io.pending) == waiting.exists(_._1 == asked), "a line waits here")
        assert(s.is(dut.io.enqueue.ready) == waiting.length < entries, "room")
        assert(s.is(dut.io.release.valid) == waiting.nonEmpty, "a release is offered")
        for ((addr, isProbeAck, data) <- waiting.headOption) {
          val bits = dut.io.release.bits
          assert(s.get(bits.lineAddr) == addr && s.is(bits.isProbeAck) == isProbeAck && s.get(bits.data) == data, "the oldest release")
        }
        if (waiting.length == entries) full += 1
        if (waiting.isEmpty) empty += 1
        if (waiting.map(_._1).distinct.length < waiting.length) merged += 1
        val taken = waiting.nonEmpty && s.is(dut.io.release.ready)
        val accepted = arrives && waiting.length < entries
        dut.clock.step()
        if (taken) waiting.dequeue()
        if (accepted) waiting.enqueue(line)
      }
      assert(full > 100 && empty > 20 && merged > 100, s"too little: full $full, empty $empty, two of one line $merged")
    }
  }
}
