// SPDX-License-Identifier: Apache-2.0
package nhg.fpu

import chisel3._
import chisel3.util._
import hardfloat._

/** What is neither multiplied nor divided, one a cycle: sign injection, minimum and maximum, comparisons, classification, moves from and to
  * integer registers, conversions.
  *
  * Stages: s1 unboxes, computes all that needs no rounding, and normalises what is converted; s2 rounds conversions.
  */
class FpMiscPipe[T <: Data](tagType: T) extends FpuPipe(tagType, latency = 2) {
  import FpFormat.{expBits, sigBits}
  private val intBits = 64

  private val s1_op = io.in.bits.op
  private val s1_double = io.in.bits.double
  private val s1_src = io.in.bits.src(0)
  private val s1_a = FpFormat.unbox(s1_src, s1_double)
  private val s1_b = FpFormat.unbox(io.in.bits.src(1), s1_double)
  private def s1_is(op: UInt) = s1_op === op

  private def inFormat(double: UInt, single: UInt): UInt = Mux(s1_double, double(63, 0), FpFormat.box(single))
  private def flag(invalid: Bool): UInt = Cat(invalid, 0.U(4.W))

  // Sign injection
  private val s1_signA = FpFormat.sign(s1_a, s1_double)
  private val s1_signB = FpFormat.sign(s1_b, s1_double)
  private val s1_newSign = Mux(s1_is(FpuOp.fsgnjx), s1_signA, s1_is(FpuOp.fsgnjn)) ^ s1_signB
  private val s1_injected = inFormat(Cat(s1_newSign, s1_a(62, 0)), Cat(s1_newSign, s1_a(30, 0)))

  // Comparison: sign and magnitude, after NaNs; minimum and maximum order -0 below +0, comparisons do not.
  private val s1_nanA = FpFormat.isNan(s1_a, s1_double)
  private val s1_nanB = FpFormat.isNan(s1_b, s1_double)
  private val s1_signalling = FpFormat.isSignalling(s1_a, s1_double) || FpFormat.isSignalling(s1_b, s1_double)
  private val s1_magnitudeA = FpFormat.magnitude(s1_a, s1_double)
  private val s1_magnitudeB = FpFormat.magnitude(s1_b, s1_double)
  private val s1_bothZero = !s1_magnitudeA.orR && !s1_magnitudeB.orR
  private val s1_below =
    Mux(s1_signA =/= s1_signB, s1_signA, Mux(s1_signA, s1_magnitudeA > s1_magnitudeB, s1_magnitudeA < s1_magnitudeB))
  private val s1_equal = s1_bothZero || (s1_signA === s1_signB && s1_magnitudeA === s1_magnitudeB)
  private val s1_ordered = !s1_nanA && !s1_nanB
  private val s1_relation =
    s1_ordered && ((!s1_is(FpuOp.flt) && s1_equal) || (!s1_is(FpuOp.feq) && s1_below && !s1_bothZero))
  private val s1_invalidRelation = Mux(s1_is(FpuOp.feq), s1_signalling, !s1_ordered)

  private val s1_takeA = s1_nanB || (!s1_nanA && (s1_below === s1_is(FpuOp.fmin)))
  private val s1_chosen = Mux(s1_takeA, s1_a, s1_b)
  private val s1_canonicalNan = Mux(s1_double, FpFormat.canonicalNanD, FpFormat.box(FpFormat.canonicalNanS))
  private val s1_extreme = Mux(s1_nanA && s1_nanB, s1_canonicalNan, inFormat(s1_chosen, s1_chosen))

  // Classification, from bit 9 down: qNaN, sNaN, +inf, +normal, +subnormal, +0, -0, -subnormal, -normal, -inf
  private val s1_maxExponent = Mux(s1_double, s1_a(62, 52).andR, s1_a(30, 23).andR)
  private val s1_minExponent = !Mux(s1_double, s1_a(62, 52).orR, s1_a(30, 23).orR)
  private val s1_kinds = { // from +inf or -inf down to +0 or -0
    val zero = !s1_magnitudeA.orR
    Seq(s1_maxExponent && !s1_nanA, !s1_maxExponent && !s1_minExponent, s1_minExponent && !zero, zero)
  }
  private val s1_signallingA = FpFormat.isSignalling(s1_a, s1_double)
  private val s1_class = Cat(
    Cat(s1_nanA && !s1_signallingA, s1_signallingA),
    Cat(s1_kinds.map(_ && !s1_signA)),
    Cat(s1_kinds.reverse.map(_ && s1_signA))
  )

