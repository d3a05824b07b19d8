// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import nhg.priv.PmpModel
import org.scalatest.flatspec.AnyFlatSpec
import platform.Csrs
import scala.collection.mutable
import scala.util.Random

/** Random accesses, traps and returns, in every mode, against the model. */
class CsrTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val lineBits = 0xa88 // of mip: MEI, SEI, MTI, MSI

  "Csr" should "follow the model under random accesses, traps and returns in every mode" in {
    test(new Csr(p)).withAnnotations(Simulators.verilatorOf("Csr")) { dut =>
      val random = new Random(1)
      val model = new CsrModel
      def operand(): BigInt = if (random.nextInt(4) == 0) BigInt(random.nextInt(256)) else BigInt(64, random)
      val writable = CsrModel.registers.keys.toIndexedSeq.sorted ++ Seq(0x100, 0x104, 0x144, Csrs.amuid, Csrs.amustate) ++ PmpModel.csrs ++ Seq(0x7a1, 0x7a2)
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      for (_ <- 0 until 24000) {
        model.amu = CsrModel.amuCsrs.map(_ -> BigInt(64, random)).toMap
        for ((csr, port) <- dut.io.amu.values) port.poke(model.amu(csr).U)
        if (random.nextInt(8) == 0) model.time = if (random.nextBoolean()) BigInt(64, random) else (model(0x14d) + random.nextInt(3) - 1) & CsrModel.all
        if (random.nextInt(4) == 0) model.lines = random.nextInt(4096) & random.nextInt(4096) & lineBits
        val lines = dut.io.lines
        lines.time.poke(model.time.U)
        for ((line, n) <- Seq(lines.machineSoftware -> 3, lines.machineTimer -> 7, lines.supervisorExternal -> 9, lines.machineExternal -> 11))
          line.poke(((model.lines >> n & 1) == 1).B)
        val interrupts = dut.io.interrupts
        interrupts.wakes.expect(model.wakes.B)
        interrupts.letIn.expect(model.interrupt.isDefined.B)
        model.interrupt.foreach(number => interrupts.cause.expect(number.U))
        dut.io.trace.time.expect(model.time.U)
        dut.io.trapVector.expect(model.trapVector.U)
        dut.io.mepc.expect(model(0x341).U)
        dut.io.sepc.expect(model(0x141).U)
        dut.io.amuctl.expect(model(Csrs.amuctl).U)
        dut.io.cycles.expect(model.cycles.U)
        dut.io.trace.mode.expect(model.mode.U)
        for ((value, port) <- model.trace.zip(dut.io.trace.csrs)) port.expect(value.U)
        val rights = model.rights
        def expect(port: Data, value: Boolean, name: String): Unit =
          assert((port.asInstanceOf[Bool].peek().litValue == 1) == value, s"$name in mode ${rights.mode} is not $value")
        val allowed = dut.io.allowed
        allowed.mode.expect(rights.mode.U)
        allowed.counters.expect(rights.counters.U)
        expect(allowed.sret, rights.sret, "sret")
        expect(allowed.wfi, rights.wfi, "wfi")
        expect(allowed.translation, rights.translation, "translation")
        expect(allowed.senvcfg, rights.senvcfg, "senvcfg")
        expect(allowed.sstateen0, rights.sstateen0, "sstateen0")
        expect(allowed.stimecmp, rights.stimecmp, "stimecmp")
        expect(allowed.amu, rights.amu, "AMU")
        expect(allowed.fp, rights.fp, "floating point")
        dut.io.access.valid.poke(false.B)
        dut.io.trap.exception.valid.poke(false.B)
        dut.io.trap.isInterrupt.poke(false.B)
        dut.io.mret.poke(false.B)
        dut.io.sret.poke(false.B)
        val action = random.nextInt(12)
        // an access is alone in the ROB, so nothing retires beside it; a trap may follow retiring instructions
        val retired = if (action < 6) 0 else random.nextInt(p.backend.commitWidth + 1)
        dut.io.retired.poke(retired.U)
        val flags = if (retired == 0) 0 else random.nextInt(32) & random.nextInt(32) & random.nextInt(32)
        val dirty = retired != 0 && (flags != 0 || random.nextInt(4) == 0)
        dut.io.fpRetired.flags.poke(flags.U)
        dut.io.fpRetired.dirty.poke(dirty.B)
        dut.io.frm.expect(model(0x002).U)
        var cycles = model.cycles + 1
        var instructions = model.instructions + retired
        if (action < 6) {
          val choice = if (random.nextBoolean()) writable else CsrModel.existing
          val csr = random.nextInt(5) match {
            case 0 => Seq(0x303, 0x304, 0x344, 0x144, 0x14d, 0x30a)(random.nextInt(6)) // interrupts
            case 1 => 0x300 // and where an mret goes
            case _ => choice(random.nextInt(choice.length))
          }
          val (funct3, field, rs1) = (Seq(1, 2, 3, 5, 6, 7)(random.nextInt(6)), random.nextInt(32) * random.nextInt(2), operand())
          val value = model.written(csr, funct3, field, rs1)
          if (CsrModel.legal(csr, value.isDefined, rights)) {
            dut.io.access.valid.poke(true.B)
            dut.io.access.bits.addr.poke(csr.U)
            dut.io.access.bits.funct3.poke(funct3.U)
            dut.io.access.bits.rs1Field.poke(field.U)
            dut.io.access.bits.rs1.poke(rs1.U)
            assert(dut.io.readData.peek().litValue == model(csr), f"CSR $csr%x")
            dut.io.amu.select.valid.expect((csr == Csrs.amuid && value.isDefined).B)
            if (csr == Csrs.amuid) value.foreach(id => dut.io.amu.select.bits.expect(id.U))
            dut.io.amu.forget.expect((csr == Csrs.amustate && value.isDefined).B)
            for (written <- value) {
              counts(s"write in ${rights.mode}") += 1
              if (csr == 0xb00) cycles = written
              else if (csr == 0xb02) instructions = written - 1 // the write is seen after its own retirement
              else model.write(csr, written)
            }
          }
        } else if (action == 6 || action > 8 && model.interrupt.isDefined) {
          val interrupt = model.interrupt.filter(_ => action != 6 || random.nextBoolean())
          val (pc, cause, tval) = (BigInt(63, random) * 2, interrupt.getOrElse(random.nextInt(32)), if (interrupt.isDefined) BigInt(0) else operand())
          dut.io.trap.isInterrupt.poke(interrupt.isDefined.B)
          dut.io.trap.exception.valid.poke(true.B)
          dut.io.trap.pc.poke(pc.U)
          dut.io.trap.exception.cause.poke(cause.U)
          dut.io.trap.exception.tval.poke(tval.U)
          model.trap(pc, cause, tval, interrupt.isDefined)
          interrupt.foreach(number => counts(s"interrupt $number to ${model.mode}") += 1)
          counts(s"trap from ${rights.mode} to ${model.mode}") += 1
        } else if (action == 7 && rights.mode == 3) {
          dut.io.mret.poke(true.B)
          model.mret()
          counts(s"mret to ${model.mode}") += 1
        } else if (action == 8 && rights.sret) {
          dut.io.sret.poke(true.B)
          model.sret()
          counts(s"sret to ${model.mode}") += 1
        }
        model.retireFp(flags, dirty)
        model.cycles = cycles & CsrModel.all
        model.instructions = instructions & CsrModel.all
        dut.clock.step()
      }
      val kinds = (0 to 3).filter(_ != 2).flatMap(mode => Seq(s"write in $mode", s"trap from $mode to 3")) ++
        Seq(0, 1).flatMap(mode => Seq(s"trap from $mode to 1", s"mret to $mode", s"sret to $mode"))
      val interruptKinds = Seq(1, 3, 5, 7, 9, 11).map(n => s"interrupt $n to 3") ++ Seq(1, 5, 9).map(n => s"interrupt $n to 1")
      for (kind <- interruptKinds) assert(counts(kind) > 0, s"too little $kind: $counts")
      for (kind <- kinds) assert(counts(kind) > 10, s"too little $kind: $counts")
    }
  }
}
