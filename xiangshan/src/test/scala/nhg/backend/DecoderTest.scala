// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import nhg.frontend.CfiType
import nhg.priv.PmpModel
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** The decoder against the instruction table: every instruction with random operands, every encoding one bit away from one, random words,
  * every CSR number, and the exceptions found in decode.
  */
class DecoderTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val pc = 0x80001236L
  private def bits(code: Long, high: Int, low: Int): Int = ((code >> low) & ((1L << (high - low + 1)) - 1)).toInt
  private def signed(value: Long, width: Int): Int = ((value << (64 - width)) >> (64 - width)).toInt
  private def isLink(register: Int) = register == 1 || register == 5

  private def csrLegal(code: Long, rights: Rights): Boolean = {
    val (csr, funct3, rs1) = (bits(code, 31, 20), bits(code, 14, 12), bits(code, 19, 15))
    CsrModel.legal(csr, writes = funct3 % 4 == 1 || rs1 != 0, rights)
  }

  private val changeRights = Set(0x002, 0x003, 0x100, 0x300, 0x106, 0x306, 0x10c, 0x30c, 0x30a, 0x302, 0x180, 0x7a1, 0x7a2) ++ PmpModel.csrs
  private val machine = Rights(mode = 3)
  private def randomRights(random: Random): Rights = {
    def some() = random.nextInt(3) != 0
    Rights(Seq(0, 1, 3)(random.nextInt(3)), some(), some(), some(), random.nextInt(8), some(), some(), some(), some(), some())
  }
  private def allow(dut: Decoder, rights: Rights): Unit = {
    val allowed = dut.io.allowed
    allowed.mode.poke(rights.mode.U)
    allowed.sret.poke(rights.sret.B)
    allowed.wfi.poke(rights.wfi.B)
    allowed.translation.poke(rights.translation.B)
    allowed.counters.poke(rights.counters.U)
    allowed.senvcfg.poke(rights.senvcfg.B)
    allowed.sstateen0.poke(rights.sstateen0.B)
    allowed.stimecmp.poke(rights.stimecmp.B)
    allowed.amu.poke(rights.amu.B)
    allowed.fp.poke(rights.fp.B)
  }

  private def immediate(i: Instruction, code: Long): Long = i.format match {
    case 'I' => signed(bits(code, 31, 20), 12)
    case 'S' => signed(bits(code, 31, 25) << 5 | bits(code, 11, 7), 12)
    case 'B' => signed(bits(code, 31, 31) << 12 | bits(code, 7, 7) << 11 | bits(code, 30, 25) << 5 | bits(code, 11, 8) << 1, 13)
    case 'U' => signed(code & 0xfffff000L, 32)
    case 'J' => signed(bits(code, 31, 31) << 20 | bits(code, 19, 12) << 12 | bits(code, 20, 20) << 11 | bits(code, 30, 21) << 1, 21)
    case 'C' | 'Z' => bits(code, 19, 15) << 12 | bits(code, 31, 20)
    case 'A' => bits(code, 31, 27)
  }

  private def expectException(op: DecodedOp, cause: Int, tval: Long, what: String): Unit = {
    assert(op.exception.cause.peek().litValue == cause && op.exception.tval.peek().litValue == tval, s"$what: cause or tval")
    expectNothing(op, what)
  }

  private def expectNothing(op: DecodedOp, what: String): Unit = {
    assert(op.exception.valid.peek().litToBoolean, s"$what: no exception")
    assert(op.queues.peek().litValue == 0, s"$what: executes")
    for (register <- op.lrs) assert(register.index.peek().litValue == 0, s"$what: names a register")
    assert(!op.dest.writes.peek().litToBoolean, s"$what: writes a register")
    for (
      flag <-
        Seq(op.isLoad, op.isStore, op.isAmo, op.isAmi, op.isFin, op.isCfi, op.serial, op.flushAfter, op.isMret, op.isSret, op.isWfi, op.isFenceI, op.isSfence)
    )
      assert(!flag.peek().litToBoolean, s"$what: has an effect")
  }

  /** Rounding mode of an instruction that has one, or none if it is reserved. */
  private def mode(code: Long, frm: Int): Option[Int] = Some(bits(code, 14, 12)).map(rm => if (rm == 7) frm else rm).filter(_ <= 4)

  /** Compares all the decoder says of `code` with the table. */
  private def check(dut: Decoder, code: Long, rights: Rights = machine, frm: Int = 3): Unit = {
    allow(dut, rights)
    dut.io.frm.poke(frm.U)
    dut.io.in.inst.poke(code.U)
    dut.io.in.raw.poke(code.U)
    val op = dut.io.out
    val found = InstructionTable.find(code).filter {
      case i if "CZ".contains(i.format) => csrLegal(code, rights)
      case i if i.fp.nonEmpty => rights.fp && (!i.rounds || mode(code, frm).isDefined)
      case i if "12D".contains(i.format) => rights.amu
      case i if i.name == "mret" => rights.mode == 3
      case i if i.name == "sret" => rights.sret
      case i if i.name == "wfi" => rights.wfi
      case i if i.name == "sfence.vma" => rights.translation
      case _ => true
    }
    val what = f"$code%08x ${found.fold("illegal")(_.name)}"
    dut.io.interrupted.poke(true.B)
    assert(op.isInterrupted.peek().litToBoolean, s"$what: is not interrupted")
    expectNothing(op, s"$what, interrupted")
    dut.io.interrupted.poke(false.B)
    assert(!op.isInterrupted.peek().litToBoolean, s"$what: is interrupted")
    found match {
      case None => expectException(op, 2, code, what)
      case Some(i) if i.name == "ecall" => expectException(op, 8 + rights.mode, 0, what)
      case Some(i) if i.name == "ebreak" => expectException(op, 3, pc, what)
      case Some(i) => checkLegal(op, i, code, what, frm)
    }
  }

  private def checkLegal(op: DecodedOp, i: Instruction, code: Long, what: String, frm: Int): Unit = {
    val (rd, rs1, rs2) = (bits(code, 11, 7), bits(code, 19, 15), bits(code, 24, 20))
    def equal(signal: UInt, value: Long, field: String): Unit =
      assert(signal.peek().litValue == value, s"$what: $field is ${signal.peek().litValue}, not $value")
    def flag(signal: Bool, value: Boolean, field: String): Unit =
      assert(signal.peek().litToBoolean == value, s"$what: $field is not $value")

    val isPrefetch = i.name == "ori" && rd == 0 && (rs2 == 1 || rs2 == 3)
    val isHint = (i.unit.litValue == FuType.alu.litValue || i.unit.litValue == FuType.mdu.litValue) && rd == 0 && !isPrefetch
    val isStore = i.unit.litValue == FuType.store.litValue
    val isFin = i.name == "getfin" || i.name == "bafin"
    val unit = if (isHint) FuType.none else if (isPrefetch) FuType.load else i.unit
    val reads = i.format match {
      case _ if isHint => 0
      case _ if isPrefetch => 1
      case '4' => 3
      case 'Q' => 1
      case 'R' | 'S' | 'B' | '2' => 2
      case 'A' => if (i.name.startsWith("lr")) 1 else 2
      case 'I' | 'H' | 'C' | '1' => 1
      case _ => 0
    }
    flag(op.exception.valid, value = false, "exception")
    equal(op.fuType, unit.litValue.toLong, "unit")
    val queues = unit.litValue.toInt match {
      case 0 => Seq("alu")
      case 1 => Seq("bru")
      case 2 => Seq("mdu")
      case 3 => Seq("load")
      case 4 => Seq("storeAddress", "storeData")
      case 5 => Seq("storeAddress")
      case 6 => Nil
      case 7 => Seq("fma")
      case 8 => Seq("fpMisc")
      case 9 => Seq("alu")
    }
    val isMove = !isHint && (i.name == "addi" && bits(code, 31, 20) == 0 || i.name == "add" && (rs1 == 0 || rs2 == 0) || i.name == "fsgnj.d" && rs1 == rs2)
    flag(op.isMove, isMove, "isMove")
    equal(op.queues, if (isMove) 0 else queues.map(q => 1L << p.backend.queueIndex(q)).sum, "queues")
    equal(op.lrs(0).index, if (isMove && rs1 == 0 && i.name == "add") rs2 else if (reads >= 1) rs1 else 0, "rs1")
    equal(op.lrs(1).index, if (reads >= 2) rs2 else 0, "rs2")
    equal(op.lrs(2).index, if (reads >= 3) bits(code, 31, 27) else 0, "rs3")
    val toFp = i.fp.contains('d')
    flag(op.dest.writes, "RIUJHACZDQ4".contains(i.format) && (rd != 0 || toFp), "writes")
    if (rd != 0 || toFp) equal(op.dest.index, rd, "rd")
    for ((register, operand) <- (op.lrs :+ op.dest).zip("123d")) equal(register.regClass, if (i.fp.contains(operand)) 1 else 0, "register class")
    if (i.rounds) equal(op.imm, mode(code, frm).get, "rounding mode")
    if (unit.litValue != FuType.none.litValue) {
      equal(op.fn, if (isPrefetch) 8 else i.fn, "fn")
      flag(op.word, i.isWord, "word")
      val imm = op.imm.peek().litValue.toLong
      i.format match {
        case _ if isPrefetch => assert(imm.toInt == signed(bits(code, 31, 25) << 5, 12), s"$what: offset")
        case 'H' => assert((imm & (if (i.isWord) 31 else 63)) == bits(code, 25, 20), s"$what: shift amount")
        case 'R' | 'D' | '1' | '2' | 'Q' | '4' =>
        case _ => assert(imm.toInt == immediate(i, code), s"$what: immediate $imm")
      }
    }
    if (Set(FuType.alu, FuType.bitManip).exists(_.litValue == unit.litValue)) {
      flag(op.useImm, "IHU".contains(i.format), "useImm")
      flag(op.usePc, i.name == "auipc", "usePc")
    }
    val isCfi = i.format == 'B' || i.format == 'J' || i.name == "jalr" || i.name == "bafin"
    flag(op.isCfi, isCfi, "isCfi")
    if (isCfi) {
      val cfiType =
        if (i.format == 'B') CfiType.branch
        else if (i.name == "bafin") CfiType.bafin
        else if (isLink(rd)) CfiType.call
        else if (i.name == "jal") CfiType.jal
        else if (isLink(rs1)) CfiType.ret
        else CfiType.jalr
      equal(op.cfiType, cfiType.litValue.toLong, "cfiType")
    }
    flag(op.isLoad, unit.litValue == FuType.load.litValue, "isLoad")
    flag(op.isStore, isStore, "isStore")
    flag(op.isAmo, i.format == 'A', "isAmo")
    flag(op.isAmi, i.unit.litValue == FuType.ami.litValue, "isAmi")
    flag(op.isFin, isFin, "isFin")
    val isCsr = "CZ".contains(i.format)
    val isPause = code == 0x0100000fL
    val isFence = Set("fence", "fence.i")(i.name) && !isPause
    val csrWrites = isCsr && (bits(code, 14, 12) % 4 == 1 || rs1 != 0)
    val writesAmuctl = csrWrites && bits(code, 31, 20) == platform.Csrs.amuctl
    val changesRights = csrWrites && changeRights(bits(code, 31, 20))
    flag(op.serial, csrWrites || isFence || Set("mret", "sret", "wfi", "sfence.vma")(i.name), "serial")
    val readsOut = csrWrites && Set(platform.Csrs.amuid, platform.Csrs.amustate)(bits(code, 31, 20))
    flag(op.drainRequests, i.name == "sfence.vma" || readsOut && bits(code, 31, 20) == platform.Csrs.amustate, "drainRequests")
    if (!isPause) flag(op.drainStores, isFence || i.name == "sfence.vma" || writesAmuctl, "drainStores")
    flag(op.flushAfter, Set("mret", "sret", "fence.i", "sfence.vma", "aconfig")(i.name) || writesAmuctl || readsOut || changesRights, "flushAfter")
    flag(op.isMret, i.name == "mret", "isMret")
    flag(op.isSret, i.name == "sret", "isSret")
    flag(op.isFenceI, i.name == "fence.i", "isFenceI")
    flag(op.isSfence, i.name == "sfence.vma", "isSfence")
  }

  private def decode(body: Decoder => Unit): Unit = test(new Decoder(p)).withAnnotations(Simulators.verilatorOf("Decoder"))(body)

  "Decoder" should "decode every instruction, and refuse what is one bit away from one" in decode { dut =>
    val random = new Random(1)
    dut.io.address.poke(pc.U)
    for (instruction <- InstructionTable.all) {
      for (_ <- 0 until 12) check(dut, instruction.encode(random))
      val noDestination = instruction.encode(random) & ~(31L << 7)
      if (instruction.matches(noDestination)) check(dut, noDestination)
      val linked = instruction.encode(random) & ~(31L << 7) & ~(31L << 15) | 1L << 15 | (random.nextInt(2) * 5L) << 7
      if (instruction.matches(linked)) check(dut, linked)
      val code = instruction.encode(random)
      val likeMoves = Seq(code & 0xfffffL, code & ~(31L << 15), code & ~(31L << 20), code & ~(31L << 20) | bits(code, 19, 15).toLong << 20)
      for (move <- likeMoves if instruction.matches(move)) check(dut, move)
      check(dut, instruction.encode(random), machine.copy(amu = false))
      for (_ <- 0 until 4) check(dut, instruction.encode(random), randomRights(random))
      check(dut, instruction.encode(random), machine.copy(fp = false))
      for (frm <- 0 until 8) check(dut, instruction.encode(random) | 7 << 12, frm = frm)
      for (bit <- 0 until 32) check(dut, instruction.encode(random) ^ 1L << bit)
    }
  }

  it should "agree with the table on random words and every CSR number" in decode { dut =>
    val random = new Random(2)
    dut.io.address.poke(pc.U)
    val opcodes = InstructionTable.all.map(_.fixed & 127).distinct
    for (k <- 0 until 8000) {
      val opcode = if (k % 8 == 0) random.nextInt(128).toLong else opcodes(random.nextInt(opcodes.length))
      check(dut, (random.nextInt() & 0xffffff80L) | opcode, randomRights(random), random.nextInt(8))
    }
    check(dut, 0)
    check(dut, 0xffffffffL)
    // rows that overlap: prefetch.r and prefetch.w with ori, pause with fence
    for (hint <- Seq(1L, 3L); _ <- 0 until 8) check(dut, random.nextInt(128).toLong << 25 | hint << 20 | random.nextInt(32) << 15 | 0x6013)
    check(dut, 0x0100000fL)
    val inEveryMode = Seq(0, 1, 3).flatMap(mode => Seq(Rights(mode), Rights(mode, amu = false, fp = false), randomRights(random).copy(mode = mode)))
    for (csr <- 0 until 4096; (funct3, rs1) <- Seq(1 -> 0, 2 -> 0, 7 -> 1); rights <- inEveryMode) {
      val code = csr.toLong << 20 | rs1 << 15 | funct3 << 12 | 6 << 7 | 0x73
      dut.io.in.inst.poke(code.U)
      allow(dut, rights)
      assert(dut.io.out.exception.valid.peek().litToBoolean != csrLegal(code, rights), f"CSR $csr%x funct3 $funct3 rs1 $rs1 $rights")
      val flushes = csrLegal(code, rights) && funct3 != 2 && (changeRights(csr) || Set(platform.Csrs.amuctl, platform.Csrs.amuid, platform.Csrs.amustate)(csr))
      assert(dut.io.out.flushAfter.peek().litToBoolean == flushes, f"CSR $csr%x funct3 $funct3: what follows is not fetched again, or in vain")
      val waits = funct3 != 2 && csr == platform.Csrs.amustate
      assert(!csrLegal(code, rights) || dut.io.out.drainRequests.peek().litToBoolean == waits, f"CSR $csr%x funct3 $funct3: waits for requests: not $waits")
    }
  }

  it should "put a fetch fault above everything, with the missing parcel's address" in decode { dut =>
    dut.io.address.poke(pc.U)
    dut.io.in.exception.valid.poke(true.B)
    for (cause <- Seq(1, 12); name <- Seq("add", "ebreak", "mret", "ld", "sd", "fence.i", "aconfig", "bafin"); isRvc <- Seq(false, true)) {
      dut.io.in.inst.poke(InstructionTable(name).fixed.U)
      allow(dut, machine)
      dut.io.in.isRvc.poke(isRvc.B)
      dut.io.in.exception.cause.poke(cause.U)
      expectException(dut.io.out, cause, if (isRvc) pc else pc + 2, name)
    }
  }

  it should "put a trigger above a fetch fault, with the parcel's address" in decode { dut =>
    dut.io.address.poke(pc.U)
    dut.io.in.exception.cause.poke(1.U)
    val trigger = dut.io.triggers.all(3)
    trigger.execute.poke(true.B)
    for (name <- Seq("add", "ebreak", "mret", "ld"); isRvc <- Seq(false, true); faults <- Seq(false, true); byte <- 0 to 3 if !isRvc || byte < 2) {
      dut.io.in.inst.poke(InstructionTable(name).fixed.U)
      allow(dut, machine)
      dut.io.in.isRvc.poke(isRvc.B)
      dut.io.in.exception.valid.poke(faults.B)
      trigger.address.poke((pc + byte).U)
      expectException(dut.io.out, 3, pc + byte / 2 * 2, name)
    }
    dut.io.in.exception.valid.poke(false.B)
    dut.io.in.isRvc.poke(true.B)
    for (other <- Seq(pc - 1, pc + 2)) {
      trigger.address.poke(other.U)
      assert(!dut.io.out.exception.valid.peek().litToBoolean || dut.io.out.exception.cause.peek().litValue != 3)
    }
  }
}
