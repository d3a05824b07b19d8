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

/** Streams of accesses against a memory of constant latency, which brings what is accessed and what is prefetched. */
class StreamPrefetcherTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = StreamParams()
  private val first = BigInt(0x2400000)
  private val pageLines = 64

  private class Bench(dut: StreamPrefetcher, latencyCycles: Int) {
    private val s = new Signals
    private val random = new Random(1)
    private val arrival = mutable.Map[BigInt, Int]() // cycle, of lines that have been asked for
    private var now = 0
    dut.clock.setTimeout(0)

    /** Accesses these lines and returns what was prefetched meanwhile, with the number of accesses before it. */
    def run(lines: Seq[BigInt], gapCycles: Int): Seq[(Int, BigInt)] = {
      val prefetched = mutable.ArrayBuffer[(Int, BigInt)]()
      for ((line, k) <- lines.zipWithIndex; cycle <- 0 until gapCycles) {
        val accesses = cycle == 0
        s.set(dut.io.access.valid, accesses)
        s.set(dut.io.access.bits.lineAddr, line)
        s.set(dut.io.access.bits.wasPrefetch, arrival.get(line).exists(_ <= now))
        if (accesses) arrival.getOrElseUpdate(line, now + latencyCycles)
        val takes = random.nextInt(4) != 0
        s.set(dut.io.prefetch.ready, takes)
        if (takes && s.is(dut.io.prefetch.valid)) {
          val wanted = s.get(dut.io.prefetch.bits.lineAddr)
          assert((wanted - s.get(dut.io.prefetch.bits.cause)).abs <= p.mostWindow, "a line within the window of its cause")
          prefetched += ((k, wanted))
          arrival.getOrElseUpdate(wanted, now + latencyCycles)
        }
        dut.clock.step()
        now += 1
      }
      prefetched.toSeq
    }
    def isThere(line: BigInt): Boolean = arrival.get(line).exists(_ <= now)
    def covers(line: BigInt): Boolean = {
      s.set(dut.io.access.valid, false)
      s.set(dut.io.access.bits.lineAddr, line)
      s.is(dut.io.covers)
    }
  }
  private def bench(latencyCycles: Int)(body: Bench => Unit): Unit =
    test(new StreamPrefetcher(p, LineParams())).withAnnotations(Simulators.verilatorOf("StreamPrefetcher"))(dut => body(new Bench(dut, latencyCycles)))
  private def stream(from: BigInt, step: Int, accesses: Int): Seq[BigInt] = (0 until accesses).map(k => from + k * step)
  private val gapCycles = 10

  // So close together that lines are wanted in the cycle of an access, and far apart.
  for ((step, direction) <- Seq(1 -> "up", -1 -> "down"); gapCycles <- Seq(2, gapCycles))
    "StreamPrefetcher" should s"follow lines $direction, $gapCycles cycles apart, from the third on, across pages" in bench(latencyCycles = 100) { b =>
      assert(b.run(stream(first, step, 2), gapCycles).isEmpty)
      val lines = stream(first, step, 4 * pageLines)
      val prefetched = b.run(lines.drop(2), gapCycles).map(_._2)
      assert(prefetched.take(p.firstWindow) == stream(first + 3 * step, step, p.firstWindow))
      assert(prefetched == stream(first + 3 * step, step, prefetched.size) && prefetched.size >= 4 * pageLines, "each line once, in order")
      assert(b.covers(lines.last + step) && !b.covers(lines.last + step * 2 * p.mostWindow))
    }

  for (latencyCycles <- Seq(20, 100, 300))
    it should s"reach as far as a latency of $latencyCycles cycles needs, and not much farther" in bench(latencyCycles) { b =>
      val lines = stream(first, 1, 6 * pageLines)
      val learned = 2 * pageLines
      b.run(lines.take(learned), gapCycles)
      var late = 0
      val ahead = for (line <- lines.drop(learned)) yield {
        if (!b.isThere(line)) late += 1
        b.run(Seq(line), gapCycles).map(_._2 - line).maxOption.getOrElse(BigInt(0)).toInt
      }
      val needed = latencyCycles / gapCycles
      assert(late == 0, s"$late lines late")
      assert(ahead.max <= p.firstWindow + needed * (1 + p.windowStep), s"${ahead.max} lines ahead")
    }

  it should "have no more than its most lines ahead, whatever the latency" in bench(latencyCycles = 10000) { b =>
    val lines = stream(first, 1, 2 * pageLines)
    val prefetched = b.run(lines, gapCycles)
    assert(prefetched.map { case (k, line) => line - lines(k) }.max == p.mostWindow)
  }

  it should "follow as many streams at a time as it has places for" in bench(latencyCycles = 200) { b =>
    val streams = p.streams
    val lines = for (k <- 0 until 2 * pageLines; i <- 0 until streams) yield first + i * 4096 + k * (if (i % 2 == 0) 1 else -1)
    val prefetched = b.run(lines, gapCycles = 5).map(_._2).toSet
    for ((line, k) <- lines.zipWithIndex if k / streams >= p.accesses) assert(prefetched(line), f"line $line%x")
  }

  it should "bear accesses out of order, and lines that others have brought" in bench(latencyCycles = 200) { b =>
    val random = new Random(2)
    val lines = stream(first, 1, 4 * pageLines).grouped(4).flatMap(random.shuffle(_)).filter(_ => random.nextInt(8) != 0).toSeq
    val (up, down) = b.run(lines, gapCycles).map(_._2).partition(_ > first + p.reach)
    assert(up.head < first + pageLines / 2 && up.last > lines.last)
    val settled = up.filter(_ >= first + pageLines) // by then the window is longer than a jump, and one stream is followed once
    assert(settled == stream(first + pageLines, 1, settled.size))
    assert(down.size <= p.firstWindow + p.reach, "what looked like a stream downward")
  }

  it should "not follow random lines, strides, or lines again and again" in bench(latencyCycles = 100) { b =>
    val random = new Random(3)
    assert(b.run(Seq.fill(2000)(first + random.nextInt(1 << 20)), gapCycles = 2).isEmpty)
    for (stride <- Seq(2, 3, -5, 64)) assert(b.run(stream(first + (1 << 21), stride, 100), gapCycles).isEmpty, s"stride $stride")
    assert(b.run(Seq.fill(100)(first + (1 << 22)), gapCycles).isEmpty)
  }

  it should "keep a stream among random accesses" in bench(latencyCycles = 300) { b =>
    val random = new Random(4)
    val between = p.streams - 2
    val lines = stream(first, 1, 4 * pageLines).flatMap(line => line +: Seq.fill(between)(BigInt(0x3000000) + random.nextInt(1 << 20)))
    val prefetched = b.run(lines, gapCycles = 4).map(_._2)
    assert(prefetched.distinct.size == prefetched.size && prefetched.size > 4 * pageLines - 2 * p.accesses, s"${prefetched.size} lines")
  }
}
