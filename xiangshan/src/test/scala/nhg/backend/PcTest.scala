// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Targets and links of control flow at and across the borders of Sv39's halves, of what a program counter holds, and of the address space. */
class PcTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val pcMask = (1L << p.pcBits) - 1
  private val (half, range) = (1L << (p.addressBits - 1), 1L << (p.pcBits - 1))
  private val borders = Seq(0L, half, -half, range, -range, 1L << 63, 1L << 62)
  private val random = new Random(1)
  import Reference.bits
  private def near(border: Long): Long = border + 2 * (random.nextInt(9) - 4)
  private def isHeld(address: Long): Boolean = address >= -range && address < range
  private def pcOf(address: Long): Long = (if (isHeld(address)) address else -range) & pcMask

  "BranchUnit" should "go to any address, link the next one, and know that no prediction of other addresses is right" in {
    test(new BranchUnit(p)) { dut =>
      def check(pc: Long, fn: UInt, imm: Long, register: Long, isRvc: Boolean, target: Long): Unit = {
        dut.io.pc.poke((pc & pcMask).U)
        dut.io.op.uop.fn.poke(fn)
        dut.io.op.uop.imm.poke((imm & 0xffffffffL).U)
        for (source <- dut.io.op.src) source.poke(bits(register).U)
        dut.io.info.isRvc.poke(isRvc.B)
        val link = pc + (if (isRvc) 2 else 4)
        val isTaken = fn.litValue != 1 // bne of equal registers
        dut.io.info.predTaken.poke(isTaken.B)
        dut.io.info.predTarget.poke(pcOf(target).U)
        val what = f"from $pc%x to $target%x"
        assert(dut.io.result.peek().litValue == bits(link), s"link $what")
        assert(dut.io.next.peek().litValue == (if (isTaken) pcOf(target) else link & pcMask), what)
        assert(dut.io.mispredicted.peek().litToBoolean == (isTaken && pcOf(target) == (range & pcMask)), s"prediction $what")
        if (isTaken) assert((dut.io.wideTarget.peek().litValue & ~BigInt(1)) == bits(target), what)
        dut.io.info.predTarget.poke((pcOf(target) ^ 1L << random.nextInt(p.pcBits)).U)
        assert(dut.io.mispredicted.peek().litToBoolean == isTaken, s"wrong prediction $what")
      }
      for (border <- borders; _ <- 0 until 12) {
        val (pc, imm, isRvc) = (near(borders(random.nextInt(3))), 2L * (random.nextInt(9) - 4), random.nextBoolean())
        val target = near(border)
        check(pc, BruFn.jalr, imm, target - imm + random.nextInt(2), isRvc, target)
      }
      for (border <- borders.take(3); _ <- 0 until 12) {
        val (pc, imm, isRvc) = (near(border), 2L * (random.nextInt(17) - 8), random.nextBoolean())
        for (fn <- Seq(BruFn.jal, 0.U, 1.U)) check(pc, fn, imm, 5, isRvc, pc + imm)
      }
    }
  }

  "WidePc" should "have the address of the last jump that no program counter holds" in {
    test(new WidePc(p)) { dut =>
      var wide = 0L
      for (_ <- 0 until 200) {
        val (valid, isJump) = (random.nextBoolean(), random.nextBoolean())
        val address = near(borders(random.nextInt(borders.length)))
        if (valid && isJump && pcOf(address) == (range & pcMask)) wide = address
        dut.io.redirect.valid.poke(valid.B)
        dut.io.redirect.bits.isJump.poke(isJump.B)
        dut.io.redirect.bits.pc.poke(pcOf(address).U)
        dut.io.redirect.bits.address.poke(bits(address | random.nextInt(2)).U)
        dut.clock.step()
        for ((pc, whole) <- Seq(dut.io.fetched -> dut.io.fetchedAddress, dut.io.oldest -> dut.io.oldestAddress)) {
          val asked = near(borders(random.nextInt(3)))
          pc.poke((asked & pcMask).U)
          assert(whole.peek().litValue == bits(asked))
          pc.poke((range & pcMask).U)
          assert(wide == 0 || whole.peek().litValue == bits(wide))
        }
      }
    }
  }
}
