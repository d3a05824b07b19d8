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

/** The prefetcher against accesses of one kind at a constant rate and a memory of constant latency, which brings what is accessed and what is
  * prefetched.
  */
class BestOffsetTest extends AnyFlatSpec with ChiselScalatestTester {
  private val pageLines = 64
  private val gapCycles = 10
  private val latencyCycles = 60
  private val inTime = latencyCycles / gapCycles // accesses from a prefetch to its line, at least

  private class Bench(dut: BestOffset, seed: Int) {
    private val s = new Signals
    private val random = new Random(seed)
    private val coming = mutable.Queue[(Int, BigInt, Boolean)]() // cycle, line, prefetched
    private val had = mutable.Set[BigInt]()
    private var now = 0
    val causes = mutable.Queue[BigInt]()
    private val waitingCauses = BestOffsetParams().triggers + 2 // those that wait, the one that is answered, the one of this cycle
    dut.clock.setTimeout(0)
    dut.clock.step(300) // the table is cleared

    /** Accesses these lines and returns what was prefetched meanwhile, with the number of accesses before it. */
    def run(lines: Seq[BigInt], gapCycles: Int = gapCycles): Seq[(Int, BigInt)] = {
      val prefetched = mutable.ArrayBuffer[(Int, BigInt)]()
      for ((line, k) <- lines.zipWithIndex; cycle <- 0 until gapCycles) {
        val accesses = cycle == 0
        s.set(dut.io.access.valid, accesses)
        s.set(dut.io.access.bits.lineAddr, line)
        if (accesses) {
          causes.enqueue(line)
          if (causes.size > waitingCauses) causes.dequeue()
          if (had.add(line)) coming.enqueue((now + latencyCycles, line, false))
        }
        val arrives = coming.headOption.filter(_._1 <= now)
        s.set(dut.io.fetched.valid, arrives.isDefined)
        for ((_, fetched, wasPrefetch) <- arrives) {
          coming.dequeue()
          s.set(dut.io.fetched.bits.lineAddr, fetched)
          s.set(dut.io.fetched.bits.wasPrefetch, wasPrefetch)
        }
        val takes = random.nextInt(4) != 0
        s.set(dut.io.prefetch.ready, takes)
        if (takes && s.is(dut.io.prefetch.valid)) {
          val wanted = s.get(dut.io.prefetch.bits)
          assert(causes.exists(_ / pageLines == wanted / pageLines), f"line $wanted%x is in no page that was accessed")
          prefetched += ((k, wanted))
          if (had.add(wanted)) coming.enqueue((now + latencyCycles, wanted, true))
        }
        dut.clock.step()
        now += 1
      }
      prefetched.toSeq
    }
  }

  private def bench(seed: Int, p: BestOffsetParams = BestOffsetParams())(body: Bench => Unit): Unit =
    test(new BestOffset(p, LineParams())).withAnnotations(Simulators.verilatorOf(f"BestOffset_${p.hashCode}%x"))(dut => body(new Bench(dut, seed)))
  private def stream(from: Int, stride: Int, accesses: Int): Seq[BigInt] = (0 until accesses).map(k => BigInt(from) + k * stride)
  private val phase = 10 * 60 // more accesses than a phase of learning has

  for (stride <- if (Simulators.everySize) Seq(1, 2, 3, -1, -3) else Seq(1, -3))
    "BestOffset" should s"learn stride $stride, and an offset that is in time" in bench(seed = 1) { b =>
      val learned = 6 * phase // each phase lengthens the offset
      val lines = stream(0x2400000, stride, learned + 2 * phase)
      b.run(lines.take(learned))
      val measured = lines.drop(learned)
      val accessOf = measured.zipWithIndex.toMap
      val prefetched = b.run(measured)
      val useful = prefetched.filter { case (_, line) => accessOf.contains(line) || (line - measured.last) * stride.sign > 0 }
      assert(useful.size > 0.9 * prefetched.size, s"of ${prefetched.size} prefetches ${useful.size} are of the stream")
      val early = prefetched.flatMap { case (k, line) => accessOf.get(line).filter(_ - k >= inTime) }.distinct.size
      val lead = (inTime + 3) * stride.abs // the first lines of a page, which no offset in time can reach
      assert(early > 0.9 * measured.size * (pageLines - lead) / pageLines, s"$early of ${measured.size} lines come in time")
    }

  it should "start on with its first offset" in bench(seed = 1) { b =>
    val first = 0x2400000
    val prefetched = b.run(stream(first, 1, 64)).map(_._2 - first)
    assert(prefetched.filter(_ > 2) == (3 until 64), "two lines ahead, in the page")
  }

