// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import java.lang.Long._

/** Zba, Zbb, Zbs and Zicond, written from the manuals' listings: encodings for the InstructionTable, and what each computes. */
object BitManipInstructions {
  private def low(x: Long): Long = x & 0xffffffffL
  private def word(x: Long): Long = x.toInt.toLong
  private def bit(b: Long): Long = 1L << (b & 63)

  /** What an instruction of this name leaves in rd; `b` is the value of rs2 or the immediate. */
  def compute(name: String, a: Long, b: Long): Long = name match {
    case "sh1add" => (a << 1) + b
    case "sh2add" => (a << 2) + b
    case "sh3add" => (a << 3) + b
    case "add.uw" => low(a) + b
    case "sh1add.uw" => (low(a) << 1) + b
    case "sh2add.uw" => (low(a) << 2) + b
    case "sh3add.uw" => (low(a) << 3) + b
    case "slli.uw" => low(a) << b
    case "andn" => a & ~b
    case "orn" => a | ~b
    case "xnor" => ~(a ^ b)
    case "clz" => numberOfLeadingZeros(a)
    case "clzw" => Integer.numberOfLeadingZeros(a.toInt)
    case "ctz" => numberOfTrailingZeros(a)
    case "ctzw" => Integer.numberOfTrailingZeros(a.toInt)
    case "cpop" => bitCount(a)
    case "cpopw" => Integer.bitCount(a.toInt)
    case "min" => Math.min(a, b)
    case "max" => Math.max(a, b)
    case "minu" => if (compareUnsigned(a, b) < 0) a else b
    case "maxu" => if (compareUnsigned(a, b) < 0) b else a
    case "sext.b" => a.toByte.toLong
    case "sext.h" => a.toShort.toLong
    case "zext.h" => a & 0xffff
    case "rol" => rotateLeft(a, (b & 63).toInt)
    case "ror" | "rori" => rotateRight(a, (b & 63).toInt)
    case "rolw" => Integer.rotateLeft(a.toInt, (b & 31).toInt).toLong
    case "rorw" | "roriw" => Integer.rotateRight(a.toInt, (b & 31).toInt).toLong
    case "orc.b" => (0 until 64 by 8).map(i => if (((a >> i) & 255) != 0) 255L << i else 0L).reduce(_ | _)
    case "rev8" => reverseBytes(a)
    case "bclr" | "bclri" => a & ~bit(b)
    case "bext" | "bexti" => a >> (b & 63) & 1
    case "binv" | "binvi" => a ^ bit(b)
    case "bset" | "bseti" => a | bit(b)
    case "czero.eqz" => if (b == 0) 0 else a
    case "czero.nez" => if (b != 0) 0 else a
  }

  private def instruction(name: String, upper: String, funct3: String, opcode: String, fn: UInt, format: Char): Instruction = {
    val isWord = name.endsWith("w") && !name.endsWith(".uw")
    Instruction(name, upper + "....." + funct3 + "....." + opcode, FuType.bitManip, fn.litValue.toInt, format, isWord)
  }
  private val (op, op32, opImm, opImm32) = ("0110011", "0111011", "0010011", "0011011")

  private val registers = Seq(
    ("sh1add", "0010000", "010", op, BitFn.sh1add),
    ("sh2add", "0010000", "100", op, BitFn.sh2add),
    ("sh3add", "0010000", "110", op, BitFn.sh3add),
    ("add.uw", "0000100", "000", op32, BitFn.addUw),
    ("sh1add.uw", "0010000", "010", op32, BitFn.sh1addUw),
    ("sh2add.uw", "0010000", "100", op32, BitFn.sh2addUw),
    ("sh3add.uw", "0010000", "110", op32, BitFn.sh3addUw),
    ("andn", "0100000", "111", op, BitFn.andn),
    ("orn", "0100000", "110", op, BitFn.orn),
    ("xnor", "0100000", "100", op, BitFn.xnor),
    ("min", "0000101", "100", op, BitFn.min),
    ("minu", "0000101", "101", op, BitFn.minu),
    ("max", "0000101", "110", op, BitFn.max),
    ("maxu", "0000101", "111", op, BitFn.maxu),
    ("rol", "0110000", "001", op, BitFn.rol),
    ("rolw", "0110000", "001", op32, BitFn.rol),
    ("ror", "0110000", "101", op, BitFn.ror),
    ("rorw", "0110000", "101", op32, BitFn.ror),
    ("bclr", "0100100", "001", op, BitFn.bclr),
    ("bext", "0100100", "101", op, BitFn.bext),
    ("binv", "0110100", "001", op, BitFn.binv),
    ("bset", "0010100", "001", op, BitFn.bset),
    ("czero.eqz", "0000111", "101", op, BitFn.czeroEqz),
    ("czero.nez", "0000111", "111", op, BitFn.czeroNez)
  ).map { case (name, f7, f3, opcode, fn) => instruction(name, f7 + ".....", f3, opcode, fn, 'R') }

  private val immediates = Seq(
    ("slli.uw", "000010......", "001", opImm32, BitFn.slliUw),
    ("rori", "011000......", "101", opImm, BitFn.ror),
    ("roriw", "0110000.....", "101", opImm32, BitFn.ror),
    ("bclri", "010010......", "001", opImm, BitFn.bclr),
    ("bexti", "010010......", "101", opImm, BitFn.bext),
    ("binvi", "011010......", "001", opImm, BitFn.binv),
    ("bseti", "001010......", "001", opImm, BitFn.bset)
  ).map { case (name, upper, f3, opcode, fn) => instruction(name, upper, f3, opcode, fn, 'H') }

  private val unaries = Seq(
    ("clz", "011000000000", "001", opImm, BitFn.clz),
    ("clzw", "011000000000", "001", opImm32, BitFn.clz),
    ("ctz", "011000000001", "001", opImm, BitFn.ctz),
    ("ctzw", "011000000001", "001", opImm32, BitFn.ctz),
    ("cpop", "011000000010", "001", opImm, BitFn.cpop),
    ("cpopw", "011000000010", "001", opImm32, BitFn.cpop),
    ("sext.b", "011000000100", "001", opImm, BitFn.sextB),
    ("sext.h", "011000000101", "001", opImm, BitFn.sextH),
    ("zext.h", "000010000000", "100", op32, BitFn.zextH),
    ("orc.b", "001010000111", "101", opImm, BitFn.orcB),
    ("rev8", "011010111000", "101", opImm, BitFn.rev8)
  ).map { case (name, upper, f3, opcode, fn) => instruction(name, upper, f3, opcode, fn, 'Q') }

  val all: Seq[Instruction] = registers ++ immediates ++ unaries
}
