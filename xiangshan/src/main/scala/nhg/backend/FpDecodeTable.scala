// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg.fpu.FpuOp

/** F and D instruction patterns, rows of the DecodeTable. Whether mstatus.FS allows them is the Decoder's. */
object FpDecodeTable {
  import DecodeTable._
  private val anyMode = "???" // rounding mode in funct3
  private val opFp = "1010011"

  /** Register classes of operands: those named are floating-point registers, the others integer ones. */
  private def fp(operands: String): Map[Char, String] = operands.map(_ -> "fp").toMap

  /** An operation that exists in both formats, told apart by the low bit of funct7. */
  private def bothFormats(funct5: String, rs2: String, funct3: String, row: Boolean => DecodeRow): Seq[(BitPat, DecodeRow)] =
    Seq(false, true).map(single => pattern(funct5 + (if (single) "00" else "01"), rs2, funct3, opFp) -> row(single))

  private val fused: Seq[(BitPat, DecodeRow)] =
    for {
      (opcode, op) <- Seq("1000011" -> FpuOp.fmadd, "1000111" -> FpuOp.fmsub, "1001011" -> FpuOp.fnmsub, "1001111" -> FpuOp.fnmadd)
      single <- Seq(false, true)
    } yield pattern("?????" + (if (single) "00" else "01"), any5, anyMode, opcode) ->
      row(FuType.fma, n(op), ImmSel.rm, "123d", word = single, classes = fp("123d"))

  private def arithmetic(unit: UInt, op: UInt, operands: String, rounds: Boolean = true)(single: Boolean) =
    row(unit, n(op), if (rounds) ImmSel.rm else ImmSel.i, operands, word = single, classes = fp(operands))
  private val rounded: Seq[(BitPat, DecodeRow)] =
    bothFormats("00000", any5, anyMode, arithmetic(FuType.fma, FpuOp.fadd, "12d")) ++
      bothFormats("00001", any5, anyMode, arithmetic(FuType.fma, FpuOp.fsub, "12d")) ++
      bothFormats("00010", any5, anyMode, arithmetic(FuType.fma, FpuOp.fmul, "12d")) ++
      bothFormats("00011", any5, anyMode, arithmetic(FuType.fpMisc, FpuOp.fdiv, "12d")) ++
      bothFormats("01011", "00000", anyMode, arithmetic(FuType.fpMisc, FpuOp.fsqrt, "1d")) ++
      Seq("0100000" -> "00001", "0100001" -> "00000").map { case (funct7, rs2) => // FCVT.S.D, FCVT.D.S
        pattern(funct7, rs2, anyMode, opFp) -> arithmetic(FuType.fpMisc, FpuOp.fcvtFloat, "1d")(funct7.last == '0')
      }

  private val exact: Seq[(BitPat, DecodeRow)] =
    Seq(("00100", 0, FpuOp.fsgnj), ("00100", 1, FpuOp.fsgnjn), ("00100", 2, FpuOp.fsgnjx), ("00101", 0, FpuOp.fmin), ("00101", 1, FpuOp.fmax)).flatMap {
      case (funct5, v, op) => bothFormats(funct5, any5, f3(v), arithmetic(FuType.fpMisc, op, "12d", rounds = false))
    }

  /** Between the register classes. */
  private def crossing(op: UInt, operands: String, fpOperands: String, rounds: Boolean = false)(single: Boolean) =
    row(FuType.fpMisc, n(op), if (rounds) ImmSel.rm else ImmSel.i, operands, word = single, classes = fp(fpOperands))
  private val betweenClasses: Seq[(BitPat, DecodeRow)] =
    Seq(0 -> FpuOp.fle, 1 -> FpuOp.flt, 2 -> FpuOp.feq).flatMap { case (v, op) => bothFormats("10100", any5, f3(v), crossing(op, "12d", "12")) } ++
      bothFormats("11100", "00000", f3(1), crossing(FpuOp.fclass, "1d", "1")) ++
      bothFormats("11100", "00000", f3(0), crossing(FpuOp.fmvToInt, "1d", "1")) ++
      bothFormats("11110", "00000", f3(0), crossing(FpuOp.fmvFromInt, "1d", "d")) ++
      (0 to 3).flatMap { integer => // W, WU, L, LU
        val rs2 = "000" + Seq("00", "01", "10", "11")(integer)
        bothFormats("11000", rs2, anyMode, crossing((n(FpuOp.fcvtToInt) + integer).U, "1d", "1", rounds = true)) ++
          bothFormats("11010", rs2, anyMode, crossing((n(FpuOp.fcvtFromInt) + integer).U, "1d", "d", rounds = true))
      }

  private val memory: Seq[(BitPat, DecodeRow)] = Seq(2, 3).flatMap { size =>
    Seq(
      pattern(any7, any5, f3(size), "0000111") -> row(FuType.load, size, ImmSel.i, "1d", classes = fp("d")),
      pattern(any7, any5, f3(size), "0100111") -> row(FuType.store, size, ImmSel.s, "12", classes = fp("2"))
    )
  }

  val rows: Seq[(BitPat, DecodeRow)] = fused ++ rounded ++ exact ++ betweenClasses ++ memory
}
