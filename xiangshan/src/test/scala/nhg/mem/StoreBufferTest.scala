// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The store buffer between stores of few lines, often the line before, an L1D that refuses and fails, and loads that ask, against a memory that every
  * store reaches at once (as loads see it) and one that L1D's accesses reach (as everybody else does).
  */
class StoreBufferTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val n = p.lsu.storeBufferLines
  private case class Word(index: Int, data: BigInt, mask: Int)
  private def bits(mask: Int): BigInt = (0 until 8).filter(b => (mask >> b & 1) == 1).map(b => BigInt(255) << (8 * b)).sum

  private class Bench(dut: StoreBuffer, random: Random, lines: Int) {
    private val s = new Signals
    private val io = dut.io
    private val base = BigInt(p.map.local.base) >> 6
    private val seen, performed = new WordMemory
    private var line = base
    private var offered: Option[(BigInt, Seq[Word])] = None
    private case class Access(line: BigInt, words: Seq[Word])
    private var inS1: Option[Access] = None
    private var waiting = 0 // cycles since the oldest store came that is not performed
    var storeChance = 90
    var narrow = false // only bytes of one word of three lines: no line becomes whole
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    private def chance(percent: Int) = random.nextInt(100) < percent
    private def merged(old: BigInt, w: Word): BigInt = (old & (((BigInt(1) << 64) - 1) - bits(w.mask))) | (w.data & bits(w.mask))
    def empty: Boolean = s.is(io.empty)

    def step(): Unit = {
      if (offered.isEmpty && chance(storeChance)) {
        if (chance(40)) line = base + random.nextInt(if (narrow) 3 else lines)
        val words = if (narrow) List(0) else random.shuffle((0 until 8).toList).take(1 + random.nextInt(p.lsu.storePipes))
        offered = Some(line -> words.map(Word(_, BigInt(64, random), if (chance(50)) 255 else 1 + random.nextInt(255))))
      }
      s.set(io.in.valid, offered.nonEmpty)
      for ((addr, words) <- offered) {
        s.set(io.in.bits.lineAddr, addr)
        for ((port, k) <- io.in.bits.words.zipWithIndex) {
          s.set(port.valid, words.isDefinedAt(k))
          words.lift(k).foreach { w => s.set(port.bits.index, w.index); s.set(port.bits.data, w.data); s.set(port.bits.mask, w.mask) }
        }
      }

      // L1D: st1 writes at the end of this cycle or fails, st0 takes the next line
      val fails = inS1.nonEmpty && chance(20)
      val done = inS1.filterNot(_ => fails)
      s.set(io.cache.s1_valid, inS1.nonEmpty)
      s.set(io.cache.s1_done, done.nonEmpty)
      s.set(io.cache.s1_failed, fails)
      s.set(io.cache.s0.ready, !fails && chance(80))
      val starts = if (!(s.is(io.cache.s0.valid) && s.is(io.cache.s0.ready))) None
      else {
        val bus = io.cache.s0.bits
        val mask = s.get(bus.mask)
        val words = (0 until 8).map(w => Word(w, s.get(bus.data(w)), ((mask >> (8 * w)) & 255).toInt)).filter(_.mask != 0)
        assert(words.nonEmpty && !s.is(bus.isAmo), "an access of no bytes")
        val access = Access(s.get(bus.lineAddr), words)
        assert(!done.exists(_.line == access.line), "a line is read in the cycle of its write")
        Some(access)
      }

      // loads that read the arrays one cycle ago: what was written in that cycle they may not have seen
      for (port <- io.lookup) {
        val word = ((base + random.nextInt(lines)) << 3) + random.nextInt(8)
        s.set(port.word, word)
        val mask = s.get(port.mask).toInt
        val value = merged(beforeLastWrite.getOrElse(word, performed(word)), Word(0, s.get(port.data), mask))
        assert(value == seen(word), f"a load of word $word%x")
        if (mask != 0) counts(if (mask == 255) "word found" else "part of a word found") += 1
      }
      assert(s.is(io.empty) == (s.get(io.state.used) == 0), "empty")
      val before = performed.snapshot(done.toSeq.flatMap(a => a.words.map(w => (a.line << 3) + w.index)))
      for (a <- done; w <- a.words) performed.write(((a.line << 3) + w.index) << 3, 8, merged(performed((a.line << 3) + w.index), w))
      if (done.exists(_.words.forall(_.mask == 255)) && done.exists(_.words.size == 8)) counts("whole line") += 1
      if (fails) counts("failed") += 1
      val accepted = offered.filter(_ => s.is(io.in.ready))
      val (used, freed) = (s.get(io.state.used), s.get(io.state.freed))
      assert((freed & ~used) == 0, "a line is freed that is not used")
      waiting = if (freed != 0 || used == 0) 0 else waiting + 1
      assert(waiting < 200, "a store waits for ever")
      dut.clock.step()

      beforeLastWrite = before
      for ((addr, words) <- accepted; w <- words) {
        val word = (addr << 3) + w.index
        seen.write(word << 3, 8, merged(seen(word), w))
        counts("stores") += 1
      }
      if (accepted.nonEmpty) offered = None
      inS1 = starts
      if (starts.nonEmpty) counts("accesses") += 1
    }
    private var beforeLastWrite = Map[BigInt, BigInt]()
    def checkPerformed(): Unit =
      for (w <- 0 until 8 * lines) assert(performed((base << 3) + w) == seen((base << 3) + w), s"word $w in the end")
  }

  "StoreBuffer" should "show loads every byte until L1D has it, and lose none" in {
    test(new StoreBuffer(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1), lines = n + 2)
      for (k <- 0 until 10000) {
        bench.storeChance = if (k % 1000 < 600) 95 else if (k % 1000 < 800) 20 else 100
        bench.narrow = k % 1000 >= 800
        bench.step()
      }
      bench.storeChance = 0
      for (_ <- 0 until 100) bench.step()
      assert(bench.empty, "it does not come to rest")
      bench.checkPerformed()
      println(s"StoreBuffer: ${bench.counts.toSeq.sorted.mkString(", ")}")
      for (what <- Seq("stores", "word found", "part of a word found", "failed", "accesses")) assert(bench.counts(what) > 200, s"too little: $what")
      assert(bench.counts("stores") > bench.counts("accesses") * 3 / 2, "stores are merged")
    }
  }
}
