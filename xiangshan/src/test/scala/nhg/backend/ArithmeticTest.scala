// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** ALU, multiplier and divider against BigInt arithmetic on random and corner operands. */
class ArithmeticTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  import Reference.{bits, operand}

  "Alu" should "compute every operation" in {
    // (funct3, alternate) in the order of the fn codes
    val operations = Seq(0 -> false, 0 -> true, 1 -> false, 2 -> false, 3 -> false, 4 -> false, 5 -> false, 5 -> true, 6 -> false, 7 -> false)
    test(new Alu) { dut =>
      val random = new Random(1)
      for (_ <- 0 until 60; ((funct3, alternate), fn) <- operations.zipWithIndex) {
        val isWord = Set(0, 1, 5)(funct3) && random.nextBoolean()
        val (a, b) = (operand(random), operand(random))
        dut.io.fn.poke(fn.U)
        dut.io.word.poke(isWord.B)
        dut.io.a.poke(bits(a).U)
        dut.io.b.poke(bits(b).U)
        val expected = Reference.alu(funct3, alternate, isWord, a, b)
        assert(dut.io.out.peek().litValue == bits(expected), s"fn $fn word $isWord a $a b $b")
      }
      dut.io.fn.poke(AluFn.copyB)
      dut.io.word.poke(false.B)
      dut.io.b.poke(123.U)
      dut.io.out.expect(123.U)
    }
  }

  private def noKill(kill: Kill): Unit = {
    kill.flush.poke(false.B)
    kill.squash.poke(false.B)
    kill.robPtr.poke(0.U)
  }
  private def pokeOp(op: IssuedOp, funct3: Int, isWord: Boolean, a: Long, b: Long, robPtr: Int, pdst: Int): Unit = {
    op.uop.fn.poke(funct3.U)
    op.uop.word.poke(isWord.B)
    op.uop.robPtr.poke(robPtr.U)
    op.uop.dest.index.poke(pdst.U)
    op.src(0).poke(bits(a).U)
    op.src(1).poke(bits(b).U)
  }

  "Multiplier" should "take one operation a cycle, give it two cycles later, drop squashed ones" in {
    test(new Multiplier(p)) { dut =>
      val random = new Random(2)
      noKill(dut.io.kill)
      // expected outputs of the next cycles: (pdst, value), None when the slot is empty
      var expected = Seq.fill[Option[(Int, Int, Long)]](2)(None)
      for (cycle <- 0 until 500) {
        val (isWord, robPtr, pdst) = (random.nextInt(4) == 0, cycle % 64, 1 + random.nextInt(63))
        val funct3 = if (isWord) 0 else random.nextInt(4)
        val (a, b) = (operand(random), operand(random))
        val valid = random.nextInt(4) != 0
        dut.io.in.valid.poke(valid.B)
        pokeOp(dut.io.in.bits, funct3, isWord, a, b, robPtr, pdst)
        dut.io.s1_wake.valid.expect(valid.B)
        val squash = robPtr > 8 && random.nextInt(8) == 0
        val survivor = robPtr - random.nextInt(3)
        dut.io.kill.squash.poke(squash.B)
        dut.io.kill.robPtr.poke(survivor.max(0).U)
        dut.io.out.valid.expect(expected.head.isDefined.B)
        expected.head.foreach { case (_, pdst, value) =>
          dut.io.out.bits.dest.index.expect(pdst.U)
          dut.io.out.bits.data.expect(bits(value).U)
        }
        val entering = if (valid) Some((robPtr, pdst, Reference.mulDiv(funct3, isWord, a, b))) else None
        expected = (expected.tail :+ entering).map(_.filterNot { case (ptr, _, _) => squash && ptr > survivor })
        dut.clock.step()
      }
    }
  }

  "Divider" should "divide with every sign, width and corner case, and forget killed operations" in {
    test(new Divider(p)) { dut =>
      val random = new Random(3)
      noKill(dut.io.kill)
      dut.io.out.ready.poke(true.B)
      var longest = 0
      for (_ <- 0 until 150) {
        val (funct3, isWord) = (4 + random.nextInt(4), random.nextInt(3) == 0)
        val (a, b) = (operand(random), operand(random))
        dut.io.in.ready.expect(true.B)
        dut.io.in.valid.poke(true.B)
        pokeOp(dut.io.in.bits, funct3, isWord, a, b, robPtr = 5, pdst = 9)
        dut.clock.step()
        dut.io.in.valid.poke(false.B)
        if (random.nextInt(10) == 0) {
          dut.clock.step(random.nextInt(3))
          dut.io.kill.squash.poke(true.B)
          dut.io.kill.robPtr.poke(4.U)
          dut.clock.step()
          dut.io.kill.squash.poke(false.B)
          dut.io.out.valid.expect(false.B)
        } else {
          var cycles = 1
          while (!dut.io.out.valid.peek().litToBoolean) {
            dut.clock.step()
            cycles += 1
            assert(cycles < 40, "the divider does not finish")
          }
          longest = longest.max(cycles)
          assert(dut.io.out.bits.data.peek().litValue == bits(Reference.mulDiv(funct3, isWord, a, b)), s"funct3 $funct3 word $isWord $a / $b")
          dut.io.out.bits.dest.index.expect(9.U)
          dut.clock.step()
        }
      }
      assert(longest <= 18, s"a division took $longest cycles")
    }
  }
}
