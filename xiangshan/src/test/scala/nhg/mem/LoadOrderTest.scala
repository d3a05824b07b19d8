// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Loads, atomics and branches in random order, while another agent writes their words whenever L1D has given the line up, and writes lines of the
  * SPM. A word holds how often it was written: loads of one byte must never count down, and behind an atomic they see what was there when it
  * had become the oldest instruction.
  */
class LoadOrderTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(l1d = CacheParams(sets = 4, ways = 2, mshrs = 4))
  private val lines = IndexedSeq(p.map.local.base, p.map.local.base + 64 * p.l1d.sets, p.map.far.base).map(BigInt(_) >> 6)
  private val spmLines = IndexedSeq(0, 1)
  private val counted = 0 until 2 // words of a line that the agent writes; atomics have the last one

  private class Versions {
    private val of = mutable.Map[BigInt, Int]().withDefaultValue(0) // by word
    def apply(word: BigInt): Int = of(word)
    def all: Map[BigInt, Int] = of.toMap

    /** Writes the counted words of a line. */
    def write(line: BigInt, memory: WordMemory): Unit =
      for (word <- counted.map(line * 8 + _)) {
        of(word) += 1
        memory.write(word << 3, 8, (0 until 4).map(i => BigInt(of(word)) << (16 * i)).sum)
      }
  }

  private class OrderModel(devices: MmioMock, versions: Versions) extends SequentialModel(p, devices) {
    private val least = mutable.Map[BigInt, Int]().withDefaultValue(0) // by byte
    private var atLastCommit = versions.all
    var news = 0

    private def see(e: RobEntry): Unit = {
      val version = (e.value.get & 0xffff).toInt
      assert(version <= versions(e.inst.addr >> 3), s"a version that is not there yet: ${e.inst}")
      val bytes = (0 until 1 << e.inst.size).map(e.inst.addr + _)
      assert(version >= bytes.map(least).max, s"version $version behind ${bytes.map(least)}: ${e.inst}")
      if (version > bytes.map(least).min) news += 1
      bytes.foreach(least(_) = version)
    }

    override def commit(e: RobEntry): Unit = {
      assert(!e.wrongPath, "a wrong-path instruction commits")
      val isLr = e.inst.kind == Kind.amo && e.inst.amoOp == AmoModel.lr
      if (e.inst.kind == Kind.amo) for ((word, version) <- atLastCommit; i <- 0 until 8) least(word * 8 + i) = least(word * 8 + i).max(version)
      if (e.inst.kind == Kind.load || isLr && counted.contains((e.inst.addr >> 3 & 7).toInt)) see(e)
      atLastCommit = versions.all
    }
  }

  private class Program(random: Random) {
    def next(): MemInst = {
      val line = if (random.nextInt(3) == 0) (BigInt(p.map.spm.base) >> 6) + spmLines(random.nextInt(spmLines.size)) else lines(random.nextInt(lines.size))
      val isSpm = line < lines.min
      def inst(kind: Kind.Value, word: Int, offset: Int, size: Int, amoOp: Int = 0) =
        MemInst(kind, (line << 6) + 8 * word + offset, size, unsigned = true, BigInt(64, random), amoOp, waits = false)
      val size = 1 + random.nextInt(3)
      def word = counted(random.nextInt(counted.size))
      random.nextInt(20) match {
        case 0 if !isSpm => inst(Kind.amo, 7, 0, 3, AmoModel.add)
        case 1 if !isSpm => inst(Kind.amo, word, 0, 3, AmoModel.lr)
        case 2 | 3 => inst(Kind.branch, 0, 0, 0)
        case _ => inst(Kind.load, word, random.nextInt(8) >> size << size, size)
      }
    }
  }

  "Lsu" should "read a word in program order, and behind an atomic what was there before it" in {
    test(new Lsu(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(1)
      val s = new Signals
      val versions = new Versions
      val l2 = new L2Mock(dut.io.l2, s, random, latency = 4, jitter = 10, stall = 0.1, probeChance = 0.2, lines)
      val devices = new MmioMock(dut.io.mmio, s, random)
      s.set(dut.io.spmPresent, true)
      val spm = new SpmMock(dut.io.spm, s, random, p.map.spm.base, 6, 0.1)
      for (line <- lines) versions.write(line, l2.memory)
      for (line <- spmLines) versions.write((BigInt(p.map.spm.base) >> 6) + line, spm.memory)
      l2.afterProbe = line => versions.write(line, l2.memory)
      val model = new OrderModel(devices, versions)
      val program = new Program(random)
      val core = new CoreMock(p, dut.io.core, s, random, () => program.next(), CoreStyle(), model)
      for (_ <- 0 until 12000) {
        val written = if (random.nextInt(10) == 0) Some(spmLines(random.nextInt(spmLines.size))) else None
        s.set(dut.io.spmWritten.valid, written.nonEmpty)
        written.foreach(s.set(dut.io.spmWritten.bits, _))
        l2.drive(); devices.drive(); spm.drive(); core.drive()
        def writeSpm(): Unit = written.foreach(line => versions.write((BigInt(p.map.spm.base) >> 6) + line, spm.memory))
        val first = random.nextBoolean() // a read in the cycle of a write sees either
        if (first) writeSpm()
        l2.sample(); devices.sample(); spm.sample(); core.sample()
        if (!first) writeSpm()
        dut.clock.step()
      }
      println(s"LSU order: ${core.committed} committed, ${core.violations} violations, ${l2.probes} probes, ${model.news} new versions seen")
      assert(core.committed > 3000 && core.violations > 100 && model.news > 500, "the test did not reach what it is for")
    }
  }
}
