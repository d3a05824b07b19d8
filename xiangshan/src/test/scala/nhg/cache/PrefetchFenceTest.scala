// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import nhg.mem.Signals
import nhg.priv.Pmp
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Candidates within a page, at the edges of PMP regions and of the memories, and anywhere, against a list of regions. */
class PrefetchFenceTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val pageLines = BigInt(64)

  "PrefetchFence" should "let pass what stays in the region of its cause, once and in order" in
    test(new PrefetchFence(p)).withAnnotations(Simulators.verilator) { dut =>
      val (s, random) = (new Signals, new Random(1))
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      val memories = Seq(p.map.local, p.map.far).map(r => (BigInt(r.base) >> Pmp.grainBits, (BigInt(r.end) >> Pmp.grainBits) - 1))
      dut.clock.setTimeout(0)
      for (_ <- 0 until 30) {
        val regions = Seq.fill(Pmp.regions) {
          val from = memories(random.nextInt(2))._1 + random.nextInt(64)
          Option.when(random.nextInt(3) != 0)((from, from + random.nextInt(32)))
        }
        for ((region, to) <- regions.zip(dut.io.pmp.regions)) {
          s.set(to.valid, region.isDefined)
          for ((from, until) <- region) { s.set(to.first, from); s.set(to.last, until) }
        }
        val edges = (regions.flatten ++ memories).flatMap { case (from, until) => Seq(from, until + 1) }
        def regionsOf(line: BigInt): (Int, Int) = {
          def has(region: (BigInt, BigInt)): Boolean = line / pageLines >= region._1 && line / pageLines <= region._2
          (regions.indexWhere(_.exists(has)), memories.indexWhere(has))
        }
        val expected = mutable.Queue[BigInt]()
        var offered: Option[(BigInt, BigInt)] = None
        for (cycle <- 0 until 400) {
          if (offered.isEmpty && cycle < 380 && random.nextBoolean()) {
            val cause = edges(random.nextInt(edges.size)) * pageLines + random.nextInt(8) - 4
            offered = Some((cause, cause + random.nextInt(17) - 8))
          }
          s.set(dut.io.in.valid, offered.isDefined)
          for ((cause, line) <- offered) {
            s.set(dut.io.in.bits.cause, cause)
            s.set(dut.io.in.bits.lineAddr, line)
          }
          s.set(dut.io.out.ready, random.nextBoolean() || cycle >= 380)
          if (s.is(dut.io.out.valid) && s.is(dut.io.out.ready)) {
            assert(expected.nonEmpty, f"line ${s.get(dut.io.out.bits)}%x is outside")
            assert(s.get(dut.io.out.bits) == expected.dequeue())
          }
          for ((cause, line) <- offered if s.is(dut.io.in.ready)) {
            val (samePage, sameRegions) = (cause / pageLines == line / pageLines, regionsOf(cause) == regionsOf(line) && regionsOf(line)._2 >= 0)
            if (samePage || sameRegions) expected.enqueue(line)
            counts(if (samePage) "within a page" else if (sameRegions) "across pages" else "kept back") += 1
            offered = None
          }
          dut.clock.step()
        }
        assert(expected.isEmpty, "each comes out")
      }
      for (kind <- Seq("within a page", "across pages", "kept back")) assert(counts(kind) > 100, s"$kind: ${counts(kind)}")
    }
}
