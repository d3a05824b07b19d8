// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import platform.AmiFunct3
import scala.collection.mutable
import scala.util.Random

/** What an instruction of a test program does to the program counter. */
sealed trait Flow
case object Plain extends Flow
case class Branch(target: Long, pattern: Int) extends Flow
case class Jump(target: Long, call: Boolean) extends Flow
case object Return extends Flow
case class Indirect(targets: Seq[Long], call: Boolean) extends Flow
case object Bafin extends Flow
case object Getfin extends Flow

case class TestInst(pc: Long, raw: Long, length: Int, flow: Flow) {
  def next: Long = pc + length
}

/** Instruction words for test programs. */
object Encode {
  val addi = 0x00128293L // addi t0, t0, 1
  val cAddi = 0x0285L // c.addi t0, 1
  val cRet = 0x8082L
  val ret = 0x00008067L
  val jalr = 0x000e0067L // jalr x0, 0(t3)
  val jalrCall = 0x000e00e7L // jalr ra, 0(t3)
  val cJr = 0x8e02L // c.jr t3
  val bafin = 0x0000328bL // bafin t0
  val getfin = 0x0000228bL // getfin t0
  private def ami(funct3: Int): Long = platform.Ami.opcode.toLong | funct3 << 12 | 5 << 15 | 6 << 20 // of t0, t1
  val aload: Long = ami(AmiFunct3.aload)
  val astore: Long = ami(AmiFunct3.astore)
  val aset: Long = ami(AmiFunct3.aset)
  val aconfig: Long = ami(AmiFunct3.aconfig)
  val await: Long = ami(AmiFunct3.await)
  val asignal: Long = ami(AmiFunct3.asignal) & ~(6L << 20)

  private def bit(v: Long, i: Int) = (v >> i) & 1
  private def bits(v: Long, hi: Int, lo: Int) = (v >> lo) & ((1L << (hi - lo + 1)) - 1)

  def branch(offset: Long): Long =
    0x00029063L | bit(offset, 12) << 31 | bits(offset, 10, 5) << 25 | bits(offset, 4, 1) << 8 | bit(offset, 11) << 7
  def jal(offset: Long, rd: Int): Long =
    0x6fL | rd << 7 | bit(offset, 20) << 31 | bits(offset, 10, 1) << 21 | bit(offset, 11) << 20 | bits(offset, 19, 12) << 12
  def cJ(offset: Long): Long =
    0xa001L | bit(offset, 11) << 12 | bit(offset, 4) << 11 | bits(offset, 9, 8) << 9 | bit(offset, 10) << 8 |
      bit(offset, 6) << 7 | bit(offset, 7) << 6 | bits(offset, 3, 1) << 3 | bit(offset, 5) << 2
  def cBnez(offset: Long): Long =
    0xe001L | 2 << 7 | bit(offset, 8) << 12 | bits(offset, 4, 3) << 10 | bits(offset, 7, 6) << 5 |
      bits(offset, 2, 1) << 3 | bit(offset, 5) << 2
}

/** A program image: instructions by address, halfwords for the memory model. */
class TestProgram(val entry: Long, val insts: Map[Long, TestInst]) {
  private val halves: Map[Long, Int] = insts.values.flatMap { i =>
    (0 until i.length / 2).map(k => (i.pc + 2 * k) -> ((i.raw >> (16 * k)) & 0xffff).toInt)
  }.toMap
  def line(address: Long): BigInt =
    (0 until 32).foldLeft(BigInt(0))((a, k) => a | BigInt(halves.getOrElse(address + 2 * k, 0)) << (16 * k))
}

object TestProgram {
  /** Straight code: (word, length) with flows filled in by the caller. */
  def of(entry: Long, code: Seq[(Long, Int, Flow)]): TestProgram = {
    val pcs = code.scanLeft(entry)((pc, i) => pc + i._2)
    new TestProgram(entry, code.zip(pcs).map { case ((raw, length, flow), pc) => pc -> TestInst(pc, raw, length, flow) }.toMap)
  }

