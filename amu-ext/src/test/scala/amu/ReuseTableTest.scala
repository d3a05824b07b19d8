// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import chiseltest.iotesters.PeekPokeTester
import common.Simulators
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random lines go to memory, of a few IDs and so few lines that they share indices and partial tags. */
class ReuseTableTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams(reuseLines = 8, reuseTagBits = 3)
  private case class Missed(line: Long, id: Int, isStore: Boolean)

  /** After a reset: the table is swept, then lines go to memory in `missPercent` of the cycles. */
  private def run(dut: ReuseTable, pins: Pins, random: Random, missPercent: Int, readyPercent: Int, counts: mutable.Map[String, Int]): Unit = {
    def kind(line: Long): Long = line % (p.reuseLines << p.reuseTagBits)
    def chance(percent: Int): Boolean = random.nextInt(100) < percent
    pins.reset()
    val pool = Seq.fill(20)(p.farMemory.base / 64 + random.nextInt(256))
    val model = new ReuseModel(p)
    val lastIds = mutable.Map.empty[Long, Int]
    val lastOfItsKind = mutable.Map.empty[Long, Long] // among those with the same index and tag
    val wishes = mutable.Queue.empty[Long]
    var again: Option[Long] = None // of the cycle before
    for (cycle <- 0 until 3000) {
      val missed = if (chance(missPercent)) Some(Missed(pool(random.nextInt(pool.size)), random.nextInt(4), chance(25))) else None
      pins(dut.io.missed.valid) = missed.nonEmpty
      missed.foreach { m =>
        pins(dut.io.missed.bits.lineAddr) = m.line
        pins(dut.io.missed.bits.id) = m.id
        pins(dut.io.missed.bits.isStore) = m.isStore
      }
      val ready = chance(readyPercent)
      pins(dut.io.wanted.ready) = ready

      assert(pins.is(dut.io.again) == again.nonEmpty, s"cycle $cycle")
      assert(pins.is(dut.io.wanted.valid) == wishes.nonEmpty, s"cycle $cycle")
      wishes.headOption.foreach(line => assert(pins(dut.io.wanted.bits) == line, s"cycle $cycle"))
      pins.step()

      val hasRoom = wishes.size < p.reuseWishes
      if (wishes.nonEmpty && ready) wishes.dequeue()
      again.foreach { line =>
        if (hasRoom) wishes.enqueue(line)
        counts(if (hasRoom) "wished" else "dropped") += 1
      }
      again = None
      for (m <- missed) {
        if (cycle < p.reuseLines) counts("swept") += 1
        else if (m.isStore) counts("store") += 1
        else {
          if (model.load(m.line, m.id)) {
            again = Some(m.line)
            if (lastOfItsKind(kind(m.line)) != m.line) counts("taken for another line") += 1
          } else if (lastIds.get(m.line).contains(m.id)) counts("same ID") += 1
          else if (lastIds.contains(m.line)) counts("forgotten") += 1
          lastIds(m.line) = m.id
          lastOfItsKind(kind(m.line)) = m.line
        }
      }
    }
  }

  "ReuseTable" should "find lines that another ID's load asked for, and wish for them while there is room" in
    test(new ReuseTable(p)).withAnnotations(Simulators.verilator).runPeekPoke(dut =>
      new PeekPokeTester(dut) {
        private val pins = new Pins(this)
        private val random = new Random(1)
        private val counts = mutable.Map.empty[String, Int].withDefaultValue(0)
        for (missPercent <- Seq(100, 70, 20); readyPercent <- Seq(10, 50, 100)) run(dut, pins, random, missPercent, readyPercent, counts)
        info(counts.toSeq.sorted.mkString(", "))
        for (kind <- Seq("wished", "dropped", "store", "same ID", "forgotten", "swept", "taken for another line"))
          assert(counts(kind) > 10, s"too little: $kind")
      }
    )
}
