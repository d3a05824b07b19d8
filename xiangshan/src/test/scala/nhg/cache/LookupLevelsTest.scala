// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{LineLookupPort, LineParams}
import chisel3._
import chiseltest._
import common.Simulators
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Two levels that take and answer after random times, each in its order; in turn one of them takes, or answers, nothing for a while. */
class LookupLevelsTest extends AnyFlatSpec with ChiselScalatestTester {
  private val line = LineParams()
  private val most = 8
  private val phaseCycles = 100

  private case class Answer(hit: Boolean, data: BigInt)
  private class Lookup(val request: LookupContent) {
    var near, far: Option[Answer] = None
  }

  "LookupLevels" should "ask the far level for what the near one has not, and answer in the order of the requests" in {
    test(new LookupLevels(line, most)).withAnnotations(Simulators.verilator) { dut =>
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      val asked = mutable.Queue[Lookup]() // not answered yet
      val inNear, inFar, toFar = mutable.Queue[Lookup]()
      var offered: Option[LookupContent] = None

      def drive(port: LineLookupPort, waiting: mutable.Queue[Lookup], works: Int => Boolean, hits: Int): (Boolean, Option[(Lookup, Answer)]) = {
        val takes = works(1) && random.nextInt(3) != 0
        val answer = waiting.headOption.filter(_ => works(2) && random.nextInt(3) != 0).map((_, Answer(random.nextInt(hits) == 0, BigInt(line.bits, random))))
        s.set(port.req.ready, takes)
        s.set(port.resp.valid, answer.isDefined)
        for ((_, a) <- answer) {
          waiting.dequeue()
          s.set(port.resp.bits.hit, a.hit)
          s.set(port.resp.bits.data, a.data)
        }
        (takes, answer)
      }

      for (now <- 0 until 20000) {
        val quiet = now >= 19800
        val phase = now / phaseCycles
        def works(level: Int)(kind: Int): Boolean = quiet || phase % 3 != kind || phase / 3 % 2 != level
        if (offered.isEmpty && !quiet && random.nextInt(4) != 0) {
          offered = Some(LookupContent.random(random, line))
        }
        s.set(io.amu.req.valid, offered.isDefined)
        offered.foreach(_.set(s, io.amu.req.bits))
        val (nearTakes, nearAnswer) = drive(io.near, inNear, works(0), 2)
        val (farTakes, farAnswer) = drive(io.far, inFar, works(1), 3)
        val done = if (random.nextInt(3) == 0) Some(BigInt(line.addrBits, random)) else None
        s.set(io.amu.storeDone.valid, done.isDefined)
        done.foreach(s.set(io.amu.storeDone.bits, _))

        // answers: of lookups that are settled since an earlier cycle, the oldest; a far store hit when the near level can be told
        val settled = asked.headOption.filter(l => l.near.exists(_.hit) || l.far.isDefined)
        val tells = settled.filter(l => l.request.isStore && l.far.exists(_.hit))
        val answers = s.is(io.amu.resp.valid)
        assert(!answers || settled.isDefined, s"an answer that no level has given, at $now")
        if (tells.isDefined && done.isDefined) assert(!answers, "a store is answered before the near level is told")
        assert(s.is(io.near.storeDone.valid) == (done.isDefined || tells.exists(_ => answers)), "the near level hears of stores that are done")
        if (s.is(io.near.storeDone.valid)) assert(s.get(io.near.storeDone.bits) == done.getOrElse(tells.get.request.lineAddr))
        assert(!s.is(io.far.storeDone.valid), "the far level holds nothing back")
        val sendsFar = s.is(io.far.req.valid)
        val room = asked.size < most
        if (answers) {
          val l = asked.dequeue()
          val a = l.near.filter(_.hit).orElse(l.far).get
          assert(s.is(io.amu.resp.bits.hit) == a.hit && (!a.hit || s.get(io.amu.resp.bits.data) == a.data), "answer of another request")
          counts((if (l.near.get.hit) "near" else if (a.hit) "far" else "no") + (if (l.request.isStore) " store" else " load")) += 1
        } else if (settled.isDefined) counts("waits") += 1

        if (sendsFar) {
          assert(toFar.nonEmpty && LookupContent.get(s, io.far.req.bits) == toFar.head.request, s"the far level is asked for something else, at $now")
          if (farTakes) inFar.enqueue(toFar.dequeue())
        }
        for (o <- offered) {
          assert(s.is(io.near.req.valid) == room && s.is(io.amu.req.ready) == (room && nearTakes))
          if (room) assert(LookupContent.get(s, io.near.req.bits) == o) else counts("full") += 1
          if (room && nearTakes) {
            val lookup = new Lookup(o)
            asked.enqueue(lookup)
            inNear.enqueue(lookup)
            offered = None
          }
        }
        for ((l, a) <- nearAnswer) {
          l.near = Some(a)
          if (!a.hit) toFar.enqueue(l)
        }
        for ((l, a) <- farAnswer) l.far = Some(a)
        dut.clock.step()
      }
      assert(asked.isEmpty && toFar.isEmpty && offered.isEmpty, "something never finished")
      println(s"lookup levels: ${counts.toSeq.sorted.mkString(", ")}")
      for (kind <- Seq("near load", "near store", "far load", "far store", "no load", "no store", "waits", "full")) {
        assert(counts(kind) > 100, s"$kind: ${counts(kind)}")
      }
    }
  }
}
