// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import nhg._
import nhg.mem.{LsuIO, LsuWriteback, Signals}
import scala.util.Random

/** The LSU as the back end sees it, over a folded memory: loads run ahead of stores with unknown addresses and report violations, results
  * come after random times, device reads and AMOs wait for the ROB head. Queue positions are absolute numbers here.
  */
class LsuMock(p: NhgParams, io: LsuIO, s: Signals, random: Random) {
  private class Load(val position: Int) {
    var robIdx, funct3, due = 0
    var dest = Destination()
    var addr = 0L
    var stores = 0 // older stores end here
    var issued, isPrefetch, waits, executed, reported = false
    /** Byte of the word -> position of the store it came from, -1 for memory. */
    var sources: Map[Int, Int] = Map()
    var value = 0L
  }
  private class Store(val position: Int) {
    var robIdx, size, op, loads, addressDue, dataDue, performDue = 0
    var addr, data, result = 0L
    var dest = Destination()
    var isAmo, hasAddress, addressReported, hasData, dataReported, performed, committed, writes = false
    def isLr: Boolean = isAmo && op == 2
    def fault: Option[Boolean] = FoldedMemory.fault(addr)
    def bytes: Int = if (isLr || fault.isDefined) 0 else FoldedMemory.bytes(addr, size)
  }
  private case class Destination(writes: Boolean = false, index: BigInt = 0)
  private def destination(d: PhysicalDestination) = Destination(s.is(d.writes), s.get(d.index))
  private val lqMod = 1 << p.lqPtrBits
  private val sqMod = 1 << p.sqPtrBits
  private val memory = new FoldedMemory
  private var loads = Vector[Load]()
  private var stores = Vector[Store]()
  private var lqHead, sqHead, now = 0
  private def lqTail = lqHead + loads.length
  private def sqTail = sqHead + stores.length
  private def lqPosition(ptr: BigInt) = lqHead + Math.floorMod(ptr.toInt - lqHead, lqMod)
  private def sqPosition(ptr: BigInt) = sqHead + Math.floorMod(ptr.toInt - sqHead, sqMod)
  var violations, deviceReads = 0

  // this cycle's reports
  private var loadReports = Seq[Option[Load]]()
  private var amoReport: Option[Store] = None
  private var addressReports, dataReports = Vector[Store]()

  def drive(): Unit = {
    now += 1
    drain()
    val flush = s.is(io.flush)
    val restore = s.is(io.restore.valid)
    val liveLoads = if (flush) Vector() else if (restore) loads.filter(_.position < lqPosition(s.get(io.restore.bits.lqTail))) else loads
    val liveStores = if (flush) Vector() else if (restore) stores.filter(_.position < sqPosition(s.get(io.restore.bits.sqTail))) else stores
    val head = if (s.is(io.robHead.valid)) Some(s.get(io.robHead.bits).toInt) else None

    s.set(io.lqTail, lqTail % lqMod)
    s.set(io.sqTail, sqTail % sqMod)
    s.set(io.lqFree, p.lsu.loadQueue - loads.length)
    s.set(io.sqFree, p.lsu.storeQueue - stores.length)
    s.set(io.storesDrained, !stores.exists(_.committed))
    s.set(io.storesInLines, !stores.exists(_.committed))
    for (port <- io.load) s.set(port.ready, random.nextInt(4) != 0)
    for (port <- io.storeAddress) s.set(port.ready, random.nextInt(4) != 0)
    for (port <- io.storeData) s.set(port.ready, random.nextInt(4) != 0)

    for (load <- loads if load.issued && !load.executed && load.due <= now) execute(load, head)
    amoReport = liveStores.find(st =>
      st.isAmo && !st.performed && !st.committed && st.hasAddress && st.hasData && st.dataReported &&
        head.contains(st.robIdx) && st.performDue <= now && !stores.exists(_.committed)
    )
    amoReport.foreach(perform)
    val finished = random.shuffle(liveLoads.filter(l => l.executed && !l.reported))
    loadReports = if (amoReport.isDefined) Seq(None, finished.headOption) else Seq(finished.headOption, finished.lift(1))
    addressReports = liveStores.filter(st => st.hasAddress && !st.isAmo && !st.addressReported && st.addressDue <= now).take(p.lsu.storePipes)
    dataReports = liveStores.filter(st => st.hasAddress && st.hasData && !st.dataReported && st.dataDue <= now).take(p.lsu.storePipes)
    reports()
    violation(liveLoads, liveStores)
  }

