// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import common.Simulators
import nhg._
import nhg.priv.Pmp
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** One load pipe: random loads and replays, a squash in s0 or s1, and every answer of store queue and cache, against the order of reasons that
  * a load has for not finishing.
  */
class LoadPipeTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val all = (BigInt(1) << 64) - 1

  private case class Load(
      addr: BigInt,
      size: Int,
      unsigned: Boolean,
      isPrefetch: Boolean,
      waits: Boolean,
      lqPtr: Int,
      isReplay: Boolean,
      busError: Boolean,
      denied: Boolean,
      watched: Boolean,
      misses: Boolean,
      pageFault: Boolean
  ) {
    def bytes: Int = 1 << size
    def mask: Int = (((1 << bytes) - 1) << (addr & 7).toInt) & 255
    def isMmio: Boolean = addr >= p.map.mmio.base && addr < p.map.mmio.end
    def isSpm: Boolean = addr >= p.map.spm.base && addr < p.map.spm.end
    def isMemory: Boolean = (addr >= p.map.local.base && addr < p.map.local.end) || (addr >= p.map.far.base && addr < p.map.far.end)
    def misaligned: Boolean = (addr & (bytes - 1)) != 0
    def fails: Boolean = if (isReplay) busError else !isPrefetch && (watched || misaligned || !misses && !legal)
    def legal: Boolean = !pageFault && !denied && (isMmio || isSpm || isMemory)
    /** For a walk of page tables. */
    def waitsForWalk: Boolean = misses && !fails
    /** Bytes of a word from `offset` on, as the register gets them. */
    def extend(word: BigInt, offset: Int): BigInt = {
      val value = (word >> (8 * offset)) & ((BigInt(1) << (8 * bytes)) - 1)
      if (!unsigned && value.testBit(8 * bytes - 1)) (value - (BigInt(1) << (8 * bytes))) & all else value
    }
  }

  private class Bench(dut: LoadPipe, random: Random) {
    private val s = new Signals
    private val io = dut.io
    val counts: scala.collection.mutable.Map[String, Int] = scala.collection.mutable.Map[String, Int]().withDefaultValue(0)
    private var inS1: Option[Load] = None
    private def chance(percent: Int) = random.nextInt(100) < percent

    private def draw(isReplay: Boolean): Load = {
      val region = Seq(p.map.local, p.map.local, p.map.far, p.map.spm, p.map.mmio)(random.nextInt(5))
      val size = random.nextInt(4)
      val isPrefetch = !isReplay && chance(15)
      val offset = if (!isReplay && chance(10)) random.nextInt(8) else random.nextInt(8) >> size << size
      val addr = if (!isReplay && chance(5)) BigInt(1) << 40 else BigInt(region.base) + 8 * random.nextInt(16) + offset
      Load(
        addr,
        size,
        random.nextBoolean(),
        isPrefetch,
        chance(50),
        random.nextInt(32),
        isReplay,
        isReplay && chance(10),
        chance(10),
        chance(5),
        !isReplay && chance(10),
        !isReplay && chance(10)
      )
    }

    def step(): Unit = {
      // s0
      val replay = if (chance(40)) Some(draw(isReplay = true)) else None
      val issue = if (chance(70)) Some(draw(isReplay = false)) else None
      s.set(io.replay.valid, replay.nonEmpty)
      replay.foreach { l =>
        s.set(io.replay.bits.addr, l.addr)
        s.set(io.replay.bits.vaddr, l.addr)
        s.set(io.replay.bits.translated, true)
        s.set(io.replay.bits.size, l.size)
        s.set(io.replay.bits.unsigned, l.unsigned)
        s.set(io.replay.bits.isPrefetch, l.isPrefetch)
        s.set(io.replay.bits.waitForStores, l.waits)
        s.set(io.replay.bits.lqPtr, l.lqPtr)
        s.set(io.replay.bits.busError, l.busError)
        s.set(io.replay.bits.isSpm, l.isSpm)
        s.set(io.replay.bits.isMmio, l.isMmio)
        s.set(io.replay.bits.dest.writes, true)
      }
      s.set(io.issue.valid, issue.nonEmpty)
      issue.foreach { l =>
        val imm = random.nextInt(4096) - 2048
        s.set(io.issue.bits.base, (l.addr - imm) & all)
        s.set(io.issue.bits.imm, imm & 0xfff)
        s.set(io.issue.bits.size, l.size)
        s.set(io.issue.bits.unsigned, l.unsigned)
        s.set(io.issue.bits.isPrefetch, l.isPrefetch)
        s.set(io.issue.bits.waitForStores, l.waits)
        s.set(io.issue.bits.lqPtr, l.lqPtr)
        s.set(io.issue.bits.dest.writes, true)
      }
      s.set(io.spmPresent, true)
      assert(s.is(io.issue.ready) == replay.isEmpty, "a replay goes first")
      val flush = chance(2)
      val back = if (chance(10)) Some(random.nextInt(32)) else None // loads of the upper half are younger, as far as this test goes
      s.set(io.squash.flush, flush)
      s.set(io.squash.restore, back.nonEmpty)
      back.foreach(b => s.set(io.squash.lqTail, b))
      def dies(l: Load) = flush || back.exists(b => l.lqPtr >= b)

      inS1.foreach(s1(_, dies))
      if (inS1.isEmpty) assert(!s.is(io.update.valid) && !s.is(io.writeback.valid) && !s.is(io.spm.valid), "nothing is in s1")
      dut.clock.step()
      inS1 = replay.orElse(issue).filterNot(dies)
    }

    private def s1(l: Load, dies: Load => Boolean): Unit = {
      val (unknown, overlaps, covers, dataValid) = (chance(20), chance(40), chance(70), chance(60))
      val (hit, conflict, accepted, mshrFree, spmReady) = (chance(60), chance(15), chance(70), chance(50), chance(60))
      val storeOffset = random.nextInt((l.addr & 7).toInt + 1)
      val (stored, cached, buffered) = (BigInt(64, random), BigInt(64, random), BigInt(64, random))
      val bufferMask = if (chance(50)) 0 else if (chance(50)) 255 else random.nextInt(256)
      s.set(io.buffered.mask, bufferMask)
      s.set(io.buffered.data, buffered)
      val inMshr = BigInt(64, random)
      val mshrMask = if (hit || chance(50)) 0 else if (chance(50)) 255 else random.nextInt(256)
      s.set(io.cache.s1_storeMask, mshrMask)
      s.set(io.cache.s1_storeWord, inMshr)
      s.set(io.forward.unknown, unknown)
      s.set(io.forward.overlaps, overlaps)
      s.set(io.forward.covers, covers)
      s.set(io.forward.dataValid, dataValid)
      s.set(io.forward.data, stored)
      s.set(io.forward.offset, storeOffset)
      s.set(io.cache.s1_hit, hit && !conflict)
      s.set(io.cache.s1_conflict, conflict)
      s.set(io.cache.s1_word, cached)
      s.set(io.cache.s1_accepted, accepted)
      s.set(io.mshrFree, mshrFree)
      s.set(io.spm.ready, spmReady)
      val walkBegins = chance(50)
      s.set(io.tlb.physical, if (l.misses) BigInt(64, random) else l.addr)
      s.set(io.tlb.miss, l.misses)
      s.set(io.tlb.pageFault, l.pageFault && !l.misses)
      s.set(io.tlb.waits, walkBegins)
      val trigger = io.triggers.all(2)
      s.set(trigger.load, l.watched) // of the last byte
      s.set(trigger.address, l.addr + l.bytes - 1)
      s.set(io.pmp.read, if (l.denied) BigInt(1) << Pmp.regions else BigInt(0)) // where no region is

      val looks = !l.fails && !l.waitsForWalk && !l.isPrefetch && !l.isMmio
      val waitsAddress = looks && l.waits && unknown
      val meets = looks && !waitsAddress && overlaps
      val forwards = meets && covers && dataValid
      val reads = looks && !waitsAddress && !overlaps
      val hits = reads && !l.isSpm && hit && !conflict
      val inBuffer = reads && !l.isSpm && (l.mask & ~(bufferMask | mshrMask)) == 0
      val misses = reads && !l.isSpm && !inBuffer && !hit && !conflict
      val toSpm = reads && l.isSpm
      val outcome =
        if (l.waitsForWalk) { if (walkBegins) LoadOutcome.translation else LoadOutcome.retry }
        else if (l.fails || l.isPrefetch || forwards || inBuffer || hits) LoadOutcome.done
        else if (waitsAddress) LoadOutcome.storeAddress
        else if (meets) { if (covers) LoadOutcome.storeData else LoadOutcome.storeDrain }
        else if (l.isMmio) LoadOutcome.head
        else if (toSpm && spmReady) LoadOutcome.spm
        else if (misses && accepted) LoadOutcome.line
        else if (misses && !mshrFree) LoadOutcome.mshrFree
        else LoadOutcome.retry

      val alive = !dies(l)
      assert(s.is(io.started.valid) == !l.isReplay, "the load queue hears of a load once")
      assert(s.is(io.update.valid) == alive && s.is(io.writeback.valid) == (alive && outcome == LoadOutcome.done), s"result of $l, alive $alive")
      assert(s.is(io.spm.valid) == (alive && toSpm) && s.is(io.cache.s1_used) == (alive && hits), s"reads: $l")
      val fetches = misses || (l.isPrefetch && !l.misses && l.isMemory && l.legal && !hit && !conflict)
      assert(s.is(io.cache.s1_miss) == (alive && fetches), s"asks for the line: $l")
      if (alive) {
        io.update.bits.outcome.expect(outcome)
        assert(s.get(io.update.bits.lqIdx) == l.lqPtr)
        assert(
          s.is(io.update.bits.executed) == (forwards || inBuffer || hits || (toSpm && spmReady)) && s.is(io.update.bits.forwarded) == forwards,
          s"has read: $l"
        )
        assert(s.is(io.update.bits.reads) == reads, s"reads SPM or cache: $l")
        assert(!reads || s.get(io.update.bits.word) == l.addr >> 3 && s.get(io.update.bits.mask) == l.mask, s"bytes: $l")
        counts(outcome.toString) += 1
        if (inBuffer && (l.mask & ~bufferMask) != 0) counts("from an MSHR") += 1
        if (inBuffer) { counts("from the store buffer") += 1; assert(s.get(io.buffered.word) == l.addr >> 3) }
        else if (hits && (l.mask & bufferMask) != 0) counts("from cache and store buffer") += 1
        val word = (0 until 8).map { b =>
          val from = if ((bufferMask >> b & 1) == 1) buffered else if ((mshrMask >> b & 1) == 1) inMshr else cached
          from & (BigInt(255) << (8 * b))
        }.sum
        if (outcome == LoadOutcome.done)
          finished(l, if (forwards) l.extend(stored, ((l.addr & 7) - storeOffset).toInt) else l.extend(word, (l.addr & 7).toInt))
      } else counts("squashed in s1") += 1
    }

    private def finished(l: Load, value: BigInt): Unit = {
      val bits = io.writeback.bits
      assert(s.is(bits.exception.valid) == l.fails && s.is(bits.dest.writes) == !l.fails, s"exception of $l")
      if (l.fails) {
        val cause = if (l.watched && !l.isReplay) Cause.breakpoint
        else if (l.isReplay) Cause.loadAccess
        else if (l.misaligned) Cause.loadMisaligned
        else if (l.pageFault) Cause.loadPage
        else Cause.loadAccess
        assert(s.get(bits.exception.cause) == cause.litValue && s.get(bits.exception.tval) == l.addr, s"cause of $l")
        val kind = if (l.busError) "bus error"
        else if (l.watched) "watched"
        else if (l.pageFault && !l.misaligned) "page fault"
        else if (l.denied && !l.misaligned) "denied"
        else "exception"
        counts(kind) += 1
      } else if (!l.isPrefetch) assert(s.get(bits.data) == value, s"value of $l")
    }
  }

  "LoadPipe" should "finish a load or say what it waits for" in {
    test(new LoadPipe(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1))
      for (_ <- 0 until 6000) bench.step()
      println(s"LoadPipe: ${bench.counts.toSeq.sorted.mkString(", ")}")
      assert(bench.counts.size == 10 + 9 && bench.counts.values.forall(_ > 20), s"too little: ${bench.counts}")
    }
  }
}
