// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import common.Simulators
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random line requests against an SPM of random bytes and a cache that answers in order, hit or miss; every ready signal at random. */
class LineLookupTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams(lookups = 4, spmBytes = 1024)
  private val lineMask = (BigInt(1) << 512) - 1

  private case class Request(tag: Int, id: Int, isStore: Boolean, line: Long, offset: Int, count: Int, spmAddr: Int) {
    def mask: BigInt = ((BigInt(1) << count) - 1) << offset
    def bits: BigInt = (0 until count).map(i => BigInt(255) << (8 * (offset + i))).sum
  }
  private case class Answer(hit: Boolean, data: BigInt)

  private class Bench(dut: LineLookup, pins: Pins, random: Random, readyPercent: Int) {
    private val io = dut.io
    private val spm = Array.fill(p.spmBytes)(random.nextInt(256).toByte)
    private def spmLine(line: Int): BigInt = BigInt(1, spm.slice(64 * line, 64 * line + 64).reverse)
    private def chance(percent: Int = readyPercent): Boolean = random.nextInt(100) < percent

    private var offered: Option[Request] = None
    private val toSend, toAnswer = mutable.Queue.empty[Request]
    private val answered = mutable.Queue.empty[(Request, Answer)]
    private var spmRead: Option[Int] = None
    private var nextTag = 0
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    def idle: Boolean = offered.isEmpty && toSend.isEmpty && toAnswer.isEmpty && answered.isEmpty
    pins.reset()

    private def newRequest(crossing: Boolean): Request = {
      val offset = random.nextInt(64)
      val count = 1 + random.nextInt(64 - offset)
      val spmAddr = if (crossing) random.nextInt(p.spmBytes - count + 1) else 64 * random.nextInt(p.spmBytes / 64)
      Request(0, random.nextInt(512), random.nextBoolean(), random.nextInt(1000), offset, count, spmAddr)
    }

    /** The bytes to store, at their place in the memory line. */
    private def stored(r: Request): BigInt = BigInt(1, spm.slice(r.spmAddr, r.spmAddr + r.count).reverse) << (8 * r.offset)

    def step(issue: Boolean, crossing: Boolean = true): Unit = {
      if (offered.isEmpty && issue) offered = Some(newRequest(crossing))
      val tagFree = chance(90)
      pins(io.tagAvailable) = tagFree
      pins(io.tag) = nextTag
      pins(io.in.valid) = offered.nonEmpty
      offered.foreach { r =>
        pins(io.in.bits.id) = r.id
        pins(io.in.bits.isStore) = r.isStore
        pins(io.in.bits.lineAddr) = r.line
        pins(io.in.bits.offset) = r.offset
        pins(io.in.bits.count) = r.count
        pins(io.in.bits.spmAddr) = r.spmAddr
      }
      pins(io.spmData) = spmRead.map(spmLine).getOrElse(BigInt(512, random)) // one cycle after the read and no longer
      pins(io.spmRead.ready) = chance()
      val busy = chance(100 - readyPercent)
      pins(io.queryBusy) = busy
      pins(io.cacheReq.ready) = chance()
      val answer = if (toAnswer.nonEmpty && chance()) Some(Answer(random.nextBoolean(), BigInt(512, random))) else None
      pins(io.cacheResp.valid) = answer.nonEmpty
      answer.foreach { a =>
        pins(io.cacheResp.bits.hit) = a.hit
        pins(io.cacheResp.bits.data) = a.data
      }
      pins(io.done.ready) = chance()

      val accepted = offered.nonEmpty && pins.is(io.in.ready)
      assert(pins.is(io.allocate) == accepted, "a line tag is taken exactly with a request")
      assert(!accepted || tagFree, "a request without a tag")
      assert(pins.is(io.stallTag) == (offered.nonEmpty && !tagFree))
      if (pins.is(io.stallBuffer)) counts("buffer full") += 1
      val sent = pins.is(io.cacheReq.valid) && pins.is(io.cacheReq.ready)
      if (pins.is(io.cacheReq.valid)) checkRequest(busy)
      if (pins.is(io.stallMshr)) counts("waits for an MSHR") += 1
      val handedOn = pins.is(io.done.valid) && pins.is(io.done.ready)
      if (pins.is(io.done.valid)) checkDone()
      spmRead = if (pins.is(io.spmRead.valid) && pins.is(io.spmRead.ready)) Some(pins(io.spmRead.bits).toInt) else None
      pins.step()

      if (handedOn) answered.dequeue()
      answer.foreach(a => answered.enqueue((toAnswer.dequeue(), a)))
      if (sent) toAnswer.enqueue(toSend.dequeue())
      if (accepted) {
        val r = offered.get.copy(tag = nextTag)
        if (r.isStore && r.spmAddr % 64 + r.count > 64) counts("store of two SPM lines") += 1
        counts("accepted") += 1
        toSend.enqueue(r)
        nextTag = (nextTag + 1) % p.lines
        offered = None
      }
    }

    private def checkRequest(busy: Boolean): Unit = {
      assert(!busy, "asks L2 about a line that an L1D MSHR works on")
      assert(toSend.nonEmpty, "asks L2 about a request it does not have")
      val r = toSend.head
      val bits = io.cacheReq.bits
      assert(pins(bits.lineAddr) == r.line && pins(io.queryLine) == r.line && pins.is(bits.isStore) == r.isStore && pins(bits.mask) == r.mask, s"$r")
      if (r.isStore) assert((pins(bits.data) & r.bits) == stored(r), s"bytes of $r")
    }

    private def checkDone(): Unit = {
      assert(answered.nonEmpty, "a request is done that L2 has not answered")
      val (r, a) = answered.head
      val bits = io.done.bits
      val line = bits.request.line
      val got = Request(
        pins(bits.request.tag).toInt,
        pins(line.id).toInt,
        pins.is(line.isStore),
        pins(line.lineAddr).toLong,
        pins(line.offset).toInt,
        pins(line.count).toInt,
        pins(line.spmAddr).toInt
      )
      assert(got == r, s"$got is done, not $r")
      assert(pins.is(bits.hit) == a.hit, s"hit of $r")
      if (r.isStore) assert((pins(bits.data) & r.bits) == stored(r), s"bytes of $r at the end")
      else if (a.hit) assert(pins(bits.data) == (a.data & lineMask), s"data of $r")
      counts(s"${if (r.isStore) "store" else "load"} ${if (a.hit) "hit" else "miss"}") += 1
    }
  }

  private def run(p: AmuParams)(body: (LineLookup, Pins) => Unit): Unit =
    test(new LineLookup(p)).withAnnotations(Simulators.verilator).runPeekPoke(dut => new PeekPokeTester(dut) { body(dut, new Pins(this)) })

  "LineLookup" should "take each request through L2 in order, with its own bytes and answer" in run(p) { (dut, pins) =>
    val bench = new Bench(dut, pins, new Random(1), readyPercent = 70)
    for (cycle <- 0 until 4000) bench.step(issue = cycle < 3900)
    assert(bench.idle, "a request is lost")
    info(bench.counts.toSeq.sorted.mkString(", "))
    val kinds = Seq("load hit", "load miss", "store hit", "store miss", "store of two SPM lines", "buffer full", "waits for an MSHR")
    for (kind <- kinds) assert(bench.counts(kind) > 50, s"too little: $kind")
  }

  it should "take a request a cycle when nothing stalls and each store lies in one SPM line" in run(p.copy(lookups = 8)) { (dut, pins) =>
    val bench = new Bench(dut, pins, new Random(2), readyPercent = 100)
    for (_ <- 0 until 500) bench.step(issue = true, crossing = false)
    assert(bench.counts("accepted") > 430, s"${bench.counts("accepted")} requests in 500 cycles, a tenth of which have no tag")
  }
}
