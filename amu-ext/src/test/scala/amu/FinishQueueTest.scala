// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Takers, the BTQ's order and resend, task words and targets: each alone, then takers and BTQ at random against a list. */
class FinishQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams(finishQueue = 4)

  private class Driver(dut: FinishQueue, pins: Pins) {
    private val core = dut.io.core
    pins(dut.io.config.spmSlot) = 64
    pins.reset()

    def configure(handlerBase: Long, handlerSize: Int, spmSlot: Int, targetBase: Long): Unit = {
      pins(dut.io.config.handlerBase) = handlerBase
      pins(dut.io.config.handlerSize) = handlerSize
      pins(dut.io.config.spmSlot) = spmSlot
      pins(dut.io.config.targetBase) = targetBase
    }
    def pulse(signal: chisel3.Bool): Unit = {
      pins(signal) = true
      pins.step()
      pins(signal) = false
    }
    def ready: Boolean = pins.is(dut.io.in.ready)
    def finish(id: Int, target: Int = 0): Unit = {
      pins(dut.io.in.bits.id) = id
      pins(dut.io.in.bits.target) = BigInt(target) & AmiRequest.mask(21)
      assert(ready)
      pulse(dut.io.in.valid)
    }
    def available: Boolean = pins.is(core.available)
    /** The pointer of the entry taken. */
    def take(): Int = {
      val ptr = pins(core.renamePtr).toInt
      pulse(core.take)
      ptr
    }
    def read(ptr: Int): (Int, BigInt, BigInt) = {
      pins(core.readPtr) = ptr
      (pins(core.read.id).toInt, pins(core.read.taskWord), pins(core.read.target))
    }
    def commit(): Int = {
      val id = pins(dut.io.taken.bits).toInt
      pulse(core.commitTake)
      id
    }
    def restore(ptr: Int): Unit = {
      pins(core.restore.bits) = ptr
      pulse(core.restore.valid)
    }
    def flush(): Unit = pulse(core.flush)
    /** An older instruction takes its exception in the cycle in which a taker commits. */
    def commitAndFlush(): Unit = {
      pins(core.commitTake) = true
      flush()
      pins(core.commitTake) = false
    }
    /** The next entry for the BTQ: pointer and target. */
    def send(): Option[(Int, BigInt)] = {
      val entry = if (pins.is(dut.io.btq.valid)) Some((pins(dut.io.btq.bits.finPtr).toInt, pins(dut.io.btq.bits.target))) else None
      pulse(dut.io.btq.ready)
      entry
    }
  }

  private def run(body: Driver => Unit): Unit =
    test(new FinishQueue(p)).runPeekPoke(dut => new PeekPokeTester(dut) { body(new Driver(dut, new Pins(this))) })

  "FinishQueue" should "give each group to one taker, first finished first" in run { q =>
    assert(!q.available)
    for (round <- 0 until 20) { // pointers wrap
      for (i <- 1 to 4) q.finish(10 * round + i)
      assert(!q.ready)
      val ptrs = Seq.fill(4)(q.take())
      assert(!q.available)
      assert(ptrs.map(q.read(_)._1) == (1 to 4).map(10 * round + _))
      assert(Seq.fill(4)(q.commit()) == (1 to 4).map(10 * round + _))
    }
  }

  it should "make squashed entries available again" in run { q =>
    for (id <- 1 to 3) q.finish(id)
    val ptrs = Seq.fill(3)(q.take())
    q.restore(ptrs(1))
    assert(q.available && q.take() == ptrs(1))
    assert(q.commit() == 1)
    q.flush()
    assert(q.available && q.read(q.take())._1 == 2 && q.commit() == 2)
  }

  it should "keep an entry taken that commits in the cycle of a flush" in run { q =>
    for (id <- 1 to 3) q.finish(id)
    q.take()
    q.take()
    q.commitAndFlush()
    assert(q.available && q.read(q.take())._1 == 2 && q.commit() == 2)
  }

  it should "send entries to the BTQ in order and again after a restore" in run { q =>
    q.configure(0, 0, 64, 0x1000)
    for (id <- 1 to 4) q.finish(id, 2 * id)
    assert(Seq.fill(3)(q.send()) == Seq(Some((0, 0x1004)), Some((1, 0x1008)), Some((2, 0x100c))))
    q.take()
    q.take()
    q.restore(1)
    assert(Seq.fill(4)(q.send()) == Seq(Some((1, 0x1008)), Some((2, 0x100c)), Some((3, 0x1010)), None))
    q.flush()
    assert(q.send().contains((0, 0x1004)))
  }

  it should "not send entries that were taken before" in run { q =>
    for (id <- 1 to 3) q.finish(id)
    q.take()
    q.take()
    assert(q.send().isEmpty, "an entry that was taken is sent") // the send pointer catches up
    assert(q.send().map(_._1).contains(2))
  }

  it should "keep order and takers under random squashes, commits and a BTQ that is full at times" in
    test(new FinishQueue(p)).runPeekPoke { dut =>
      new PeekPokeTester(dut) {
        val pins = new Pins(this)
        pins(dut.io.config.spmSlot) = 64
        pins.reset()
        val (io, core, random) = (dut.io, dut.io.core, new Random(1))
        val ids = mutable.ArrayBuffer.empty[Int] // of all that ever finished
        var committed, renamed, sent = 0 // of them: committed <= renamed, and committed <= the next one for the BTQ
        var tookBefore = false
        val counts = mutable.Map.empty[String, Int].withDefaultValue(0)
        def chance(percent: Int) = random.nextInt(100) < percent
        def ptr(k: Int) = k % (1 << p.finPtrBits)

        for (_ <- 0 until 20000) {
          val commits = committed < renamed && chance(30)
          val flushes = chance(5)
          val back = committed + (if (commits) 1 else 0)
          val restores = if (!flushes && chance(8)) Some(back + random.nextInt(renamed - back + 1)) else None
          val squashes = flushes || restores.isDefined
          val takes = !squashes && renamed < ids.size && chance(30)
          val finishes = chance(40)
          pins(io.in.valid) = finishes
          pins(io.in.bits.id) = ids.size % 511 + 1
          pins(core.take) = takes
          pins(core.commitTake) = commits
          pins(core.flush) = flushes
          pins(core.restore.valid) = restores.isDefined
          restores.foreach(k => pins(core.restore.bits) = ptr(k))
          pins(io.btq.ready) = chance(50)

          assert(pins.is(io.in.ready) == ids.size - committed < p.finishQueue, "room")
          assert(pins.is(core.available) == renamed < ids.size && pins(core.renamePtr) == ptr(renamed), "what may be taken")
          assert(pins.is(io.taken.valid) == commits && (!commits || pins(io.taken.bits) == ids(committed)), "the group that leaves")
          if (committed < ids.size) {
            val asked = committed + random.nextInt(ids.size - committed)
            pins(core.readPtr) = ptr(asked)
            assert(pins(core.read.id) == ids(asked), s"entry $asked")
          }
          val offered = pins.is(io.btq.valid)
          val next = sent.max(renamed)
          assert(!offered || !squashes, "an entry is sent in the cycle of a squash")
          assert(!offered || (next < ids.size && pins(io.btq.bits.finPtr) == ptr(next)), s"the BTQ is offered another entry than $next")
          assert(offered || squashes || tookBefore || next == ids.size, s"entry $next is not offered to the BTQ")
          if (commits && flushes) counts("commit in the cycle of a flush") += 1
          if (squashes && next < ids.size) counts("squash with an entry to send") += 1
          if (squashes && sent > back) counts("squash of what was sent") += 1
          if (sent < renamed) counts("taken before it was sent") += 1
          if (commits && restores.isDefined) counts("commit in the cycle of a restore") += 1

          if (finishes && ids.size - committed < p.finishQueue) ids += ids.size % 511 + 1
          if (offered && pins.is(io.btq.ready)) sent = next + 1
          pins.step()
          tookBefore = takes
          committed = back
          if (takes) renamed += 1
          for (k <- if (flushes) Some(back) else restores) {
            renamed = k
            sent = k
          }
        }
        println(s"FinishQueue: ${ids.size} groups, ${counts.toSeq.sorted.mkString(", ")}")
        assert(committed > 1000 && counts.size == 5 && counts.values.forall(_ > 100), s"too little: $counts")
      }
    }

  it should "form task word and target from the configuration" in run { q =>
    q.finish(511, -(1 << 20))
    q.finish(3, (1 << 20) - 1)
    val (first, second) = (q.take(), q.take())
    q.configure(0x40_0000_1000L, 0x120, 64, 0x10_0000_0000L)
    assert(q.read(first) == ((511, (BigInt(511 * 64) << 39) | (0x40_0000_1000L + 511 * 0x120), BigInt(0x10_0000_0000L - (1 << 21)))))
    assert(q.read(second) == ((3, (BigInt(3 * 64) << 39) | (0x40_0000_1000L + 3 * 0x120), BigInt(0x10_0000_0000L + (1 << 21) - 2))))
    q.configure(0x7f_ffff_fff0L, 8, 4096, 0)
    assert(q.read(first)._2 == ((BigInt(511 * 4096) << 39) | ((0x7f_ffff_fff0L + 511 * 8) & ((1L << 39) - 1))))
  }
}