  /** A random program: a main part that repeats for ever and functions that call only later functions. Branches go both ways,
    * backward ones leave after a few rounds; bafin and getfin lie in the main part, resume targets are its instructions.
    */
  def random(rng: Random, entry: Long, mainInsts: Int, functions: Int, bafins: Boolean, getfins: Boolean): (TestProgram, Seq[Long]) = {
    case class Slot(pc: Long, length: Int, sort: String, function: Int)
    val slots = mutable.ArrayBuffer[Slot]()
    var pc = entry
    def add(length: Int, sort: String, function: Int): Unit = {
      slots += Slot(pc, length, sort, function)
      pc += length
    }
    for (f <- 0 to functions) {
      val n = if (f == 0) mainInsts else 3 + rng.nextInt(25)
      for (_ <- 0 until n) {
        val roll = rng.nextInt(100)
        if (roll < 36) add(2, "plain", f)
        else if (roll < 68) add(4, "plain", f)
        else if (roll < 76) add(4, "branch", f)
        else if (roll < 84) add(2, "branch", f)
        else if (roll < 86) add(4, "jump", f)
        else if (roll < 88) add(2, "jump", f)
        else if (roll < 93) add(4, "call", f)
        else if (roll < 94) add(4, "callIndirect", f)
        else if (roll < 95) add(if (rng.nextBoolean()) 2 else 4, "indirect", f)
        else if (roll < 98 && f == 0 && bafins) add(4, "bafin", f)
        else if (roll < 99 && f == 0 && getfins) add(4, "getfin", f)
        else add(4, "plain", f)
      }
      if (f == 0) add(4, "repeat", f) else add(if (rng.nextBoolean()) 2 else 4, "ret", f)
      if (rng.nextBoolean()) pc += 2 * rng.nextInt(40)
    }
    val starts = slots.groupBy(_.function).map { case (f, s) => f -> s.map(_.pc).toIndexedSeq }
    def pick(s: IndexedSeq[Long]): Long = s(rng.nextInt(s.size))
    val insts = slots.map { s =>
      val own = starts(s.function)
      def near(reach: Long) = own.filter(t => math.abs(t - s.pc) <= reach)
      def ahead(reach: Long) = own.filter(t => t > s.pc && t - s.pc <= reach)
      val later = ((s.function + 1) to functions).map(f => starts(f).head)
      val plain = TestInst(s.pc, if (s.length == 2) Encode.cAddi else Encode.addi, s.length, Plain)
      s.sort match {
        case "branch" =>
          val target = pick(near(if (s.length == 2) 250 else 1000))
          val pattern = rng.nextInt(6) + (if (target <= s.pc) 1 else 0)
          TestInst(s.pc, if (s.length == 2) Encode.cBnez(target - s.pc) else Encode.branch(target - s.pc), s.length, Branch(target, pattern))
        case "jump" =>
          val target = pick(ahead(2000))
          TestInst(s.pc, if (s.length == 2) Encode.cJ(target - s.pc) else Encode.jal(target - s.pc, 0), s.length, Jump(target, call = false))
        case "call" if later.nonEmpty =>
          val target = pick(later)
          TestInst(s.pc, Encode.jal(target - s.pc, 1), 4, Jump(target, call = true))
        case "callIndirect" if later.nonEmpty => TestInst(s.pc, Encode.jalrCall, 4, Indirect(Seq.fill(3)(pick(later)), call = true))
        case "indirect" =>
          TestInst(s.pc, if (s.length == 2) Encode.cJr else Encode.jalr, s.length, Indirect(Seq.fill(3)(pick(ahead(500))), call = false))
        case "bafin" => TestInst(s.pc, Encode.bafin, 4, Bafin)
        case "getfin" => TestInst(s.pc, Encode.getfin, 4, Getfin)
        case "ret" => TestInst(s.pc, if (s.length == 2) Encode.cRet else Encode.ret, s.length, Return)
        case "repeat" => TestInst(s.pc, Encode.jal(entry - s.pc, 0), 4, Jump(entry, call = false))
        case _ => plain
      }
    }
    (new TestProgram(entry, insts.map(i => i.pc -> i).toMap), starts(0))
  }
}
