// SPDX-License-Identifier: Apache-2.0
package nhg.fpu

import chisel3._
import chisel3.util._
import hardfloat._

/** Fused multiply-add, addition and multiplication, one a cycle. An addition multiplies by one; a multiplication adds a zero of the product's
  * sign, which changes neither the value nor the sign of a zero.
  *
  * Stages: s1 unboxes, normalises and aligns the addend; s2 multiplies and adds; s3 normalises the sum; s4 rounds.
  */
class FmaPipe[T <: Data](tagType: T) extends FpuPipe(tagType, latency = 4) {
  import FpFormat.{expBits, sigBits}

  private val s1_in = io.in.bits
  private val s1_raw = s1_in.src.map(register => FpFormat.raw(FpFormat.unbox(register, s1_in.double), s1_in.double))
  private val s1_isMul = s1_in.op === FpuOp.fmul
  private val s1_isAdd = s1_in.op === FpuOp.fadd || s1_in.op === FpuOp.fsub
  private val Seq(s1_a, s1_b, s1_c) = s1_raw.map(FpFormat.recode)
  private val one = Cat(0.U(1.W), 1.U(1.W), 0.U((expBits + sigBits - 1).W))
  private val s1_zero = Cat(s1_raw(0).sign ^ s1_raw(1).sign, 0.U((expBits + sigBits).W))

  private val preMul = Module(new MulAddRecFNToRaw_preMul(expBits, sigBits))
  preMul.io.op := Mux(s1_isMul, 0.U, s1_in.op(1, 0))
  preMul.io.a := s1_a
  preMul.io.b := Mux(s1_isAdd, one, s1_b)
  preMul.io.c := Mux(s1_isMul, s1_zero, Mux(s1_isAdd, s1_b, s1_c))

  private val s2_factorA = toStage(1)(preMul.io.mulAddA)
  private val s2_factorB = toStage(1)(preMul.io.mulAddB)
  private val s2_addend = toStage(1)(preMul.io.mulAddC)
  private val s2_beside = toStage(1)(preMul.io.toPostMul)
  private val s2_double = toStage(1)(s1_in.double)
  private val s2_rm = toStage(1)(s1_in.rm)

  private val postMul = Module(new MulAddRecFNToRaw_postMul(expBits, sigBits))
  private val s3_rm = toStage(2)(s2_rm)
  postMul.io.fromPreMul := toStage(2)(s2_beside)
  postMul.io.mulAddResult := toStage(2)((s2_factorA * s2_factorB) +& s2_addend)
  postMul.io.roundingMode := s3_rm

  private val round = Module(new RoundToFormat(sigBits + 2))
  round.io.in := toStage(3)(postMul.io.rawOut)
  round.io.invalid := toStage(3)(postMul.io.invalidExc)
  round.io.divideByZero := false.B
  round.io.double := toStage(3)(toStage(2)(s2_double))
  round.io.rm := toStage(3)(s3_rm)
  io.out.bits.data := round.io.data
  io.out.bits.flags := round.io.flags
}
