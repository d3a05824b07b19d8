// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random groups, resources, commits, squashes and flushes against a model: which instructions are taken, why not, and every register,
  * queue entry and snapshot they get. Two register classes; register 0 of the second is an ordinary one.
  */
class RenameTest extends AnyFlatSpec with ChiselScalatestTester {
  private val backend =
    TwoClasses.backend.copy(robEntries = 48, branchSnapshots = 6, registerClasses = TwoClasses.backend.registerClasses.map(_.copy(physical = 40)))
  private val p = NhgParams(backend = backend)
  private val lanes = backend.decodeWidth
  private val classes = backend.registerClasses

  private case class Register(regClass: Int, index: Int)
  private case class Op(
      pc: Int,
      sources: Seq[Register],
      dest: Option[Register],
      queues: Seq[String],
      isLoad: Boolean = false,
      isStore: Boolean = false,
      isAmi: Boolean = false,
      isFin: Boolean = false,
      isCfi: Boolean = false,
      isSerial: Boolean = false,
      isMove: Boolean = false,
      drains: Boolean = false,
      isFenceI: Boolean = false,
      isSfence: Boolean = false,
      drainsRequests: Boolean = false,
      foretoldEmpty: Boolean = false
  ) {
    def allocates(k: Int): Boolean = !isMove && dest.exists(_.regClass == k)
    def goesTo(dispatch: String): Boolean = backend.issueQueues.exists(q => q.dispatch == dispatch && queues.contains(q.name))
    def cuts(older: Seq[Op]): Boolean = older.nonEmpty && (isSerial || older.exists(_.isSerial) || isFin && older.exists(_.isFin) ||
      isAmi && older.exists(_.isAmi) || isCfi && older.count(_.isCfi) >= Snapshots.perCycle)
  }
  private case class State(maps: Seq[Vector[Int]], lqTail: Int, sqTail: Int, reqTail: Int, finPtr: Int)
  private class InFlight(val op: Op, val sequence: Int, val physical: Int, val old: Int, val snapshot: Int, val after: State) {
    var resolved: Boolean = !op.isCfi
  }

  private class Bench(dut: Rename) {
    private val random = new Random(5)
    private val s = new Signals
    private val io = dut.io
    private def chance(percent: Int) = random.nextInt(100) < percent
    val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)

    private var held = Vector[Op]()
    private var flight = Vector[InFlight]()
    private var maps: Seq[Vector[Int]] = classes.map(c => Vector.tabulate(c.logical)(identity))
    private var committed = maps
    private var free: Seq[Vector[Int]] = classes.map(c => Vector.range(c.logical, c.physical))
    private var snapshots = Vector[(Int, Boolean)]() // place, done
    private var snapshotTail, sequence = 0
    private var serialBusy = false
    private var pc = 0

    private def register(): Register = Register(random.nextInt(2), random.nextInt(5))
    /** Of classes that some port reads there. */
    private def sources(): Seq[Register] = (0 until backend.sources).map { k =>
      val from = backend.sourceClasses(k)
      if (chance(20)) Register(0, 0) else Register(from(random.nextInt(from.length)), random.nextInt(5))
    }
    private def dest(): Option[Register] =
      Some(register()).filterNot(r => classes(r.regClass).fixedZero && r.index == 0).filter(_ => chance(85))
    private def newOp(): Op = {
      pc += 1
      val plain = Op(pc, sources(), dest(), Seq("alu"))
      random.nextInt(100) match {
        case k if k < 8 && plain.dest.exists(_.regClass == plain.sources.head.regClass) => plain.copy(isMove = true, queues = Nil)
        case k if k < 30 => plain
        case k if k < 45 => plain.copy(isLoad = true, queues = Seq("load"))
        case k if k < 57 => plain.copy(isStore = true, dest = None, queues = Seq("storeAddress", "storeData"))
        case k if k < 60 => plain.copy(isStore = true, queues = Seq("storeAddress", "storeData")) // AMO
        case k if k < 80 => plain.copy(isCfi = true, queues = Seq("bru"))
        case k if k < 86 => plain.copy(isAmi = true, dest = None, queues = Seq("storeAddress"))
        case k if k < 91 => plain.copy(isFin = true, queues = Seq("bru"), foretoldEmpty = chance(30))
        case k if k < 94 => plain.copy(isFin = true, isCfi = true, queues = Seq("bru"))
        case k if k < 98 => plain.copy(dest = None, queues = Nil)
        case _ =>
          val serial = plain.copy(dest = None, queues = Nil, isSerial = true, drains = chance(50))
          serial.copy(isFenceI = chance(30), isSfence = chance(30), drainsRequests = chance(30))
      }
    }

