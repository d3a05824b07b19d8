// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The ROB with the unit that finds the oldest exception, connected as in the back end: a flush of the ROB kills both. */
class RobWithExceptions(p: NhgParams, sources: Int) extends Module {
  val rob = Module(new Rob(p))
  private val unit = Module(new ExceptionUnit(p, sources))
  val io = IO(new Bundle {
    val rob = chiselTypeOf(RobWithExceptions.this.rob.io)
    val report = Input(Vec(sources, Valid(new RobException(p))))
  })
  rob.io <> io.rob
  private val kill = Wire(new Kill(p))
  kill.flush := rob.io.flush.valid
  kill.squash := io.rob.kill.squash
  kill.robPtr := io.rob.kill.robPtr
  rob.io.kill := kill
  unit.io.kill := kill
  unit.io.in := io.report
  rob.io.exception := unit.io.out
}

/** Random instructions, completions, exceptions, squashes and flushes against an in-order list in Scala: what retires each cycle, and
  * what traps, is exact.
  */
class RobTest extends AnyFlatSpec with ChiselScalatestTester {
  private val sources = 2

  private object Kind extends Enumeration { val plain, complete, fp, load, store, amo, ami, fin, branch, flusher, serial, wfi = Value }
  private case class Report(replay: Boolean, interrupt: Boolean, cause: Int, tval: BigInt)
  private class Entry(val sequence: Int, val kind: Kind.Value, val pc: Long, val lrd: Int, val isMret: Boolean, val isFenceI: Boolean) {
    def isSfence: Boolean = kind == Kind.flusher && !isMret && !isFenceI
    var done: Boolean = kind == Kind.complete || kind == Kind.wfi
    var addressDone, dataDone = false
    var flags = 0
    var report: Option[Report] = None
    def isStore: Boolean = kind == Kind.store || kind == Kind.amo
    def writesFp: Boolean = kind == Kind.load && lrd % 2 == 0
    def executed: Boolean = (if (kind == Kind.store) addressDone else done) && (!isStore || dataDone)
    def alone: Boolean = kind == Kind.flusher || kind == Kind.serial || kind == Kind.wfi
    def first: Boolean = alone || kind == Kind.ami // of the instructions that retire together
  }
  private case class Flush(isTrap: Boolean, isReplay: Boolean, isWithdrawn: Boolean, isMret: Boolean, isFenceI: Boolean, isSfence: Boolean, pc: Long)

  private class Bench(p: NhgParams, dut: RobWithExceptions, seed: Int) {
    private val n = p.backend.robEntries
    private val lanes = p.backend.decodeWidth
    private val width = p.backend.commitWidth
    /** {flag, index} of the n-th instruction ever. */
    private def pointer(sequence: Int): Int = (sequence / n % 2) * (1 << p.robIdxBits) + sequence % n
    private implicit class Position(e: Entry) {
      def pointer: Int = Bench.this.pointer(e.sequence)
      def index: Int = e.sequence % n
    }
    private val random = new Random(seed)
    private val io = dut.io.rob
    private var live = Vector[Entry]()
    private var next = 0
    private var flushing: Option[Flush] = None
    /** What the exception unit holds: the oldest live report, as of the cycle before. */
    private var known: Option[Entry] = None
    val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)
    private def chance(percent: Int) = random.nextInt(100) < percent
    private def draw(from: Seq[Entry]): Option[Entry] = if (from.isEmpty) None else Some(from(random.nextInt(from.length)))

    private def newEntry(sequence: Int): Entry = {
      val kind = random.nextInt(24) match {
        case 0 => Kind.flusher
        case 1 => Kind.ami
        case k if k < 5 => Kind.fin
        case k if k < 9 => Kind.store
        case 9 => Kind.amo
        case k if k < 13 => Kind.branch
        case k if k < 14 => Kind.fp
        case k if k < 16 => Kind.load
        case k if k < 18 => Kind.complete
        case 18 => if (chance(50)) Kind.serial else Kind.wfi
        case _ => Kind.plain
      }
      val isFlusher = kind == Kind.flusher
      new Entry(sequence, kind, random.nextInt(1 << 30) * 2L, random.nextInt(32), isFlusher && chance(40), isFlusher && chance(40))
    }

