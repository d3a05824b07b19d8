// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

import bus.LineReadPort
import chisel3._
import chisel3.util._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import nhg.priv.{Pmp, PmpState}
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The three TLBs, of one access a cycle each, with their walker. */
class MmuHarness(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val state = Input(new TranslationState(p))
    val pmp = Input(new PmpState(p))
    val lookup = Vec(PageWalker.requesters, new TlbLookup)
    val l2 = new LineReadPort(p.line, log2Ceil(p.mmu.walks))
    val probe = Output(new WalkerProbe(p))
  })
  private val walker = Module(new PageWalker(p))
  private val sizes = Seq(p.mmu.fetch -> true, p.mmu.load -> false, p.mmu.store -> false)
  for (((size, fetches), k) <- sizes.zipWithIndex) {
    val tlb = Module(new Tlb(p, size, 1, fetches))
    tlb.io.state := io.state
    tlb.io.lookup(0) <> io.lookup(k)
    walker.io.tlbs(k) <> tlb.io.walk
  }
  walker.io.state := io.state
  walker.io.pmp := io.pmp
  io.l2 <> walker.io.l2
  io.probe := walker.io.probe
}

/** Random page tables that change with and without fences, random modes, and three accesses at a time, each tried until it does not miss. */
class MmuTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val kinds = "xrw"
  private val base = BigInt(p.map.local.base) >> 12
  private val far = BigInt(p.map.far.base) >> 12

  private class Access(val address: BigInt) {
    val start: mutable.Set[Outcome] = mutable.Set() // what it may find
    var cycles = 0
  }

  private class Bench(dut: MmuHarness, random: Random) {
    private val io = dut.io
    private val s = new Signals
    val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)
    private val tables = IndexedSeq.tabulate(12)(k => if (k % 3 == 0) far + k else base + k) // pages
    private val deniedPage = tables.last
    private def isMemory(a: BigInt) = Seq(p.map.local, p.map.far, p.map.bootRom).exists(r => a >= r.base && a < r.end)
    private val model = new Sv39Model(p.paddrBits, isMemory, a => (a >> 12) == deniedPage)
    private val roots = Map(BigInt(1) -> tables(0), BigInt(2) -> tables(3))
    private var (asid, rights) = (BigInt(1), Rights(isUser = false, sum = false, mxr = false))
    private var accesses = Seq.fill(3)(Option.empty[Access])
    private val reads = mutable.Queue[(BigInt, BigInt, Int)]() // id, line, cycle of the answer
    private var cycle = 0
    private val indices = Seq(0, 1, 2, 3, 8, 255, 511)
    private def chance(percent: Int) = random.nextInt(100) < percent
    private def pick[T](of: Seq[T]): T = of(random.nextInt(of.size))

    private def randomPte(level: Int): BigInt = {
      val ppn = pick(Seq.fill(6)(base + 512 * random.nextInt(4) + random.nextInt(8)) ++ Seq.fill(3)(base + (BigInt(random.nextInt(4)) << 18)) :+
        BigInt(44, random) :+ BigInt(0))
      val aligned = if (chance(85)) (ppn >> (9 * level)) << (9 * level) else ppn
      val pointer = level > 0 && chance(75)
      val noise = if (chance(6)) BigInt(1) << (54 + random.nextInt(10)) else BigInt(0)
      val global = if (shared && chance(20)) 0x20 else 0
      val flags = pick(Seq(0xcf, 0xdf, 0xcf, 0xdf, 0xcb, 0xd3, 0x4f, 0x8f, 0xc9, 0xc5, 0xce, random.nextInt(256))) & ~0x20 | global
      if (pointer) (pick(tables) << 10) | (if (chance(8)) pick(Seq(0x81, 0x41, 0x11, random.nextInt(256))) else 1) | noise | (if (chance(3)) BigInt(1) << 40
                                                                                                                              else BigInt(0))
      else (aligned << 10) | flags | noise
    }
    private var shared = true // both address spaces have all in common: only then there may be global pages
    private var drains = false // no new access, until the mode has changed
    private var forgets = false // in the next cycle
    private var alone = false // no access but that of `outcome`
    private var last: Outcome = PageFault

    def newTables(shared: Boolean): Unit = {
      this.shared = shared
      for (table <- tables; index <- indices) model.write(table * 4096 + index * 8, 0)
      changeTables(400)
    }
    def changeTables(times: Int): Unit =
      for (_ <- 0 until times) {
        val at = random.nextInt(tables.size)
        val level = at / 3 % 3 match { case 0 => 2; case 1 => 1; case _ => 0 }
        val index = pick(indices)
        val pte = randomPte(level)
        if (level == 2 && shared) for (root <- roots.values) model.write(root * 4096 + index * 8, pte) else model.write(tables(at) * 4096 + index * 8, pte)
      }

    private def address(): BigInt = {
      val vpn = (0 until 3).map(l => BigInt(pick(indices)) << (9 * l)).sum
      val low = (vpn << 12) + random.nextInt(4096)
      if (chance(4)) BigInt(64, random) else if (low.testBit(38)) low | (BigInt(-1) << 39 & ((BigInt(1) << 64) - 1)) else low
    }

    /** Half of the accesses are to pages that are mapped, as far as a few tries find one. */
    private def access(k: Int): Access = {
      val tries = Iterator.continually(address()).take(8)
      new Access(if (chance(50)) address() else tries.find(may(k, _).exists(_.isInstanceOf[At])).getOrElse(address()))
    }
    private def may(k: Int, address: BigInt): Set[Outcome] = model.outcomes(roots(asid), address, kinds(k), rights)

    def step(fenceChance: Int): Unit = {
      val quiet = accesses.forall(_.isEmpty)
      val clears = chance(fenceChance)
      if (clears) model.fence()
      if (chance(5)) drains = true
      if (quiet && drains && !alone) {
        drains = false
        asid = pick(roots.keys.toSeq)
        rights = Rights(random.nextBoolean(), random.nextBoolean(), random.nextBoolean())
      }
      s.set(io.state.clear, clears)
      s.set(io.state.forgetFaults, clears || forgets || chance(2))
      forgets = false
      s.set(io.state.asid, asid)
      s.set(io.state.root, roots(asid))
      s.set(io.state.sum, rights.sum)
      s.set(io.state.mxr, rights.mxr)
      for (mode <- Seq(io.state.fetch, io.state.data)) { s.set(mode.on, true); s.set(mode.isUser, rights.isUser) }
      s.set(io.pmp.regions(0).valid, true)
      s.set(io.pmp.regions(0).first, deniedPage)
      s.set(io.pmp.regions(0).last, deniedPage)
      s.set(io.pmp.walk, 1)

      accesses = accesses.zipWithIndex.map { case (a, k) => a.orElse(Option.when(!drains && !alone && chance(60))(access(k))) }
      for ((access, k) <- accesses.zipWithIndex) {
        val port = io.lookup(k)
        s.set(port.walks, access.nonEmpty && chance(80))
        s.set(port.isStore, kinds(k) == 'w')
        access.foreach { a =>
          s.set(port.address, a.address)
          a.start ++= may(k, a.address)
          a.cycles += 1
          assert(a.cycles < 2000, f"no end: ${kinds(k)} at ${a.address}%x")
        }
      }
      s.set(io.l2.req.ready, chance(70))
      val answer = reads.find(_._3 <= cycle)
      s.set(io.l2.resp.valid, answer.nonEmpty)
      answer.foreach { case read @ (id, line, _) =>
        reads.dequeueFirst(_ == read)
        s.set(io.l2.resp.bits.id, id)
        s.set(io.l2.resp.bits.error, false)
        s.set(io.l2.resp.bits.data, (0 until 8).map(w => model((line << 6) + 8 * w) << (64 * w)).reduce(_ | _))
      }
      if (s.is(io.l2.req.valid) && s.is(io.l2.req.ready)) {
        val line = s.get(io.l2.req.bits.lineAddr)
        assert(isMemory(line << 6) && (line >> 6) != deniedPage, f"a read of line $line%x, where it may not")
        reads.enqueue((s.get(io.l2.req.bits.id), line, cycle + 1 + random.nextInt(20)))
        counts("reads") += 1
      }
      for ((access, k) <- accesses.zipWithIndex; a <- access if !s.is(io.lookup(k).miss)) {
        val physical = s.get(io.lookup(k).physical)
        val found = if (s.is(io.lookup(k).pageFault)) PageFault else if (physical >> p.paddrBits != 0) AccessFault else At(physical)
        assert(a.start(found), f"${kinds(k)} at ${a.address}%x with $rights: $found, not one of ${a.start}")
        counts(s"${kinds(k)} ${found.getClass.getSimpleName}") += 1
        if (a.start.size > 1) counts("open") += 1
        accesses = accesses.updated(k, None)
        last = found
      }
      if (clears) counts("fences") += 1
      if (s.is(io.probe.read)) counts("probed reads") += 1
      if (s.is(io.probe.l2TlbMiss)) counts("probed walks") += 1
      counts("probed requests") += io.probe.requests.count(s.is(_))
      dut.clock.step()
      cycle += 1
    }

    /** A page becomes valid without a fence: what has failed there does not fail again after its exception. */
    def faultsAreForgotten(): Unit = {
      alone = true
      while (accesses.exists(_.nonEmpty)) step(0)
      newTables(shared = true)
      for (k <- kinds.indices) {
        def outcome(page: Int): Outcome = {
          accesses = accesses.updated(k, Some(new Access(BigInt(page) << 12)))
          while (accesses(k).nonEmpty) step(0)
          last
        }
        val (page, neighbour) = (8 * k + 1, 8 * k + 2) // of one line
        val leaf = tables(2) * 4096 + page * 8
        for (root <- roots.values) model.write(root * 4096, tables(1) << 10 | 1)
        model.write(tables(1) * 4096, tables(2) << 10 | 1)
        model.write(leaf, 0)
        model.write(leaf + 8, base << 10 | 0xcf)
        step(100)
        rights = Rights(isUser = false, sum = false, mxr = false)
        assert(outcome(neighbour) == At(base << 12) && outcome(page) == PageFault)
        model.write(leaf, base << 10 | 0xcf)
        forgets = true
        step(0)
        assert(outcome(page) == At(base << 12), s"${kinds(k)} of a page that is valid now")
      }
    }
  }

  private def run(p: NhgParams): Unit =
    test(new MmuHarness(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(1)
      val bench = new Bench(dut, random)
      for (k <- 0 until Simulators.cycles(21)) {
        if (k % 3 == 0) {
          bench.newTables(shared = random.nextBoolean())
          bench.step(100)
        }
        for (_ <- 0 until 500) {
          if (random.nextInt(10) == 0) bench.changeTables(1)
          bench.step(1)
        }
        bench.step(100)
        bench.changeTables(60)
        bench.step(100)
        for (_ <- 0 until 400) bench.step(0)
      }
      bench.faultsAreForgotten()
      println(s"MMU: ${bench.counts.toSeq.sorted.mkString(", ")}")
      for (kind <- Seq("x", "r", "w"); end <- Seq("At", "PageFault$", "AccessFault$")) assert(bench.counts(s"$kind $end") > 15, s"$kind $end: ${bench.counts}")
      val Seq(reads, probed, walks, requests) = Seq("reads", "probed reads", "probed walks", "probed requests").map(bench.counts)
      assert(probed == reads && walks < requests && walks > reads / 4, s"what is counted: ${bench.counts}")
    }

  "Tlb and PageWalker" should "translate as the manual says, with tables that change" in run(p)

  if (Simulators.everySize) it should "do so with large TLBs" in run(NhgParams.named("tlb-large"))
}
