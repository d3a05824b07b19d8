// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import nhg._
import scala.collection.mutable
import scala.util.Random

object Kind extends Enumeration {
  val load, prefetch, store, amo, branch = Value
}

/** One memory instruction of the random program (`branch` stands for everything that is none). */
case class MemInst(kind: Kind.Value, addr: BigInt, size: Int, unsigned: Boolean, data: BigInt, amoOp: Int, waits: Boolean) {
  /** To a floating-point register: 4 bytes are boxed. */
  def isFp: Boolean = kind == Kind.load && size >= 2 && !unsigned && data.testBit(5)
}

class RobEntry(val inst: MemInst, val robIdx: Int, val lqPtr: Int, val sqPtr: Int, val wrongPath: Boolean, val mispredicts: Boolean) {
  var addressIssued = false
  var dataIssued = false
  var addressDone = false
  var dataDone = false
  var resolved = false
  var violation = false
  var value: Option[BigInt] = None
  var cause: Option[Int] = None
  var tval: BigInt = 0

  def done: Boolean = inst.kind match {
    case Kind.branch => resolved
    case Kind.load | Kind.prefetch | Kind.amo => value.nonEmpty || cause.nonEmpty
    case Kind.store => cause.nonEmpty || (addressDone && dataDone)
  }
}

/** How the mock back end behaves: probabilities a cycle. */
case class CoreStyle(
    issueChance: Double = 0.7,
    oldestFirst: Double = 0.3,
    mispredict: Double = 0.15,
    commitChance: Double = 0.8,
    fullRename: Boolean = false // as many instructions a cycle as there is room for
)

/** Drives `LsuIO` like an out-of-order back end: renames in order, issues in random order, squashes wrong paths,
  * replays violations at the ROB head, commits in order and compares each result with a sequential memory.
  */
class CoreMock(p: NhgParams, io: LsuIO, s: Signals, random: Random, program: () => MemInst, style: CoreStyle, model: SequentialModel) {
  private val robSize = p.backend.robEntries
  private val lqMod = 1 << p.lqPtrBits
  private val sqMod = 1 << p.sqPtrBits
  private var rob = Vector[RobEntry]()
  private var robTail = 0
  private var lqTail = 0
  private var sqTail = 0
  private val refetch = mutable.Queue[MemInst]()
  private var onWrongPath = false
  private var sinceCommit = 0

  var committed = 0
  var exceptions = 0
  var violations = 0
  var squashes = 0
  var fetching = true
  def empty: Boolean = rob.isEmpty

  private case class Cycle(
      flush: Boolean,
      restoreAt: Option[RobEntry],
      commits: Vector[RobEntry],
      loads: Seq[Option[RobEntry]],
      addresses: Seq[Option[RobEntry]],
      data: Seq[Option[RobEntry]],
      allocated: Vector[RobEntry]
  )
  private var now: Cycle = _

  private def pick(candidates: Vector[RobEntry]): Option[RobEntry] =
    if (candidates.isEmpty || random.nextDouble() >= style.issueChance) None
    else if (random.nextDouble() < style.oldestFirst) candidates.headOption
    else Some(candidates(random.nextInt(candidates.size)))

  /** One for each of `ports`, all different. */
  private def pickEach(candidates: Vector[RobEntry], ports: Int): Seq[Option[RobEntry]] =
    (0 until ports).foldLeft(Vector[Option[RobEntry]]()) { (picked, _) => picked :+ pick(candidates.filterNot(picked.flatten.contains(_))) }

  private def splitAddress(e: RobEntry): (BigInt, BigInt) = {
    val imm = if (e.inst.kind == Kind.amo) 0 else random.nextInt(4096) - 2048
    (((e.inst.addr - imm) & ((BigInt(1) << 64) - 1)), BigInt(imm & 0xfff))
  }