    private def poke(port: DecodedOp, op: Op): Unit = {
      s.set(port.fetched.pc, op.pc)
      for ((lrs, r) <- port.lrs.zip(op.sources)) { s.set(lrs.regClass, r.regClass); s.set(lrs.index, r.index) }
      s.set(port.dest.writes, op.dest.isDefined)
      val r = op.dest.getOrElse(Register(random.nextInt(2), random.nextInt(32)))
      s.set(port.dest.regClass, r.regClass)
      s.set(port.dest.index, r.index)
      s.set(port.queues, BigInt(op.queues.map(q => 1 << backend.queueIndex(q)).sum))
      s.set(port.fn, op.pc % 8)
      for (
        (flag, value) <- Seq(
          port.isLoad -> op.isLoad,
          port.isStore -> op.isStore,
          port.isAmi -> op.isAmi,
          port.isFin -> op.isFin,
          port.isCfi -> op.isCfi,
          port.serial -> op.isSerial,
          port.isMove -> op.isMove,
          port.drainStores -> op.drains,
          port.drainRequests -> op.drainsRequests,
          port.isFenceI -> op.isFenceI,
          port.isSfence -> op.isSfence
        )
      ) s.set(flag, value)
      s.set(port.fetched.bafinPredicted, op.foretoldEmpty)
      s.set(port.fetched.predTaken, false)
      s.set(port.fetched.predTarget, op.pc)
    }

    private def setInput(port: UInt, value: Int): Int = { s.set(port, value); value }
    private def setInput(port: Bool, value: Boolean): Boolean = { s.set(port, value); value }
    private def pointer(n: Int): Int = n / backend.robEntries % 2 * (1 << p.robIdxBits) + n % backend.robEntries

