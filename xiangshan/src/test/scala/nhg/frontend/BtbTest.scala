// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Random training, lookups and false hits against sets of four entries, of which an unknown instruction takes the next in turn. */
class BtbTest extends AnyFlatSpec with ChiselScalatestTester {
  private val sets = 4
  private val p = NhgParams(frontend = FrontendParams(btbEntries = sets * Btb.ways))
  private case class Entry(tag: Int, end: Int, cfiType: Int, target: BigInt)
  private val (branch, bafin) = (CfiType.branch.litValue.toInt, CfiType.bafin.litValue.toInt)

  "Btb" should "find what was taken in a window, four in a set" in {
    test(new Btb(p)) { dut =>
      val random = new Random(4)
      val s = new Signals
      val content = Array.fill(sets, Btb.ways)(Option.empty[Entry])
      var victim, hits, updates, full, forgotten = 0
      def found(set: Int, tag: Int): Seq[Entry] = content(set).toSeq.flatten.filter(e => e.tag == tag && e.cfiType != bafin)
      // windows of equal set and tag bits are one to the BTB, whatever lies above
      def window(set: Int, tag: Int): BigInt = (BigInt(random.nextInt(4)) << 18) + (tag << 2) + set

      for (_ <- 0 until 1500) {
        val (set, tag) = (random.nextInt(sets), 1 + random.nextInt(3))
        s.set(dut.io.window, window(set, tag))
        val slots = dut.io.slots.filter(slot => s.is(slot.hit)).map { slot =>
          Entry(tag, s.get(slot.end).toInt, s.get(slot.cfiType).toInt, s.get(slot.target))
        }
        assert(slots.toSet == found(set, tag).toSet && slots.length == found(set, tag).length, s"set $set, tag $tag")
        hits += slots.length
        if (slots.length == Btb.ways) full += 1

        val cfiType = branch + random.nextInt(bafin - branch + 1)
        val trained = Entry(1 + random.nextInt(3), random.nextInt(4), cfiType, CanonicalPc.draw(p, random))
        val trainedSet = random.nextInt(sets)
        val (valid, taken) = (random.nextInt(3) != 0, random.nextInt(4) != 0)
        s.set(dut.io.train.valid, valid)
        s.set(dut.io.train.bits.taken, taken)
        s.set(dut.io.train.bits.cfiType, trained.cfiType)
        s.set(dut.io.train.bits.target, trained.target)
        s.set(dut.io.train.bits.lastHalf, (window(trainedSet, trained.tag) << 5) + 2 * trained.end)
        val wrong = Entry(1 + random.nextInt(3), random.nextInt(4), branch, 0)
        val (wrongSet, forgets) = (random.nextInt(sets), random.nextInt(4) == 0)
        s.set(dut.io.forget.valid, forgets)
        s.set(dut.io.forget.bits, (window(wrongSet, wrong.tag) << 5) + 2 * wrong.end)
        dut.clock.step()
        if (forgets && !valid) {
          val known = content(wrongSet).indexWhere(_.exists(e => e.tag == wrong.tag && e.end == wrong.end && e.cfiType != bafin))
          if (known >= 0) {
            content(wrongSet)(known) = content(wrongSet)(known).map(_.copy(cfiType = bafin))
            forgotten += 1
          }
        }
        if (valid && taken && trained.cfiType != bafin) {
          val known = content(trainedSet).indexWhere(_.exists(e => e.tag == trained.tag && e.end == trained.end))
          content(trainedSet)(if (known >= 0) known else victim) = Some(trained)
          if (known >= 0) updates += 1 else victim = (victim + 1) % Btb.ways
        }
      }
      assert(hits > 1000 && updates > 100 && full > 0 && forgotten > 20, s"too little: $hits hits, $updates updates, $full full sets, $forgotten forgotten")
    }
  }
}
