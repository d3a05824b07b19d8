// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import nhg._
import nhg.backend.{FoldedMemory, Reference}
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The atomic unit before a mock of the cache's store pipe: LR, SC and AMOs on few words, lines that are missing, do not exist or are lost at any
  * time, against one access after the other on a flat memory and one reservation.
  */
class AtomicUnitTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val operations = Seq(0, 1, 2, 2, 2, 3, 3, 3, 4, 8, 12, 16, 20, 24, 28)
  private case class Operation(op: Int, addr: BigInt, size: Int, data: BigInt, faults: Boolean) {
    def line: BigInt = addr >> 6
  }

  private class Bench(dut: AtomicUnit, random: Random) {
    private val s = new Signals
    private val io = dut.io
    private val memory = new WordMemory
    private val present = mutable.Set[BigInt]()
    private val fetching = mutable.Map[BigInt, Boolean]() // lines on their way, and whether there is none
    private var reservation: Option[BigInt] = None
    val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)
    private val lines = (0 until 3).map(BigInt(p.map.local.base) / 64 + _)

    private def draw(): Operation = {
      val size = 2 + random.nextInt(2)
      val corner = Seq[BigInt](0, 1, BigInt(1) << 31, (BigInt(1) << 32) - 1, BigInt(1) << 63, (BigInt(1) << 64) - 1)
      val data = if (random.nextInt(3) == 0) corner(random.nextInt(corner.length)) else BigInt(64, random)
      val offset = 8 * random.nextInt(2) + (if (size == 2) 4 * random.nextInt(2) else 0)
      Operation(operations(random.nextInt(operations.length)), lines(random.nextInt(lines.length)) * 64 + offset, size, data, random.nextInt(20) == 0)
    }

    /** A line is lost or a fetched one arrives, unless the unit's access is in st1, which holds both back. */
    private def linesMove(inAccess: Boolean): Unit = {
      val lost = if (!inAccess && random.nextInt(4) == 0) random.shuffle(present.toSeq.sorted).headOption else None
      val arrives = if (!inAccess && lost.isEmpty && random.nextInt(3) == 0) fetching.keys.toSeq.sorted.headOption else None
      s.set(io.lost.valid, lost.nonEmpty)
      lost.foreach(s.set(io.lost.bits, _))
      s.set(io.refilled.valid, arrives.nonEmpty)
      arrives.foreach { line =>
        s.set(io.refilled.bits.lineAddr, line)
        s.set(io.refilled.bits.error, fetching(line))
      }
      after = () => {
        lost.foreach { line =>
          present -= line
          if (reservation.contains(line)) { reservation = None; counts("reservation lost") += 1 }
        }
        arrives.foreach(line => if (!fetching.remove(line).get) present += line)
      }
    }
    private var after: () => Unit = () => ()

    def perform(): Unit = {
      val o = draw()
      val (isLr, isSc) = (o.op == 2, o.op == 3)
      val bits = io.head.op
      s.set(bits.addr, o.addr)
      s.set(bits.size, o.size)
      s.set(bits.isAmo, true)
      s.set(bits.amoOp, o.op)
      s.set(bits.dest.writes, true)
      s.set(bits.exception.valid, o.faults)
      s.set(io.head.data, o.data)
      var inAccess = false
      var accessed: Option[(BigInt, Boolean)] = None // what was read, and whether the line was reserved
      var error = false
      var reservedAtStart: Option[Boolean] = None
      var cycles = 0
      var finished = false
      while (!finished) {
        assert({ cycles += 1; cycles < 200 }, s"never done: $o")
        val starts = reservedAtStart.isEmpty && random.nextInt(3) == 0
        s.set(io.start, starts)
        linesMove(inAccess)
        if (reservedAtStart.nonEmpty && s.is(io.refilled.valid) && s.is(io.refilled.bits.error) && s.get(io.refilled.bits.lineAddr) == o.line)
          error = accessed.isEmpty

        // st1: the access that st0 took in the last cycle
        val done = inAccess && present(o.line)
        val word = memory(o.addr >> 3)
        s.set(io.cache.s1_valid, inAccess)
        s.set(io.cache.s1_done, done)
        s.set(io.cache.s1_failed, inAccess && !done)
        s.set(io.cache.s1_word, word)
        if (done) {
          val old = FoldedMemory.extend(memory.read(o.addr, 1 << o.size).toLong, o.size)
          val reserved = reservation.contains(o.line)
          accessed = Some(Reference.bits(old) -> reserved)
          assert(s.is(io.cache.amoWrites) == (!isLr && (!isSc || reserved)), s"writes: $o, reservation $reservation")
          if (s.is(io.cache.amoWrites)) {
            memory.write(o.addr, 1 << o.size, Reference.bits(if (isSc) o.data.toLong else FoldedMemory.amo(o.op, o.size, old, o.data.toLong)) & limit(o.size))
            assert(s.get(io.cache.amoWord) == memory(o.addr >> 3), s"new word: $o")
          }
          if (isLr) reservation = Some(o.line)
        } else if (inAccess && !fetching.contains(o.line)) fetching(o.line) = random.nextInt(5) == 0
        s.set(io.cache.s0.ready, !(inAccess && !done) && random.nextBoolean())
        val enters = s.is(io.cache.s0.valid) && s.is(io.cache.s0.ready)
        if (s.is(io.cache.s0.valid)) assert(s.get(io.cache.s0.bits.addr) == o.addr && s.is(io.cache.s0.bits.isAmo), "access to another word")

        s.set(io.result.ready, random.nextBoolean())
        if (s.is(io.result.valid)) {
          check(o, accessed, error, reservedAtStart.get)
          finished = s.is(io.result.ready)
          if (finished && isSc && !o.faults) reservation = None
        }
        if (starts) reservedAtStart = Some(reservation.contains(o.line))
        dut.clock.step()
        inAccess = enters
        after()
      }
    }

    private def limit(size: Int): BigInt = (BigInt(1) << (8 << size)) - 1

    private def check(o: Operation, accessed: Option[(BigInt, Boolean)], error: Boolean, reservedAtStart: Boolean): Unit = {
      val bits = io.result.bits
      val fails = o.faults || error
      assert(s.is(bits.exception.valid) == fails && s.is(bits.dest.writes) == !fails, s"exception: $o, line exists ${!error}")
      if (o.faults) counts("fault") += 1
      else if (error) {
        assert(s.get(bits.exception.cause) == (if (o.op == 2) Cause.loadAccess else Cause.storeAccess).litValue && s.get(bits.exception.tval) == o.addr)
        counts("no such line") += 1
      } else if (o.op == 3) {
        val succeeds = reservedAtStart && accessed.exists(_._2)
        assert(s.get(bits.data) == (if (succeeds) 0 else 1), s"SC: $o, reserved $reservedAtStart, in the cycle of the access ${accessed.map(_._2)}")
        counts(if (succeeds) "SC" else if (reservedAtStart) "SC that lost its line on the way" else "SC without reservation") += 1
      } else {
        assert(accessed.exists(_._1 == s.get(bits.data)), s"old value: $o")
        counts(if (o.op == 2) "LR" else "AMO") += 1
      }
    }
  }

  "AtomicUnit" should "access memory once and lose its reservation with the line" in {
    test(new AtomicUnit(p)) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1))
      for (_ <- 0 until 5000) bench.perform()
      println(s"AtomicUnit: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val reached = Seq("LR", "AMO", "SC", "SC without reservation", "SC that lost its line on the way", "reservation lost", "fault", "no such line")
      for (what <- reached) assert(bench.counts(what) > 10, s"too little: $what")
    }
  }
}
