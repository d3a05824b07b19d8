// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import scala.util.Random

/** One 32-bit instruction as the manual lists it.
  *
  * @param pattern  31 … 0: 0, 1, or a point for a free bit
  * @param format   R I S B U J, H (shift by immediate), Q (one source), A (AMO), C and Z (CSR by register, by immediate), N (no operands), and for
  *                 AMI 2, 1 (that many sources) and D (destination only); for F and D also 4 (three sources)
  * @param fp       operands that are floating-point registers: 1, 2, 3, d
  * @param rounds   bits 14 … 12 are the rounding mode
  */
case class Instruction(
    name: String,
    pattern: String,
    unit: UInt,
    fn: Int,
    format: Char,
    isWord: Boolean,
    fp: String = "",
    rounds: Boolean = false
) {
  require(pattern.length == 32, name)
  val mask: Long = number(c => if (c == '.') 0 else 1)
  val fixed: Long = number(c => if (c == '1') 1 else 0)
  private def number(bit: Char => Long): Long = pattern.foldLeft(0L)((n, c) => 2 * n + bit(c))

  def matches(code: Long): Boolean = (code & mask) == fixed
  /** The instruction with every free bit drawn. */
  def encode(random: Random): Long = fixed | (random.nextInt() & 0xffffffffL & ~mask)
}

/** RV64IMAFD, bit manipulation, Zicsr, Zifencei, the M-mode system instructions and AMI (amu-ext/docs/ami.md), from the manuals' listings. */
object InstructionTable {
  private val any5 = "....."
  private def binary(value: Int, bits: Int): String = (0 until bits).reverse.map(i => (value >> i) & 1).mkString
  private def f3(value: Int): String = binary(value, 3)
  private def n(code: UInt): Int = code.litValue.toInt

  private def alu(isWord: Boolean): Seq[Instruction] = {
    val suffix = if (isWord) "w" else ""
    val (register, immediate) = if (isWord) ("0111011", "0011011") else ("0110011", "0010011")
    val all = Seq(
      ("add", 0, 0, AluFn.add),
      ("sub", 0x20, 0, AluFn.sub),
      ("sll", 0, 1, AluFn.sll),
      ("slt", 0, 2, AluFn.slt),
      ("sltu", 0, 3, AluFn.sltu),
      ("xor", 0, 4, AluFn.xor),
      ("srl", 0, 5, AluFn.srl),
      ("sra", 0x20, 5, AluFn.sra),
      ("or", 0, 6, AluFn.or),
      ("and", 0, 7, AluFn.and)
    ).filter { case (_, _, funct3, _) => !isWord || Set(0, 1, 5)(funct3) }
    val registers = all.map { case (name, f7, funct3, fn) =>
      Instruction(name + suffix, binary(f7, 7) + any5 + any5 + f3(funct3) + any5 + register, FuType.alu, n(fn), 'R', isWord)
    }
    val immediates = all.filter(_._1 != "sub").map { case (name, f7, funct3, fn) =>
      val isShift = funct3 == 1 || funct3 == 5
      val upper = if (!isShift) any5 + "......." else if (isWord) binary(f7, 7) + any5 else binary(f7 >> 1, 6) + "......"
      Instruction(name + "i" + suffix, upper + any5 + f3(funct3) + any5 + immediate, FuType.alu, n(fn), if (isShift) 'H' else 'I', isWord)
    }
    registers ++ immediates
  }

  private def upperImmediates = Seq(
    Instruction("lui", "." * 25 + "0110111", FuType.alu, n(AluFn.copyB), 'U', isWord = false),
    Instruction("auipc", "." * 25 + "0010111", FuType.alu, n(AluFn.add), 'U', isWord = false)
  )

  private def jumps = Seq("beq" -> 0, "bne" -> 1, "blt" -> 4, "bge" -> 5, "bltu" -> 6, "bgeu" -> 7).map { case (name, funct3) =>
    Instruction(name, "." * 17 + f3(funct3) + any5 + "1100011", FuType.bru, funct3, 'B', isWord = false)
  } ++ Seq(
    Instruction("jal", "." * 25 + "1101111", FuType.bru, n(BruFn.jal), 'J', isWord = false),
    Instruction("jalr", "." * 17 + "000" + any5 + "1100111", FuType.bru, n(BruFn.jalr), 'I', isWord = false)
  )