  it should "switch off within a phase of accesses that no offset reaches in time" in bench(seed = 1) { b =>
    b.run(stream(0x2400000, 7, phase))
    assert(b.run(stream(0x2800000, 7, 2 * phase)).isEmpty)
  }

  it should "try every candidate, wherever it stands" in
    (for (place <- if (Simulators.everySize) Seq(0, 1, 2, 3) else Seq(3))
      bench(seed = 8, BestOffsetParams(Seq(5, 7, 9).patch(place, Seq(28), 0), firstOffset = 5, testsAtATime = 2, rampDivisors = Nil)) { b =>
        b.run(stream(0x2400000, 4, 3 * phase))
        val first = 0x2800000
        val prefetched = b.run(stream(first, 4, 64)).map { case (k, line) => line - first - 4 * k }
        assert(prefetched.nonEmpty && prefetched.forall(_ == 28), s"offsets $prefetched")
      })

  it should "go on with the offset that it had when a stream comes back" in bench(seed = 9) { b =>
    val random = new Random(9)
    def elsewhere(accesses: Int): Seq[BigInt] = Seq.fill(accesses)(BigInt(0x4000000) + random.nextInt(1 << 20))
    def reach(from: Int, accesses: Int): Int = b.run(stream(from, 1, accesses)).map { case (k, line) => (line - from - k).toInt }.max
    b.run(stream(0x2400000, 1, 6 * phase), gapCycles = 3)
    val learned = reach(0x2600000, pageLines)
    b.run(elsewhere(2 * phase))
    assert(b.run(elsewhere(phase)).isEmpty, "off by then")
    assert(learned >= 2 * inTime && reach(0x2800000, phase) == learned, s"offset $learned")
  }

  it should "prefetch in the ramp of a page at fractions of its offset, elsewhere only at the offset" in bench(seed = 2) { b =>
    b.run(stream(0x2400000, 1, 6 * phase))
    val pages = 4
    val first = 0x2400000 + (6 * phase / pageLines + 1) * pageLines
    b.run(stream(first - pageLines, 1, pageLines))
    val prefetched = b.run(stream(first, 1, pages * pageLines))
    val distances = prefetched.map { case (k, line) => (k % pageLines, (line - first - k).toInt) }
    val offset = distances.map(_._2).max
    assert(offset >= inTime && offset <= inTime + 5, s"offset $offset")
    for ((index, distance) <- distances) {
      assert(Seq(offset, offset / 2, offset / 4).contains(distance), s"distance $distance for offset $offset")
      if (index >= offset) assert(distance == offset, s"distance $distance behind the ramp")
    }
    assert(distances.count(_._2 == offset) == pages * (pageLines - offset), "every access whose target is in the page")
    for (d <- Seq(2, 4)) assert(distances.count(_._2 == offset / d) == pages * offset)
  }

  it should "have no ramp without divisors" in bench(seed = 3, BestOffsetParams(rampDivisors = Nil)) { b =>
    val prefetched = { b.run(stream(0x2400000, 1, 2 * phase)); b.run(stream(0x2400000 + 2 * phase, 1, phase)) }
    assert(prefetched.map { case (k, line) => line - (0x2400000 + 2 * phase + k) }.distinct.size == 1)
  }

  it should "be off for random lines, whatever it had learned" in bench(seed = 4) { b =>
    val random = new Random(5)
    def anywhere(accesses: Int): Seq[BigInt] = Seq.fill(accesses)(BigInt(0x2400000) + random.nextInt(1 << 14))
    b.run(anywhere(phase))
    assert(b.run(anywhere(2 * phase)).isEmpty)
    assert(b.run(stream(0x2500000, 1, 2 * phase)).nonEmpty)
    b.run(anywhere(2 * phase))
    assert(b.run(anywhere(phase)).isEmpty)
  }

  it should "take a better offset only by its score" in bench(seed = 6) { b =>
    // every other access is of a stream: half of the tests meet it, and the score still is good
    val random = new Random(7)
    val mixed = stream(0x2400000, 1, 2 * phase).flatMap(line => Seq(line, BigInt(0x3000000) + random.nextInt(1 << 20)))
    b.run(mixed.take(3 * phase))
    val prefetched = b.run(mixed.drop(3 * phase))
    assert(prefetched.nonEmpty)
    // one of sixteen is not good enough
    val rare = stream(0x2600000, 1, phase / 4).flatMap(line => line +: Seq.fill(15)(BigInt(0x3000000) + random.nextInt(1 << 20)))
    b.run(rare.take(2 * phase))
    assert(b.run(rare.drop(2 * phase)).isEmpty)
  }
}
