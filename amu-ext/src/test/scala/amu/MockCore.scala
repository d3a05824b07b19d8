// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import scala.collection.mutable
import scala.util.Random

/** A core in Scala around the AMU: renames, executes out of order, commits in order, squashes at random, and checks every commit and
  * every taken group against the reference. Core stores (to memory and the SPM) are performed late, after commit.
  */
class MockCore(
    dut: Amu,
    pins: Pins,
    p: AmuParams,
    system: MockMemorySystem,
    reference: ReferenceAmu,
    generator: RequestGenerator,
    windowBytes: Int,
    random: Random
) {
  /** Probabilities per cycle in percent. */
  var renamePercent = 80
  var takePercent = 40
  var storePercent = 10
  var squashPercent = 2
  var closingOnly = false
  var requestCommitted = false // an aload or astore, in the last cycle

  private sealed abstract class Inst {
    var reqPtr, finPtr, sqPtr = 0 // before the instruction
    var executed = false
  }
  private class Request(val r: AmiRequest) extends Inst
  private class Take extends Inst { var id = 0 }
  private class Store(val toSpm: Boolean, val address: Long, val data: BigInt) extends Inst { executed = true }

  private val rob = mutable.ArrayBuffer.empty[Inst]
  private val committedStores = mutable.Queue.empty[Store]
  private val storeBuffer = mutable.Queue.empty[(Int, mutable.Queue[Store])] // line, stores; oldest first
  private var sqTail, sqDeq = 0
  private var flushNow, flushNext = false // after an exception or aconfig: in the same or in the next cycle
  private val btqTargets = mutable.Map.empty[Int, BigInt]
  private var btqNext = 0
  var (taken, exceptions, squashes, committed) = (0, 0, 0, 0)
  private def chance(percent: Int): Boolean = random.nextInt(100) < percent
  private val request = dut.io.request
  private val finish = dut.io.finish
  private def is(signal: Bool): Boolean = pins.is(signal)

  def empty: Boolean = rob.isEmpty
  def quiet: Boolean = rob.isEmpty && committedStores.isEmpty && storeBuffer.isEmpty && reference.outstanding == 0 && reference.ids.forall(!_.asetOpen)

  private def context: generator.Context = {
    val takenIds = rob.collect { case t: Take if t.executed => t.id }.toSet
    def stateOf(id: Int): IdModel = {
      val from = reference.ids(id)
      val state = new IdModel
      state.outstanding = from.outstanding
      state.asetOpen = from.asetOpen
      state.remaining = from.remaining
      state.waiting = from.waiting
      state.signalled = from.signalled
      rob.foreach {
        case t: Take if t.executed && t.id == id => state.outstanding = false
        case q: Request if q.r.op != AmiRequest.aconfig && q.r.idOperand == id && reference.check(q.r, state).isEmpty =>
          reference.track(state, q.r)
        case _ =>
      }
      state
    }
    val outstanding = (1 to p.maxId).filter(id => reference.ids(id).outstanding && !takenIds(id)).flatMap(reference.ids(_).bytes)
    val inFlight = rob.collect { case q: Request if q.r.isMemory => reference.bytesOf(q.r) }
    new generator.Context(stateOf, outstanding ++ inFlight)
  }

  private def draw(): Option[Request] = {
    val now = context
    val r = if (closingOnly) {
      val unfinished = (1 to p.maxId).filter { id =>
        val s = now.stateOf(id); s.asetOpen || s.waiting
      }
      if (unfinished.isEmpty) None else generator.closing(unfinished(random.nextInt(unfinished.size)), now)
    } else generator.next(now)
    // An unread taker may free the ID before the error is checked
    val surely = rob.forall { case t: Take => t.executed; case _ => true }
    r.filter(q => surely || reference.check(q, if (q.op == AmiRequest.aconfig || q.idOperand > p.maxId) new IdModel else now.stateOf(q.id)).isEmpty)
      .map(new Request(_))
  }

  private def drawStore(): Option[Store] = {
    val owned = context.owned
    val toSpm = random.nextBoolean()
    val address = if (toSpm) random.nextInt(p.spmBytes / 8) * 8L else reference.memory.bases(random.nextInt(2)) + random.nextInt(windowBytes / 8) * 8
    val free = owned.forall(o => if (toSpm) !o.overlapsSpm(address.toInt, 8) else !o.overlapsMemory(address, 8))
    if (free && !toSpm) generator.recentStore = Some(address)
    if (free) Some(new Store(toSpm, address, BigInt(64, random))) else None
  }

  private def write(toSpm: Boolean, spm: Array[Byte], memory: TestMemory, address: Long, data: BigInt): Unit =
    for (i <- 0 until 8) {
      val byte = ((data >> (8 * i)) & 0xff).toByte
      if (toSpm) spm(address.toInt + i) = byte else memory(address + i) = byte
    }

  /** Rule 5 at the moment the group is visible: every byte is where it belongs. */
  private def checkTaken(id: Int): Unit = {
    val state = reference.ids(id)
    assert(state.outstanding && !state.asetOpen && !state.waiting, s"ID $id is given to a taker but has not finished")
    assert(pins(finish.read.taskWord) == reference.taskWord(id), s"task word of ID $id")
    assert(pins(finish.read.target) == reference.targetOf(id), s"target of ID $id")
    state.bytes.foreach { b =>
      for (i <- 0 until b.count) {
        val (is, expected) =
          if (b.isStore) (system.memory(b.memAddr + i), reference.memory(b.memAddr + i)) else (system.spm(b.spmAddr + i), reference.spm(b.spmAddr + i))
        assert(is == expected, f"ID $id taken before byte $i of $b arrived: 0x$is%02x, expected 0x$expected%02x")
      }
    }
  }

  def step(): Unit = {
    val stat = pins(dut.io.csr.amustat)
    assert((stat & 0xffff) == reference.outstanding && ((stat >> 16) & 0xffff) <= (stat & 0xffff), f"amustat 0x$stat%x")

    // Older stores leave the store queue for the store buffer, and from there they reach memory
    val performed = if (storeBuffer.nonEmpty && chance(30)) Some(storeBuffer.dequeue()) else None
    for ((_, stores) <- performed; s <- stores) write(s.toSpm, system.spm, system.memory, s.address, s.data)
    val lines = (storeBuffer ++ performed).map(_._1)
    val unused = (0 until p.storeBufferLines).filterNot(lines.contains)
    if (committedStores.nonEmpty && chance(30) && (unused.nonEmpty || storeBuffer.nonEmpty)) {
      if (storeBuffer.isEmpty || unused.nonEmpty && random.nextBoolean()) storeBuffer.enqueue(unused(random.nextInt(unused.size)) -> mutable.Queue())
      storeBuffer.last._2.enqueue(committedStores.dequeue())
      sqDeq = (sqDeq + 1) % (2 * p.sqEntries)
    }
    pins(dut.io.order.sqDeqPtr) = sqDeq
    pins(dut.io.order.storeBuffer.used) = (storeBuffer ++ performed).map(1 << _._1).sum
    pins(dut.io.order.storeBuffer.freed) = performed.map(1 << _._1).sum

    // A mispredict squashes from some instruction on
    var flush = flushNext || (rob.nonEmpty && chance(squashPercent) && random.nextInt(4) == 0)
    val squashAt = if (!flush && rob.nonEmpty && chance(squashPercent)) random.nextInt(rob.size) else rob.size
    val restores = squashAt < rob.size
    pins(request.restore.valid) = restores
    pins(finish.restore.valid) = restores
    if (restores) {
      pins(request.restore.bits) = rob(squashAt).reqPtr
      pins(finish.restore.bits) = rob(squashAt).finPtr
    }
    val survivors = rob.take(squashAt)
    val commits = commit(if (flushNext) Seq.empty else survivors.toSeq)
    flush |= flushNow
    flushNow = false
    pins(request.flush) = flush
    pins(finish.flush) = flush
    if (flush) flushNext = false

    execute(survivors.toSeq)
    val serialise = flush || flushNext || rob.exists { case q: Request => q.r.op == AmiRequest.aconfig; case _ => false }
    val renamed = if (restores || serialise || rob.size >= 48) { noRename(); None }
    else rename()
    readTaken(survivors.toSeq, renamed)
    receiveBtq()

    if (restores || flush) {
      val firstDead = if (flush) commits else squashAt
      rob.lift(firstDead).foreach(inst => sqTail = inst.sqPtr)
      btqTargets.clear()
      btqNext = rob.lift(firstDead).map(_.finPtr).getOrElse(pins(finish.renamePtr).toInt)
      rob.remove(firstDead, rob.size - firstDead)
      squashes += 1
    }
    rob.remove(0, commits)
  }

  /** Commits a request only as the oldest of the group, then stores and at most one taker; returns how many. */
  private def commit(insts: Seq[Inst]): Int = {
    val head = insts.headOption.collect { case q: Request if q.executed => q }
    requestCommitted = false
    pins(request.commitValid) = head.nonEmpty
    val headCommits = head.exists(commitRequest)
    var commits = if (headCommits) 1 else 0
    var takes = false
    def next: Boolean = insts.lift(commits).exists {
      case s: Store =>
        write(s.toSpm, reference.spm, reference.memory, s.address, s.data)
        committedStores.enqueue(s)
        true
      case t: Take if t.executed && !takes =>
        takes = true
        reference.ids(t.id).outstanding = false
        btqTargets.remove(t.finPtr)
        taken += 1
        true
      case _ => false
    }
    if (head.isEmpty || (headCommits && !flushNext && !flushNow)) while (next) commits += 1
    pins(finish.commitTake) = takes
    commits
  }

  private def commitRequest(q: Request): Boolean = {
    // without either it waits, for its translation or for the signal register
    val expected = if (is(request.commitReady) || is(request.commitException)) reference.check(q.r, reference.stateOf(q.r)) else None
    assert(is(request.commitException) == expected.nonEmpty, s"exception of ${q.r}: expected $expected")
    expected.foreach { case (cause, tval) =>
      assert(is(request.commitReady) && pins(request.commitCause) == cause && pins(request.commitTval) == tval, s"cause and tval of ${q.r}")
      exceptions += 1
    }
    val commits = expected.isEmpty && is(request.commitReady)
    requestCommitted = commits && q.r.isMemory
    if (commits) {
      reference.commit(q.r)
      committed += 1
    }
    if (expected.nonEmpty || (commits && q.r.op == AmiRequest.aconfig)) {
      flushNow = random.nextBoolean()
      flushNext = !flushNow
    }
    commits
  }

  private def execute(insts: Seq[Inst]): Unit = {
    val ready = insts.collect { case q: Request if !q.executed => q }
    val executing = if (ready.nonEmpty && chance(80)) Some(ready(random.nextInt(ready.size))) else None
    pins(request.operands.valid) = executing.nonEmpty
    executing.foreach { q =>
      pins(request.operands.bits.ptr) = q.reqPtr
      pins(request.operands.bits.rs1) = q.r.rs1
      pins(request.operands.bits.rs2) = q.r.rs2
      q.executed = true
    }
    val translation = dut.io.translation
    pins(translation.physical) = pins(translation.address)
    pins(translation.miss) = chance(20)
    pins(translation.waits) = chance(50)
    pins(translation.woken) = chance(30)
  }

  private def noRename(): Unit = {
    pins(request.allocate) = false
    pins(finish.take) = false
  }

  private def rename(): Option[Inst] = {
    noRename()
    val sqUsed = (sqTail - sqDeq + 2 * p.sqEntries) % (2 * p.sqEntries)
    val inst =
      if (is(finish.available) && chance(takePercent)) Some(new Take)
      else if (sqUsed < p.sqEntries && chance(storePercent)) drawStore()
      else if (!is(request.full) && chance(renamePercent)) draw()
      else None
    inst.foreach { i =>
      i.reqPtr = pins(request.tail).toInt
      i.finPtr = pins(finish.renamePtr).toInt
      i.sqPtr = sqTail
      rob += i
      i match {
        case _: Take => pins(finish.take) = true
        case q: Request =>
          pins(request.allocate) = true
          pins(request.allocateOp) = q.r.op
          pins(request.allocateSqPtr) = sqTail
        case _: Store => sqTail = (sqTail + 1) % (2 * p.sqEntries)
      }
    }
    inst
  }

  /** Reads a taken entry, some of them in the very cycle of the take. */
  private def readTaken(insts: Seq[Inst], renamed: Option[Inst]): Unit = {
    val ready = (insts ++ renamed).collect { case t: Take if !t.executed => t }
    if (ready.nonEmpty && chance(70)) {
      val t = ready(random.nextInt(ready.size))
      pins(finish.readPtr) = t.finPtr
      t.id = pins(finish.read.id).toInt
      checkTaken(t.id)
      btqTargets.get(t.finPtr).foreach(target => assert(target == reference.targetOf(t.id), "target sent to the BTQ"))
      t.executed = true
    }
  }

  private def receiveBtq(): Unit = {
    val ready = chance(60)
    pins(dut.io.btq.ready) = ready
    if (ready && is(dut.io.btq.valid)) {
      val ptr = pins(dut.io.btq.bits.finPtr).toInt
      val renamePtr = pins(finish.renamePtr).toInt
      assert((ptr - btqNext + 64) % 64 < 32, "BTQ entries out of order")
      assert((ptr - renamePtr + 64) % 64 < p.finishQueue, "BTQ given an entry that was already taken")
      btqTargets(ptr) = pins(dut.io.btq.bits.target)
      btqNext = (ptr + 1) % 64
    }
  }
}
