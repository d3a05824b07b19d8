// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

class BtqTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(frontend = FrontendParams(btqEntries = 4))
  private def target(n: Int): Long = platform.Regions.local.base + 2 * n

  behavior of "Btq"

  it should "give entries in order, roll back what is not confirmed, and refill after a flush" in {
    test(new Btq(p)) { dut =>
      val rng = new Random(5)
      var sent, confirmed = 0 // entries, counted for ever
      val unused = mutable.Queue[Int]()
      val popped = mutable.Queue[Int]()
      for (_ <- 0 until 5000) {
        val flush = rng.nextInt(60) == 0
        val offer = rng.nextInt(3) > 0 && !flush
        dut.io.in.valid.poke(offer.B)
        dut.io.in.bits.finPtr.poke((sent % 64).U)
        dut.io.in.bits.target.poke(target(sent).U)
        val resend = confirmed + rng.nextInt(popped.size + unused.size + 1)
        dut.io.flush.valid.poke(flush.B)
        dut.io.flush.bits.poke((resend % 64).U)

        val confirm = popped.nonEmpty && rng.nextInt(3) == 0 && !flush
        val rollBack = !flush && rng.nextInt(10) == 0
        val pop = !flush && !rollBack && unused.nonEmpty && rng.nextBoolean()
        dut.io.headValid.expect(unused.nonEmpty.B)
        unused.headOption.foreach(n => dut.io.headTarget.expect(target(n).U))
        dut.io.pop.poke(pop.B)
        dut.io.confirm.poke(confirm.B)
        dut.io.rollBack.poke(rollBack.B)
        dut.io.in.ready.expect((popped.size + unused.size < 4 && !flush).B)
        val accepted = offer && dut.io.in.ready.peek().litToBoolean

        if (confirm) {
          popped.dequeue()
          confirmed += 1
        }
        if (pop) popped.enqueue(unused.dequeue())
        if (rollBack) popped.reverse.foreach(_ +=: unused)
        if (rollBack) popped.clear()
        if (accepted) {
          unused.enqueue(sent)
          sent += 1
        }
        if (flush) {
          unused.clear()
          popped.clear()
          sent = resend
          confirmed = resend
        }
        dut.clock.step()
      }
      assert(confirmed > 200)
    }
  }

  it should "drop what it holds when the finish queue skips entries taken meanwhile" in {
    test(new Btq(p)) { dut =>
      dut.io.in.valid.poke(true.B)
      for (n <- 0 until 4) {
        dut.io.in.bits.finPtr.poke(n.U)
        dut.io.in.bits.target.poke(target(n).U)
        dut.clock.step()
      }
      dut.io.in.bits.finPtr.poke(4.U)
      dut.io.in.ready.expect(false.B)
      dut.clock.step()
      dut.io.in.bits.finPtr.poke(9.U)
      dut.io.in.bits.target.poke(target(9).U)
      dut.io.in.ready.expect(true.B)
      dut.clock.step()
      dut.io.in.valid.poke(false.B)
      dut.io.headTarget.expect(target(9).U)
      dut.io.pop.poke(true.B)
      dut.clock.step()
      dut.io.pop.poke(false.B)
      dut.io.headValid.expect(false.B)
    }
  }
}
