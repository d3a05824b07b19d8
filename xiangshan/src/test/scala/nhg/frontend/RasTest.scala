// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Random calls, returns and restores against a list; a restored state repairs the top, which is all a wrong path's first call destroys. */
class RasTest extends AnyFlatSpec with ChiselScalatestTester {
  private val entries = 8
  private val p = NhgParams(frontend = FrontendParams(rasEntries = entries))

  "Ras" should "return to the callers in reverse, and keep the newest when it overflows" in {
    test(new Ras(p)) { dut =>
      val random = new Random(1)
      val s = new Signals
      var stack = List[BigInt]() // newest first, at most the size
      var returns = 0
      for (_ <- 0 until 1500) {
        stack.headOption.foreach(top => assert(s.get(dut.io.state.top) == top, "top of the stack"))
        // a wrong path of one call or return, undone in the next cycle, together with the right path's operation
        val saved = (s.get(dut.io.state.depth), s.get(dut.io.state.top))
        val strays = stack.nonEmpty && stack.length < entries && random.nextInt(4) == 0
        if (strays) {
          val calls = random.nextBoolean()
          operate(s, dut, calls = calls, returns = !calls, BigInt(38, random) * 2, None)
        }
        val address = BigInt(38, random) * 2
        val action = random.nextInt(if (stack.length < 2) 2 else 5)
        operate(s, dut, calls = action < 2, returns = action == 2 || action == 3, address, if (strays) Some(saved) else None)
        if (action < 2) stack = (address :: stack).take(entries)
        else if (action < 4) { stack = stack.tail; returns += 1 }
      }
      assert(returns > 300)
    }
  }

  private def operate(s: Signals, dut: Ras, calls: Boolean, returns: Boolean, address: BigInt, restore: Option[(BigInt, BigInt)]): Unit = {
    s.set(dut.io.call, calls)
    s.set(dut.io.ret, returns)
    s.set(dut.io.returnAddress, address)
    s.set(dut.io.restore.valid, restore.isDefined)
    restore.foreach { case (depth, top) =>
      s.set(dut.io.restore.bits.depth, depth)
      s.set(dut.io.restore.bits.top, top)
    }
    dut.clock.step()
  }
}
