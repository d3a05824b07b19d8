// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import amu.AmuParams
import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The store queue between random renames, addresses and data in any order, squashes, commits, a cache that refuses and fails stores, and loads
  * that ask, against a list of stores in program order.
  */
class StoreQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val n = 8
  private val p = NhgParams(lsu = LsuParams(storeQueue = n), amu = AmuParams(sqEntries = n))

  private object Kind extends Enumeration { val memory, spm, device, amo, lr, faulting = Value }
  private class Store(val position: Int, val kind: Kind.Value, val addr: BigInt, val size: Int, val data: BigInt) {
    var addressKnown, dataKnown, dataReported, sent, performed = false
    def word: BigInt = addr >> 3
    def offset: Int = (addr & 7).toInt
    def mask: Int = ((1 << (1 << size)) - 1) << offset
    def placed: BigInt = (data << (8 * offset)) & ((BigInt(1) << 64) - 1)
    def isPlain: Boolean = kind == Kind.memory || kind == Kind.spm || kind == Kind.faulting
    def atHead: Boolean = kind == Kind.device || kind == Kind.amo || kind == Kind.lr
    def writes: Boolean = kind != Kind.lr && kind != Kind.faulting
  }

  private class Bench(dut: StoreQueue, random: Random) {
    private val s = new Signals
    private val io = dut.io
    private val stores = mutable.ArrayBuffer.empty[Store] // deq … tail
    private var deq, commit = 0 // positions, counted for ever
    private def tail: Int = deq + stores.size
    private def at(position: Int): Store = stores(position - deq)
    private def pointer(position: Int): BigInt = Math.floorMod(position, 2 * n)
    private var inCache: Option[Store] = None // st1
    private var lastEvents = Seq.fill(3)(Option.empty[Int]) // address, data, drained
    var stopping = false
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    def idle: Boolean = stores.isEmpty && inCache.isEmpty

    private def newStore(position: Int): Store = {
      val size = random.nextInt(4)
      val kind = random.nextInt(20) match {
        case 0 => Kind.device
        case 1 => Kind.amo
        case 2 => Kind.lr
        case 3 => Kind.faulting
        case 4 | 5 => Kind.spm
        case _ => Kind.memory
      }
      val base = if (kind == Kind.spm) p.map.spm.base else if (kind == Kind.device) p.map.mmio.base else p.map.local.base
      new Store(position, kind, base + 8 * random.nextInt(2) + (random.nextInt(8) >> size << size), size, BigInt(64, random))
    }

    private def checkForward(f: ForwardPort): Unit = {
      val asks = deq + random.nextInt(stores.size + 1)
      val size = random.nextInt(4)
      val offset = random.nextInt(8) >> size << size
      val mask = ((1 << (1 << size)) - 1) << offset
      val word = BigInt((if (random.nextInt(8) == 0) p.map.spm.base else p.map.local.base) / 8 + random.nextInt(2))
      s.set(f.word, word)
      s.set(f.mask, mask)
      s.set(f.sqPtr, pointer(asks))
      val older = stores.take(asks - deq)
      val unknown = older.filterNot(_.addressKnown)
      assert(s.is(f.unknown) == unknown.nonEmpty, "an older store without address")
      unknown.lastOption.foreach(u => assert(s.get(f.unknownIdx) == u.position % n, "the youngest older store without address"))
      val touching = older.filter(o => o.addressKnown && o.writes && o.word == word && (o.mask & mask) != 0)
      assert(s.is(f.overlaps) == touching.nonEmpty, s"bytes ${mask.toBinaryString} of word $word below $asks")
      touching.lastOption.foreach { o =>
        assert(s.get(f.ptr) == pointer(o.position), "the youngest older store to these bytes")
        val covers = o.isPlain && (mask & ~o.mask) == 0
        assert(s.is(f.covers) == covers, "the store gives every byte")
        assert(s.is(f.dataValid) == o.dataKnown, "the store's data is there")
        if (covers && o.dataKnown) {
          assert(s.get(f.data) == o.data && s.get(f.offset) == o.offset, "the store's data")
          counts(if (touching.size > 1) "forwarded past older ones" else "forwarded") += 1
        }
        if (!covers && o.isPlain) counts("partial overlap") += 1
        if (o.position / n != asks / n) counts("forwarded round the end") += 1
      }
    }

    private def driveOp(op: StoreOp, store: Store): Unit = {
      s.set(op.robIdx, store.position % p.backend.robEntries)
      s.set(op.sqPtr, pointer(store.position))
      s.set(op.addr, store.addr)
      s.set(op.size, store.size)
      s.set(op.isAmo, store.kind == Kind.amo || store.kind == Kind.lr)
      s.set(op.amoOp, if (store.kind == Kind.lr) AmoOp.lr.litValue else BigInt(0))
      s.set(op.isSpm, store.kind == Kind.spm)
      s.set(op.isMmio, store.kind == Kind.device)
      s.set(op.exception.valid, store.kind == Kind.faulting)
    }

    def step(): Unit = {
      // what the last cycles left
      assert(s.get(io.tail) == pointer(tail) && s.get(io.deq) == pointer(deq), "tail and deq")
      assert(s.get(io.free) == n - stores.size, "free entries")
      assert(s.is(io.drained) == (deq == commit), "drained")
      for ((event, expected) <- Seq(io.events.address, io.events.data, io.events.drained).zip(lastEvents)) {
        assert(s.is(event.valid) == expected.nonEmpty, "event of the last cycle")
        expected.foreach(i => assert(s.get(event.bits) == i, "entry of the event"))
      }

      // commit, squash, rename
      val mayCommit = stores.drop(commit - deq).takeWhile(x => x.addressKnown && x.dataReported && x.kind != Kind.faulting && (x.performed || !x.atHead))
      val commits = random.nextInt(mayCommit.size.min(p.backend.commitWidth) + 1)
      val headFaults = commit < tail && at(commit).addressKnown && at(commit).kind == Kind.faulting
      val flush = commits == 0 && (headFaults || random.nextInt(60) == 0) && !(commit < tail && at(commit).performed)
      val uncommitted = tail - commit - commits
      val performedHead = stores.slice(commit - deq + commits, stores.size).count(_.performed) // stays: it is at the ROB head
      val back = if (!flush && random.nextInt(20) == 0) Some(commit + commits + performedHead + random.nextInt(uncommitted - performedHead + 1)) else None
      val squashing = flush || back.nonEmpty
      val survives = if (flush) commit + commits else back.getOrElse(tail)
      val allocates = random.nextInt((n - stores.size).min(p.backend.decodeWidth) + 1)
      s.set(io.commit, commits)
      s.set(io.squash.flush, flush)
      s.set(io.squash.restore, back.nonEmpty)
      back.foreach(b => s.set(io.squash.sqTail, pointer(b)))
      val renamed = if (stopping) 0 else allocates
      s.set(io.alloc, renamed) // means nothing in the cycle of a squash

      // address and data; the address pipe knows of the squash, the data port does not
      val needAddress = stores.filter(x => !x.addressKnown && x.position < survives)
      val needData = stores.filterNot(_.dataKnown)
      val address = if (needAddress.isEmpty || random.nextBoolean()) None else Some(needAddress(random.nextInt(needAddress.size)))
      val data = if (needData.isEmpty || random.nextBoolean()) None else Some(needData(random.nextInt(needData.size)))
      s.set(io.resolved.valid, address.nonEmpty)
      address.foreach(driveOp(io.resolved.bits, _))
      s.set(io.data.valid, data.nonEmpty)
      data.foreach { x =>
        s.set(io.data.bits.sqPtr, pointer(x.position))
        s.set(io.data.bits.data, x.data)
      }
      if (data.exists(_.position >= survives)) counts("data of a store squashed now") += 1

      // cache and SPM
      val fails = inCache.nonEmpty && random.nextInt(4) == 0
      s.set(io.cache.s1_valid, inCache.nonEmpty)
      s.set(io.cache.s1_done, inCache.nonEmpty && !fails)
      s.set(io.cache.s1_failed, fails)
      s.set(io.cache.s0.ready, !fails && random.nextInt(4) != 0)
      s.set(io.spmWrite.ready, random.nextInt(4) != 0)
      io.forward.foreach(checkForward)
      val accepted = if (s.is(io.cache.s0.valid) && s.is(io.cache.s0.ready)) Some(nextToSend(Kind.memory)) else None
      accepted.foreach { x =>
        val bits = io.cache.s0.bits
        assert(s.get(bits.addr) == x.addr && s.get(bits.mask) == x.mask && s.get(bits.data) == x.placed && !s.is(bits.isAmo), "store to the cache")
      }
      val toSpm = if (s.is(io.spmWrite.valid) && s.is(io.spmWrite.ready)) Some(nextToSend(Kind.spm)) else None
      toSpm.foreach { x =>
        assert(inCache.isEmpty, "a store to the SPM overtakes one in the cache")
        val bits = io.spmWrite.bits
        assert(s.get(bits.word) == (x.addr - p.map.spm.base) / 8 && s.get(bits.mask) == x.mask && s.get(bits.data) == x.placed, "store to the SPM")
      }

      // the unit at the ROB head
      val head = if (commit < tail && at(commit).addressKnown && !at(commit).performed) Some(at(commit)) else None
      assert(s.is(io.head.valid) == head.nonEmpty, "oldest store not committed")
      head.foreach { x =>
        assert(s.get(io.head.bits.op.addr) == x.addr && s.is(io.head.bits.dataValid) == x.dataKnown, "operands of the oldest store")
        if (x.dataKnown) assert(s.get(io.head.bits.data) == x.data, "its data")
        assert(s.is(io.head.bits.olderDrained) == (deq == commit), "older stores drained")
      }
      val performs = head.exists(x => x.atHead && x.dataKnown && deq == commit && !flush && back.forall(_ > commit)) && random.nextInt(3) == 0
      s.set(io.headPerformed, performs)
      if (performs) counts(at(commit).kind.toString) += 1

      // data reported
      val reportable = stores.filter(x => x.addressKnown && x.dataKnown && !x.dataReported)
      if (!squashing) assert(s.is(io.dataDone.valid) == reportable.nonEmpty, "a store's data is reported")
      val reported = if (s.is(io.dataDone.valid)) reportable.find(x => s.get(io.dataDone.bits) == x.position % p.backend.robEntries) else None
      assert(reported.nonEmpty || !s.is(io.dataDone.valid), "reports data of a store that has none, or twice")
      assert(reported.forall(_.position < survives), "reports data of a squashed store")
      val drains = deq < commit && at(deq).performed
      assert(s.is(io.performs) == drains, "a performed store leaves")
      dut.clock.step()

      // the queue after this cycle
      lastEvents = Seq(address, data.filter(_.position < survives), if (drains) Some(at(deq)) else None).map(_.map(_.position % n))
      if (performs) at(commit).performed = true
      reported.foreach(_.dataReported = true)
      inCache.foreach { x =>
        if (fails) { x.sent = false; counts("failed in the cache") += 1 }
        else { x.performed = true; counts("in the cache") += 1 }
      }
      accepted.foreach(_.sent = true)
      inCache = accepted
      toSpm.foreach { x => x.sent = true; x.performed = true; counts("in the SPM") += 1 }
      address.foreach(_.addressKnown = true)
      data.filter(_.position < survives).foreach(_.dataKnown = true)
      commit += commits
      if (squashing) {
        if (survives < tail) counts("squashed") += 1
        stores.takeInPlace(survives - deq)
      } else for (_ <- 0 until renamed) stores += newStore(tail)
      if (drains) { stores.remove(0); deq += 1 }
      if (stores.size == n) counts("full") += 1
    }

    /** Stores leave in order, so the next one is the oldest committed one not sent; AMOs and device stores among them have been performed. */
    private def nextToSend(kind: Kind.Value): Store = {
      val next = stores.take(commit - deq).find(x => x.isPlain && !x.sent)
      assert(next.exists(_.kind == kind), s"sends a store to $kind, the next one is ${next.map(_.kind)}")
      next.get
    }
  }

  "StoreQueue" should "forward the youngest older store and perform the committed ones in order" in {
    test(new StoreQueue(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1))
      for (_ <- 0 until 6000) bench.step()
      bench.stopping = true
      for (_ <- 0 until 1000 if !bench.idle) bench.step()
      assert(bench.idle, "a store is never performed")
      println(s"StoreQueue: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val reached = Seq(
        "forwarded",
        "forwarded past older ones",
        "partial overlap",
        "forwarded round the end",
        "data of a store squashed now",
        "failed in the cache",
        "in the cache",
        "in the SPM",
        "device",
        "amo",
        "lr",
        "squashed",
        "full"
      )
      for (what <- reached) assert(bench.counts(what) > 20, s"too little: $what")
    }
  }
}
