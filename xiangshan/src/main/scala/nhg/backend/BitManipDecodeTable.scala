// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util.BitPat
import nhg.backend.DecodeTable.{any5, f3, n, pattern, row}

/** Instruction patterns of Zba, Zbb, Zbs and Zicond. What takes an immediate has it as rs2 has its value: only the low six bits count. */
object BitManipDecodeTable {
  private val (op, op32, opImm, opImm32) = ("0110011", "0111011", "0010011", "0011011")

  private def binary(fn: UInt, word: Boolean) = row(FuType.bitManip, n(fn), operands = "12d", word = word)
  private def unary(fn: UInt, word: Boolean) = row(FuType.bitManip, n(fn), operands = "1d", word = word)
  private def immediate(fn: UInt, word: Boolean) = row(FuType.bitManip, n(fn), operands = "1id", word = word)

  private val registerOps: Seq[(BitPat, DecodeRow)] = Seq(
    ("0010000", 2, op, BitFn.sh1add),
    ("0010000", 4, op, BitFn.sh2add),
    ("0010000", 6, op, BitFn.sh3add),
    ("0000100", 0, op32, BitFn.addUw),
    ("0010000", 2, op32, BitFn.sh1addUw),
    ("0010000", 4, op32, BitFn.sh2addUw),
    ("0010000", 6, op32, BitFn.sh3addUw),
    ("0100000", 7, op, BitFn.andn),
    ("0100000", 6, op, BitFn.orn),
    ("0100000", 4, op, BitFn.xnor),
    ("0000101", 4, op, BitFn.min),
    ("0000101", 5, op, BitFn.minu),
    ("0000101", 6, op, BitFn.max),
    ("0000101", 7, op, BitFn.maxu),
    ("0110000", 1, op, BitFn.rol),
    ("0110000", 5, op, BitFn.ror),
    ("0100100", 1, op, BitFn.bclr),
    ("0100100", 5, op, BitFn.bext),
    ("0110100", 1, op, BitFn.binv),
    ("0010100", 1, op, BitFn.bset),
    ("0000111", 5, op, BitFn.czeroEqz),
    ("0000111", 7, op, BitFn.czeroNez)
  ).map { case (f7, funct3, opcode, fn) => pattern(f7, any5, f3(funct3), opcode) -> binary(fn, word = false) }

  private val wordRotations: Seq[(BitPat, DecodeRow)] = Seq(
    pattern("0110000", any5, "001", op32) -> binary(BitFn.rol, word = true),
    pattern("0110000", any5, "101", op32) -> binary(BitFn.ror, word = true),
    pattern("0110000", any5, "101", opImm32) -> immediate(BitFn.ror, word = true)
  )

  private val shiftImmediates: Seq[(BitPat, DecodeRow)] = Seq(
    ("000010", 1, opImm32, BitFn.slliUw),
    ("011000", 5, opImm, BitFn.ror),
    ("010010", 1, opImm, BitFn.bclr),
    ("010010", 5, opImm, BitFn.bext),
    ("011010", 1, opImm, BitFn.binv),
    ("001010", 1, opImm, BitFn.bset)
  ).map { case (f6, funct3, opcode, fn) => pattern(f6 + "?", any5, f3(funct3), opcode) -> immediate(fn, word = false) }

  private val unaries: Seq[(BitPat, DecodeRow)] =
    Seq("00000" -> BitFn.clz, "00001" -> BitFn.ctz, "00010" -> BitFn.cpop).flatMap { case (which, fn) =>
      Seq(
        pattern("0110000", which, "001", opImm) -> unary(fn, word = false),
        pattern("0110000", which, "001", opImm32) -> unary(fn, word = true)
      )
    } ++ Seq(
      pattern("0110000", "00100", "001", opImm) -> unary(BitFn.sextB, word = false),
      pattern("0110000", "00101", "001", opImm) -> unary(BitFn.sextH, word = false),
      pattern("0000100", "00000", "100", op32) -> unary(BitFn.zextH, word = false),
      pattern("0010100", "00111", "101", opImm) -> unary(BitFn.orcB, word = false),
      pattern("0110101", "11000", "101", opImm) -> unary(BitFn.rev8, word = false)
    )

  val rows: Seq[(BitPat, DecodeRow)] = registerOps ++ wordRotations ++ shiftImmediates ++ unaries
}
