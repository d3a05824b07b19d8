// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec

/** A replayed load waits from then on, for three sweeps and no more; other addresses never do. */
class WaitTableTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val (entries, sweepCycles) = (16, 64)

  "WaitTable" should "remember replayed loads for three sweeps" in {
    test(new WaitTable(p, entries, sweepCycles)) { dut =>
      val pc = 0x80000006L
      val aliases = pc + 2 * entries
      dut.io.pc(0).poke(pc.U)
      dut.io.pc(1).poke((pc + 2).U)
      dut.io.pc(2).poke(aliases.U)
      def expect(waits: Boolean): Unit = {
        dut.io.mustWait(0).expect(waits.B)
        dut.io.mustWait(1).expect(false.B)
        dut.io.mustWait(2).expect(waits.B)
      }
      for (_ <- 0 until sweepCycles - 1) {
        dut.io.mustWait.foreach(_.expect(false.B))
        dut.clock.step()
      }
      for (_ <- 0 until 2) {
        dut.clock.step(1)
        dut.io.replayed.valid.poke(true.B)
        dut.io.replayed.bits.poke(pc.U)
        dut.clock.step()
        dut.io.replayed.valid.poke(false.B)
        var waited = 0
        while (dut.io.mustWait(0).peek().litToBoolean && waited < 10 * sweepCycles) {
          expect(waits = true)
          dut.clock.step()
          waited += 1
        }
        assert(waited > 2 * sweepCycles && waited <= 3 * sweepCycles, s"the load waits for $waited cycles")
        for (_ <- 0 until 2 * sweepCycles) { expect(waits = false); dut.clock.step() }
      }
    }
  }
}
