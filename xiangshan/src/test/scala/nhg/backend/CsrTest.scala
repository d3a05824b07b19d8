// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec
import platform.AmuConfigNumber
import scala.collection.mutable
import scala.util.Random

/** Random accesses, traps and returns against the model. */
class CsrTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()

  "Csr" should "follow the model under random accesses, traps and returns" in {
    test(new Csr(p)) { dut =>
      val random = new Random(1)
      val model = new CsrModel
      def operand(): BigInt = if (random.nextInt(4) == 0) BigInt(random.nextInt(256)) else BigInt(64, random)
      val writable = CsrModel.registers.keys.toIndexedSeq.sorted
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      for (_ <- 0 until 6000) {
        model.amu = Seq.fill(CsrModel.amuCsrs.size)(BigInt(64, random))
        dut.io.amu.amucap.poke(model.amu(0).U)
        dut.io.amu.amustat.poke(model.amu(1).U)
        for (k <- 0 until AmuConfigNumber.count) dut.io.amu.amucfg(k).poke(model.amu(2 + k).U)
        dut.io.amu.amuhits.poke(model.amu(2 + AmuConfigNumber.count).U)
        dut.io.amu.amureuse.poke(model.amu(3 + AmuConfigNumber.count).U)
        dut.io.mtvec.expect(model(0x305).U)
        dut.io.mepc.expect(model(0x341).U)
        dut.io.amuctl.expect(model(platform.Csrs.amuctl).U)
        dut.io.cycles.expect(model.cycles.U)
        dut.io.access.valid.poke(false.B)
        dut.io.trap.valid.poke(false.B)
        dut.io.mret.poke(false.B)
        val action = random.nextInt(10)
        // an access is alone in the ROB, so nothing retires beside it; a trap may follow retiring instructions
        val retired = if (action < 6) 0 else random.nextInt(p.backend.commitWidth + 1)
        dut.io.retired.poke(retired.U)
        val flags = if (retired == 0) 0 else random.nextInt(32) & random.nextInt(32) & random.nextInt(32)
        val dirty = retired != 0 && (flags != 0 || random.nextInt(4) == 0)
        dut.io.fpRetired.flags.poke(flags.U)
        dut.io.fpRetired.dirty.poke(dirty.B)
        dut.io.fpOn.expect(((model(0x300) & 0x6000) != 0).B)
        dut.io.frm.expect(model(0x002).U)
        var cycles = model.cycles + 1
        var instructions = model.instructions + retired
        if (action < 6) {
          val choice = if (random.nextBoolean()) writable else CsrModel.existing
          val csr = if (random.nextInt(8) == 0) 0xc01 else choice(random.nextInt(choice.length)) // often time, so that a tick missed is seen
          val (funct3, field, rs1) = (Seq(1, 2, 3, 5, 6, 7)(random.nextInt(6)), random.nextInt(32) * random.nextInt(2), operand())
          dut.io.access.valid.poke(true.B)
          dut.io.access.bits.addr.poke(csr.U)
          dut.io.access.bits.funct3.poke(funct3.U)
          dut.io.access.bits.rs1Field.poke(field.U)
          dut.io.access.bits.rs1.poke(rs1.U)
          assert(dut.io.readData.peek().litValue == model(csr), f"CSR $csr%x")
          for (value <- model.written(csr, funct3, field, rs1)) {
            counts("write") += 1
            if (csr == 0xb00) cycles = value
            else if (csr == 0xb02) instructions = value - 1 // the write is seen after its own retirement
            else model.write(csr, value)
          }
        } else if (action == 6) {
          counts("trap") += 1
          val (pc, cause, tval) = (BigInt(63, random) * 2, random.nextInt(32), operand())
          dut.io.trap.valid.poke(true.B)
          dut.io.trap.pc.poke(pc.U)
          dut.io.trap.exception.cause.poke(cause.U)
          dut.io.trap.exception.tval.poke(tval.U)
          model.trap(pc, cause, tval)
        } else if (action == 7) {
          counts("mret") += 1
          dut.io.mret.poke(true.B)
          model.mret()
        }
        model.retireFp(flags, dirty)
        model.cycles = cycles & CsrModel.all
        model.elapsed += 1
        model.instructions = instructions & CsrModel.all
        dut.clock.step()
      }
      assert(Seq("write", "trap", "mret").forall(counts(_) > 200), s"the test did too little: $counts")
    }
  }
}
