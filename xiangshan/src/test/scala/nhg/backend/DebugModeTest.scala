// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Debug mode, as a restored checkpoint leaves it: what it holds back, and that dret changes mode and pc alone. */
class DebugModeTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val (mstatus, mie, mip, mepc, mcycle, minstret, dcsr, dpc, tdata1) = (0x300, 0x304, 0x344, 0x341, 0xb00, 0xb02, 0x7b0, 0x7b1, 0x7a1)
  private val supervisorSoftware = 1 << 1
  private val dret = 0x7b200073L
  private val mret = 0x30200073L

  private def access(dut: Csr, csr: Int, funct3: Int, field: Int, value: BigInt): BigInt = {
    dut.io.access.valid.poke(true.B)
    dut.io.access.bits.addr.poke(csr.U)
    dut.io.access.bits.funct3.poke(funct3.U)
    dut.io.access.bits.rs1Field.poke(field.U)
    dut.io.access.bits.rs1.poke(value.U)
    val read = dut.io.readData.peek().litValue
    dut.clock.step()
    dut.io.access.valid.poke(false.B)
    read
  }
  private def write(dut: Csr, csr: Int, value: BigInt): Unit = access(dut, csr, 1, 1, value)
  private def read(dut: Csr, csr: Int): BigInt = access(dut, csr, 2, 0, 0)

  "Debug mode" should "hold back interrupts, triggers, MPRV and the counters until dret" in {
    test(new Csr(p)).withAnnotations(Simulators.verilatorOf("Csr")) { dut =>
      val random = new Random(1)
      for (_ <- 0 until 60) {
        val (mode, mpp) = (Seq(0, 1, 3)(random.nextInt(3)), Seq(0, 1)(random.nextInt(2)))
        val (pc, epc) = (BigInt(63, random) * 2, BigInt(63, random) * 2)
        val (cycles, instructions) = (BigInt(40, random), BigInt(40, random))
        val status = BigInt("a00000000", 16) | mpp << 11 | 1 << 17 | 1 << 3 // MPRV, MIE
        write(dut, mstatus, BigInt(0))
        write(dut, mie, supervisorSoftware)
        write(dut, mip, supervisorSoftware)
        write(dut, tdata1, 1 << 6 | 1) // M, load
        write(dut, mepc, epc)
        write(dut, dcsr, mode)
        write(dut, dpc, pc)
        write(dut, mcycle, cycles)
        write(dut, minstret, instructions)
        dut.io.retired.poke(1.U)
        write(dut, mstatus, status)
        dut.clock.step(1 + random.nextInt(4))
        dut.io.allowed.debug.expect(true.B)
        dut.io.interrupts.letIn.expect(false.B)
        dut.io.interrupts.wakes.expect(true.B)
        dut.io.triggers.all(0).load.expect(false.B)
        assert((dut.io.pmp.read.peek().litValue >> 16) == 0, "where no region is, a load has the rights of MPP")
        assert(read(dut, mcycle) == cycles && read(dut, minstret) == instructions, "a counter does not stand")
        dut.io.mret.poke(true.B)
        dut.clock.step()
        dut.io.mret.poke(false.B)
        dut.io.retired.poke(0.U)
        dut.io.mepc.expect(pc.U)
        dut.io.allowed.debug.expect(false.B)
        dut.io.trace.mode.expect(mode.U)
        dut.io.trace.csrs(0).expect(status.U)
        dut.io.interrupts.letIn.expect(true.B)
        assert(read(dut, mcycle) == cycles && read(dut, minstret) == instructions, "dret counts")
        dut.io.mepc.expect(epc.U)
        assert(read(dut, mcycle) == cycles + 2, "mcycle stands behind dret") // a read takes a cycle
        dut.io.trap.exception.valid.poke(true.B) // to M mode
        dut.clock.step()
        dut.io.trap.exception.valid.poke(false.B)
      }
    }
  }

  "Decoder" should "know dret in debug mode only, and its CSRs in the boot ROM only" in {
    test(new Decoder(p)).withAnnotations(Simulators.verilatorOf("Decoder")) { dut =>
      dut.io.allowed.mode.poke(3.U)
      def isLegal(code: Long, pc: Long, debug: Boolean): Boolean = {
        dut.io.allowed.debug.poke(debug.B)
        dut.io.in.inst.poke(code.U)
        dut.io.in.raw.poke(code.U)
        dut.io.in.pc.poke(pc.U)
        !dut.io.out.exception.valid.peek().litToBoolean
      }
      for (debug <- Seq(false, true); pc <- Seq(0xffcL, 0x1000L, 0xfffcL, 0x10000L, 0x80001000L)) {
        assert(isLegal(dret, pc, debug) == debug && isLegal(mret, pc, debug) == !debug, f"returns at $pc%x")
        for (csr <- Seq(dcsr, dpc); access <- Seq(0x9073L, 0x2073L)) // csrrw, csrrs
          assert(isLegal(csr.toLong << 20 | access, pc, debug) == (pc >= 0x1000 && pc < 0x10000), f"CSR $csr%x at $pc%x")
      }
      assert(isLegal(dret, 0x1000, debug = true) && dut.io.out.isMret.peek().litToBoolean && dut.io.out.flushAfter.peek().litToBoolean, "dret")
      assert(isLegal(dcsr.toLong << 20 | 0x9073, 0x1000, debug = false) && dut.io.out.flushAfter.peek().litToBoolean, "what dcsr changes is decoding")
      dut.io.allowed.mode.poke(1.U)
      assert(!isLegal(dcsr.toLong << 20 | 0x2073, 0x1000, debug = false), "dcsr in S mode")
    }
  }
}
