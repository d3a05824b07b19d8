// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{DevicePort, LineReadPort, SpmWordPort}
import chisel3._
import chisel3.util._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mmu.{PageWalker, TranslationState}
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The LSU with the page walker; nothing is fetched. */
class LsuWithWalker(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val core = new LsuIO(p)
    val l2 = L1D.port(p)
    val mmio = new DevicePort(p.paddrBits)
    val spm = new SpmWordPort(p.amu.spm)
    val walker = new LineReadPort(p.line, log2Ceil(p.mmu.walks))
    val translation = Input(new TranslationState(p))
    val mshrOccupancy = Output(UInt(log2Ceil(p.l1d.mshrs + 1).W))
  })
  private val lsu = Module(new Lsu(p))
  private val walker = Module(new PageWalker(p))
  private val state = WireDefault(io.translation)
  state.forgetFaults := io.core.flush
  lsu.io := DontCare
  lsu.io.core <> io.core
  lsu.io.l2 <> io.l2
  lsu.io.mmio <> io.mmio
  lsu.io.spm <> io.spm
  lsu.io.spmPresent := true.B
  lsu.io.spmWritten.valid := false.B
  lsu.io.pmp := 0.U.asTypeOf(lsu.io.pmp)
  lsu.io.triggers := 0.U.asTypeOf(lsu.io.triggers)
  lsu.io.amuTranslation.walks := false.B
  lsu.io.translation := state
  walker.io.state := state
  walker.io.pmp := 0.U.asTypeOf(walker.io.pmp)
  walker.io.tlbs(PageWalker.fetch) := DontCare
  walker.io.tlbs(PageWalker.fetch).request.valid := false.B
  walker.io.tlbs(PageWalker.load) <> lsu.io.loadWalks
  walker.io.tlbs(PageWalker.store) <> lsu.io.storeWalks
  io.walker <> walker.io.l2
  io.mshrOccupancy := lsu.io.probe.mshrOccupancy
}

/** The random program of `LsuTest` at virtual addresses: each physical page has one in each of `halves` 64-GiB parts of the lower half of Sv39, so pages share
  * TLB entries and lines have several addresses. Part 1 may not be stored to, since it is clean; part 3 has superpages.
  */
class LsuTranslationTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(l1d = CacheParams(sets = 4, ways = 2, mshrs = 4))
  private val parts = 4
  private val clean = 1
  private val large = 3

  private class Tables(memory: WordMemory) extends Translation {
    private val base = (BigInt(p.map.local.base) >> 12) + 4096
    private var next = base
    private val children = mutable.Map[BigInt, BigInt]()
    val root: BigInt = table()

    private def table(): BigInt = {
      next += 1
      for (k <- 0 until 512) memory.write((next << 12) + 8 * k, 8, 0)
      next
    }
    def map(part: Int, physical: BigInt): Unit = {
      val address = (BigInt(part) << p.paddrBits) + physical
      def pointer(table: BigInt, level: Int): BigInt = (table << 12) + ((address >> (12 + 9 * level)) & 511) * 8
      val leafLevel = if (part == large) 1 else 0
      val last = (2 until leafLevel by -1).foldLeft(root) { (at, level) =>
        children.getOrElseUpdate(
          pointer(at, level), {
            val child = table()
            memory.write(pointer(at, level), 8, (child << 10) | 1)
            child
          }
        )
      }
      val page = (physical >> (12 + 9 * leafLevel)) << (9 * leafLevel)
      memory.write(pointer(last, leafLevel), 8, (page << 10) | (if (part == clean) 0x47 else 0xc7))
    }
    def apply(address: BigInt, stores: Boolean): Option[BigInt] = {
      val part = (address >> p.paddrBits).toInt
      Option.when(address >> p.addressBits - 1 == 0 && !(stores && part == clean))(address & ((BigInt(1) << p.paddrBits) - 1))
    }
  }

  private class WalkReads(io: LineReadPort, s: Signals, random: Random, memory: WordMemory) {
    private val reads = mutable.ArrayBuffer[(BigInt, BigInt, Int)]()
    private var cycle = 0
    var count = 0
    def drive(): Unit = {
      s.set(io.req.ready, random.nextInt(4) != 0)
      val due = reads.find(_._3 <= cycle)
      s.set(io.resp.valid, due.nonEmpty)
      due.foreach { case read @ (id, line, _) =>
        reads -= read
        s.set(io.resp.bits.id, id)
        s.set(io.resp.bits.data, memory.line(line))
      }
    }
    def sample(): Unit = {
      if (s.is(io.req.valid) && s.is(io.req.ready)) {
        reads += ((s.get(io.req.bits.id), s.get(io.req.bits.lineAddr), cycle + 1 + random.nextInt(30)))
        count += 1
      }
      cycle += 1
    }
  }

  "Lsu" should "agree with a sequential memory at virtual addresses" in {
    test(new LsuWithWalker(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val (random, s) = (new Random(3), new Signals)
      val pool = for (t <- 0 until 6; set <- 0 until 3) yield (BigInt(if (t % 2 == 0) p.map.local.base else p.map.far.base) >> 6) + set + 64 * t
      val l2 = new L2Mock(dut.io.l2, s, random, 4, 20, 0.2, 0.02, pool)
      val devices = new MmioMock(dut.io.mmio, s, random)
      val spm = new SpmMock(dut.io.spm, s, random, p.map.spm.base, 6, 0.1)
      val tables = new Tables(l2.memory)
      val walks = new WalkReads(dut.io.walker, s, random, l2.memory)
      val pages = (pool.map(_ << 6) ++ Seq(p.map.spm.base, p.map.spm.end, p.map.mmio.base, 0L).map(BigInt(_))).map(_ >> 12).distinct
      for (page <- pages; part <- 0 until parts) tables.map(part, page << 12)
      s.set(dut.io.translation.data.on, true)
      s.set(dut.io.translation.root, tables.root)
      val model = new SequentialModel(p, devices, tables)
      val program = new RandomProgram(p, random, pool)
      def next(): MemInst = {
        val i = program.next()
        if (i.addr >> p.paddrBits != 0) i else i.copy(addr = i.addr + (BigInt(random.nextInt(parts)) << p.paddrBits))
      }
      val core = new CoreMock(p, dut.io.core, s, random, () => next(), CoreStyle(), model)
      val units = Seq[() => Unit](() => l2.drive(), () => devices.drive(), () => spm.drive(), () => walks.drive(), () => core.drive())
      def step(): Unit = {
        units.foreach(_())
        l2.sample(); devices.sample(); spm.sample(); walks.sample(); core.sample()
        dut.clock.step()
      }
      val cycles = Simulators.cycles(6000)
      for (_ <- 0 until cycles) step()
      core.fetching = false
      def idle = core.empty && s.is(dut.io.core.storesDrained) && s.get(dut.io.mshrOccupancy) == 0
      var left = 5000
      while (!idle && left > 0) { step(); left -= 1 }
      assert(idle, "the LSU does not come to rest")
      model.checkDevices()
      println(s"LSU at virtual addresses: ${core.committed} committed, ${core.exceptions} exceptions, ${core.violations} violations, " +
        s"${walks.count} reads of tables, ${devices.log.size} device accesses, ${model.scSuccesses} SC successes")
      assert(core.committed > cycles / 10 && core.exceptions > 50 && core.violations > 0 && walks.count > 200 && devices.log.nonEmpty && model.scSuccesses > 0)
    }
  }
}