    private def report(ports: Seq[Valid[RobException]]): Unit = for (port <- ports) {
      val target = draw(live.filter(e => e.report.isEmpty && e.kind != Kind.ami && !e.alone && !retiring.contains(e)))
      val fires = flushing.isEmpty && target.isDefined && chance(3)
      port.valid.poke(fires.B)
      if (fires) {
        val e = target.get
        e.report = Some(Report(chance(35), chance(40), random.nextInt(32), BigInt(64, random)))
        port.bits.robPtr.poke(e.pointer.U)
        port.bits.exception.valid.poke((!e.report.get.replay).B)
        port.bits.isInterrupt.poke((!e.report.get.replay && e.report.get.interrupt).B)
        port.bits.exception.cause.poke(e.report.get.cause.U)
        port.bits.exception.tval.poke(e.report.get.tval.U)
      }
    }

    /** Those of ports that `retiresAtOnce` count in the cycle itself. */
    private def completions(): Unit = {
      atOnce = Vector()
      var pending = live.filter(e => !e.done && e.kind != Kind.store)
      for (from <- p.backend.ports; name = from.name; port = io.done(name)) {
        val e = draw(pending.filter(_.kind != Kind.fp || FpUnits.ports.contains(name))).filter(_ => chance(60))
        port.valid.poke(e.isDefined.B)
        if (FpUnits.ports.contains(name)) {
          io.fpFlags(name).valid.poke(e.isDefined.B)
          e.foreach { e =>
            e.flags = random.nextInt(32) & random.nextInt(32)
            io.fpFlags(name).bits.robIdx.poke(e.index.U)
            io.fpFlags(name).bits.flags.poke(e.flags.U)
          }
        }
        e.foreach { e =>
          port.bits.poke(e.index.U)
          if (from.retiresAtOnce) { e.done = true; atOnce :+= e }
          else finished += (() => e.done = true)
        }
        pending = pending.filterNot(e.contains(_))
      }
      for (
        (ports, open, finish) <- Seq[(Seq[Valid[UInt]], Entry => Boolean, Entry => Unit)](
          (io.storeDone, e => e.kind == Kind.store && !e.addressDone, _.addressDone = true),
          (io.storeDataDone, e => e.isStore && !e.dataDone, _.dataDone = true)
        )
      ) {
        var unfinished = live.filter(open)
        for (port <- ports) {
          val e = draw(unfinished).filter(_ => chance(60))
          port.valid.poke(e.isDefined.B)
          e.foreach { e => port.bits.poke(e.index.U); finished += (() => finish(e)) }
          unfinished = unfinished.filterNot(e.contains(_))
        }
      }
    }
    private val finished = mutable.ArrayBuffer[() => Unit]()
    private var retiring, atOnce = Vector[Entry]()
    private var letIn = false

