// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** AMO, LR and SC in turn against a cache that takes lines away, refuses, fails and answers with bus errors: old and new values, and the
  * reservation. An SC succeeds exactly when an LR of its line was done, and since then neither another SC nor the loss of the line.
  */
class AtomicUnitTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private case class Op(amoOp: Int, addr: BigInt, size: Int, data: BigInt, exception: Option[Int]) {
    val line: BigInt = addr >> 6
    val bytes: Int = 1 << size
    val isLr: Boolean = amoOp == AmoModel.lr
    val isSc: Boolean = amoOp == AmoModel.sc
  }

  private class Bench(dut: AtomicUnit, random: Random) {
    private val s = new Signals
    private val io = dut.io
    private val lines = (0 until 3).map(BigInt(p.map.local.base) / 64 + _)
    private val memory = new WordMemory
    private val present = mutable.Set[BigInt]()
    private var reservation: Option[BigInt] = None
    private var op: Option[Op] = None
    private var inS1 = false
    private var performed: Option[BigInt] = None // the result, after its access
    private var failed = false // by a bus error
    private var waited = 0
    private var last = Op(AmoModel.lr, lines.head << 6, 3, 0, None)
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    private def chance(percent: Int) = random.nextInt(100) < percent

    private def draw(): Op = {
      val size = 2 + random.nextInt(2)
      val addr = (lines(random.nextInt(lines.length)) << 6) + random.nextInt(8 << (3 - size)) * (1 << size)
      val any = Op(AmoModel.all(random.nextInt(AmoModel.all.size)), addr, size, BigInt(64, random), None)
      val next =
        if (last.isLr && chance(70)) any.copy(amoOp = AmoModel.sc, addr = if (chance(60)) last.addr else addr, size = if (chance(60)) last.size else size)
        else if (chance(30)) any.copy(amoOp = AmoModel.lr)
        else any
      last = next.copy(addr = next.addr & -next.bytes, exception = Option.when(chance(5))(random.nextInt(2) + 6))
      last
    }

    /** The access in st1 is done: what the operation reads and writes, and what becomes of the reservation. */
    private def perform(o: Op): Unit = {
      val word = memory(o.addr >> 3)
      s.set(io.cache.s1_word, word)
      val old = memory.read(o.addr, o.bytes)
      val writes = if (o.isSc) reservation.contains(o.line) else !o.isLr
      assert(s.is(io.cache.amoWrites) == writes, s"writes, reserved $reservation: $o")
      if (writes) {
        memory.write(o.addr, o.bytes, AmoModel(o.amoOp, o.bytes, old, o.data))
        assert(s.get(io.cache.amoWord) == memory(o.addr >> 3), s"what is written: $o")
      }
      performed = Some(if (o.isSc) BigInt(if (writes) 0 else 1) else AmoModel.extend(old, o.bytes, unsigned = false))
      if (o.isSc) counts(if (writes) "SC that writes" else "SC that lost its line on the way") += 1
      else counts(if (o.isLr) "LR" else "AMO") += 1
      if (o.isLr) reservation = Some(o.line)
    }

    private def checkResult(o: Op): Unit = {
      val bits = io.result.bits
      val cause = o.exception.orElse(Option.when(failed)(if (o.isLr) 5 else 7))
      assert(s.is(bits.exception.valid) == cause.isDefined && cause.forall(s.get(bits.exception.cause) == _), s"exception, expected $cause: $o")
      assert(s.is(bits.dest.writes) == cause.isEmpty, s"destination: $o")
      if (cause.isEmpty) {
        assert(performed.nonEmpty || o.isSc, s"a result without an access: $o")
        if (performed.isEmpty) counts("SC without an access") += 1
        assert(s.get(bits.data) == performed.getOrElse(BigInt(1)), s"result: $o")
      } else counts(if (failed) "bus error" else "exception") += 1
    }

    def step(): Unit = {
      val starts = op.isEmpty && chance(60)
      if (starts) op = Some(draw())
      s.set(io.start, op.isDefined)
      op.foreach { o =>
        s.set(io.head.op.addr, o.addr)
        s.set(io.head.op.size, o.size)
        s.set(io.head.op.isAmo, true)
        s.set(io.head.op.amoOp, o.amoOp)
        s.set(io.head.op.dest.writes, true)
        s.set(io.head.op.exception.valid, o.exception.isDefined)
        o.exception.foreach(c => s.set(io.head.op.exception.cause, c))
        s.set(io.head.data, o.data)
      }
      s.set(io.result.ready, chance(70))

      // a line leaves, but not while its access is in st1; nothing starts in that cycle
      val busy = op.filter(_ => inS1).map(_.line)
      val leaves = lines.filter(l => present(l) && !busy.contains(l) && chance(8)).headOption
      s.set(io.lost.valid, leaves.isDefined)
      leaves.foreach(s.set(io.lost.bits, _))
      val comes = lines.filterNot(present).filter(_ => !inS1 && leaves.isEmpty && chance(15)).headOption
      val error = comes.isDefined && chance(10)
      s.set(io.refilled.valid, comes.isDefined)
      s.set(io.refilled.bits.error, error)
      comes.foreach(s.set(io.refilled.bits.lineAddr, _))

      val done = inS1 && busy.exists(present)
      s.set(io.cache.s1_valid, inS1)
      s.set(io.cache.s1_done, done)
      s.set(io.cache.s1_failed, inS1 && !done)
      s.set(io.cache.s0.ready, leaves.isEmpty && comes.isEmpty && !(inS1 && !done) && chance(80))
      // failed: only while the unit waits for that line, which it does from the cycle after its start
      val fails = error && op.exists(o => comes.contains(o.line) && o.exception.isEmpty && performed.isEmpty) && s.is(io.awaited.valid)
      if (done) perform(op.get)
      inS1 = s.is(io.cache.s0.valid) && s.is(io.cache.s0.ready)
      if (inS1) {
        assert(op.exists(o => o.exception.isEmpty && performed.isEmpty && s.get(io.cache.s0.bits.lineAddr) == o.line), "an access that nobody asked for")
        assert(s.is(io.cache.s0.bits.isAmo))
      }
      val ends = s.is(io.result.valid) && s.is(io.result.ready)
      if (ends) {
        assert(op.isDefined && !starts, "a result that nobody asked for")
        checkResult(op.get)
      }
      waited = if (op.isDefined && !ends) waited + 1 else 0
      assert(waited < 500, s"no end: $op")
      dut.clock.step()

      if (fails) failed = true
      if (ends) {
        if (op.exists(o => o.isSc && o.exception.isEmpty)) reservation = None
        op = None
        performed = None
        failed = false
      }
      for (line <- leaves) {
        present -= line
        if (reservation.contains(line)) {
          reservation = None
          counts("reservation lost with its line") += 1
        }
      }
      comes.filterNot(_ => error).foreach(present += _)
    }
  }

  "AtomicUnit" should "read and write as one, and let an SC write only under its reservation" in {
    test(new AtomicUnit(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1))
      for (_ <- 0 until 20000) bench.step()
      println(s"AtomicUnit: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val least = Map("SC that lost its line on the way" -> 5, "bus error" -> 5, "exception" -> 20)
      for (what <- Seq("LR", "AMO", "SC that writes", "SC without an access", "reservation lost with its line") ++ least.keys)
        assert(bench.counts(what) > least.getOrElse(what, 50), s"too little: $what")
    }
  }
}