  private def mulDiv = Seq("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu").zipWithIndex.flatMap { case (name, funct3) =>
    def row(suffix: String, opcode: String) =
      Instruction(name + suffix, "0000001" + any5 + any5 + f3(funct3) + any5 + opcode, FuType.mdu, funct3, 'R', suffix == "w")
    row("", "0110011") +: (if (funct3 == 0 || funct3 >= 4) Seq(row("w", "0111011")) else Nil)
  }

  private def memory = Seq("lb", "lh", "lw", "ld", "lbu", "lhu", "lwu").zipWithIndex.map { case (name, funct3) =>
    Instruction(name, "." * 17 + f3(funct3) + any5 + "0000011", FuType.load, funct3, 'I', isWord = false)
  } ++ Seq("sb", "sh", "sw", "sd").zipWithIndex.map { case (name, funct3) =>
    Instruction(name, "." * 17 + f3(funct3) + any5 + "0100011", FuType.store, funct3, 'S', isWord = false)
  }

  private def atomics = for {
    (name, funct5) <- Seq(
      "amoadd" -> 0,
      "amoswap" -> 1,
      "lr" -> 2,
      "sc" -> 3,
      "amoxor" -> 4,
      "amoor" -> 8,
      "amoand" -> 12,
      "amomin" -> 16,
      "amomax" -> 20,
      "amominu" -> 24,
      "amomaxu" -> 28
    )
    (suffix, funct3) <- Seq(".w" -> 2, ".d" -> 3)
  } yield {
    val rs2 = if (name == "lr") "00000" else any5
    val pattern = binary(funct5, 5) + ".." + rs2 + any5 + f3(funct3) + any5 + "0101111"
    Instruction(name + suffix, pattern, FuType.store, 4 + funct3, 'A', isWord = false)
  }

  private def system = Seq(
    "ecall" -> "00000000000000000000000001110011",
    "ebreak" -> "00000000000100000000000001110011",
    "mret" -> "00110000001000000000000001110011",
    "sret" -> "00010000001000000000000001110011",
    "wfi" -> "00010000010100000000000001110011",
    "sfence.vma" -> ("0001001" + any5 + any5 + "000000001110011"),
    "fence" -> ("." * 17 + "000" + any5 + "0001111"),
    "fence.i" -> ("." * 17 + "001" + any5 + "0001111")
  ).map { case (name, pattern) => Instruction(name, pattern, FuType.none, 0, 'N', isWord = false) } ++
    Seq("csrrw" -> 1, "csrrs" -> 2, "csrrc" -> 3, "csrrwi" -> 5, "csrrsi" -> 6, "csrrci" -> 7).map { case (name, funct3) =>
      Instruction(name, "." * 17 + f3(funct3) + any5 + "1110011", FuType.bru, 16 + funct3, if (funct3 < 4) 'C' else 'Z', isWord = false)
    }

  private def ami = {
    import platform.{AmiPattern, AmiRequests}
    def row(name: String, pattern: String, unit: UInt, fn: Int, format: Char) =
      Instruction(name, pattern.replace('?', '.'), unit, fn, format, isWord = false)
    AmiRequests.all.map(r => row(r.name, r.pattern, FuType.ami, r.operation, r.operands.last)) ++ Seq(
      row("getfin", AmiPattern.getfin, FuType.bru, n(BruFn.getfin), 'D'),
      row("bafin", AmiPattern.bafin, FuType.bru, n(BruFn.bafin), 'D')
    )
  }

