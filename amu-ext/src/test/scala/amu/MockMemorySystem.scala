// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import scala.collection.mutable
import scala.util.Random

/** How the mocks behave; probabilities in percent, latencies in cycles. */
case class MockTiming(
    hitPercent: Int = 40,
    readyPercent: Int = 80,
    mshrBusyPercent: Int = 10,
    lookupCycles: Int = 3,
    memoryMinCycles: Int = 5,
    memoryMaxCycles: Int = 100
)

/** L2's coherence lookup, the AXI memory and the SPM in Scala, all on one coherent byte array: responses in any order, R beats
  * of different IDs interleaved, every ready signal at random.
  */
class MockMemorySystem(dut: Amu, pins: Pins, p: AmuParams, windowBytes: Int, random: Random, var timing: MockTiming) {
  val memory = new TestMemory(p, windowBytes)
  val spm = new Array[Byte](p.spmBytes)
  private var cycle = 0L
  private def chance(percent: Int): Boolean = random.nextInt(100) < percent
  private def memoryDelay(): Int =
    timing.memoryMinCycles + random.nextInt(timing.memoryMaxCycles - timing.memoryMinCycles + 1)
  private val axi = dut.io.axi
  private val beatBytes = p.axi.dataBits / 8

  // L2
  private case class Lookup(number: Int, line: Long, isStore: Boolean, data: BigInt, mask: BigInt, due: Long)
  private val lookups = mutable.Queue.empty[Lookup]
  val missedStores: mutable.Map[Long, Int] = mutable.Map.empty[Long, Int].withDefaultValue(0) // by line, storeDone to come
  var hits, misses = 0
  private var lookupsSeen = 0
  val missedLoads: mutable.ArrayBuffer[(Int, Long)] = mutable.ArrayBuffer.empty[(Int, Long)] // number of the lookup, line

  // AXI
  private class Read(val id: Int, val address: Long, val beats: Int, val due: Long) { var sent = 0 }
  private case class Write(id: Int, address: Long, beats: Seq[(BigInt, BigInt)], due: Long)
  private val reads = mutable.ArrayBuffer.empty[Read]
  private val writes = mutable.ArrayBuffer.empty[Write]
  private val awQueue = mutable.Queue.empty[(Int, Long, Int)]
  private val wBeats = mutable.ArrayBuffer.empty[(BigInt, BigInt, Boolean)]
  private var r: Option[Read] = None
  private var b: Option[Write] = None
  private var spmReadLine: Option[Int] = None
  def idle: Boolean = lookups.isEmpty && reads.isEmpty && writes.isEmpty && awQueue.isEmpty && missedStores.values.forall(_ == 0)

  private def writeBytes(address: Long, data: BigInt, mask: BigInt): Unit =
    for (i <- 0 until mask.bitLength if mask.testBit(i)) memory(address + i) = ((data >> (8 * i)) & 0xff).toByte

  /** Before the outputs of this cycle are read. */
  def drive(): Unit = {
    Seq(axi.ar.ready, axi.aw.ready, axi.w.ready, dut.io.cache.req.ready, dut.io.wanted.ready, dut.io.spm.read.ready, dut.io.spm.write.ready)
      .foreach(ready => pins(ready) = chance(timing.readyPercent))
    pins(dut.io.order.queryBusy) = chance(timing.mshrBusyPercent)
    spmReadLine.foreach(line => pins(dut.io.spm.readData) = BigInt(1, spm.slice(line * 64, line * 64 + 64).reverse))

    val answer = lookups.headOption.filter(l => l.due <= cycle && chance(timing.readyPercent))
    pins(dut.io.cache.resp.valid) = answer.nonEmpty
    answer.foreach { l =>
      lookups.dequeue()
      val hit = missedStores(l.line) == 0 && chance(timing.hitPercent)
      if (hit) hits += 1 else misses += 1
      pins(dut.io.cache.resp.bits.hit) = hit
      pins(dut.io.cache.resp.bits.data) = if (hit && !l.isStore) memory.read(l.line * 64, 64) else BigInt(512, random)
      if (hit && l.isStore) writeBytes(l.line * 64, l.data, l.mask)
      if (!hit && l.isStore) missedStores(l.line) += 1
      if (!hit && !l.isStore) missedLoads += ((l.number, l.line))
    }

    if (r.isEmpty) {
      val ready = reads.filter(_.due <= cycle)
      if (ready.nonEmpty && chance(timing.readyPercent)) r = Some(ready(random.nextInt(ready.size)))
      r.foreach { read =>
        pins(axi.r.bits.id) = read.id
        pins(axi.r.bits.data) = memory.read(read.address + read.sent * beatBytes, beatBytes)
        pins(axi.r.bits.last) = read.sent == read.beats - 1
      }
      pins(axi.r.valid) = r.nonEmpty
    }
    if (b.isEmpty) {
      val ready = writes.filter(_.due <= cycle)
      if (ready.nonEmpty && chance(timing.readyPercent)) b = Some(ready(random.nextInt(ready.size)))
      b.foreach { write =>
        write.beats.zipWithIndex.foreach { case ((data, strobes), i) => writeBytes(write.address + i * beatBytes, data, strobes) }
        pins(axi.b.bits.id) = write.id
      }
      pins(axi.b.valid) = b.nonEmpty
    }
  }

