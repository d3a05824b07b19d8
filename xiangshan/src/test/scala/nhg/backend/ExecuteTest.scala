// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.fpu.FpuOp
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Execute between a mock dispatch and a mock LSU: every operand and result against values computed in program order, how soon a dependent
  * operation follows, that no result is lost where two units share a port, and that killed operations leave nothing.
  */
class ExecuteTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = TwoClasses.params
  private val b = p.backend
  private val n = b.robEntries
  private val all = (BigInt(1) << 64) - 1

  private object Kind extends Enumeration { val alu, jump, branch, multiply, divide, load, store, ami, fadd, fdiv, fmv, toInt = Value }
  private case class Register(regClass: Int, index: Int)
  private val zero = Register(0, 0)
  private class Op(
      val sequence: Int,
      val kind: Kind.Value,
      val sources: Seq[(Register, BigInt)],
      val dest: Option[Register],
      val value: BigInt,
      val mispredicted: Boolean
  ) {
    var done, addressDone, dataDone, issued = false
    var doneAt, due = 0
    def robIdx: Int = sequence % n
    def pointer: Int = sequence / n % 2 * (1 << p.robIdxBits) + robIdx
    def queues: Seq[String] = kind match {
      case Kind.alu => Seq("alu")
      case Kind.jump | Kind.branch => Seq("bru")
      case Kind.multiply | Kind.divide => Seq("mdu")
      case Kind.load => Seq("load")
      case Kind.store => Seq("storeAddress", "storeData")
      case Kind.ami => Seq("storeAddress")
      case Kind.fadd => Seq("fma")
      case Kind.fdiv | Kind.fmv | Kind.toInt => Seq("fpMisc")
    }
  }

  private class Bench(dut: Execute, seed: Int) {
    private val random = new Random(seed)
    private val s = new Signals
    private val io = dut.io
    private def chance(percent: Int) = random.nextInt(100) < percent
    val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)
    /** No kills, and an LSU that is always ready. */
    var quiet = false
    var now, next = 0
    var live = Vector[Op]() // in program order, oldest not retired yet
    private var waiting = Vector[Op]() // drawn, not dispatched
    /** Values of registers that operations may name; the other registers are free or still read by somebody. */
    private var values = Map[Register, BigInt](zero -> 0)
    private val arithmetic: Seq[Kind.Value] = Seq(
      Kind.alu,
      Kind.alu,
      Kind.alu,
      Kind.jump,
      Kind.branch,
      Kind.multiply,
      Kind.multiply,
      Kind.divide,
      Kind.divide,
      Kind.load,
      Kind.load,
      Kind.store,
      Kind.ami,
      Kind.fadd,
      Kind.fadd,
      Kind.fdiv,
      Kind.fmv,
      Kind.toInt
    )

    private def free(regClass: Int): Option[Register] = {
      val used = values.keySet ++ (live ++ waiting).flatMap(op => op.sources.map(_._1) ++ op.dest)
      (1 until b.registerClasses(regClass).physical).map(Register(regClass, _)).find(!used(_))
    }
    def source(regClass: Int = 0): Register = {
      val from = values.keys.filter(_.regClass == regClass).toSeq.sortBy(_.index)
      if (from.isEmpty) zero else from(random.nextInt(from.length))
    }

    /** Puts an operation at the end of the program; it is dispatched when its queues have room. */
    def add(kind: Kind.Value, first: Register, second: Register, toFloat: Boolean = false, mispredicted: Boolean = false): Option[Op] = {
      val writes = !Set(Kind.branch, Kind.store, Kind.ami)(kind)
      val dest = if (writes) free(if (toFloat) 1 else 0) else None
      if (writes && dest.isEmpty) None
      else {
        val (x, y) = (values(first), values(second))
        val value = kind match {
          case Kind.alu => (x + y) & all
          case Kind.jump => BigInt(4) + 8 * (next % n) // pc, as the bench's ROB has it, and 4
          case Kind.multiply => (x * y) & all
          case Kind.divide => if (y == 0) all else x / y
          case Kind.fadd => FpReference.add(x, y)
          case Kind.fdiv => FpReference.divide(x, y)
          case Kind.fmv | Kind.toInt => x
          case _ => BigInt(64, random)
        }
        val op = new Op(next, kind, Seq(first -> x, second -> y), dest, value, mispredicted)
        dest.foreach(r => values += r -> value)
        if (values.size > 24) values -= values.keys.filterNot(r => r == zero || dest.contains(r)).toSeq(random.nextInt(values.size - 2))
        next += 1
        waiting :+= op
        Some(op)
      }
    }

    def addRandom(): Unit = if (next - live.headOption.fold(next)(_.sequence) < n - 8 && waiting.length < 8) {
      val kind = arithmetic(random.nextInt(arithmetic.length))
      val readsFp = Set(Kind.fadd, Kind.fdiv, Kind.toInt)(kind)
      if (!readsFp || source(1) != zero) {
        val second = if (kind == Kind.fadd || kind == Kind.fdiv || kind == Kind.store && chance(50)) source(1) else source()
        val toFloat = Set(Kind.fadd, Kind.fdiv, Kind.fmv)(kind) || kind == Kind.load && chance(40)
        add(kind, source(if (readsFp) 1 else 0), second, toFloat, mispredicted = kind == Kind.branch && chance(30))
      }
    }

    private def dispatch(): Vector[Op] = {
      val room = mutable.Map(b.issueQueues.map(q => q.name -> s.get(io.issue(q.name).free).toInt): _*)
      val go = waiting.take(b.decodeWidth).takeWhile { op =>
        val fits = op.queues.forall(room(_) > 0)
        op.queues.foreach(q => room(q) -= 1)
        fits
      }
      for (lane <- 0 until b.decodeWidth) {
        val op = go.lift(lane)
        s.set(io.renamed(lane).valid, op.isDefined)
        for (q <- b.issueQueues) s.set(io.issue(q.name).uop(lane).valid, op.exists(_.queues.contains(q.name)))
        op.foreach(poke(lane, _))
      }
      go
    }

    private def poke(lane: Int, op: Op): Unit = {
      s.set(io.renamed(lane).bits.writes, op.dest.isDefined)
      op.dest.foreach { r => s.set(io.renamed(lane).bits.regClass, r.regClass); s.set(io.renamed(lane).bits.index, r.index) }
      for (q <- op.queues) {
        val uop = io.issue(q).uop(lane).bits
        val sources = (op.kind, q) match {
          case (Kind.store, "storeAddress") => Seq(op.sources(0)._1, zero)
          case (_, "storeData") => Seq(op.sources(1)._1, zero)
          case (Kind.load | Kind.fmv | Kind.toInt, _) => Seq(op.sources(0)._1, zero)
          case _ => op.sources.map(_._1)
        }
        s.set(uop.robPtr, op.pointer)
        s.set(uop.fuType, if (op.kind == Kind.ami) FuType.ami.litValue else if (op.kind == Kind.store) FuType.store.litValue else BigInt(0))
        s.set(
          uop.fn,
          op.kind match {
            case Kind.alu => AluFn.add.litValue
            case Kind.jump => BruFn.jal.litValue
            case Kind.divide => BigInt(5) // divu
            case Kind.load | Kind.store => BigInt(3)
            case Kind.fadd => FpuOp.fadd.litValue
            case Kind.fdiv => FpuOp.fdiv.litValue
            case Kind.fmv => FpuOp.fmvFromInt.litValue
            case Kind.toInt => FpuOp.fmvToInt.litValue
            case _ => BigInt(0)
          }
        )
        for ((port, r) <- uop.psrc.zip(sources)) { s.set(port.regClass, r.regClass); s.set(port.index, r.index) }
        s.set(uop.dest.writes, op.dest.isDefined)
        op.dest.foreach { r => s.set(uop.dest.regClass, r.regClass); s.set(uop.dest.index, r.index) }
        s.set(uop.sqPtr, op.sequence % (1 << p.sqPtrBits))
      }
    }

    private def byIdx(robIdx: BigInt, what: String): Op =
      live.find(_.robIdx == robIdx).getOrElse(throw new AssertionError(s"$what of ROB entry $robIdx, which is not live"))

    def step(): Unit = {
      val arriving = dispatch()
      for (port <- Rob.pcReaders(p)) s.set(io.pcRead(port), s.get(io.pcIdx(port)) * 8)
      // A branch compares equal operands or not; its prediction is the opposite where it is to be mispredicted.
      val resolving = live.find(op => op.kind == Kind.branch && !op.done && isReading(op))
      s.set(io.infoRead.predTaken, resolving.exists(op => (op.sources(0)._2 == op.sources(1)._2) != op.mispredicted))
      resolving.foreach(op => s.set(io.infoRead.predTarget, op.robIdx * 8))
      val flush = !quiet && chance(1)
      s.set(io.kill.flush, flush)
      val resolved = if (s.is(io.resolution.valid)) live.find(_.pointer == s.get(io.resolution.bits.robPtr).toInt) else None
      val squash = resolved.filter(op => op.kind == Kind.branch && s.is(io.resolution.bits.mispredicted) && !flush)
      resolved.foreach(op => if (op.kind == Kind.branch) assert(s.is(io.resolution.bits.mispredicted) == op.mispredicted, "misprediction"))
      s.set(io.kill.squash, squash.isDefined)
      squash.foreach(op => s.set(io.kill.robPtr, op.pointer))
      if (flush || squash.isDefined) for (lane <- 0 until b.decodeWidth) {
        s.set(io.renamed(lane).valid, false)
        for (q <- b.issueQueues) s.set(io.issue(q.name).uop(lane).valid, false)
      }
      def dies(op: Op) = flush || squash.exists(op.sequence > _.sequence)

      // LSU: late results of what is alive, then what it is offered
      val results = random.shuffle(live.filter(op => op.kind == Kind.load && op.issued && !op.done && op.due <= now && !dies(op)))
      for ((port, k) <- io.writeback.zipWithIndex) {
        s.set(port.valid, k < results.length)
        results.lift(k).foreach { op =>
          s.set(port.bits.robIdx, op.robIdx)
          s.set(port.bits.dest.writes, true)
          s.set(port.bits.dest.regClass, op.dest.get.regClass)
          s.set(port.bits.dest.index, op.dest.get.index)
          s.set(port.bits.data, op.value)
        }
      }
      for (port <- io.lsuLoad) s.set(port.ready, quiet || chance(75))
      for (port <- io.lsuStoreAddress) s.set(port.ready, quiet || chance(80))
      for (port <- io.lsuStoreData) s.set(port.ready, quiet || chance(80))
      for (port <- io.lsuLoad if s.is(port.valid) && s.is(port.ready)) {
        val op = byIdx(s.get(port.bits.robIdx), "load")
        assert(op.kind == Kind.load && !op.issued && s.get(port.bits.base) == op.sources(0)._2, s"load with another base")
        assert(s.is(port.bits.dest.writes) && s.get(port.bits.dest.index) == op.dest.get.index, "load with another destination")
        op.issued = true
        op.due = now + 1 + random.nextInt(5)
      }
      for (port <- io.lsuStoreAddress if s.is(port.valid) && s.is(port.ready)) {
        val op = byIdx(s.get(port.bits.robIdx), "store address")
        assert(op.kind == Kind.store && !op.addressDone && s.get(port.bits.base) == op.sources(0)._2, "store with another base")
        op.addressDone = true
      }
      for (port <- io.lsuStoreData if s.is(port.valid) && s.is(port.ready)) {
        val open = live.filter(op => op.kind == Kind.store && !op.dataDone && op.sequence % (1 << p.sqPtrBits) == s.get(port.bits.sqPtr))
        assert(open.exists(_.sources(1)._2 == s.get(port.bits.data)), "data that no store has")
        open.find(_.sources(1)._2 == s.get(port.bits.data)).foreach(_.dataDone = true)
      }
      if (s.is(io.amiOperands.valid)) {
        val x = io.amiOperands.bits
        val op = live.find(_.pointer == s.get(x.uop.robPtr).toInt).get
        assert(op.kind == Kind.ami && x.src.zip(op.sources).forall { case (got, (_, value)) => s.get(got) == value }, "AMI operands")
      }

      // completions
      for (name <- FpUnits.ports; flags = io.fpFlags(name)) {
        assert(s.is(flags.valid) == s.is(io.done(name).valid), s"$name: flags come with the result")
        assert(!s.is(flags.valid) || s.get(flags.bits.robIdx) == s.get(io.done(name).bits), s"$name: flags of another operation")
      }
      for (name <- b.ports.map(_.name); port = io.done(name) if s.is(port.valid)) {
        val op = byIdx(s.get(port.bits), s"$name: completion")
        assert(!op.done, s"$name: ${op.kind} ${op.sequence} done twice")
        val expected = op.kind match {
          case Kind.alu => Set("alu0", "alu1")
          case Kind.jump | Kind.branch => Set("bru")
          case Kind.multiply | Kind.divide => Set("mdu")
          case Kind.load => Set("load0", "load1")
          case Kind.ami => Set("storeAddress0", "storeAddress1")
          case Kind.fadd => Set("fma")
          case Kind.fdiv | Kind.fmv | Kind.toInt => Set("fpMisc")
          case Kind.store => Set[String]()
        }
        assert(expected(name), s"${op.kind} done at $name")
        if (!dies(op)) { // a result that comes out in the very cycle of the kill goes nowhere
          op.done = true
          op.doneAt = now
          counts(s"${op.kind}") += 1
        }
      }
      for (op <- live if op.kind == Kind.store && op.addressDone && op.dataDone && !op.done) { op.done = true; counts("store") += 1 }
      val busyDivider = live.count(op => op.kind == Kind.divide && !op.done)
      if (busyDivider > 0 && s.is(io.done("mdu").valid)) counts("results beside a division") += 1
      val busyDivSqrt = live.count(op => op.kind == Kind.fdiv && !op.done)
      if (busyDivSqrt > 0 && s.is(io.done("fpMisc").valid)) counts("results beside a quotient") += 1

      dut.clock.step()
      now += 1
      if (flush || squash.isDefined) {
        counts(if (flush) "flush" else "squash") += 1
        val dead = live.filter(dies)
        counts("killed") += dead.length
        for (op <- dead ++ waiting; r <- op.dest) values -= r
        next = (dead ++ waiting).headOption.fold(next)(_.sequence)
        live = live.filterNot(dies)
        waiting = Vector()
      } else {
        waiting = waiting.drop(arriving.length)
        live ++= arriving
      }
      retire()
    }

    private def isReading(op: Op): Boolean = s.get(io.pcIdx("bru")) == op.robIdx
    /** Registers hold what the operations computed, from the cycle after they are done. */
    private def retire(): Unit = {
      val leaving = live.takeWhile(op => op.done && op.doneAt < now).take(b.commitWidth)
      for ((op, k) <- leaving.zipWithIndex; r <- op.dest) {
        s.set(io.traceAddr(k).regClass, r.regClass)
        s.set(io.traceAddr(k).index, r.index)
        assert(s.get(io.traceData(k)) == op.value, s"${op.kind} ${op.sequence} wrote another value to $r")
      }
      counts("retired") += leaving.length
      live = live.drop(leaving.length)
    }

    def drain(): Unit = {
      val end = now + 400
      while ((live ++ waiting).nonEmpty) {
        assert(now < end, s"never done: ${live.map(op => s"${op.kind} ${op.sequence}")}")
        step()
      }
    }
  }

  private def run(body: (Bench, Execute) => Unit): Unit = test(new Execute(p)).withAnnotations(Simulators.verilatorOf("Execute")) { dut =>
    dut.clock.setTimeout(0)
    body(new Bench(dut, seed = 3), dut)
  }

  "Execute" should "compute what the program says, whatever is killed meanwhile" in run { (bench, _) =>
    for (_ <- 0 until 5000) {
      for (_ <- 0 until 3) bench.addRandom()
      bench.step()
    }
    bench.drain()
    println(s"Execute: ${bench.counts.toSeq.sorted.mkString(", ")}")
    val kinds = Kind.values.map(_.toString).toSeq ++ Seq("flush", "squash", "results beside a division", "results beside a quotient")
    assert(kinds.forall(bench.counts(_) > 20) && bench.counts("killed") > 200, s"too little: ${bench.counts}")
  }

  it should "wake dependents as early as results can be read" in run { (bench, _) =>
    bench.quiet = true
    for ((kind, cycles) <- Seq(Kind.alu -> 1, Kind.jump -> 1, Kind.multiply -> 1, Kind.divide -> 3, Kind.load -> 3)) {
      val producer = bench.add(kind, zero, zero).get
      val dependent = bench.add(Kind.alu, producer.dest.get, zero).get
      bench.drain()
      assert(dependent.doneAt - producer.doneAt == cycles, s"an operation that waits for a result of kind $kind")
    }
    // and how many cycles after their operands they have a result
    val a = bench.add(Kind.fmv, zero, zero, toFloat = true).get
    val b = bench.add(Kind.fadd, a.dest.get, a.dest.get, toFloat = true).get
    val c = bench.add(Kind.fadd, b.dest.get, b.dest.get, toFloat = true).get
    val d = bench.add(Kind.toInt, c.dest.get, zero).get
    val e = bench.add(Kind.alu, d.dest.get, zero).get
    bench.drain()
    assert(Seq(a, b, c, d, e).map(_.doneAt).sliding(2).map(pair => pair(1) - pair(0)).toSeq == Seq(4, 4, 2, 1), "a chain through the floating-point units")
  }

  it should "let a division wait for a cycle without a product" in run { (bench, _) =>
    bench.quiet = true
    val dividend = bench.add(Kind.load, zero, zero).get
    bench.drain()
    val division = bench.add(Kind.divide, dividend.dest.get, dividend.dest.get).get
    val products = Seq.fill(30)(bench.add(Kind.multiply, zero, zero).get)
    bench.drain()
    val cycles = products.map(_.doneAt)
    assert(cycles == cycles.indices.map(cycles.head + _), "a product each cycle")
    assert(division.doneAt == cycles.last + 1, "the division's result comes behind them")
  }
}