    def step(): Unit = {
      // resources: what there is, or less
      val robFree = setInput(io.robFree, if (chance(10)) random.nextInt(4) else backend.robEntries - flight.length)
      val robEmpty = setInput(io.robEmpty, flight.isEmpty)
      s.set(io.robTail, pointer(sequence))
      val dispatchFree = backend.dispatchQueues.map { q =>
        q.name -> setInput(io.dispatchFree(q.name), if (chance(15)) random.nextInt(4) else q.entries)
      }.toMap
      val (lqMod, sqMod, reqMod, finMod) = (1 << p.lqPtrBits, 1 << p.sqPtrBits, 1 << p.amu.reqPtrBits, 1 << p.amu.finPtrBits)
      val (lqTail, sqTail) = (setInput(io.lqTail, random.nextInt(lqMod)), setInput(io.sqTail, random.nextInt(sqMod)))
      val lqFree = setInput(io.lqFree, if (chance(30)) random.nextInt(3) else 8)
      val sqFree = setInput(io.sqFree, if (chance(30)) random.nextInt(3) else 8)
      val drained = setInput(io.storesDrained, chance(70))
      val inLines = setInput(io.storesInLines, drained && chance(70))
      val inFlight = setInput(io.requestsInFlight, chance(30))
      val (reqTail, reqFull) = (setInput(io.reqTail, random.nextInt(reqMod)), setInput(io.reqFull, chance(20)))
      val (finPtr, finAvailable) = (setInput(io.finPtr, random.nextInt(finMod)), setInput(io.finAvailable, chance(60)))

      // resolution, flush, commits
      val open = flight.filterNot(_.resolved)
      val branch = if (open.nonEmpty && chance(50)) Some(open(random.nextInt(open.length))) else None
      val squash = setInput(io.kill.squash, branch.isDefined && chance(25))
      val flush = setInput(io.kill.flush, chance(if (squash) 10 else 2)) // wins over a squash
      val kill = squash || flush
      s.set(io.resolved.valid, branch.isDefined && !flush)
      branch.foreach { b =>
        s.set(io.resolved.bits, b.snapshot)
        for ((got, map) <- io.restored.registers.zip(b.after.maps); r <- 0 until 6) assert(s.get(got.map(r)) == map(r), s"map of snapshot ${b.snapshot}")
        val got = Seq(io.restored.lqTail, io.restored.sqTail, io.restored.reqTail, io.restored.finPtr).map(s.get(_).toInt)
        assert(got == Seq(b.after.lqTail, b.after.sqTail, b.after.reqTail, b.after.finPtr), s"queues of snapshot ${b.snapshot}")
      }
      for (b <- open.headOption) {
        s.set(io.infoIdx, b.snapshot)
        assert(s.get(io.infoRead.predTarget) == b.op.pc, "prediction of a branch")
      }
      val leaving = if (flush || chance(40)) Vector() else flight.take(random.nextInt(backend.commitWidth + 1)).takeWhile(_.resolved)
      for ((port, k) <- io.commit.zipWithIndex) {
        s.set(port.valid, k < leaving.length)
        leaving.lift(k).foreach { e =>
          val r = e.op.dest.getOrElse(Register(0, 3))
          s.set(port.bits.writes, e.op.dest.isDefined)
          s.set(port.bits.regClass, r.regClass)
          s.set(port.bits.logical, r.index)
          s.set(port.bits.physical, e.physical)
          s.set(port.bits.old, e.old)
          s.set(port.bits.isMove, e.op.isMove)
        }
      }

      // the group and why it waits
      val together = held.indices.find(i => held(i).cuts(held.take(i))).fold(held)(held.take)
      val first = held.headOption
      val storesDone = first.forall(op => (!op.drains || drained) && (!op.isFenceI && !op.isSfence || inLines) && (!op.drainsRequests || !inFlight))
      def lacking(ops: Vector[Op]) = Seq(
        ("rob", io.stall.rob, ops.length > robFree),
        ("free list", io.stall.freeList, classes.indices.exists(k => ops.count(_.allocates(k)) > free(k).length)),
        ("load queue", io.stall.loadQueue, ops.count(_.isLoad) > lqFree),
        ("store queue", io.stall.storeQueue, ops.count(_.isStore) > sqFree),
        ("dispatch queue", io.stall.dispatchQueue, backend.dispatchQueues.exists(q => ops.count(_.goesTo(q.name)) > dispatchFree(q.name))),
        ("snapshot", io.stall.snapshot, ops.count(_.isCfi) > backend.branchSnapshots - snapshots.length),
        ("request queue", io.stall.amuQueue, reqFull && ops.exists(_.isAmi)),
        ("serial", io.stall.serial, ops.nonEmpty && (serialBusy || first.exists(_.isSerial) && !(robEmpty && storesDone)))
      )
      for ((name, port, stalled) <- lacking(held.take(1))) {
        assert(s.is(port) == stalled, s"stall by $name: $held")
        if (stalled) counts(name) += 1
      }
      assert(s.is(io.stall.empty) == held.isEmpty, "rename has nothing")
      assert(s.is(io.waitsForStores) == (!serialBusy && first.exists(_.isSerial) && !storesDone), "a serial instruction waits for stores")
      val group = together.indices.find(i => lacking(together.take(i + 1)).exists(_._3)).fold(together)(together.take)
      val fire = group.nonEmpty && !kill
      val taken = if (fire) group else Vector()
      if (taken.length == lanes) counts("whole group") += 1
      if (fire && together.length < held.length) counts("cut group") += 1
      if (fire && group.length < together.length) counts("room for a part") += 1

      // what each instruction gets
      assert(s.get(io.allocLoads) == taken.count(_.isLoad) && s.get(io.allocStores) == taken.count(_.isStore), "queue entries taken")
      assert(s.is(io.reqAllocate.valid) == taken.exists(_.isAmi), "request-queue entry taken")
      val takes = taken.map(op => op.isFin && !op.foretoldEmpty && finAvailable)
      assert(s.is(io.finTake) == takes.contains(true), "finish-queue entry taken")
      var (loads, stores, branches) = (0, 0, 0)
      val entering = taken.zipWithIndex.map { case (op, i) =>
        val (valid, uop) = (io.out(i).valid, io.out(i).bits)
        assert(s.is(valid), s"lane $i is not taken")
        assert(s.get(io.decoded(i).fetched.pc) == op.pc && s.get(uop.robPtr) == pointer(sequence + i), s"lane $i: another instruction")
        for ((source, r) <- uop.psrc.zip(op.sources)) {
          val isRead = r != Register(0, 0)
          assert(s.get(source.regClass) == r.regClass, s"lane $i: class of source $r of $op")
          assert(!isRead || s.get(source.index) == maps(r.regClass)(r.index), s"lane $i: source $r of $op")
        }
        assert(s.is(uop.dest.writes) == (op.dest.isDefined && !op.isMove), s"lane $i: destination")
        val (physical, old) = op.dest.fold((0, 0)) { r =>
          val next = if (op.isMove) maps(r.regClass)(op.sources.head.index) else free(r.regClass).head
          val old = maps(r.regClass)(r.index)
          assert(s.get(uop.dest.regClass) == r.regClass && s.get(uop.dest.index) == next && s.get(io.pold(i)) == old, s"lane $i: destination $r")
          if (!op.isMove) free = free.updated(r.regClass, free(r.regClass).tail)
          maps = maps.updated(r.regClass, maps(r.regClass).updated(r.index, next))
          (next, old)
        }
        assert(s.get(uop.lqPtr) == (lqTail + loads) % lqMod && s.get(uop.sqPtr) == (sqTail + stores) % sqMod, s"lane $i: LQ or SQ entry")
        assert(s.is(uop.finTaken) == takes(i) && s.get(uop.reqPtr) == reqTail && s.get(uop.finPtr) == finPtr, s"lane $i: AMU entries")
        if (op.isAmi) assert(s.get(io.reqAllocate.bits.op) == op.pc % 8 && s.get(io.reqAllocate.bits.sqPtr) == (sqTail + stores) % sqMod)
        val place = (snapshotTail + branches) % backend.branchSnapshots
        if (op.isCfi) assert(s.get(uop.snapshot) == place, s"lane $i: snapshot")
        loads += (if (op.isLoad) 1 else 0)
        stores += (if (op.isStore) 1 else 0)
        branches += (if (op.isCfi) 1 else 0)
        def upTo(flags: Seq[Boolean]) = if (flags.take(i + 1).contains(true)) 1 else 0
        val after =
          State(maps, (lqTail + loads) % lqMod, (sqTail + stores) % sqMod, (reqTail + upTo(taken.map(_.isAmi))) % reqMod, (finPtr + upTo(takes)) % finMod)
        if (op.isCfi) snapshots :+= ((place, false))
        new InFlight(op, sequence + i, physical, old, place, after)
      }
      for (i <- taken.length until lanes) assert(!s.is(io.out(i).valid), s"lane $i is taken")

      // the next group
      val ready = s.is(io.ready)
      assert(ready == (taken.length == held.length), "ready for the next group")
      val offered = if (chance(10)) Vector() else Vector.fill(1 + random.nextInt(lanes))(newOp())
      for ((port, k) <- io.in.zipWithIndex) {
        s.set(port.valid, k < offered.length)
        offered.lift(k).foreach(poke(port.bits, _))
      }
      dut.clock.step()

      snapshotTail = (snapshotTail + branches) % backend.branchSnapshots
      sequence += taken.length
      serialBusy = !kill && (fire && taken.head.isSerial || serialBusy && !robEmpty)
      held = if (kill) Vector() else if (ready) offered else held.drop(taken.length)
      for (e <- leaving; r <- e.op.dest) {
        val now = committed(r.regClass).updated(r.index, e.physical)
        committed = committed.updated(r.regClass, now)
        if (!now.contains(e.old)) free = free.updated(r.regClass, free(r.regClass) :+ e.old)
        else counts("still held") += 1
        if (e.op.isMove) counts("move") += 1
      }
      retireSnapshots(branch.filter(_ => !flush), squash, flush, branches)
      flight = flight.drop(leaving.length) ++ entering
      if (kill) {
        val dying = if (flush) flight else flight.filter(_.sequence > branch.get.sequence)
        for (e <- dying.reverse if !e.op.isMove; r <- e.op.dest) free = free.updated(r.regClass, e.physical +: free(r.regClass))
        flight = flight.dropRight(dying.length)
        maps = if (flush) committed else branch.get.after.maps
        sequence -= dying.length
        counts(if (flush) "flush" else "squash") += 1
      }
      counts("taken") += taken.length
    }

