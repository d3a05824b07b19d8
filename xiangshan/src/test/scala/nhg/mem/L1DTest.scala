// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The L1D by itself: random loads, stores, AMOs and probes on few sets, against a memory that changes when a store is done. Which lines
  * are present is followed exactly from `refilled` and `lost`.
  */
class L1DTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(l1d = CacheParams(sets = 4, ways = 2, mshrs = 4))
  /** Bytes of a line; an AMO has its word's. */
  private case class Access(line: BigInt, data: Seq[BigInt], mask: BigInt, isAmo: Boolean, amoWrites: Boolean) {
    def maskOf(word: Int): Int = ((mask >> (8 * word)) & 255).toInt
    def words: Seq[Int] = data.indices.filter(maskOf(_) != 0)
    def addr(word: Int): BigInt = (line << 3) + word
  }

  private class Bench(dut: L1D, random: Random, pool: IndexedSeq[BigInt], stall: Double) {
    private val s = new Signals
    private val io = dut.io
    val l2 = new L2Mock(io.l2, s, random, latency = 3, jitter = 20, stall, probeChance = 0.03, pool)
    val memory = new WordMemory
    val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)
    var quiet = false

    private val present = mutable.Set[BigInt]()
    private val waiting = mutable.Map[Int, BigInt]() // MSHR that a load was promised -> line
    private val merged = mutable.Set[BigInt]() // lines whose stores wait in an MSHR
    private val stores = mutable.Queue[Access]()
    private var inStore: Option[Access] = None // in st1
    /** A load in s1: address, whether its line was present in s0, and the values its word may have. */
    private case class Load(addr: BigInt, present: Boolean, values: Set[BigInt])
    private val inLoad = Array.fill[Option[Load]](p.lsu.loadPipes)(None)
    def idle: Boolean = stores.isEmpty && inStore.isEmpty && waiting.isEmpty && s.get(io.mshrOccupancy) == 0 && !l2.probing

    private def anyAddr(): BigInt = (pool(random.nextInt(pool.length)) << 6) + 8 * random.nextInt(8)
    private def after(a: Access, word: Int): BigInt = {
      val before = memory(a.addr(word))
      if (a.isAmo) { if (a.amoWrites) a.data(word) else before }
      else {
        val bits = (0 until 8).filter(b => (a.maskOf(word) >> b & 1) == 1).map(b => BigInt(255) << (8 * b)).sum
        (before & (((BigInt(1) << 64) - 1) - bits)) | (a.data(word) & bits)
      }
    }
    private def anyAccess(): Access = {
      val isAmo = random.nextInt(6) == 0
      val word = random.nextInt(8)
      val mask =
        if (isAmo) BigInt(255) << (8 * word) else if (random.nextBoolean()) BigInt(1 + random.nextInt(255)) << (8 * word) else BigInt(64, random).setBit(0)
      Access(anyAddr() >> 6, Seq.fill(8)(BigInt(64, random)), mask, isAmo, isAmo && random.nextBoolean())
    }

    private def s1Loads(): Unit = for ((load, port) <- inLoad.zip(io.load)) {
      s.set(port.s1_miss, false)
      s.set(port.s1_used, false)
      load.foreach(l => s.set(port.s1_line, l.addr >> 6))
      load.filter(_ => !s.is(port.s1_conflict)).foreach { l =>
        assert(s.is(port.s1_hit) == l.present, f"load of ${l.addr}%x: hit ${s.is(port.s1_hit)}")
        if (l.present) {
          counts("load hit") += 1
          s.set(port.s1_used, true)
          val word = s.get(port.s1_word)
          assert(l.values(word), f"load of ${l.addr}%x gives $word%x, not ${l.values.map(_.toString(16))}")
        } else if (random.nextInt(4) != 0) {
          s.set(port.s1_miss, true)
          s.set(port.s1_isPrefetch, random.nextInt(4) == 0)
        }
      }
      if (load.isDefined && s.is(port.s1_conflict)) counts("conflict") += 1
    }

    /** MSHRs that work on a line for a load, from this cycle on. */
    private def promises(): Seq[(Int, BigInt)] = inLoad.toSeq.zip(io.load).collect {
      case (Some(load), port) if s.is(port.s1_miss) && s.is(port.s1_accepted) =>
        val id = s.get(port.s1_mshr).toInt
        val line = load.addr >> 6
        assert(waiting.getOrElse(id, line) == line, s"MSHR $id works on two lines")
        if (waiting.contains(id)) counts("load merged") += 1
        id -> line
    }

    /** The access in st1 ends: AMOs read and write in this cycle. */
    private def s1Store(): Unit = {
      s.set(io.store.amoWrites, inStore.exists(_.amoWrites))
      inStore.filter(_.isAmo).foreach(a => s.set(io.store.amoWord, a.data(a.words.head)))
      assert(s.is(io.store.s1_valid) == inStore.isDefined)
      assert(s.is(io.store.s1_done) != s.is(io.store.s1_failed) || inStore.isEmpty, "neither done nor failed")
    }

    def step(): Unit = {
      l2.drive()
      s1Loads()
      s1Store()
      val done = inStore.filter(_ => s.is(io.store.s1_done))
      val loads = io.load.map { port => // in s0, which does not say the line yet
        val addr = anyAddr()
        val valid = !quiet && random.nextInt(3) != 0
        s.set(port.s0_valid, valid)
        s.set(port.s0_pageOffset, addr & 0xfff)
        if (valid) Some(addr) else None
      }
      if (!quiet && stores.length < 3 && random.nextInt(3) != 0) stores.enqueue(anyAccess())
      val offered = stores.headOption.filterNot(a => done.exists(_.line == a.line)) // nothing reads a line in the cycle of its write
      s.set(io.store.s0.valid, offered.isDefined)
      offered.foreach { a =>
        s.set(io.store.s0.bits.lineAddr, a.line)
        for ((word, data) <- io.store.s0.bits.data.zip(a.data)) s.set(word, data)
        s.set(io.store.s0.bits.mask, a.mask)
        s.set(io.store.s0.bits.isAmo, a.isAmo)
      }
      s.set(io.awaited.valid, random.nextBoolean())
      s.set(io.awaited.bits, anyAddr() >> 6)
      val asked = anyAddr() >> 6
      s.set(io.queryLine, asked)
      if (present(asked)) assert(!s.is(io.queryBusy), "a line is in the arrays and in an MSHR")
      if (merged(asked) || waiting.values.exists(_ == asked)) assert(s.is(io.queryBusy), "an MSHR works on the line and says it does not")

      l2.sample()
      val fires = offered.isDefined && s.is(io.store.s0.ready)
      assert(!(fires && s.is(io.store.s1_failed)), "a store overtakes one that failed")
      val promised = promises()
      for ((load, k) <- loads.zipWithIndex) {
        inLoad(k) =
          load.map(addr => Load(addr, present(addr >> 6), Set(memory(addr >> 3)) ++ done.filter(_.line == addr >> 6).map(after(_, (addr >> 3 & 7).toInt))))
      }
      endStore(done)
      inStore = if (fires) Some(stores.dequeue()) else None
      linesMove()
      waiting ++= promised // a refill in the cycle of the promise is none for it
      dut.clock.step()
    }

    private def endStore(done: Option[Access]): Unit = inStore.foreach { a =>
      if (done.isEmpty) {
        counts("store failed") += 1
        stores.prepend(a)
      } else {
        counts(if (a.isAmo) "amo" else "store") += 1
        if (a.isAmo) {
          assert(present(a.line), "an AMO is done without its line")
          val before = memory(a.addr(a.words.head))
          assert(s.get(io.store.s1_word) == before, f"AMO reads ${s.get(io.store.s1_word)}%x, not $before%x")
        } else if (!present(a.line)) {
          counts("store merged") += 1
          merged += a.line
        }
        if (a.words.size > 1) counts("several words") += 1
        for (w <- a.words) memory.write(a.addr(w) << 3, 8, after(a, w))
      }
    }

    private def linesMove(): Unit = {
      if (s.is(io.lost.valid)) {
        val line = s.get(io.lost.bits)
        assert(present.remove(line), f"line $line%x is lost but was not there")
        counts("lost") += 1
      }
      if (s.is(io.refilled.valid)) {
        val line = s.get(io.refilled.bits.lineAddr)
        val id = s.get(io.refilled.bits.id).toInt
        assert(waiting.get(id).forall(_ == line), s"refill of another line than MSHR $id was promised for")
        waiting -= id
        merged -= line
        assert(present.add(line), f"line $line%x is filled twice")
        counts("refilled") += 1
      }
    }
  }

  /** Cycles for which a probe of a line waits that is offered from its refill on, while `awaited` says so for `awaitedCycles`. */
  private def probeWait(dut: L1D, line: BigInt, awaitedLine: BigInt, awaitedCycles: Int): Int = {
    val s = new Signals
    val io = dut.io
    def step(): Unit = dut.clock.step()
    s.set(io.awaited.valid, true)
    s.set(io.awaited.bits, awaitedLine)
    s.set(io.l2.acquire.ready, true)
    s.set(io.l2.release.ready, true)
    s.set(io.load(0).s0_valid, true)
    s.set(io.load(0).s0_pageOffset, (line << 6) & 0xfff)
    step()
    s.set(io.load(0).s0_valid, false)
    s.set(io.load(0).s1_line, line)
    s.set(io.load(0).s1_miss, true)
    assert(!s.is(io.load(0).s1_hit) && s.is(io.load(0).s1_accepted))
    step()
    s.set(io.load(0).s1_miss, false)
    while (!s.is(io.l2.acquire.valid)) step()
    val id = s.get(io.l2.acquire.bits.id)
    step()
    s.set(io.l2.grant.valid, true)
    s.set(io.l2.grant.bits.id, id)
    step()
    s.set(io.l2.grant.valid, false)
    s.set(io.l2.probe.valid, true)
    s.set(io.l2.probe.bits.lineAddr, line)
    while (!s.is(io.refilled.valid)) {
      assert(!s.is(io.l2.probe.ready), "a probe overtakes the fill of its line")
      step()
    }
    step()
    var cycles = 0
    while (!s.is(io.l2.probe.ready)) {
      step()
      cycles += 1
      if (cycles == awaitedCycles) s.set(io.awaited.valid, false)
      assert(cycles < 100, "the probe waits for ever")
    }
    step()
    s.set(io.l2.probe.valid, false)
    for (_ <- 0 until 5) step()
    cycles
  }

  "L1D" should "keep the line that the oldest operation waits for, until it has used it or 16 cycles have passed" in {
    test(new L1D(p)).withAnnotations(Simulators.verilatorOf("L1D")) { dut =>
      dut.clock.setTimeout(0)
      val line = BigInt(p.map.local.base) >> 6
      assert(probeWait(dut, line, awaitedLine = line + 1, awaitedCycles = 100) == 0)
      assert(probeWait(dut, line, awaitedLine = line, awaitedCycles = 4) == 4)
      assert(probeWait(dut, line, awaitedLine = line, awaitedCycles = 100) == 15)
    }
  }

  /** With an L2 that refuses an acquire or a release in a cycle with probability `stall`. */
  private def randomAccesses(cycles: Int, stall: Double, kinds: Seq[String]): Unit =
    test(new L1D(p)).withAnnotations(Simulators.verilatorOf("L1D")) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(1)
      val pool = for (tag <- 0 until 5; set <- 0 until 3) yield (BigInt(p.map.local.base) >> 6) + set + tag * p.l1d.sets
      val bench = new Bench(dut, random, pool, stall)
      for (_ <- 0 until cycles) bench.step()
      bench.quiet = true
      bench.l2.probeChance = 0
      for (_ <- 0 until 2000 if !bench.idle) bench.step()
      assert(bench.idle, "the cache does not come to rest")
      pool.foreach(bench.l2.forceProbe)
      while (bench.l2.probing) bench.step()
      for (line <- pool; w <- 0 until 8) {
        val word = (line << 3) + w
        assert(bench.l2.memory(word) == bench.memory(word), f"word $word%x in memory")
      }
      println(s"L1D: ${bench.counts.toSeq.sorted.mkString(", ")}, ${bench.l2.probes} probes, ${bench.l2.probesOfAcquired} of lines on their way")
      assert(kinds.forall(bench.counts(_) > 20), s"too little: ${bench.counts}")
      assert(bench.l2.probesOfAcquired > 10, "too few probes of lines on their way")
    }

  private val most = Seq("load hit", "load merged", "conflict", "store", "several words", "store failed", "amo", "lost", "refilled")
  it should "keep every byte under random accesses, refills and probes" in randomAccesses(6000, 0.2, most :+ "store merged")

  it should "not ask for a line that still waits for an L2 that takes few releases" in randomAccesses(6000, 0.85, most)
}
