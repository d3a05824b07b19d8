// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import common.Simulators
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random word and line accesses on both ports at once against an array of bytes; word reads come back after exactly `latency` cycles. Now and
  * then the ways are L2's, whose slices access their lines all at once.
  */
class SpmTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams(spmBytes = 1024)
  private val slices = 4
  private val rows = 1024 / 64 / slices

  private def run(latency: Int): Unit = test(new Spm(p, slices, latency)).withAnnotations(Simulators.verilator).runPeekPoke { dut =>
    new PeekPokeTester(dut) {
      private val pins = new Pins(this)
      private val random = new Random(latency)
      private val model = new Array[Byte](p.spmBytes)
      private val wordReads = mutable.Queue.empty[(Int, BigInt)] // cycle, data
      private var lineRead: Option[BigInt] = None
      private val wayReads = Array.fill[Option[BigInt]](slices)(None)
      private def value(from: Int, count: Int): BigInt = BigInt(1, model.slice(from, from + count).reverse)
      private def store(from: Int, data: BigInt, mask: BigInt): Unit =
        for (i <- 0 until mask.bitLength if mask.testBit(i)) model(from + i) = ((data >> (8 * i)) & 0xff).toByte
      private val (word, line) = (dut.io.word, dut.io.line)

      for (cycle <- 0 until 3000) {
        val due = wordReads.headOption.exists(_._1 == cycle)
        assert(pins.is(word.readData.valid) == due)
        if (due) assert(pins(word.readData.bits) == wordReads.dequeue()._2)
        lineRead.foreach(data => assert(pins(line.readData) == data))
        for (k <- 0 until slices; data <- wayReads(k)) assert(pins(dut.io.ways(k).readData) == data)
        val present = cycle / 100 % 2 == 0
        pins(dut.io.present) = present

        // The ports work on different halves: the same word in the same cycle is undefined
        val wordHalf = random.nextInt(2)
        val wordIndex = wordHalf * 64 + random.nextInt(64)
        val lineIndex = (1 - wordHalf) * 8 + random.nextInt(8)
        val initialise = cycle < 16
        val Seq(wordWrite, lineWrite) = Seq.fill(2)(random.nextInt(3) == 0)
        pins(word.read.valid) = !initialise && random.nextInt(4) != 0
        pins(word.read.bits) = wordIndex
        pins(word.write.valid) = !initialise && wordWrite
        pins(word.write.bits.word) = wordIndex
        pins(word.write.bits.data) = BigInt(64, random)
        pins(word.write.bits.mask) = random.nextInt(256)
        pins(line.read.valid) = present && !initialise && random.nextInt(4) != 0
        pins(line.read.bits) = lineIndex
        pins(line.write.valid) = present && (initialise || lineWrite)
        pins(line.write.bits.line) = if (initialise) cycle else lineIndex
        pins(line.write.bits.data) = BigInt(512, random)
        pins(line.write.bits.mask) = if (initialise) AmiRequest.mask(64) else BigInt(64, random)

        for ((way, k) <- dut.io.ways.zipWithIndex) {
          val row = (1 - wordHalf) * rows / 2 + random.nextInt(rows / 2)
          pins(way.read.valid) = !present && random.nextInt(4) != 0
          pins(way.read.bits) = row
          pins(way.write.valid) = !present && random.nextInt(3) == 0
          pins(way.write.bits.line) = row
          pins(way.write.bits.data) = BigInt(512, random)
          pins(way.write.bits.mask) = BigInt(64, random)
          wayReads(k) = if (pins.is(way.read.valid) && pins.is(way.read.ready)) Some(value((row * slices + k) * 64, 64)) else None
          assert(pins.is(way.write.ready) == !present)
        }

        assert(pins.is(word.write.ready) && pins.is(line.write.ready) == present)
        if (pins.is(word.read.valid) && pins.is(word.read.ready)) wordReads.enqueue((cycle + latency, value(wordIndex * 8, 8)))
        lineRead = if (pins.is(line.read.valid) && pins.is(line.read.ready)) Some(value(lineIndex * 64, 64)) else None
        if (pins.is(word.write.valid)) store(wordIndex * 8, pins(word.write.bits.data), pins(word.write.bits.mask))
        if (pins.is(line.write.valid)) store(pins(line.write.bits.line).toInt * 64, pins(line.write.bits.data), pins(line.write.bits.mask))
        for ((way, k) <- dut.io.ways.zipWithIndex if pins.is(way.write.valid)) {
          store((pins(way.write.bits.line).toInt * slices + k) * 64, pins(way.write.bits.data), pins(way.write.bits.mask))
        }
        pins.step()
      }
    }
  }

  "Spm" should "serve both ports" in run(6)
  it should "have a latency of one cycle on request" in run(1)
}