  private def floatingPoint: Seq[Instruction] = {
    import nhg.fpu.FpuOp
    val opFp = "1010011"
    val formats = Seq(true -> "00", false -> "01")
    def suffix(single: Boolean) = if (single) ".s" else ".d"
    val fused = for {
      ((name, opcode, op), (single, fmt)) <- Seq(
        ("fmadd", "1000011", FpuOp.fmadd),
        ("fmsub", "1000111", FpuOp.fmsub),
        ("fnmsub", "1001011", FpuOp.fnmsub),
        ("fnmadd", "1001111", FpuOp.fnmadd)
      ).flatMap(row => formats.map(row -> _))
    } yield Instruction(name + suffix(single), any5 + fmt + "." * 18 + opcode, FuType.fma, n(op), '4', single, "123d", rounds = true)
    // name, funct5, rs2 or -1, funct3 or -1 for the rounding mode, unit, operation, floating-point operands
    val plain = Seq(
      ("fadd", 0x00, -1, -1, FuType.fma, n(FpuOp.fadd), "12d"),
      ("fsub", 0x01, -1, -1, FuType.fma, n(FpuOp.fsub), "12d"),
      ("fmul", 0x02, -1, -1, FuType.fma, n(FpuOp.fmul), "12d"),
      ("fdiv", 0x03, -1, -1, FuType.fpMisc, n(FpuOp.fdiv), "12d"),
      ("fsqrt", 11, 0, -1, FuType.fpMisc, n(FpuOp.fsqrt), "1d"),
      ("fsgnj", 0x04, -1, 0, FuType.fpMisc, n(FpuOp.fsgnj), "12d"),
      ("fsgnjn", 0x04, -1, 1, FuType.fpMisc, n(FpuOp.fsgnjn), "12d"),
      ("fsgnjx", 0x04, -1, 2, FuType.fpMisc, n(FpuOp.fsgnjx), "12d"),
      ("fmin", 0x05, -1, 0, FuType.fpMisc, n(FpuOp.fmin), "12d"),
      ("fmax", 0x05, -1, 1, FuType.fpMisc, n(FpuOp.fmax), "12d"),
      ("fle", 0x14, -1, 0, FuType.fpMisc, n(FpuOp.fle), "12"),
      ("flt", 0x14, -1, 1, FuType.fpMisc, n(FpuOp.flt), "12"),
      ("feq", 0x14, -1, 2, FuType.fpMisc, n(FpuOp.feq), "12"),
      ("fclass", 0x1c, 0, 1, FuType.fpMisc, n(FpuOp.fclass), "1"),
      ("fmv.x", 0x1c, 0, 0, FuType.fpMisc, n(FpuOp.fmvToInt), "1"),
      ("fmv.fromx", 0x1e, 0, 0, FuType.fpMisc, n(FpuOp.fmvFromInt), "d")
    ) ++ Seq("w", "wu", "l", "lu").zipWithIndex.flatMap { case (integer, k) =>
      Seq(
        (s"fcvt.$integer", 0x18, k, -1, FuType.fpMisc, n(FpuOp.fcvtToInt) + k, "1"),
        (s"fcvt.from$integer", 0x1a, k, -1, FuType.fpMisc, n(FpuOp.fcvtFromInt) + k, "d")
      )
    }
    def row(name: String, funct7: String, rs2: Int, funct3: Int, unit: UInt, fn: Int, single: Boolean, fp: String) = {
      val mode = if (funct3 < 0) "..." else f3(funct3)
      val second = if (rs2 < 0) any5 else binary(rs2, 5)
      Instruction(name, funct7 + second + any5 + mode + any5 + opFp, unit, fn, if (rs2 < 0) 'R' else 'Q', single, fp, rounds = funct3 < 0)
    }
    val arithmetic = for ((name, funct5, rs2, funct3, unit, fn, fp) <- plain; (single, fmt) <- formats)
      yield row(name + suffix(single), binary(funct5, 5) + fmt, rs2, funct3, unit, fn, single, fp)
    val widths = Seq("fcvt.s.d" -> ("0100000", 1, true), "fcvt.d.s" -> ("0100001", 0, false)).map { case (name, (funct7, rs2, single)) =>
      row(name, funct7, rs2, -1, FuType.fpMisc, n(FpuOp.fcvtFloat), single, "1d")
    }
    val memory = Seq("w" -> 2, "d" -> 3).flatMap { case (width, funct3) =>
      Seq(
        Instruction(s"fl$width", "." * 17 + f3(funct3) + any5 + "0000111", FuType.load, funct3, 'I', isWord = false, fp = "d"),
        Instruction(s"fs$width", "." * 17 + f3(funct3) + any5 + "0100111", FuType.store, funct3, 'S', isWord = false, fp = "2")
      )
    }
    fused ++ arithmetic ++ widths ++ memory
  }

  val all: Seq[Instruction] =
    alu(isWord = false) ++ alu(isWord = true) ++ upperImmediates ++ jumps ++ mulDiv ++ memory ++ atomics ++ system ++ ami ++
      BitManipInstructions.all ++ floatingPoint
  private val byOpcode: Map[Long, Seq[Instruction]] = all.groupBy(_.fixed & 127)

  def find(code: Long): Option[Instruction] = byOpcode.getOrElse(code & 127, Nil).find(_.matches(code))
  def apply(name: String): Instruction = all.find(_.name == name).get
}
