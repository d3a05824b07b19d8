// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Random instruction stream over few lines of few sets, so that everything collides. */
class RandomProgram(p: NhgParams, random: Random, lines: IndexedSeq[BigInt], mmio: Double = 0.02, spm: Double = 0.15, illegal: Double = 0.02) {
  private val amoOps = AmoModel.all ++ Seq(AmoModel.lr, AmoModel.sc)

  private var reserved: Option[(BigInt, Int)] = None // the instruction before was this LR: an SC follows

  def next(): MemInst = {
    val sc = reserved.map { case (addr, size) =>
      MemInst(Kind.amo, addr, size, unsigned = false, BigInt(64, random), AmoModel.sc, waits = false)
    }
    val inst = sc.getOrElse(draw())
    reserved = if (inst.kind == Kind.amo && inst.amoOp == AmoModel.lr) Some((inst.addr, inst.size)) else None
    inst
  }

  private def draw(): MemInst = {
    val where = random.nextDouble()
    val size = random.nextInt(4)
    val offset = random.nextInt(24) & ~((1 << size) - 1)
    def local = (lines(random.nextInt(lines.size)) << 6) + offset
    val kindDraw = random.nextDouble()
    val kind =
      if (kindDraw < 0.45) Kind.load
      else if (kindDraw < 0.75) Kind.store
      else if (kindDraw < 0.79) Kind.amo
      else if (kindDraw < 0.83) Kind.prefetch
      else Kind.branch
    val data = BigInt(64, random)
    val waits = random.nextInt(4) == 0
    def inst(addr: BigInt, size: Int = size) = MemInst(kind, addr, size, random.nextBoolean(), data, amoOps(random.nextInt(amoOps.size)), waits)
    if (kind == Kind.amo) {
      val amoSize = 2 + random.nextInt(2)
      val addr = if (where < illegal) illegalAddress(offset) else local & ~BigInt((1 << amoSize) - 1)
      inst(addr, amoSize)
    } else if (where < illegal) inst(illegalAddress(offset))
    else if (where < illegal + mmio) inst(BigInt(p.map.mmio.base) + (if (random.nextInt(8) == 0) 0x800 else 0) + offset)
    else if (where < illegal + mmio + spm) inst(BigInt(p.map.spm.base) + offset + 64 * random.nextInt(2))
    else inst(local)
  }

  private def illegalAddress(offset: Int): BigInt = random.nextInt(5) match {
    case 0 => BigInt(offset) // nothing there
    case 1 => (lines.head << 6) + offset + 1 // misaligned unless a byte
    case 2 => (BigInt(1) << 40) + (lines.head << 6) + offset // upper bits
    case 3 => BigInt(p.map.spm.end) + offset
    case _ => (BigInt(-1) << 20 & ((BigInt(1) << 64) - 1)) + offset
  }
}

class LsuTest extends AnyFlatSpec with ChiselScalatestTester {
  private val small = NhgParams(l1d = CacheParams(sets = 4, ways = 2, mshrs = 4))

  /** Lines in `sets` sets of the cache, local and far. */
  private def lines(p: NhgParams, sets: Int, tags: Int): IndexedSeq[BigInt] =
    for (t <- 0 until tags; set <- 0 until sets)
      yield (BigInt(if (t % 2 == 0) p.map.local.base else p.map.far.base) >> 6) + set + t * p.l1d.sets

