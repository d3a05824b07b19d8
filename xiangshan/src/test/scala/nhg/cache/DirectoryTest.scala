// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{LineParams, SpmParams}
import chisel3._
import chiseltest._
import common.Simulators
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Random reads, writes and touches of few sets: each set is shown as it was written last, also in the cycle before. */
class DirectoryTest extends AnyFlatSpec with ChiselScalatestTester {
  private val line = LineParams()
  private val p = SliceParams(line, sets = 4, ways = 4, mshrs = 4, clients = Seq(2, 2), readers = Nil, spm = Some(SpmParams(4 * line.bytes, line)))
  private case class Entry(valid: Boolean, dirty: Boolean, exclusive: Boolean, holders: Int, tag: BigInt)

  "Directory" should "show what was written last, and a victim that may be taken" in {
    test(new Directory(p)).withAnnotations(Simulators.verilator) { dut =>
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      val empty = Seq.fill(p.ways)(Entry(false, false, false, 0, 0))
      val sets = mutable.Map[Int, Seq[Entry]]().withDefaultValue(empty)
      val lastTouch = mutable.Map[Int, Int]()
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      def draw(): Entry = {
        val holders = random.nextInt(4)
        Entry(random.nextInt(5) != 0, random.nextBoolean(), (holders == 1 || holders == 2) && random.nextBoolean(), holders, BigInt(p.tagBits, random))
      }
      for (_ <- 0 until p.sets) {
        assert(!s.is(io.ready))
        dut.clock.step()
      }
      assert(s.is(io.ready))
      var shown = 0
      s.set(io.read.valid, true)
      s.set(io.read.bits, 0)
      dut.clock.step()
      for (_ <- 0 until 4000) {
        s.set(io.shownSet, shown)
        for ((e, k) <- io.entries.zipWithIndex) {
          val x = sets(shown)(k)
          assert(s.is(e.valid) == x.valid, s"set $shown way $k")
          if (x.valid) {
            assert(s.is(e.dirty) == x.dirty && s.is(e.exclusive) == x.exclusive && s.get(e.holders) == x.holders && s.get(e.tag) == x.tag, s"set $shown way $k")
          }
        }
        val lastWayTaken = random.nextInt(4) == 0
        s.set(io.lastWayTaken, lastWayTaken)
        val victim = s.get(io.victimWay).toInt
        val usable = if (lastWayTaken) p.lastWay else p.ways
        assert(victim < usable, "the SPM's way is no victim")
        val invalid = (0 until usable).filterNot(sets(shown)(_).valid)
        if (invalid.nonEmpty) assert(invalid.contains(victim), "an invalid way goes first")
        else {
          // without the last way its neighbour stands in for it
          if (!lastWayTaken) assert(!lastTouch.get(shown).contains(victim), "the way used last is the victim")
          counts("full set") += 1
        }
        val writes = random.nextInt(3) != 0
        val written = Seq.fill(p.ways)(draw())
        s.set(io.write.valid, writes)
        for ((e, x) <- io.write.bits.zip(written)) {
          s.set(e.valid, x.valid)
          s.set(e.dirty, x.dirty)
          s.set(e.exclusive, x.exclusive)
          s.set(e.holders, x.holders)
          s.set(e.tag, x.tag)
        }
        val touches = random.nextBoolean()
        val way = random.nextInt(p.ways)
        s.set(io.touch.valid, touches)
        s.set(io.touch.bits, way)
        val next = random.nextInt(p.sets)
        s.set(io.read.bits, next)
        if (writes && next == shown) counts("bypass") += 1
        dut.clock.step()
        if (writes) sets(shown) = written
        if (touches) lastTouch(shown) = way
        shown = next
      }
      for (kind <- Seq("bypass", "full set")) assert(counts(kind) > 100, s"$kind: ${counts(kind)}")
    }
  }
}