  private val s1_word = Cat(Fill(32, s1_src(31)), s1_src(31, 0))
  private val s1_simple = MuxCase(
    s1_injected,
    Seq(
      (s1_is(FpuOp.fmin) || s1_is(FpuOp.fmax)) -> s1_extreme,
      (s1_is(FpuOp.fle) || s1_is(FpuOp.flt) || s1_is(FpuOp.feq)) -> s1_relation,
      s1_is(FpuOp.fclass) -> s1_class,
      s1_is(FpuOp.fmvToInt) -> Mux(s1_double, s1_src, s1_word),
      s1_is(FpuOp.fmvFromInt) -> inFormat(s1_src, s1_src)
    )
  )
  private val s1_simpleFlags = MuxCase(
    0.U(5.W),
    Seq(
      (s1_is(FpuOp.fmin) || s1_is(FpuOp.fmax)) -> flag(s1_signalling),
      (s1_is(FpuOp.fle) || s1_is(FpuOp.flt) || s1_is(FpuOp.feq)) -> flag(s1_invalidRelation)
    )
  )

  // Conversions. Between formats `double` is the result's: the source has the other one.
  private val s1_sourceDouble = s1_double ^ s1_is(FpuOp.fcvtFloat)
  private val s1_float = FpFormat.raw(FpFormat.unbox(s1_src, s1_sourceDouble), s1_sourceDouble)
  private val s1_int = rawFromInt(
    Mux(s1_op(1), s1_src, Cat(Fill(32, s1_src(31) && !s1_op(0)), s1_src(31, 0))),
    signed = !(s1_op(1) && s1_op(0))
  )
  private val s1_widened = Wire(new RawFloat(expBits, intBits))
  s1_widened := s1_float
  s1_widened.sig := s1_float.sig << (intBits - sigBits)

  private val s2_op = toStage(1)(s1_op)
  private val s2_rm = toStage(1)(io.in.bits.rm)
  private val round = Module(new RoundToFormat(intBits, consts.flRoundOpt_sigMSBitAlwaysZero))
  round.io.in := toStage(1)(Mux(FpuOp.convertsFromInt(s1_op), s1_int, s1_widened))
  round.io.invalid := toStage(1)(isSigNaNRawFloat(s1_float) && !FpuOp.convertsFromInt(s1_op))
  round.io.divideByZero := false.B
  round.io.double := toStage(1)(s1_double)
  round.io.rm := s2_rm

  private val s2_float = toStage(1)(FpFormat.recode(s1_float))
  private def toInt(width: Int): (UInt, UInt) = {
    val convert = Module(new RecFNToIN(expBits, sigBits, width))
    convert.io.in := s2_float
    convert.io.roundingMode := s2_rm
    convert.io.signedOut := !s2_op(0)
    val Seq(invalid, overflow, inexact) = convert.io.intExceptionFlags.asBools.reverse
    (convert.io.out.asSInt.pad(64).asUInt, Cat(invalid || overflow, 0.U(3.W), inexact))
  }
  private val (s2_long, s2_longFlags) = toInt(64)
  private val (s2_int, s2_intFlags) = toInt(32)

  io.out.bits.data := MuxCase(
    toStage(1)(s1_simple),
    Seq(
      FpuOp.convertsToInt(s2_op) -> Mux(s2_op(1), s2_long, s2_int),
      (FpuOp.convertsFromInt(s2_op) || s2_op === FpuOp.fcvtFloat) -> round.io.data
    )
  )
  io.out.bits.flags := MuxCase(
    toStage(1)(s1_simpleFlags),
    Seq(
      FpuOp.convertsToInt(s2_op) -> Mux(s2_op(1), s2_longFlags, s2_intFlags),
      (FpuOp.convertsFromInt(s2_op) || s2_op === FpuOp.fcvtFloat) -> round.io.flags
    )
  )

  private def rawFromInt(value: UInt, signed: Bool): RawFloat = {
    val negative = signed && value(intBits - 1)
    val magnitude = Mux(negative, 0.U - value, value)
    val zeros = FpFormat.leadingZeros(magnitude)
    val out = Wire(new RawFloat(expBits, intBits))
    out.isNaN := false.B
    out.isInf := false.B
    out.isZero := !magnitude.orR
    out.sign := negative
    out.sExp := Cat(1.U(1.W), 0.U((expBits - log2Ceil(intBits)).W), ~zeros).zext
    out.sig := (magnitude << zeros)(intBits - 1, 0)
    out
  }
}