  private def reports(): Unit = {
    for ((port, report) <- io.writeback.zip(loadReports)) {
      s.set(port.valid, report.isDefined)
      report.foreach { l =>
        val fault = FoldedMemory.fault(l.addr).filterNot(_ => l.isPrefetch)
        write(port.bits, l.robIdx, l.dest, l.value, l.addr, fault, isLoad = true, FoldedMemory.isDevice(l.addr))
      }
    }
    amoReport.foreach { st =>
      s.set(io.writeback(0).valid, true)
      write(io.writeback(0).bits, st.robIdx, st.dest, st.result, st.addr, st.fault, st.isLr, isDevice = false)
    }
    for ((fault, result) <- io.fault.init.zip(io.writeback)) {
      val excepted = s.is(result.valid) && s.is(result.bits.exception.valid)
      s.set(fault.valid, excepted)
      if (excepted) {
        s.set(fault.bits.robIdx, s.get(result.bits.robIdx))
        s.set(fault.bits.exception.valid, true)
        s.set(fault.bits.exception.cause, s.get(result.bits.exception.cause))
        s.set(fault.bits.exception.tval, s.get(result.bits.exception.tval))
      }
    }
    s.set(io.fault.last.valid, false)
    for ((port, k) <- io.storeDone.zipWithIndex) {
      s.set(port.valid, addressReports.isDefinedAt(k))
      addressReports.lift(k).foreach(st => write(port.bits, st.robIdx, Destination(), 0, st.addr, st.fault, isLoad = false, isDevice = false))
    }
    for ((port, k) <- io.storeDataDone.zipWithIndex) {
      s.set(port.valid, dataReports.isDefinedAt(k))
      dataReports.lift(k).foreach(st => s.set(port.bits, st.robIdx))
    }
  }

  private def write(to: LsuWriteback, robIdx: Int, dest: Destination, value: Long, addr: Long, fault: Option[Boolean], isLoad: Boolean, isDevice: Boolean)
      : Unit = {
    s.set(to.robIdx, robIdx)
    s.set(to.dest.writes, dest.writes && fault.isEmpty)
    s.set(to.dest.index, dest.index)
    s.set(to.data, Reference.bits(value))
    s.set(to.exception.valid, fault.isDefined)
    fault.foreach(misaligned => s.set(to.exception.cause, (if (misaligned) 4 else 5) + (if (isLoad) 0 else 2)))
    s.set(to.exception.tval, Reference.bits(addr))
    s.set(to.paddr, Reference.bits(addr) & ((BigInt(1) << p.paddrBits) - 1))
    s.set(to.isMmio, isDevice)
  }

  /** The oldest load that read bytes before the stores whose addresses become known in this cycle. */
  private def violation(liveLoads: Vector[Load], liveStores: Vector[Store]): Unit = {
    val arrived = liveStores.filter(st => st.hasAddress && st.addressDue == now)
    val early = liveLoads.filter(l =>
      l.executed && arrived.exists { st =>
        l.position >= st.loads && FoldedMemory.word(l.addr) == FoldedMemory.word(st.addr) &&
        l.sources.exists { case (byte, source) => (st.bytes >> byte & 1) == 1 && source < st.position }
      }
    )
    s.set(io.violation.valid, early.nonEmpty)
    early.headOption.foreach(l => s.set(io.violation.bits, l.robIdx))
    if (early.nonEmpty) violations += 1
  }

  private def execute(load: Load, head: Option[Int]): Unit = {
    val older = stores.filter(_.position < load.stores)
    val isDevice = FoldedMemory.isDevice(load.addr) && !load.isPrefetch
    if (isDevice) {
      if (head.contains(load.robIdx) && !stores.exists(_.committed)) {
        load.value = random.nextLong()
        load.executed = true
        deviceReads += 1
      }
    } else if (!load.waits || older.forall(_.hasAddress)) {
      val touching = older.filter(st =>
        st.hasAddress && FoldedMemory.word(st.addr) == FoldedMemory.word(load.addr) &&
          (st.bytes & FoldedMemory.bytes(load.addr, load.funct3 & 3)) != 0
      )
      if (touching.forall(st => st.hasData && (!st.isAmo || st.performed))) {
        val image = new FoldedMemory
        image.write(load.addr, 3, memory.read(load.addr & ~7L, 3))
        for (st <- touching if !st.isAmo || st.writes) image.write(st.addr, st.size, st.data)
        load.value = FoldedMemory.extend(image.read(load.addr, load.funct3 & 3), load.funct3)
        load.sources = (0 until 8).filter(b => (FoldedMemory.bytes(load.addr, load.funct3 & 3) >> b & 1) == 1)
          .map(b => b -> touching.filter(st => (st.bytes >> b & 1) == 1).map(_.position).lastOption.getOrElse(-1)).toMap
        load.executed = true
      }
    }
  }

