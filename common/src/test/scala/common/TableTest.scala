// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

private class TableProbe(entries: Int, swept: Boolean) extends Module {
  private class Pair extends Bundle {
    val low = UInt(3.W)
    val high = UInt(5.W)
  }
  val io = IO(new Bundle {
    val ready = Output(Bool())
    val write = Input(Bool())
    val writeIndex = Input(UInt(4.W))
    val value = Input(UInt(8.W))
    val read = Input(Bool())
    val readIndex = Input(UInt(4.W))
    val now = Output(UInt(8.W)) // AsyncTable
    val next = Output(UInt(8.W)) // SyncTable, one cycle later
  })
  private val initial = if (swept) Some(0x5a.U(8.W).asTypeOf(new Pair)) else None
  private val async = new AsyncTable(new Pair, entries, initial)
  private val sync = new SyncTable(new Pair, entries, initial)
  io.ready := async.ready && sync.ready
  for (t <- Seq(async, sync)) { t.write(io.write, io.writeIndex, io.value.asTypeOf(new Pair)) }
  io.now := async.read(io.readIndex).asUInt
  io.next := sync.read(io.readIndex, io.read).asUInt
}

class TableTest extends AnyFlatSpec with ChiselScalatestTester {
  behavior of "AsyncTable and SyncTable"

  for ((entries, swept) <- Seq((16, true), (11, true), (16, false))) {
    it should s"keep $entries values, ${if (swept) "the first ones from the sweep" else "all of them written"}" in {
      test(new TableProbe(entries, swept)) { dut =>
        val random = new Random(entries)
        val content = Array.fill(entries)(if (swept) 0x5a else -1)
        var cycles = 0
        while (!dut.io.ready.peek().litToBoolean) { dut.clock.step(); cycles += 1 }
        assert(cycles == (if (swept) entries else 0))
        var expected: Option[Int] = None
        var met = 0
        for (_ <- 0 until 1000) {
          expected.filter(_ >= 0).foreach(v => dut.io.next.expect(v.U))
          val (write, read) = (random.nextBoolean(), random.nextInt(4) != 0)
          val (writeIndex, readIndex, value) = (random.nextInt(entries), random.nextInt(entries), random.nextInt(256))
          dut.io.write.poke(write.B)
          dut.io.writeIndex.poke(writeIndex.U)
          dut.io.value.poke(value.U)
          dut.io.read.poke(read.B)
          dut.io.readIndex.poke(readIndex.U)
          if (content(readIndex) >= 0) dut.io.now.expect(content(readIndex).U)
          if (write) content(writeIndex) = value
          if (write && read && writeIndex == readIndex) met += 1
          expected = if (read) Some(content(readIndex)) else None
          dut.clock.step()
        }
        assert(met > 10, "too few reads of an entry being written")
      }
    }
  }

  it should "refuse a write during the sweep" in {
    assertThrows[ChiselAssertionError] {
      test(new TableProbe(16, swept = true)) { dut =>
        dut.io.write.poke(true.B)
        dut.clock.step(2)
      }
    }
  }
}
