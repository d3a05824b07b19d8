// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec

/** Every operation of `Ring` on inputs `a`, `b` (pointers) and `n`. */
private class RingProbe(ring: Ring) extends Module {
  private val entries = ring.entries
  val io = IO(new Bundle {
    val a = Input(UInt(ring.bits.W))
    val b = Input(UInt(ring.bits.W))
    val n = Input(UInt(log2Ceil(entries + 1).W))
    val set = Input(UInt(entries.W))
    val added = Output(UInt(ring.bits.W))
    val distance = Output(UInt(ring.bits.W))
    val before = Output(Bool())
    val found = Output(UInt(ring.bits.W))
    val mask = Output(UInt(entries.W))
    val rotated = Output(UInt(entries.W))
  })
  io.added := ring.add(io.a, io.n)
  io.distance := ring.distance(io.b, io.a)
  io.before := ring.isBefore(io.a, io.b)
  io.found := ring.fromIndex(ring.index(io.b), io.a)
  io.mask := ring.mask(io.a, io.b)
  io.rotated := ring.rotate(io.set, io.a)
}

/** Against positions counted on for ever: all pairs at most `entries` apart, over two laps. */
class RingTest extends AnyFlatSpec with ChiselScalatestTester {
  behavior of "Ring"

  for (entries <- Seq(2, 3, 4, 6, 12, 16)) it should s"count round $entries places" in {
    val ring = Ring(entries)
    def pointer(position: Int): BigInt = ((position / entries % 2) << ring.indexBits) + position % entries
    test(new RingProbe(ring)) { dut =>
      for (from <- 0 until 2 * entries; n <- 0 to entries) {
        val to = from + n
        dut.io.a.poke(pointer(from).U)
        dut.io.b.poke(pointer(to).U)
        dut.io.n.poke(n.U)
        dut.io.added.expect(pointer(to).U)
        dut.io.distance.expect(n.U)
        dut.io.before.expect((n > 0).B)
        if (n < entries) dut.io.found.expect(pointer(to).U)
        val places = (from until to).map(_ % entries).toSet
        dut.io.mask.expect(places.map(BigInt(1) << _).sum.U)
        dut.io.set.poke((BigInt(1) << n % entries).U)
        dut.io.rotated.expect((BigInt(1) << (n + entries - from % entries) % entries).U)
      }
      for (from <- 0 until 2 * entries; n <- 0 until entries) { // the older one second
        dut.io.a.poke(pointer(from + n).U)
        dut.io.b.poke(pointer(from).U)
        dut.io.before.expect(false.B)
      }
    }
  }
}
