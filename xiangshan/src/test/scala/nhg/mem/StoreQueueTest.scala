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
    var addressKnown, dataKnown, dataReported, performed = false
    def line: BigInt = addr >> 6
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
    private var bufferEmpty = true
    private var lastEvents = Seq.fill(3)(Seq.empty[Int]) // address, data, drained
    var stopping = false
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    def idle: Boolean = stores.isEmpty

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
      new Store(
        position,
        kind,
        base + (if (random.nextInt(8) == 0) 64 else 0) + 8 * random.nextInt(2) + (random.nextInt(8) >> size << size),
        size,
        BigInt(64, random)
      )
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
      bufferEmpty = random.nextInt(3) != 0
      s.set(io.bufferEmpty, bufferEmpty)
      assert(s.is(io.drained) == (deq == commit && bufferEmpty), "drained")
      for ((ports, expected) <- Seq(io.events.address, io.events.data, io.events.drained).zip(lastEvents)) {
        val told = ports.filter(e => s.is(e.valid)).map(e => s.get(e.bits).toInt)
        assert(told.toSet == expected.toSet && told.size == expected.size, "events of the last cycle")
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
      def some(from: Seq[Store]): Seq[Option[Store]] = random.shuffle(from).take(p.lsu.storePipes).map(Some(_).filter(_ => random.nextInt(3) != 0))
      val (addresses, datas) = (some(needAddress.toSeq), some(needData.toSeq))
      for ((port, k) <- io.resolved.zipWithIndex; store = addresses.lift(k).flatten) {
        s.set(port.valid, store.nonEmpty)
        store.foreach(driveOp(port.bits, _))
      }
      for ((port, k) <- io.data.zipWithIndex; store = datas.lift(k).flatten) {
        s.set(port.valid, store.nonEmpty)
        store.foreach { x =>
          s.set(port.bits.sqPtr, pointer(x.position))
          s.set(port.bits.data, x.data)
        }
      }
      val (address, data) = (addresses.flatten, datas.flatten)
      if (address.size > 1) counts("two addresses") += 1
      if (data.exists(_.position >= survives)) counts("data of a store squashed now") += 1

      // store buffer and SPM
      s.set(io.buffer.ready, random.nextInt(4) != 0)
      s.set(io.spmWrite.ready, random.nextInt(4) != 0)
      io.forward.foreach(checkForward)
      val accepted = if (s.is(io.buffer.valid)) checkBuffer() else Nil
      val toSpm = if (s.is(io.spmWrite.valid) && s.is(io.spmWrite.ready)) Some(oldest(Kind.spm)) else None
      toSpm.foreach { x =>
        val bits = io.spmWrite.bits
        assert(s.get(bits.word) == (x.addr - p.map.spm.base) / 8 && s.get(bits.mask) == x.mask && s.get(bits.data) == x.placed, "store to the SPM")
        counts("in the SPM") += 1
      }

      // the unit at the ROB head
      val head = if (commit < tail && at(commit).addressKnown && !at(commit).performed) Some(at(commit)) else None
      assert(s.is(io.head.valid) == head.nonEmpty, "oldest store not committed")
      head.foreach { x =>
        assert(s.get(io.head.bits.op.addr) == x.addr && s.is(io.head.bits.dataValid) == x.dataKnown, "operands of the oldest store")
        if (x.dataKnown) assert(s.get(io.head.bits.data) == x.data, "its data")
        assert(s.is(io.head.bits.olderDrained) == (deq == commit && bufferEmpty), "older stores drained")
      }
      val performs = head.exists(x => x.atHead && x.dataKnown && deq == commit && bufferEmpty && !flush && back.forall(_ > commit)) && random.nextInt(3) == 0
      s.set(io.headPerformed, performs)
      if (performs) counts(at(commit).kind.toString) += 1

      // data reported
      val reportable = stores.filter(x => x.addressKnown && x.dataKnown && !x.dataReported)
      val reports = io.dataDone.filter(d => s.is(d.valid)).map(d => s.get(d.bits))
      if (!squashing) assert(reports.size == reportable.size.min(p.lsu.storePipes), "the data of stores is reported")
      val reported =
        reports.map(r => reportable.find(x => r == x.position % p.backend.robEntries).getOrElse(fail("reports data of a store that has none, or twice")))
      assert(reported.distinct.size == reported.size && reported.forall(_.position < survives), "reports data twice or of a squashed store")
      val next = stores.take(commit - deq).headOption
      val leaving = accepted ++ toSpm ++ next.filter(x => x.atHead && x.performed)
      assert(s.is(io.leaves) == leaving.nonEmpty, "a store leaves")
      assert(s.get(io.free) == n - stores.size + leaving.size, "free entries, with those that become free")
      dut.clock.step()

      // the queue after this cycle
      lastEvents = Seq(address, data.filter(_.position < survives), leaving).map(_.map(_.position % n).toSeq)
      if (performs) at(commit).performed = true
      reported.foreach(_.dataReported = true)
      address.foreach(_.addressKnown = true)
      data.filter(_.position < survives).foreach(_.dataKnown = true)
      commit += commits
      if (squashing) {
        if (survives < tail) counts("squashed") += 1
        stores.takeInPlace(survives - deq)
      } else for (_ <- 0 until renamed) stores += newStore(tail)
      stores.remove(0, leaving.size)
      deq += leaving.size
      if (stores.size == n) counts("full") += 1
    }

    /** The stores that leave for the store buffer in this cycle: the oldest one, and the next one if it is of the same line. */
    private def checkBuffer(): Seq[Store] = {
      val first = oldest(Kind.memory)
      val offered = first +: stores.slice(1, 2.min(commit - deq)).filter(x => x.kind == Kind.memory && x.line == first.line).toSeq
      val bits = io.buffer.bits
      assert(s.get(bits.lineAddr) == first.line, "line of the oldest store")
      val expected = mutable.LinkedHashMap.empty[BigInt, (BigInt, Int)] // word of the line -> bytes, mask
      for (x <- offered) {
        val (bytes, mask) = expected.getOrElse(x.word & 7, (BigInt(0), 0))
        expected(x.word & 7) = ((0 until 8).map(b => (if ((x.mask >> b & 1) == 1) x.placed else bytes) & (BigInt(255) << (8 * b))).sum, mask | x.mask)
      }
      val words = bits.words.filter(w => s.is(w.valid)).map(w => s.get(w.bits.index) -> w.bits)
      assert(words.map(_._1) == expected.keys.toSeq, "words of the oldest stores")
      for ((index, word) <- words; (bytes, mask) = expected(index); b <- 0 until 8 if (mask >> b & 1) == 1)
        assert((s.get(word.data) >> (8 * b) & 255) == (bytes >> (8 * b) & 255) && s.get(word.mask) == mask, "bytes for the store buffer")
      if (!s.is(io.buffer.ready)) Nil
      else {
        if (offered.size > 1) counts(if (words.size > 1) "two to the buffer" else "a word of two") += 1
        offered
      }
    }

    /** Stores leave in order. */
    private def oldest(kind: Kind.Value): Store = {
      val next = stores.take(commit - deq).headOption
      assert(next.exists(x => x.kind == kind && !x.performed), s"a store leaves to $kind, the oldest one is ${next.map(_.kind)}")
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
        "two addresses",
        "two to the buffer",
        "a word of two",
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
