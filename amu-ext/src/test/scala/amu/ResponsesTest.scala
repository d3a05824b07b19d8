// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chiseltest._
import common.Simulators
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Read beats of different lines interleaved, write responses and cache hits at once, into an SPM that is often not ready: each line is counted
  * once, after its last byte, and a store that missed is reported to L2 when it is counted.
  */
class ResponsesTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams(lines = 16, spmBytes = 2048)
  private val areaBytes = p.spmBytes / p.lines // of a tag

  private object Kind extends Enumeration { val readBeats, writeResponse, loadHit, storeHit = Value }
  private class Line(val tag: Int, val kind: Kind.Value, random: Random) {
    val isStore: Boolean = kind == Kind.writeResponse || kind == Kind.storeHit
    val id: Int = random.nextInt(512)
    val lineAddr: Int = random.nextInt(1 << 20)
    val offset: Int = random.nextInt(64)
    val count: Int = 1 + random.nextInt(64 - offset)
    val spmAddr: Int = tag * areaBytes + random.nextInt(areaBytes - count + 1)
    val data: Array[Byte] = Array.fill(64)(random.nextInt(256).toByte)
    /** First byte of each beat to come. */
    val beats: mutable.Queue[Int] = mutable.Queue.from(Seq(0, 32).filter(half => offset < half + 32 && offset + count > half))
    def bytes: Array[Byte] = data.slice(offset, offset + count)
    def value(from: Int, size: Int): BigInt = BigInt(1, data.slice(from, from + size).reverse)
  }

  private class Bench(dut: Responses, pins: Pins, random: Random, readyPercent: Int) {
    private val io = dut.io
    private val lines = Array.fill[Option[Line]](p.lines)(None)
    private val spm = new Array[Byte](p.spmBytes)
    private val toCome = Kind.values.toSeq.map(k => k -> mutable.ArrayBuffer.empty[Line]).toMap // not accepted yet
    private val offered = mutable.Map.empty[Kind.Value, Line]
    var stopping = false
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    def idle: Boolean = lines.forall(_.isEmpty)
    pins.reset()

    private def start(): Unit = for (tag <- lines.indices if lines(tag).isEmpty && !stopping && random.nextInt(4) == 0) {
      val line = new Line(tag, Kind(random.nextInt(Kind.maxId)), random)
      lines(tag) = Some(line)
      toCome(line.kind) += line
    }

    private def offer(kind: Kind.Value, valid: Bool)(drive: Line => Unit): Unit = {
      val waiting = toCome(kind)
      if (!offered.contains(kind) && waiting.nonEmpty && random.nextInt(4) != 0) offered(kind) = waiting(random.nextInt(waiting.size))
      pins(valid) = offered.contains(kind)
      offered.get(kind).foreach(drive)
    }
    private def driveLine(to: LineRequest, line: Line): Unit = {
      pins(to.id) = line.id
      pins(to.isStore) = line.isStore
      pins(to.lineAddr) = line.lineAddr
      pins(to.offset) = line.offset
      pins(to.count) = line.count
      pins(to.spmAddr) = line.spmAddr
    }
    private def driveTagged(to: TaggedLine, line: Line): Unit = { pins(to.tag) = line.tag; driveLine(to.line, line) }

    def step(): Unit = {
      start()
      offer(Kind.readBeats, io.r.valid) { line =>
        pins(io.r.bits.id) = line.tag
        pins(io.r.bits.data) = line.value(line.beats.head, 32)
        pins(io.r.bits.last) = line.beats.size == 1
      }
      offer(Kind.writeResponse, io.b.valid)(line => pins(io.b.bits.id) = line.tag)
      offer(Kind.loadHit, io.loadHit.valid) { line =>
        driveTagged(io.loadHit.bits.request, line)
        pins(io.loadHit.bits.data) = line.value(0, 64)
      }
      offer(Kind.storeHit, io.storeHit.valid)(driveTagged(io.storeHit.bits, _))
      for ((tag, read) <- io.readTag.zip(io.read)) lines(pins(tag).toInt).foreach(driveLine(read, _))
      pins(io.spmWrite.ready) = random.nextInt(100) < readyPercent

      if (pins.is(io.spmWrite.valid) && pins.is(io.spmWrite.ready)) write()
      checkCounted()
      val accepted = Seq(Kind.readBeats -> io.r.ready, Kind.writeResponse -> io.b.ready, Kind.loadHit -> io.loadHit.ready, Kind.storeHit -> io.storeHit.ready)
        .filter { case (kind, ready) => offered.contains(kind) && pins.is(ready) }
      if (accepted.size > 2) counts("several sources at once") += 1
      pins.step()
      for ((kind, _) <- accepted) {
        val line = offered.remove(kind).get
        if (kind == Kind.readBeats) line.beats.dequeue()
        if (kind != Kind.readBeats || line.beats.isEmpty) toCome(kind) -= line
        else if (toCome(kind).size > 1) counts("beats interleaved") += 1
      }
    }

    private def write(): Unit = {
      val bits = io.spmWrite.bits
      val mask = pins(bits.mask)
      val data = pins(bits.data)
      for (i <- 0 until 64 if mask.testBit(i)) {
        val at = 64 * pins(bits.line).toInt + i
        val line = lines(at / areaBytes)
        assert(line.exists(l => !l.isStore && at >= l.spmAddr && at < l.spmAddr + l.count), s"SPM byte $at is written, which no load asked for")
        spm(at) = ((data >> (8 * i)) & 0xff).toByte
      }
    }

    private def checkCounted(): Unit = {
      val counted = if (pins.is(io.counted.valid)) Some(pins(io.counted.bits.tag).toInt) else None
      var stored: Option[BigInt] = None
      counted.foreach { tag =>
        assert(lines(tag).nonEmpty, s"tag $tag is counted without a line")
        val line = lines(tag).get
        assert(pins(io.counted.bits.id) == line.id, s"ID of tag $tag")
        val answered =
          if (line.kind == Kind.storeHit) offered.get(line.kind).contains(line) && pins.is(io.storeHit.ready)
          else !toCome(line.kind).contains(line)
        assert(answered, s"tag $tag is counted before its response")
        if (!line.isStore) assert(spm.slice(line.spmAddr, line.spmAddr + line.count).sameElements(line.bytes), s"bytes of tag $tag")
        if (line.kind == Kind.writeResponse) stored = Some(line.lineAddr)
        counts(line.kind.toString) += 1
        lines(tag) = None
      }
      val done = if (pins.is(io.storeDone.valid)) Some(pins(io.storeDone.bits)) else None
      assert(done == stored, s"store reported to L2: $done, expected $stored")
    }
  }

  "Responses" should "count each line once, when its last byte is in the SPM or its store is done" in {
    test(new Responses(p)).withAnnotations(Simulators.verilator).runPeekPoke { dut =>
      new PeekPokeTester(dut) {
        private val bench = new Bench(dut, new Pins(this), new Random(1), readyPercent = 60)
        for (_ <- 0 until 6000) bench.step()
        bench.stopping = true
        for (_ <- 0 until 500 if !bench.idle) bench.step()
        assert(bench.idle, "a line is never counted")
        info(bench.counts.toSeq.sorted.mkString(", "))
        for (kind <- Kind.values.toSeq.map(_.toString) :+ "beats interleaved" :+ "several sources at once")
          assert(bench.counts(kind) > 100, s"too little: $kind")
      }
    }
  }

  for ((what, isRead) <- Seq("read" -> true, "write" -> false)) it should s"refuse a $what error of memory" in {
    assertThrows[ChiselAssertionError] {
      test(new Responses(p)) { dut =>
        dut.io.read(1).isStore.poke(true.B)
        val (valid, resp) = if (isRead) (dut.io.r.valid, dut.io.r.bits.resp) else (dut.io.b.valid, dut.io.b.bits.resp)
        valid.poke(true.B)
        resp.poke(2.U)
        dut.clock.step(3)
      }
    }
  }
}