    def step(): Unit = {
      io.free.expect((n - live.length).U)
      io.empty.expect(live.isEmpty.B)
      io.tail.expect(pointer(next).U)
      live.headOption.foreach(e => io.head.expect(e.pointer.U))
      io.flush.valid.expect(flushing.isDefined.B)
      flushing.foreach { f =>
        io.flush.bits.isTrap.expect(f.isTrap.B)
        io.flush.bits.isReplay.expect(f.isReplay.B)
        io.flush.bits.isWithdrawn.expect(f.isWithdrawn.B)
        io.flush.bits.isMret.expect(f.isMret.B)
        io.flush.bits.isFenceI.expect(f.isFenceI.B)
        io.flush.bits.isSfence.expect(f.isSfence.B)
        io.flush.bits.pc.expect(f.pc.U)
      }

      completions()

      // what the head does this cycle
      val (amiReady, amiException) = (chance(60), chance(15))
      val amiAccepts = amiReady && !amiException
      io.ami.ready.poke((amiReady || amiException).B)
      io.ami.exception.valid.poke(amiException.B)
      io.ami.exception.cause.poke(24.U)
      io.ami.exception.tval.poke(77.U)
      letIn = chance(50)
      val (wakes, number) = (letIn || chance(20), random.nextInt(16))
      io.interrupts.letIn.poke(letIn.B)
      io.interrupts.cause.poke(number.U)
      io.interrupts.wakes.poke(wakes.B)
      val head = live.headOption
      val ready = live.take(width).takeWhile(e => flushing.isEmpty && e.executed && !known.contains(e))
      val trapped = head.filter(e => flushing.isEmpty && known.contains(e))
      val amiFault = ready.headOption.exists(_.kind == Kind.ami) && amiException
      retiring =
        if (ready.headOption.exists(e => e.kind == Kind.ami && !amiAccepts || e.kind == Kind.wfi && !wakes)) Vector()
        else if (ready.headOption.exists(_.alone)) ready.take(1)
        else {
          val group = ready.take(1) ++ ready.drop(1).takeWhile(!_.first)
          if (group.headOption.exists(_.kind == Kind.ami) && group.length > 1) counts("request and others") += 1
          val takers = group.filter(_.kind == Kind.fin)
          if (takers.length > 1) group.takeWhile(_ ne takers(1)) else group
        }
      io.ami.valid.expect(ready.headOption.exists(_.kind == Kind.ami).B)
      for (k <- 0 until width) {
        io.commit(k).valid.expect((k < retiring.length).B)
        retiring.lift(k).foreach { e =>
          io.commitPc(k).expect(e.pc.U)
          io.commit(k).bits.register.logical.expect(e.lrd.U)
        }
      }
      val raised = retiring.filter(_.kind == Kind.fp).foldLeft(0)(_ | _.flags)
      io.fpRetired.flags.expect(raised.U)
      io.fpRetired.dirty.expect((raised != 0 || retiring.exists(_.writesFp)).B)
      if (raised != 0) counts("flags") += 1
      if (retiring.exists(atOnce.contains(_))) counts("as done") += 1
      if (retiring.exists(e => e.flags != 0 && atOnce.contains(e))) counts("flags as done") += 1
      val interrupted = trapped.exists(e => !e.report.get.replay && e.report.get.interrupt)
      val traps = trapped.exists(!_.report.get.replay) && (!interrupted || letIn) || amiFault
      io.trap.isInterrupt.expect((interrupted && letIn).B)
      io.trap.valid.expect(traps.B)
      io.headStuck.expect((flushing.isDefined || trapped.isDefined).B)
      if (traps) {
        io.trap.pc.expect(head.get.pc.U)
        if (interrupted) counts("interrupt") += 1
        io.trap.exception.cause.expect((if (interrupted) number else trapped.fold(24)(_.report.get.cause)).U)
        io.trap.exception.tval.expect((if (interrupted) BigInt(0) else trapped.fold(BigInt(77))(_.report.get.tval)).U)
      }
      draw(live).foreach { e =>
        io.pcIdx("bru").poke(e.index.U)
        io.pcRead("bru").expect(e.pc.U)
      }

      // what happens elsewhere in the same cycle
      report(dut.io.report)
      val branch = draw(live.filter(e => e.kind == Kind.branch && !e.done && !retiring.contains(e))).filter(_ => flushing.isEmpty && chance(16))
      io.kill.squash.poke(branch.isDefined.B)
      branch.foreach(b => io.kill.robPtr.poke(b.pointer.U))
      val arriving = if (branch.isDefined || flushing.isDefined) 0 else random.nextInt(1 + lanes.min(n - live.length))
      val entries = (0 until lanes).map(k => newEntry(next + k))
      for ((e, k) <- entries.zipWithIndex) {
        val in = io.in(k)
        in.valid.poke((k < arriving).B)
        in.bits.register.logical.poke(e.lrd.U)
        in.bits.register.writes.poke((e.kind == Kind.load).B)
        in.bits.register.regClass.poke((if (e.writesFp) 1 else 0).U)
        in.bits.isFp.poke((e.kind == Kind.fp).B)
        in.bits.isStore.poke(e.isStore.B)
        in.bits.isAmo.poke((e.kind == Kind.amo).B)
        in.bits.isAmi.poke((e.kind == Kind.ami).B)
        in.bits.finTaken.poke((e.kind == Kind.fin).B)
        in.bits.alone.poke(e.alone.B)
        in.bits.flushAfter.poke((e.kind == Kind.flusher).B)
        in.bits.isMret.poke(e.isMret.B)
        in.bits.isWfi.poke((e.kind == Kind.wfi).B)
        in.bits.isFenceI.poke(e.isFenceI.B)
        in.bits.isSfence.poke(e.isSfence.B)
        io.inComplete(k).poke((e.kind == Kind.complete || e.kind == Kind.wfi).B)
        io.inPc(k).poke(e.pc.U)
      }
      dut.clock.step()
      advance(traps, trapped, branch, entries.take(arriving))
    }