  /** After all inputs are set: what fires at the end of this cycle. */
  def sample(): Unit = {
    def fires(valid: Bool, ready: Bool): Boolean = pins.is(valid) && pins.is(ready)
    val req = dut.io.cache.req
    if (fires(req.valid, req.ready)) {
      assert(!pins.is(dut.io.order.queryBusy), "line sent to L2 while an L1D MSHR works on it")
      lookups.enqueue(
        Lookup(
          lookupsSeen,
          pins(req.bits.lineAddr).toLong,
          pins.is(req.bits.isStore),
          pins(req.bits.data),
          pins(req.bits.mask),
          cycle + timing.lookupCycles
        )
      )
      lookupsSeen += 1
    }
    if (fires(dut.io.wanted.valid, dut.io.wanted.ready)) {
      val line = pins(dut.io.wanted.bits).toLong
      assert(missedLoads.exists(_._2 == line), f"line 0x$line%x is wanted, which no load missed")
    }
    if (pins.is(dut.io.cache.storeDone.valid)) {
      val line = pins(dut.io.cache.storeDone.bits).toLong
      assert(missedStores(line) > 0, "storeDone for a line without a missed store")
      missedStores(line) -= 1
    }
    if (fires(axi.ar.valid, axi.ar.ready)) {
      val id = pins(axi.ar.bits.id).toInt
      assert(!reads.exists(_.id == id) && !writes.exists(_.id == id), s"AXI ID $id used twice")
      assert(pins(axi.ar.bits.size) == 5 && pins(axi.ar.bits.len) <= 1)
      reads += new Read(id, pins(axi.ar.bits.addr).toLong, pins(axi.ar.bits.len).toInt + 1, cycle + memoryDelay())
    }
    if (fires(axi.aw.valid, axi.aw.ready))
      awQueue.enqueue((pins(axi.aw.bits.id).toInt, pins(axi.aw.bits.addr).toLong, pins(axi.aw.bits.len).toInt + 1))
    if (fires(axi.w.valid, axi.w.ready)) {
      wBeats += ((pins(axi.w.bits.data), pins(axi.w.bits.strb), pins.is(axi.w.bits.last)))
    }
    awQueue.headOption.filter(_._3 <= wBeats.size).foreach { case (id, address, beats) =>
      awQueue.dequeue()
      assert(!reads.exists(_.id == id) && !writes.exists(_.id == id), s"AXI ID $id used twice")
      assert(wBeats.take(beats).map(_._3) == Seq.tabulate(beats)(_ == beats - 1), "W last flag")
      writes += Write(id, address, wBeats.take(beats).map { case (data, strobes, _) => (data, strobes) }.toSeq, cycle + memoryDelay())
      wBeats.remove(0, beats)
    }
    if (r.nonEmpty && pins.is(axi.r.ready)) {
      r.get.sent += 1
      if (r.get.sent == r.get.beats) reads -= r.get
      r = None
    }
    if (b.nonEmpty && pins.is(axi.b.ready)) {
      writes -= b.get
      b = None
    }
    val (read, write) = (dut.io.spm.read, dut.io.spm.write)
    spmReadLine = if (fires(read.valid, read.ready)) Some(pins(read.bits).toInt) else None
    if (fires(write.valid, write.ready)) {
      val line = pins(write.bits.line).toInt
      val mask = pins(write.bits.mask)
      val data = pins(write.bits.data)
      for (i <- 0 until 64 if mask.testBit(i)) spm(line * 64 + i) = ((data >> (8 * i)) & 0xff).toByte
    }
    cycle += 1
  }
}