  def drive(): Unit = {
    val head = rob.headOption
    val flush = head.exists(h => h.done && (h.violation || h.cause.nonEmpty)) && random.nextBoolean()
    val resolvable = rob.filter(e => e.inst.kind == Kind.branch && !e.resolved)
    val resolves = if (flush || resolvable.isEmpty || random.nextInt(4) != 0) None else Some(resolvable(random.nextInt(resolvable.size)))
    resolves.foreach(_.resolved = true)
    val restoreAt = resolves.filter(_.mispredicts)

    val commits =
      if (flush || random.nextDouble() >= style.commitChance) Vector()
      else rob.take(p.backend.commitWidth).takeWhile(e => e.done && !e.violation && e.cause.isEmpty && !restoreAt.exists(_ eq e))

    val squashing = flush || restoreAt.nonEmpty
    val isLoad = Set(Kind.load, Kind.prefetch)
    val loadable = if (squashing) Vector() else rob.filter(e => isLoad(e.inst.kind) && !e.addressIssued)
    val loads = pickEach(loadable, p.lsu.loadPipes)
    val stores = if (squashing) Vector() else rob.filter(e => Set(Kind.store, Kind.amo)(e.inst.kind))
    val addresses = pickEach(stores.filterNot(_.addressIssued), p.lsu.storePipes).map(_.filter(_ => style.fullRename || random.nextBoolean()))
    val data = pickEach(stores.filterNot(_.dataIssued), p.lsu.storePipes)

    // rename
    var allocated = Vector[RobEntry]()
    if (!squashing && fetching) {
      val lqFree = s.get(io.lqFree).toInt
      val sqFree = s.get(io.sqFree).toInt
      assert(s.get(io.lqTail) == lqTail && s.get(io.sqTail) == sqTail, "queue tails differ")
      val room = Seq(p.backend.decodeWidth, lqFree, sqFree, robSize - rob.size).min
      for (_ <- 0 until (if (style.fullRename) room else random.nextInt(room.max(0) + 1))) {
        val inst = if (!onWrongPath && refetch.nonEmpty) refetch.dequeue() else program()
        val mispredicts = inst.kind == Kind.branch && random.nextDouble() < style.mispredict
        val e = new RobEntry(inst, robTail, lqTail, sqTail, onWrongPath, mispredicts)
        if (mispredicts) onWrongPath = true
        if (isLoad(inst.kind)) lqTail = (lqTail + 1) % lqMod
        if (Set(Kind.store, Kind.amo)(inst.kind)) sqTail = (sqTail + 1) % sqMod
        robTail = (robTail + 1) % robSize
        allocated :+= e
      }
    }
    now = Cycle(flush, restoreAt, commits, loads, addresses, data, allocated)

    s.set(io.flush, flush)
    s.set(io.restore.valid, restoreAt.nonEmpty)
    restoreAt.foreach { b =>
      s.set(io.restore.bits.lqTail, b.lqPtr)
      s.set(io.restore.bits.sqTail, b.sqPtr)
    }
    s.set(io.allocLoads, allocated.count(e => isLoad(e.inst.kind)))
    s.set(io.allocStores, allocated.count(e => Set(Kind.store, Kind.amo)(e.inst.kind)))
    s.set(io.commitLoads, commits.count(e => isLoad(e.inst.kind)))
    s.set(io.commitStores, commits.count(e => Set(Kind.store, Kind.amo)(e.inst.kind)))
    s.set(io.robHead.valid, head.nonEmpty)
    head.foreach(h => s.set(io.robHead.bits, h.robIdx))
    for ((e, port) <- now.loads.zip(io.load)) {
      s.set(port.valid, e.nonEmpty)
      e.foreach { e =>
        val (base, imm) = splitAddress(e)
        s.set(port.bits.robIdx, e.robIdx)
        s.set(port.bits.lqPtr, e.lqPtr)
        s.set(port.bits.sqPtr, e.sqPtr)
        s.set(port.bits.dest.index, 1 + e.robIdx % 63)
        s.set(port.bits.dest.writes, e.inst.kind != Kind.prefetch)
        s.set(port.bits.dest.regClass, if (e.inst.isFp) p.backend.fpClass else 0)
        s.set(port.bits.base, base)
        s.set(port.bits.imm, imm)
        s.set(port.bits.size, e.inst.size)
        s.set(port.bits.unsigned, e.inst.unsigned)
        s.set(port.bits.isPrefetch, e.inst.kind == Kind.prefetch)
        s.set(port.bits.waitForStores, e.inst.waits)
      }
    }
    for ((address, to) <- addresses.zip(io.storeAddress)) {
      s.set(to.valid, address.nonEmpty)
      address.foreach { e =>
        val (base, imm) = splitAddress(e)
        val port = to.bits
        s.set(port.robIdx, e.robIdx)
        s.set(port.sqPtr, e.sqPtr)
        s.set(port.lqPtr, e.lqPtr)
        s.set(port.isAmo, e.inst.kind == Kind.amo)
        s.set(port.amoOp, e.inst.amoOp)
        s.set(port.dest.index, 1 + e.robIdx % 63)
        s.set(port.dest.writes, e.inst.kind == Kind.amo)
        s.set(port.base, base)
        s.set(port.imm, imm)
        s.set(port.size, e.inst.size)
      }
    }
    for ((word, to) <- data.zip(io.storeData)) {
      s.set(to.valid, word.nonEmpty)
      word.foreach { e =>
        s.set(to.bits.sqPtr, e.sqPtr)
        s.set(to.bits.data, e.inst.data)
      }
    }
  }