    private def advance(traps: Boolean, trapped: Option[Entry], branch: Option[Entry], arrived: Seq[Entry]): Unit = {
      finished.foreach(_())
      finished.clear()
      val head = live.headOption
      val flushed = flushing.isDefined
      val flusher = retiring.headOption.filter(e => e.kind == Kind.flusher || e.alone && letIn)
      flushing =
        if (traps || trapped.isDefined || flusher.isDefined)
          Some(Flush(
            traps,
            trapped.exists(_.report.get.replay),
            trapped.exists(!_.report.get.replay) && !traps,
            flusher.exists(_.isMret),
            flusher.exists(_.isFenceI),
            flusher.exists(_.isSfence),
            head.get.pc
          ))
        else None
      counts("retired") += retiring.length
      counts(s"retired ${retiring.length} at once") += 1
      if (traps) counts("trap") += 1
      if (flushing.exists(_.isReplay)) counts("replay") += 1
      if (flushing.exists(_.isWithdrawn)) counts("withdrawn") += 1
      if (flusher.isDefined) counts("flush after") += 1
      for (e <- retiring if e.kind == Kind.wfi) counts("wfi") += 1
      if (flusher.exists(_.kind == Kind.serial)) counts("let in") += 1
      live = live.drop(retiring.length)
      if (flushed) {
        next = live.headOption.fold(next)(_.sequence)
        live = Vector()
      } else if (branch.isDefined) {
        counts("squash") += 1
        live = live.takeWhile(_.sequence <= branch.get.sequence)
        next = branch.get.sequence + 1
      } else {
        live = live ++ arrived
        next += arrived.length
      }
      known = live.find(_.report.isDefined)
    }
  }

  private def run(robEntries: Int, commitWidth: Int): Unit = {
    val p = NhgParams(backend = BackendParams(robEntries = robEntries, commitWidth = commitWidth))
    test(new RobWithExceptions(p, sources)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(p, dut, seed = 1)
      for (_ <- 0 until 9000) bench.step()
      println(s"ROB: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val kinds = Seq(
        "trap",
        "replay",
        "flush after",
        "squash",
        "flags",
        "as done",
        "request and others",
        "wfi",
        s"retired $commitWidth at once"
      )
      val seldom = Seq("flags as done", "let in", "interrupt", "withdrawn")
      assert(kinds.forall(bench.counts(_) > 50) && seldom.forall(bench.counts(_) > 5), s"too little: ${bench.counts}")
    }
  }

  "Rob" should "retire in order exactly what may retire, and flush from its head" in run(robEntries = 12, commitWidth = 4)
  it should "do so with half the commit width" in run(robEntries = 12, commitWidth = 2)
  it should "do so with a commit width that is no power of two" in run(robEntries = 24, commitWidth = 6)
}
