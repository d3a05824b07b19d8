// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import scala.collection.mutable

/** One record of the commit trace. */
case class Committed(
    pc: BigInt,
    raw: Long,
    writes: Boolean,
    rd: Int,
    value: BigInt,
    isTrap: Boolean,
    cause: Int,
    tval: BigInt,
    hasAddress: Boolean,
    addr: BigInt,
    isDevice: Boolean,
    isInterrupt: Boolean
)

/** Executes what the commit trace says was fetched, in order, and compares every record: pc, register value, trap. Taken from the trace are
  * only cycle counts, interrupts, device reads, whether an SC succeeded and whether getfin/bafin found a group.
  *
  * @param expand   compressed halfword -> 32-bit instruction
  * @param finished the n-th finished group of the run
  * @param amiError the error the AMU raised last, if the instruction that commits has one
  */
class InstructionSetModel(expand: Long => Long, finished: Int => FinishedModel, amiError: () => Option[BigInt]) {
  import Reference.bits
  private val x = Array.fill(32)(0L)
  private var pc = 0L
  private val csrs = new CsrModel
  private val memory = new FoldedMemory
  private var taken = 0
  val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)

  private var code = 0L
  private def field(high: Int, low: Int): Int = ((code >> low) & ((1L << (high - low + 1)) - 1)).toInt
  private def signed(value: Long, width: Int): Long = value << (64 - width) >> (64 - width)
  private def immI: Long = signed(field(31, 20), 12)
  private def immS: Long = signed(field(31, 25) << 5 | field(11, 7), 12)
  private def immB: Long = signed(field(31, 31) << 12 | field(7, 7) << 11 | field(30, 25) << 5 | field(11, 8) << 1, 13)
  private def immJ: Long = signed(field(31, 31) << 20 | field(19, 12) << 12 | field(20, 20) << 11 | field(30, 21) << 1, 21)
  private def immU: Long = signed(code & 0xfffff000L, 32)

  private case class Trap(cause: Int, tval: BigInt) extends Exception
  private def fail(record: Committed, what: String): Nothing =
    throw new AssertionError(f"${InstructionTable.find(code).fold("illegal")(_.name)} $code%08x at $pc%x: $what, trace has $record")

  def commit(record: Committed): Unit = {
    code = expand(record.raw)
    if (record.pc != bits(pc)) fail(record, "another pc was expected")
    if (record.isTrap && record.isInterrupt) takeInterrupt(record)
    else {
      interruptWaits = if (csrs.interrupt.isDefined) interruptWaits + 1 else 0
      if (interruptWaits > InterruptBound) fail(record, s"interrupt ${csrs.interrupt} was expected")
      retire(record)
      val returns = !record.isTrap && InstructionTable.find(code).exists(found => found.name == "mret" || found.name == "sret")
      if (returns && csrs.interrupt.isDefined) interruptWaits = InterruptBound
    }
  }
  /** Instructions that are under way when an interrupt comes retire before it; behind a return there are none. */
  private val InterruptBound = 64
  private var interruptWaits = 0

  /** Lines of interrupts, as bits of mip. */
  def lines_=(bits: Int): Unit = csrs.lines = bits
  def lines: Int = csrs.lines

  private def takeInterrupt(record: Committed): Unit = {
    if (!csrs.interrupt.contains(record.cause) || record.tval != 0) fail(record, s"interrupt ${csrs.interrupt} was expected")
    interruptWaits = 0
    csrs.trap(bits(pc), record.cause, 0, isInterrupt = true)
    counts(s"interrupt to ${csrs.mode}") += 1
    pc = csrs.trapVector.toLong
  }

  private def retire(record: Committed): Unit = {
    val length = if ((record.raw & 3) == 3) 4 else 2
    try {
      if (pc < 0) counts("upper half") += 1
      if (pc != pc << 24 >> 24) counts("beyond every program counter") += 1
      PcMap.fault(pc, length == 4).foreach(tval => throw Trap(1, bits(tval)))
      val (result, next) = execute(record, length)
      if (record.isTrap) fail(record, "no trap was expected")
      val isFin = InstructionTable.find(code).exists(_.format == 'D') // reported even without a destination
      val rd = field(11, 7)
      val writes = result.isDefined && (rd != 0 || isFin)
      if (record.writes != writes) fail(record, s"writes $writes was expected")
      result.filter(_ => writes).foreach { value =>
        if (record.rd != rd || record.value != bits(value)) fail(record, f"x$rd = $value%x was expected")
        if (rd != 0) x(rd) = value
      }
      pc = next
      csrs.instructions += 1
    } catch {
      case Trap(cause, tval) =>
        counts(s"trap $cause") += 1
        if (!record.isTrap || record.cause != cause || record.tval != tval) fail(record, s"trap $cause with ${tval.toString(16)} was expected")
        csrs.trap(bits(pc), cause, tval)
        counts(s"trap to ${csrs.mode}") += 1
        pc = csrs.trapVector.toLong
    }
  }

  private def execute(record: Committed, length: Int): (Option[Long], Long) = {
    val following = pc + length
    val instruction = InstructionTable.find(code).getOrElse(throw Trap(2, record.raw))
    val (funct3, a, b) = (field(14, 12), x(field(19, 15)), x(field(24, 20)))
    val isWord = instruction.isWord
    def goOn(value: Long) = (Some(value), following)
    if (instruction.fp.nonEmpty) { // the programs never turn mstatus.FS on
      require((csrs(0x300) & 0x6000) == 0, "the model does not know floating point")
      throw Trap(2, record.raw)
    }
    if ("12D".contains(instruction.format) && !csrs.rights.amu) throw Trap(2, record.raw)
    instruction.format match {
      case _ if instruction.name == "lui" => goOn(immU)
      case _ if instruction.name == "auipc" => goOn(pc + immU)
      case _ if instruction.name == "jalr" => (Some(following), (a + immI) & ~1L)
      case 'J' => (Some(following), pc + immJ)
      case 'B' => (None, if (Reference.branch(funct3, a, b)) pc + immB else following)
      case 'R' if instruction.unit.litValue == FuType.mdu.litValue => goOn(Reference.mulDiv(funct3, isWord, a, b))
      case 'R' | 'Q' if instruction.unit.litValue == FuType.bitManip.litValue => goOn(BitManipInstructions.compute(instruction.name, a, b))
      case 'H' if instruction.unit.litValue == FuType.bitManip.litValue =>
        goOn(BitManipInstructions.compute(instruction.name, a, field(25, 20)))
      case 'R' => goOn(Reference.alu(funct3, code.testBit(30), isWord, a, b))
      case 'H' => goOn(Reference.alu(funct3, code.testBit(30), isWord, a, field(25, 20)))
      case 'I' if instruction.unit.litValue == FuType.alu.litValue =>
        if (isPrefetch) (None, following) else goOn(Reference.alu(funct3, alternate = false, isWord, a, immI))
      case 'I' => goOn(load(record, a + immI, funct3))
      case 'S' => store(record, a + immS, funct3, b); (None, following)
      case 'A' => goOn(atomic(record, a, funct3, field(31, 27), b))
      case 'C' | 'Z' => goOn(csrAccess(record, funct3, a))
      case 'D' => finish(record, instruction.name, following)
      case '1' | '2' =>
        amiError().foreach(tval => throw Trap(24, tval))
        counts("AMI request") += 1
        (None, following)
      case 'N' => (None, system(record, instruction.name, following))
    }
  }
  private implicit class Bits(value: Long) { def testBit(n: Int): Boolean = (value >> n & 1) == 1 }
  private def isPrefetch = field(6, 0) == 0x13 && field(14, 12) == 6 && field(11, 7) == 0 && Set(1, 3)(field(24, 20))

  private def system(record: Committed, name: String, following: Long): Long = {
    val rights = csrs.rights
    def unless(legal: Boolean): Unit = if (!legal) throw Trap(2, record.raw)
    name match {
      case "ecall" => throw Trap(8 + rights.mode, 0)
      case "ebreak" => throw Trap(3, bits(pc))
      case "wfi" => unless(rights.wfi); following
      case "sfence.vma" => unless(rights.translation); following
      case "mret" =>
        unless(rights.mode == 3)
        csrs.mret()
        counts(s"mret to ${csrs.mode}") += 1
        csrs(0x341).toLong
      case "sret" =>
        unless(rights.sret)
        csrs.sret()
        counts(s"sret to ${csrs.mode}") += 1
        csrs(0x141).toLong
      case _ => following
    }
  }

  private def checkAddress(record: Committed, addr: Long): Unit =
    if (!record.hasAddress || record.addr != (bits(addr) & ((BigInt(1) << 36) - 1))) fail(record, f"address $addr%x was expected")

  private def load(record: Committed, addr: Long, funct3: Int): Long = {
    FoldedMemory.fault(addr).foreach(misaligned => throw Trap(if (misaligned) 4 else 5, bits(addr)))
    checkAddress(record, addr)
    if (FoldedMemory.isDevice(addr)) {
      counts("device read") += 1
      if (!record.isDevice) fail(record, "a device read was expected")
      if (record.writes) record.value.toLong else 0L
    } else FoldedMemory.extend(memory.read(addr, funct3 & 3), funct3)
  }

  private def store(record: Committed, addr: Long, size: Int, data: Long): Unit = {
    FoldedMemory.fault(addr).foreach(misaligned => throw Trap(if (misaligned) 6 else 7, bits(addr)))
    checkAddress(record, addr)
    memory.write(addr, size, data)
  }

  private def atomic(record: Committed, addr: Long, funct3: Int, op: Int, operand: Long): Long = {
    val isLr = op == 2
    FoldedMemory.fault(addr).foreach(misaligned => throw Trap(if (isLr) (if (misaligned) 4 else 5) else if (misaligned) 6 else 7, bits(addr)))
    checkAddress(record, addr)
    if (op == 3) {
      if (record.value == 0) memory.write(addr, funct3, operand)
      counts(s"SC ${record.value}") += 1
      record.value.toLong
    } else {
      counts("AMO") += 1
      val old = FoldedMemory.extend(memory.read(addr, funct3), funct3)
      if (!isLr) memory.write(addr, funct3, FoldedMemory.amo(op, funct3, old, operand))
      old
    }
  }

  private def csrAccess(record: Committed, funct3: Int, rs1: Long): Long = {
    val (csr, rs1Field) = (field(31, 20), field(19, 15))
    if (!CsrModel.legal(csr, funct3 % 4 == 1 || rs1Field != 0, csrs.rights)) throw Trap(2, record.raw)
    val isTime = Set(0xb00, 0xc00, 0xc01, 0x344, 0x144)(csr) // or a line, which may change until the access retires
    val old = if (isTime && record.writes) record.value else csrs(csr)
    for (value <- csrs.written(csr, funct3, rs1Field, bits(rs1)))
      if (csr == 0xb02) csrs.instructions = value - 1 else csrs.write(csr, value)
    counts("CSR access") += 1
    old.toLong
  }

  private def finish(record: Committed, name: String, following: Long): (Option[Long], Long) =
    if (record.value == 0) (Some(0L), following)
    else {
      val group = finished(taken)
      taken += 1
      counts(name) += 1
      if (name == "getfin") (Some(group.id.toLong), following) else (Some(group.taskWord), group.target)
    }

  csrs.amu = AmuMock.status
}
