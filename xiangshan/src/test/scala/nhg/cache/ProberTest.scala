// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chiseltest._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Random probes of three clients: each that is meant gets one, and the cause has its turn from the last answer until it is decided. */
class ProberTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = SliceParams(LineParams(), sets = 2, ways = 4, mshrs = 6, clients = Seq(2, 2, 2), readers = Nil)
  private val handOver = new SliceSource(p).handOver.litValue.toInt

  "Prober" should "take a line from every client it is told, once, and then give its cause the turn" in {
    test(new Prober(p)) { dut =>
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      var (toTake, toAnswer, taken) = (Set[Int](), Set[Int](), Set[Int]())
      var (line, cap, cause, way) = (BigInt(0), 0, 0, 0)
      var causeNext = false
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      for (_ <- 0 until 5000) {
        val busy = toAnswer.nonEmpty
        assert(s.is(io.busy) == busy && s.is(io.causeNext) == causeNext)
        val decided = random.nextInt(7)
        val starts = !busy && random.nextInt(3) == 0 && (!causeNext || decided == cause)
        val answers = if (taken.nonEmpty && random.nextInt(3) == 0) Some(taken.toSeq(random.nextInt(taken.size))) else None
        val noHandOver = random.nextInt(8) == 0
        val lastAnswer = answers.isDefined && toAnswer.size == 1
        s.set(io.answer, answers.fold(BigInt(0))(BigInt(1) << _))
        s.set(io.answerLine, line)
        s.set(io.decided.valid, answers.isEmpty)
        s.set(io.decided.bits, decided)
        s.set(io.noHandOver, noHandOver)
        s.set(io.start.valid, starts)
        val mask = 1 + random.nextInt(7)
        val next = (BigInt(p.line.addrBits, random), random.nextInt(2), if (starts && answers.isEmpty) decided else random.nextInt(7), random.nextInt(p.ways))
        s.set(io.start.bits.clients, mask)
        s.set(io.start.bits.lineAddr, next._1)
        s.set(io.start.bits.cap, next._2)
        s.set(io.start.bits.cause, next._3)
        s.set(io.start.bits.way, next._4)
        assert(s.is(io.turn) == (causeNext || lastAnswer), "the cause has no turn, or too long")
        if (busy || causeNext) assert(s.get(io.current.cause) == cause && s.get(io.current.way) == way)
        for ((probe, c) <- io.probe.zipWithIndex) {
          assert(s.is(probe.valid) == toTake(c), s"client $c is offered ${s.is(probe.valid)}")
          if (toTake(c)) assert(s.get(probe.bits.lineAddr) == line && s.get(probe.bits.cap) == cap)
          s.set(probe.ready, random.nextInt(3) == 0)
        }
        val nowTaken = toTake.filter(c => s.is(io.probe(c).ready))
        // what the clock edge does
        if ((answers.isEmpty && decided == cause) || (cause == handOver && noHandOver)) {
          if (causeNext) counts(if (noHandOver && cause == handOver) "given up" else "decided") += 1
          causeNext = false
        }
        toTake --= nowTaken
        taken ++= nowTaken
        for (c <- answers) {
          toAnswer -= c
          taken -= c
          counts("answer") += 1
        }
        if (lastAnswer) causeNext = true
        if (starts) {
          toTake = (0 until 3).filter(c => (mask >> c & 1) == 1).toSet
          toAnswer = toTake
          line = next._1
          cap = next._2
          cause = next._3
          way = next._4
          counts(s"${toTake.size} clients") += 1
        }
        dut.clock.step()
      }
      for (kind <- Seq("answer", "decided", "given up", "1 clients", "2 clients", "3 clients")) assert(counts(kind) > 10, s"$kind: ${counts(kind)}")
    }
  }
}