  /** An AMO at the ROB head, older stores drained: `data` becomes its new value, which goes to memory after its commit. */
  private def perform(st: Store): Unit = {
    val old = FoldedMemory.extend(memory.read(st.addr, st.size), st.size)
    val isSc = st.op == 3
    val succeeds = random.nextBoolean()
    st.writes = !st.isLr && (!isSc || succeeds)
    st.result = if (isSc) (if (succeeds) 0 else 1) else old
    if (!isSc && !st.isLr) st.data = FoldedMemory.amo(st.op, st.size, old, st.data)
  }

  private def drain(): Unit = if (stores.headOption.exists(_.committed) && random.nextInt(3) == 0) {
    val st = stores.head
    if (!st.isAmo || st.writes) memory.write(st.addr, st.size, st.data)
    stores = stores.tail
    sqHead += 1
  }

  def sample(): Unit = {
    loadReports.flatten.foreach(_.reported = true)
    amoReport.foreach(_.performed = true)
    addressReports.foreach(_.addressReported = true)
    dataReports.foreach(_.dataReported = true)
    issues()
    commits()
    if (s.is(io.flush)) {
      loads = Vector()
      stores = stores.filter(_.committed)
    } else if (s.is(io.restore.valid)) {
      val (loadEnd, storeEnd) = (lqPosition(s.get(io.restore.bits.lqTail)), sqPosition(s.get(io.restore.bits.sqTail)))
      assert(loadEnd <= lqTail && storeEnd <= sqTail, "restore beyond the queues")
      loads = loads.filter(_.position < loadEnd)
      stores = stores.filter(_.position < storeEnd)
    } else {
      for (_ <- 0 until s.get(io.allocLoads).toInt) loads :+= new Load(lqTail)
      for (_ <- 0 until s.get(io.allocStores).toInt) stores :+= new Store(sqTail)
      assert(loads.length <= p.lsu.loadQueue && stores.length <= p.lsu.storeQueue, "queue overflow")
    }
  }

  private def issues(): Unit = {
    for (port <- io.load if s.is(port.valid) && s.is(port.ready)) {
      val b = port.bits
      val position = lqPosition(s.get(b.lqPtr))
      val load = loads.find(_.position == position).getOrElse(throw new AssertionError(s"load issued without an entry: $position"))
      assert(!load.issued, "load issued twice")
      load.issued = true
      load.robIdx = s.get(b.robIdx).toInt
      load.dest = destination(b.dest)
      load.funct3 = s.get(b.size).toInt | (if (s.is(b.unsigned)) 4 else 0)
      load.stores = sqPosition(s.get(b.sqPtr))
      load.isPrefetch = s.is(b.isPrefetch)
      load.waits = s.is(b.waitForStores)
      load.addr = s.get(b.base).toLong + (s.get(b.imm).toLong << 52 >> 52)
      load.due = now + 2 + random.nextInt(if (random.nextInt(8) == 0) 40 else 4)
    }
    for (port <- io.storeAddress if s.is(port.valid) && s.is(port.ready)) {
      val b = port.bits
      val st = store(s.get(b.sqPtr), "address")
      assert(!st.hasAddress, "store address issued twice")
      st.hasAddress = true
      st.robIdx = s.get(b.robIdx).toInt
      st.dest = destination(b.dest)
      st.size = s.get(b.size).toInt
      st.isAmo = s.is(b.isAmo)
      st.op = s.get(b.amoOp).toInt
      st.loads = lqPosition(s.get(b.lqPtr))
      st.addr = s.get(b.base).toLong + (s.get(b.imm).toLong << 52 >> 52)
      st.addressDue = now + 1
      st.performDue = now + 2 + random.nextInt(10)
    }
    for (port <- io.storeData if s.is(port.valid) && s.is(port.ready)) {
      val st = store(s.get(port.bits.sqPtr), "data")
      assert(!st.hasData, "store data issued twice")
      st.hasData = true
      st.data = s.get(port.bits.data).toLong
      st.dataDue = now + 1 + random.nextInt(4)
    }
  }
  private def store(ptr: BigInt, what: String): Store =
    stores.find(_.position == sqPosition(ptr)).getOrElse(throw new AssertionError(s"store $what issued without an entry"))

  private def commits(): Unit = {
    val committedLoads = s.get(io.commitLoads).toInt
    assert(loads.take(committedLoads).forall(_.reported), "a load commits without a result")
    loads = loads.drop(committedLoads)
    lqHead += committedLoads
    val open = stores.filterNot(_.committed)
    val leaving = open.take(s.get(io.commitStores).toInt)
    for (st <- leaving) {
      val done = if (st.isAmo) st.performed else st.addressReported
      assert(st.hasAddress && st.fault.isEmpty && st.hasData && done, "a store commits too early")
      st.committed = true
    }
  }
}