    private def retireSnapshots(resolved: Option[InFlight], squash: Boolean, flush: Boolean, arrived: Int): Unit = {
      val leaving = snapshots.dropRight(arrived).take(2).takeWhile(_._2).length
      resolved.foreach { b =>
        b.resolved = true
        snapshots = snapshots.map { case (place, done) => (place, done || place == b.snapshot) }
      }
      if (flush) {
        snapshotTail = snapshots.headOption.fold(snapshotTail)(_._1)
        snapshots = Vector()
      } else if (squash) {
        snapshots = snapshots.takeWhile(_._1 != resolved.get.snapshot)
        snapshotTail = resolved.get.snapshot
      } else snapshots = snapshots.drop(leaving)
    }
  }

  "Rename" should "take what may go together and give each instruction its registers and entries" in {
    test(new Rename(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut)
      for (_ <- 0 until 7000) bench.step()
      println(s"Rename: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val kinds = Seq(
        "rob",
        "free list",
        "move",
        "still held",
        "load queue",
        "store queue",
        "dispatch queue",
        "snapshot",
        "request queue",
        "serial",
        "squash",
        "flush",
        "whole group",
        "cut group",
        "room for a part"
      )
      assert(kinds.forall(bench.counts(_) > 50) && bench.counts("taken") > 3000, s"too little: ${bench.counts}")
    }
  }
}