  private def run(p: NhgParams, cycles: Int, seed: Int, latency: Int, jitter: Int, probes: Double, style: CoreStyle): Unit =
    test(new Lsu(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(seed)
      val s = new Signals
      val pool = lines(p, 3, 4)
      val l2 = new L2Mock(dut.io.l2, s, random, latency, jitter, 0.2, probes, pool)
      val devices = new MmioMock(dut.io.mmio, s, random)
      s.set(dut.io.spmPresent, true)
      val spm = new SpmMock(dut.io.spm, s, random, p.map.spm.base, 6, 0.1)
      val model = new SequentialModel(p, devices)
      val program = new RandomProgram(p, random, pool)
      val core = new CoreMock(p, dut.io.core, s, random, () => program.next(), style, model)
      def step(): Unit = {
        l2.drive(); devices.drive(); spm.drive(); core.drive()
        l2.sample(); devices.sample(); spm.sample(); core.sample()
        dut.clock.step()
      }
      for (_ <- 0 until cycles) step()
      core.fetching = false
      l2.probeChance = 0
      def idle = core.empty && s.is(dut.io.core.storesDrained) && s.get(dut.io.probe.mshrOccupancy) == 0
      var left = 5000
      while (!idle && left > 0) { step(); left -= 1 }
      assert(idle, "the LSU does not come to rest")
      model.checkDevices()

      // every byte must be found in memory once the cache has given everything back
      pool.foreach(l2.forceProbe)
      while (l2.probing) step()
      for (line <- pool; w <- 0 until 8) {
        val addr = (line << 6) + 8 * w
        assert(l2.memory.read(addr, 8) == model.memory.read(addr, 8), s"memory at ${addr.toString(16)}")
      }
      for (offset <- 0 until 128 by 8) {
        val addr = BigInt(p.map.spm.base) + offset
        assert(spm.memory.read(addr, 8) == model.memory.read(addr, 8), s"SPM at ${addr.toString(16)}")
      }
      println(s"LSU random seed $seed: ${core.committed} committed, ${core.violations} violations, ${core.squashes} squashes, " +
        s"${core.exceptions} exceptions, ${l2.acquires} acquires, ${l2.releases} releases, ${l2.probes} probes " +
        s"(${l2.dirtyProbes} dirty), ${devices.log.size} device accesses, ${model.scSuccesses} SC successes")
      val reached = core.committed > cycles / 4 && core.violations > 0 && core.squashes > 0 && core.exceptions > 0 && l2.releases > 0 &&
        l2.dirtyProbes > 0 && devices.log.size > 0 && model.scSuccesses > 0
      assert(reached, "the test did not reach what it is for")
    }

  "Lsu" should "agree with a sequential memory under random order, squashes and probes" in {
    run(small, cycles = 8000, seed = 1, latency = 4, jitter = 30, probes = 0.03, CoreStyle())
  }

  it should "sustain two loads and a store a cycle on hits and 16 misses in flight" in {
    test(new Lsu(NhgParams())).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val p = NhgParams()
      val random = new Random(2)
      val s = new Signals
      val l2 = new L2Mock(dut.io.l2, s, random, latency = 100, jitter = 0, stall = 0, probeChance = 0, IndexedSeq())
      val devices = new MmioMock(dut.io.mmio, s, random)
      s.set(dut.io.spmPresent, true)
      val spm = new SpmMock(dut.io.spm, s, random, p.map.spm.base, 6, 0)
      var count = 0
      var hits = true
      def program(): MemInst = {
        count += 1
        val kind = if (hits && count % 3 == 0) Kind.store else Kind.load
        // hits: loads and stores keep to words of their own in 8 lines; misses: a new line each
        val addr = BigInt(p.map.far.base) + (if (hits) (count % 8) * 64 + (if (kind == Kind.store) 8 else 16) else 4096 + 64 * count)
        MemInst(kind, addr, 3, unsigned = false, BigInt(count), 0, waits = false)
      }
      val style = CoreStyle(issueChance = 1, oldestFirst = 1, mispredict = 0, commitChance = 1, fullRename = true)
      val core = new CoreMock(p, dut.io.core, s, random, () => program(), style, new SequentialModel(p, devices))
      def run(cycles: Int): Double = {
        val before = core.committed
        for (_ <- 0 until cycles) {
          l2.drive(); devices.drive(); spm.drive(); core.drive()
          l2.sample(); devices.sample(); spm.sample(); core.sample()
          dut.clock.step()
        }
        (core.committed - before).toDouble / cycles
      }
      run(400)
      val perCycle = run(300)
      hits = false
      run(200)
      var inFlight = 0
      for (_ <- 0 until 300) { run(1); inFlight = inFlight max l2.outstanding }
      println(f"LSU throughput: $perCycle%.2f accesses a cycle on hits (2 loads : 1 store), $inFlight misses in flight")
      assert(perCycle > 2.9, s"$perCycle accesses a cycle")
      assert(inFlight == p.l1d.mshrs, s"$inFlight misses in flight")
    }
  }
}
