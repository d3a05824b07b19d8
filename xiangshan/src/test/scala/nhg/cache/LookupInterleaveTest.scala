// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chiseltest._
import common.Simulators
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** The AMU's crossbar, in every cycle against queues. Slices take and answer after random times, each in its order; in turn one of them takes, or
  * answers, nothing for a while.
  */
class LookupInterleaveTest extends AnyFlatSpec with ChiselScalatestTester {
  private val line = LineParams()
  private val n = 4
  private val most = 5
  private val phaseCycles = 100

  private def sliceOf(request: LookupContent): Int = (request.lineAddr % n).toInt
  private case class Answer(hit: Boolean, data: BigInt)
  private class Lookup(val slice: Int) {
    var answer: Option[Answer] = None
  }

  "LookupInterleave" should "answer in the order of the requests, as soon as the slice and older requests allow" in {
    test(new LookupInterleave(line, most, n)).withAnnotations(Simulators.verilator) { dut =>
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      val asked = mutable.Queue[Lookup]() // not answered yet
      val inSlices = Seq.fill(n)(mutable.Queue[Lookup]()) // not answered by their slice yet
      var offered: Option[LookupContent] = None

      for (now <- 0 until 20000) {
        val quiet = now >= 19800
        val phase = now / phaseCycles
        def works(k: Int, kind: Int): Boolean = quiet || phase % 3 != kind || phase / 3 % n != k

        // inputs of this cycle
        if (offered.isEmpty && !quiet && random.nextInt(4) != 0) {
          offered = Some(LookupContent.random(random, line))
        }
        s.set(io.amu.req.valid, offered.isDefined)
        offered.foreach(_.set(s, io.amu.req.bits))
        val takes = for (k <- 0 until n) yield works(k, kind = 1) && random.nextInt(3) != 0
        val answered = for (k <- 0 until n) yield {
          val lookup = inSlices(k).headOption.filter(_ => works(k, kind = 2) && random.nextInt(k + 2) == 0)
          for (l <- lookup) {
            inSlices(k).dequeue()
            l.answer = Some(Answer(random.nextBoolean(), BigInt(line.bits, random)))
            if (!asked.head.eq(l)) counts("younger first") += 1
            s.set(io.slices(k).resp.bits.hit, l.answer.get.hit)
            s.set(io.slices(k).resp.bits.data, l.answer.get.data)
          }
          s.set(io.slices(k).req.ready, takes(k))
          s.set(io.slices(k).resp.valid, lookup.isDefined)
          lookup.isDefined
        }
        if (answered.count(identity) > 1) counts("two at once") += 1
        val done = if (random.nextInt(3) == 0) Some(BigInt(line.addrBits, random)) else None
        s.set(io.amu.storeDone.valid, done.isDefined)
        done.foreach(s.set(io.amu.storeDone.bits, _))

        // outputs of this cycle
        val full = asked.size == most
        val answer = asked.headOption.flatMap(_.answer)
        assert(s.is(io.amu.resp.valid) == answer.isDefined, s"answer at $now")
        for (a <- answer) {
          asked.dequeue()
          assert(Answer(s.is(io.amu.resp.bits.hit), s.get(io.amu.resp.bits.data)) == a, "answer of another request")
          counts("answer") += 1
        }
        val room = asked.size < most
        if (full && offered.isDefined) counts(if (room) "room after an answer" else "full") += 1
        for ((port, k) <- io.slices.zipWithIndex) {
          assert(s.is(port.req.valid) == offered.exists(sliceOf(_) == k && room), s"slice $k is asked")
          assert(s.is(port.storeDone.valid) == done.exists(_ % n == k), s"slice $k hears of a store")
          done.foreach(d => assert(s.get(port.storeDone.bits) == d))
        }
        for (o <- offered) {
          val slice = sliceOf(o)
          assert(LookupContent.get(s, io.slices(slice).req.bits) == o)
          assert(s.is(io.amu.req.ready) == (room && takes(slice)), "a request waits though its slice takes it, or goes though it does not")
          if (room && takes(slice)) {
            val lookup = new Lookup(slice)
            asked.enqueue(lookup)
            inSlices(slice).enqueue(lookup)
            offered = None
          } else if (room) counts("slice takes nothing") += 1
        }
        dut.clock.step()
      }
      assert(asked.isEmpty && offered.isEmpty, "something never finished")
      println(s"lookup interleave: ${counts.toSeq.sorted.mkString(", ")}")
      for (kind <- Seq("younger first", "two at once", "answer", "room after an answer", "full", "slice takes nothing")) {
        assert(counts(kind) > 100, s"$kind: ${counts(kind)}")
      }
    }
  }
}
