// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util.Valid
import chiseltest._
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Random stores enter and leave; a line on its way is always seen, the filter ends empty, and local lines never wait for far ones. */
class StoreFilterTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val counters = 64

  "StoreFilter" should "never miss a store on its way to memory, and forget it when it has arrived" in {
    test(new StoreFilter(p.line, StoreFilterParams(p.amu.lines, p.map.far.base, counters))) { dut =>
      val random = new Random(1)
      dut.clock.setTimeout(0)
      for (_ <- 0 until counters) {
        dut.io.ready.expect(false.B)
        dut.clock.step()
      }
      dut.io.ready.expect(true.B)
      def line(region: platform.Region): BigInt = (BigInt(region.base) >> 6) + random.nextInt(1 << 24)
      var farOnly = false
      def draw(): BigInt = if (!farOnly && random.nextInt(4) == 0) line(p.map.local) else line(p.map.far)
      def busy(line: BigInt): Boolean = {
        dut.io.lookup.poke(line.U)
        dut.io.busy.peek().litToBoolean
      }
      val flying = mutable.ArrayBuffer[BigInt]()
      var idleLooks, falseMatches = 0
      for (cycle <- 0 until 4000) {
        farOnly = cycle / 1000 % 2 == 1
        if (flying.nonEmpty) assert(busy(flying(random.nextInt(flying.length))), "a store on its way is not seen")
        val other = draw()
        if (!flying.contains(other) && flying.length <= 4) {
          idleLooks += 1
          if (busy(other)) falseMatches += 1
        }
        if (farOnly) assert(!busy(line(p.map.local)), "a local line waits for far stores")
        val draining = cycle % 1000 >= 700
        // the same line may be on its way several times, and one may leave while another enters
        val enters = !draining && random.nextInt(3) != 0
        val entering = if (flying.nonEmpty && random.nextInt(4) == 0) flying(random.nextInt(flying.length)) else draw()
        val leaves = flying.nonEmpty && random.nextInt(2) == 0
        dut.io.enter.valid.poke(enters.B)
        dut.io.enter.bits.poke(entering.U)
        dut.io.leave.valid.poke(leaves.B)
        if (leaves) {
          val gone = flying.remove(random.nextInt(flying.length))
          dut.io.leave.bits.poke(gone.U)
        }
        if (enters) flying += entering
        dut.clock.step()
        if (cycle % 1000 == 999) {
          dut.io.enter.valid.poke(false.B)
          while (flying.nonEmpty) {
            dut.io.leave.valid.poke(true.B)
            dut.io.leave.bits.poke(flying.remove(0).U)
            dut.clock.step()
          }
          dut.io.leave.valid.poke(false.B)
          for (_ <- 0 until 200) assert(!busy(draw()), "a counter did not return to zero")
        }
      }
      val kept = line(p.map.far)
      def pass(port: Valid[UInt]): Unit = {
        port.valid.poke(true.B)
        port.bits.poke(kept.U)
        dut.clock.step()
        port.valid.poke(false.B)
        assert(busy(kept), "a store on its way is not seen")
      }
      for (_ <- 0 to 2 * p.amu.lines) { // more than a counter can hold
        pass(dut.io.enter)
        pass(dut.io.enter)
        pass(dut.io.leave)
        dut.io.leave.valid.poke(true.B)
        dut.clock.step()
        dut.io.leave.valid.poke(false.B)
        assert(!busy(kept), "a counter did not return to zero")
      }
      assert(idleLooks > 100 && falseMatches < idleLooks / 4, s"$falseMatches false matches in $idleLooks: the hash does not spread lines")
    }
  }
}
