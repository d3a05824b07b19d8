// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random requests of every size against the lines they cover, with random back pressure; one line a cycle without it. */
class SplitterTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams()
  private case class Line(id: Int, lineAddr: Long, offset: Int, count: Int, spmAddr: Int)

  private def lines(id: Int, address: Long, size: Int, spmAddr: Int): Seq[Line] =
    (address / 64 to (address + size - 1) / 64).map { line =>
      val from = address.max(line * 64)
      val to = (address + size).min(line * 64 + 64)
      Line(id, line, (from % 64).toInt, (to - from).toInt, spmAddr + (from - address).toInt)
    }

  private def run(readyPercent: Int, requests: Int): (Int, Int) = {
    val random = new Random(readyPercent)
    val expected = mutable.Queue.empty[Line]
    var cycles, outputs = 0
    test(new Splitter(p)).runPeekPoke { dut =>
      new PeekPokeTester(dut) {
        private val pins = new Pins(this)
        private var sent = 0
        private var pending = false
        while (sent < requests || expected.nonEmpty) {
          if (!pending && sent < requests) {
            val size = 1 << random.nextInt(13)
            val align = size.min(8)
            val address = p.farMemory.base + random.nextInt(1000) * 4096L + random.nextInt((4096 - size) / align + 1) * align
            val spmAddr = random.nextInt((p.spmBytes - size) / align + 1) * align
            pins(dut.io.in.bits.id) = sent % 512
            pins(dut.io.in.bits.addr) = address
            pins(dut.io.in.bits.size) = size
            pins(dut.io.in.bits.spmAddr) = spmAddr
            expected ++= lines(sent % 512, address, size, spmAddr)
            pending = true
            sent += 1
          }
          pins(dut.io.in.valid) = pending
          val ready = random.nextInt(100) < readyPercent
          pins(dut.io.out.ready) = ready
          if (ready && pins.is(dut.io.out.valid)) {
            val out = dut.io.out.bits
            val line = Line(pins(out.id).toInt, pins(out.lineAddr).toLong, pins(out.offset).toInt, pins(out.count).toInt, pins(out.spmAddr).toInt)
            assert(line == expected.dequeue())
            outputs += 1
          }
          if (pins.is(dut.io.in.ready)) pending = false
          pins.step()
          cycles += 1
        }
      }
    }
    (cycles, outputs)
  }

  "Splitter" should "produce the lines of each request in order" in run(60, 400)

  it should "produce one line a cycle" in {
    val (cycles, outputs) = run(100, 200)
    assert(cycles <= outputs + 2)
  }
}