  private def entry(robIdx: BigInt, what: String): RobEntry =
    rob.find(_.robIdx == robIdx).getOrElse(throw new AssertionError(s"$what for ROB index $robIdx, which is not in use"))

  def sample(): Unit = {
    for (e <- now.commits) model.commit(e)
    committed += now.commits.size
    sinceCommit = if (now.commits.nonEmpty || now.flush || rob.isEmpty) 0 else sinceCommit + 1
    assert(sinceCommit < 3000, s"no progress; ROB head ${rob.head.inst} issued ${rob.head.addressIssued}")

    if (!now.flush) {
      val survivors = now.restoreAt.map(b => rob.takeWhile(_ ne b) :+ b).getOrElse(rob)
      def alive(e: RobEntry): Boolean = survivors.exists(_ eq e)
      for ((e, port) <- now.loads.zip(io.load); x <- e if s.is(port.ready)) x.addressIssued = true
      for ((e, port) <- now.addresses.zip(io.storeAddress); x <- e if s.is(port.ready)) x.addressIssued = true
      for ((e, port) <- now.data.zip(io.storeData); x <- e if s.is(port.ready)) x.dataIssued = true
      for (port <- io.writeback ++ io.storeDone if s.is(port.valid)) {
        val e = entry(s.get(port.bits.robIdx), "write-back")
        assert(alive(e), s"write-back of the squashed ${e.inst}")
        if (s.is(port.bits.exception.valid)) {
          e.cause = Some(s.get(port.bits.exception.cause).toInt)
          e.tval = s.get(port.bits.exception.tval)
        } else if (io.storeDone.exists(_ eq port)) {
          assert(e.inst.kind == Kind.store && !e.addressDone, s"store done twice: ${e.inst}")
          e.addressDone = true
        } else {
          assert(e.value.isEmpty, s"two results for ${e.inst}")
          assert(s.is(port.bits.dest.writes) == (e.inst.kind != Kind.prefetch), s"destination of ${e.inst}")
          assert(!s.is(port.bits.dest.writes) || s.get(port.bits.dest.index) == 1 + e.robIdx % 63, "wrong destination")
          e.value = Some(s.get(port.bits.data))
        }
      }
      for (done <- io.storeDataDone if s.is(done.valid)) entry(s.get(done.bits), "store data").dataDone = true
      if (s.is(io.violation.valid)) {
        val e = entry(s.get(io.violation.bits), "violation")
        assert(e.inst.kind == Kind.load && alive(e), s"violation of ${e.inst}")
        e.violation = true
        violations += 1
      }
    }

    // the ROB after this cycle
    rob = rob.drop(now.commits.size)
    if (now.flush) {
      val faulting = rob.head.cause.nonEmpty && !rob.head.violation
      if (faulting) { model.fault(rob.head); exceptions += 1 }
      requeue(if (faulting) rob.tail else rob)
      robTail = rob.head.robIdx
      lqTail = rob.head.lqPtr
      sqTail = rob.head.sqPtr
      rob = Vector()
      onWrongPath = false
    } else now.restoreAt.foreach { b =>
      squashes += 1
      val kept = rob.takeWhile(_ ne b) :+ b
      requeue(rob.drop(kept.size))
      rob = kept
      robTail = (b.robIdx + 1) % robSize
      lqTail = b.lqPtr
      sqTail = b.sqPtr
      onWrongPath = b.wrongPath
    }
    rob ++= now.allocated
  }

  /** Instructions of the right path come again after a flush, in order. */
  private def requeue(entries: Vector[RobEntry]): Unit = {
    val again = entries.filterNot(_.wrongPath).map(_.inst)
    val rest = refetch.dequeueAll(_ => true)
    refetch ++= again
    refetch ++= rest
  }
}
