// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Every instruction of Zba, Zbb, Zbs and Zicond on corner values and random ones. */
class BitManipTest extends AnyFlatSpec with ChiselScalatestTester {
  "BitManip" should "compute what the manuals say" in test(new BitManip).withAnnotations(Simulators.verilator) { dut =>
    val random = new Random(1)
    val corners = Seq(0L, 1L, -1L, 31L, 32L, 63L, 64L, Long.MinValue, Long.MaxValue, 1L << 31, 0xffffffffL, 0xffffffff00000000L, 0x00ff0100_80007f00L)
    val pairs = (for (a <- corners; b <- corners) yield (a, b)) ++
      Seq.fill(100)((random.nextLong() >>> random.nextInt(64), random.nextLong() >> random.nextInt(64)))
    for (i <- BitManipInstructions.all; (a, b) <- pairs) {
      val operand = if (i.format == 'H') b & (if (i.isWord) 31 else 63) else b
      dut.io.fn.poke(i.fn.U)
      dut.io.word.poke(i.isWord.B)
      dut.io.a.poke(Reference.bits(a).U)
      dut.io.b.poke(Reference.bits(operand).U)
      val expected = Reference.bits(BitManipInstructions.compute(i.name, a, operand))
      val out = dut.io.out.peek().litValue
      assert(out == expected, f"${i.name} $a%x $operand%x: ${out.toString(16)}, not ${expected.toString(16)}")
    }
  }
}
