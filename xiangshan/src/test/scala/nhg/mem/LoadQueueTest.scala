// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util.Valid
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The load queue between two mock load pipes, random wake-ups, squashes, store addresses, lines that others change and atomics, against a list of
  * loads in program order.
  */
class LoadQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val n = 8
  private val p = NhgParams(lsu = LsuParams(loadQueue = n))
  private val sqSize = p.lsu.storeQueue
  private val waitIds = 4 // MSHRs and store queue entries that loads wait for

  /** Where a load is: not issued, in a pipe, or as its last pass through a pipe left it. */
  private object State extends Enumeration { val unissued, inPipe, retry, mshrFree, line, storeAddress, storeData, storeDrain, head, spm, done = Value }
  private class Load(val position: Int, val addr: BigInt, val size: Int) {
    var state: State.Value = State.unissued
    var waitIdx, fwdStore = 0
    var started, executed, forwarded, stale, busError = false
    def line: BigInt = addr >> 6
    def shares(other: Load): Boolean = word == other.word && (mask & other.mask) != 0
    def word: BigInt = addr >> 3
    def mask: Int = ((1 << (1 << size)) - 1) << (addr & 7).toInt
  }

  private class Bench(dut: LoadQueue, random: Random) {
    private val s = new Signals
    private val io = dut.io
    private val loads = mutable.ArrayBuffer.empty[Load]
    private var head = 0 // position of the oldest, counted for ever
    private var stores = 0 // position of the oldest store in the store queue
    private val pipes = Array.fill(p.lsu.loadPipes)(Option.empty[(Load, Boolean)]) // in s1; first pass
    private def tail: Int = head + loads.size
    private def pointer(position: Int): BigInt = Math.floorMod(position, 2 * n)
    private def storePointer(position: Int): BigInt = Math.floorMod(position, 2 * sqSize)
    private val outcomes =
      Seq(State.done, State.done, State.retry, State.mshrFree, State.line, State.storeAddress, State.storeData, State.storeDrain, State.head, State.spm)
    var stopping = false
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    def idle: Boolean = loads.isEmpty

    private def newLoad(position: Int): Load = {
      val size = random.nextInt(4)
      new Load(position, BigInt(p.map.local.base) + 64 * random.nextInt(2) + 8 * random.nextInt(2) + (random.nextInt(8) >> size << size), size)
    }

    /** What s1 says of a load. */
    private class Outcome(val load: Load, val first: Boolean, val alive: Boolean) {
      val state: State.Value = if (stopping) State.done else outcomes(random.nextInt(outcomes.size))
      val waitIdx: Int = random.nextInt(waitIds)
      val executed: Boolean = state == State.spm || (state == State.done && random.nextInt(10) != 0)
      val forwarded: Boolean = executed && state == State.done && random.nextInt(3) == 0
      val fwdStore: Int = stores + random.nextInt(sqSize)
      val reads: Boolean = executed && !forwarded || Set(State.retry, State.mshrFree, State.line)(state) && random.nextBoolean()
    }

    def step(): Unit = {
      assert(s.get(io.tail) == pointer(tail) && s.get(io.free) == n - loads.size, "tail and free entries")

      // commit, squash, rename
      val commits = random.nextInt(loads.takeWhile(_.state == State.done).size.min(p.backend.commitWidth) + 1)
      val flush = commits == 0 && random.nextInt(80) == 0
      val back = if (!flush && random.nextInt(12) == 0) Some(head + commits + random.nextInt(loads.size - commits + 1)) else None
      val squashing = flush || back.nonEmpty
      val survives = if (flush) head + commits else back.getOrElse(tail)
      val renamed = if (stopping) 0 else random.nextInt((n - loads.size).min(p.backend.decodeWidth) + 1)
      s.set(io.commit, commits)
      s.set(io.squash.flush, flush)
      s.set(io.squash.restore, back.nonEmpty)
      back.foreach(b => s.set(io.squash.lqTail, pointer(b)))
      s.set(io.alloc, renamed) // means nothing in the cycle of a squash

      // s1 of both pipes
      val results = pipes.toSeq.map(_.map { case (load, first) => new Outcome(load, first, load.position < survives) })
      for ((result, (started, update)) <- results.zip(io.started.zip(io.update))) {
        s.set(started.valid, result.exists(_.first))
        result.foreach { r => driveOp(started.bits, r.load) }
        s.set(update.valid, result.exists(_.alive))
        result.foreach { r =>
          s.set(update.bits.lqIdx, r.load.position % n)
          update.bits.outcome.poke(outcomeOf(r.state))
          s.set(update.bits.waitIdx, r.waitIdx)
          s.set(update.bits.executed, r.executed)
          s.set(update.bits.reads, r.reads)
          s.set(update.bits.word, r.load.word)
          s.set(update.bits.mask, r.load.mask)
          s.set(update.bits.forwarded, r.forwarded)
          s.set(update.bits.fwdPtr, storePointer(r.fwdStore))
        }
      }

      // wake-ups, some of entries that nobody waits for
      def event(valid: Bool, idx: UInt): Option[Int] = {
        val happens = if (random.nextInt(3) == 0 || stopping) Some(random.nextInt(waitIds)) else None
        s.set(valid, happens.nonEmpty)
        happens.foreach(i => s.set(idx, i))
        happens
      }
      val refilled = event(io.refilled.valid, io.refilled.bits.id)
      val error = random.nextInt(4) == 0
      s.set(io.refilled.bits.error, error)
      def events(ports: Vec[Valid[UInt]]): Seq[Int] = ports.flatMap(e => event(e.valid, e.bits))
      val address = events(io.storeEvents.address)
      val data = events(io.storeEvents.data)
      val drained = events(io.storeEvents.drained)
      val mshrFree = random.nextInt(3) == 0
      s.set(io.mshrFree, mshrFree)

      // replays: the two oldest that may go
      val eligible = loads.filter(l => l.state == State.retry || (l.state == State.mshrFree && mshrFree)).take(p.lsu.loadPipes).toSeq
      for ((port, k) <- io.replay.zipWithIndex) {
        assert(s.is(port.valid) == eligible.isDefinedAt(k), s"replay in pipe $k")
        eligible.lift(k).foreach { l =>
          assert(s.get(port.bits.lqPtr) == pointer(l.position) && s.get(port.bits.addr) == l.addr, "the oldest load that may go")
          assert(s.is(port.bits.busError) == l.busError, "its line does not exist")
        }
      }
      if (eligible.size == 2) counts("two replays") += 1
      if (eligible.exists(_.position >= survives)) counts("replay of a load squashed now") += 1

      // oldest load
      val oldest = loads.headOption
      assert(s.is(io.awaited.valid) == oldest.exists(_.state != State.done), "the oldest load has no data")
      val inS1 = pipes.toSeq.flatten.map(_._1)
      oldest.filter(l => l.state != State.done && (l.started || inS1.contains(l)))
        .foreach(l => assert(s.get(io.awaited.bits) == l.addr >> 6, "line of the oldest load"))
      assert(s.is(io.head.valid) == oldest.exists(_.state == State.head), "the oldest load waits for the ROB head")
      oldest.filter(_.state == State.head).foreach(l => assert(s.get(io.head.bits.addr) == l.addr))

      // late data: devices at the head, SPM anywhere
      val late = Seq(oldest.filter(_.state == State.head), loads.find(l => l.state == State.spm && random.nextBoolean()))
        .map(_.filter(l => l.position < survives && random.nextInt(3) == 0))
      for ((l, port) <- late.zip(io.lateDone)) {
        s.set(port.valid, l.nonEmpty)
        l.foreach(x => s.set(port.bits, x.position % n))
      }

      val changed = io.changed.flatMap { c =>
        val line = BigInt(p.map.local.base) / 64 + random.nextInt(3)
        val happens = random.nextInt(6) == 0
        s.set(c.valid, happens)
        s.set(c.bits, line)
        Option.when(happens)(line)
      }
      loads.filter(l => changed.contains(l.line)).foreach(_.stale = true)
      checkOrder(results.flatten.filter(_.alive), survives)

      // new loads where no replay goes
      val issued = (0 until p.lsu.loadPipes).map { k =>
        val waiting = loads.filter(l => l.state == State.unissued && l.position < survives)
        if (eligible.isDefinedAt(k) || waiting.isEmpty || random.nextInt(3) == 0) None
        else {
          val l = waiting(random.nextInt(waiting.size))
          l.state = State.inPipe
          Some(l)
        }
      }
      dut.clock.step()

      // the queue after this cycle
      for (l <- loads) {
        val wakes = l.state match {
          case State.line => refilled.contains(l.waitIdx)
          case State.storeAddress => address.contains(l.waitIdx)
          case State.storeData => data.contains(l.waitIdx)
          case State.storeDrain => drained.contains(l.waitIdx)
          case _ => false
        }
        if (wakes) {
          if (l.state == State.line) l.busError = error
          l.state = State.retry
          counts("woken") += 1
        }
      }
      eligible.foreach(_.state = State.inPipe)
      for (r <- results.flatten if r.alive) {
        r.load.state = r.state
        r.load.waitIdx = r.waitIdx
        r.load.executed = r.executed
        r.load.forwarded = r.forwarded
        r.load.fwdStore = r.fwdStore
        r.load.stale = changed.contains(r.load.line)
        r.load.started = true
      }
      late.flatten.foreach { l => l.state = State.done; counts("late data") += 1 }
      for (k <- pipes.indices) {
        pipes(k) = eligible.lift(k).map(_ -> false).orElse(issued(k).map(_ -> true)).filter(_._1.position < survives)
      }
      loads.remove(0, commits)
      head += commits
      counts("committed") += commits
      if (!loads.exists(_.forwarded)) stores += random.nextInt(4) // forwarded loads compare stores that were in the queue together
      if (squashing) {
        if (survives < tail) counts("squashed") += 1
        loads.takeInPlace(survives - head)
      } else for (_ <- 0 until renamed) loads += newLoad(tail)
      if (loads.size == n) counts("full") += 1
    }

    /** Who finds loads that read too early: stores of a random place in program order whose address becomes known, loads in s1, an atomic. */
    private def checkOrder(results: Seq[Outcome], survives: Int): Unit = {
      val byStores = io.check.flatMap { check =>
        val checks = random.nextBoolean()
        val store = stores + random.nextInt(sqSize)
        val from = head + random.nextInt(loads.size + 1)
        val probe = newLoad(0) // its bytes
        s.set(check.valid, checks)
        s.set(check.bits.sqPtr, storePointer(store))
        s.set(check.bits.lqPtr, pointer(from))
        s.set(check.bits.word, probe.word)
        s.set(check.bits.mask, probe.mask)
        val read = if (checks) loads.filter(l => l.position >= from && l.executed && l.shares(probe)) else Nil
        val (saved, tooEarly) = read.partition(l => l.forwarded && store < l.fwdStore) // their bytes came from a younger store
        if (saved.nonEmpty) counts("saved by a younger store") += 1
        tooEarly
      }
      val stale = loads.filter(l => l.executed && l.stale)
      val byLoads = for (r <- results if r.reads; l <- stale if l.position > r.load.position && l.shares(r.load)) yield l
      val atomic = random.nextInt(20) == 0
      s.set(io.atomicDone, atomic)
      val byAtomic = if (atomic) stale.toSeq else Nil
      val tooEarly = (byStores ++ byLoads ++ byAtomic).distinct.sortBy(_.position)
      val violator = tooEarly.headOption.filter(_.position < survives)
      assert(s.is(io.violation.valid) == violator.nonEmpty, s"a load read too early: $violator")
      violator.foreach { l =>
        assert(s.get(io.violation.bits) == l.position % p.backend.robEntries, "the oldest load that read too early")
        for ((what, by) <- Seq("store" -> byStores, "load" -> byLoads, "atomic" -> byAtomic) if by.contains(l)) counts(s"$what violation") += 1
        if (tooEarly.size > 1) counts("violation, the oldest of several") += 1
        if (l.position / n != head / n) counts("violation round the end") += 1
      }
    }

    private def driveOp(op: LoadOp, load: Load): Unit = {
      s.set(op.robIdx, load.position % p.backend.robEntries)
      s.set(op.lqPtr, pointer(load.position))
      s.set(op.addr, load.addr)
      s.set(op.size, load.size)
    }

    private def outcomeOf(state: State.Value): LoadOutcome.Type = state match {
      case State.done => LoadOutcome.done
      case State.retry => LoadOutcome.retry
      case State.mshrFree => LoadOutcome.mshrFree
      case State.line => LoadOutcome.line
      case State.storeAddress => LoadOutcome.storeAddress
      case State.storeData => LoadOutcome.storeData
      case State.storeDrain => LoadOutcome.storeDrain
      case State.head => LoadOutcome.head
      case State.spm => LoadOutcome.spm
      case other => throw new IllegalArgumentException(s"$other is no outcome")
    }
  }

  "LoadQueue" should "replay what it woke, oldest first, and find the oldest load that read too early" in {
    test(new LoadQueue(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1))
      for (_ <- 0 until 6000) bench.step()
      bench.stopping = true
      for (_ <- 0 until 2000 if !bench.idle) bench.step()
      assert(bench.idle, "a load never gets its data")
      println(s"LoadQueue: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val reached = Seq(
        "committed",
        "woken",
        "two replays",
        "replay of a load squashed now",
        "late data",
        "store violation",
        "load violation",
        "atomic violation",
        "violation, the oldest of several",
        "violation round the end",
        "saved by a younger store",
        "squashed",
        "full"
      )
      for (what <- reached) assert(bench.counts(what) > 20, s"too little: $what")
    }
  }
}
