// SPDX-License-Identifier: Apache-2.0
package nhg.fpu

import chisel3._
import chisel3.util._
import hardfloat._

/** IEEE 754 in the registers, HardFloat's recoded form inside the units.
  *
  * HardFloat computes on numbers that have one exponent bit more and no subnormals. Keeping registers in that form would save the
  * conversions in each unit. They stay IEEE here because
  *  - FLD, FSD, FMV and the commit trace, which lock-step compares with Spike's registers, then carry bits as they are; a recoded file
  *    converts on every load and store, where latency is dearer than in front of a multiplier, and in the trace;
  *  - a single read as a double, or a double as a badly boxed single, is no case of its own: the 64 bits are what was written;
  *  - the register file stays 64 bits wide (recoded: 65 and a format bit), and it is the largest part of the core;
  *  - the cost is small at 20 ns: a count of leading zeros and a shift per operand in front, one shift behind, in stages that have room.
  *
  * Both formats go through one datapath of double width. Every single is a double exactly, each unit's result before rounding keeps all bits
  * or ORs the rest into a sticky bit below 53 others, and it is rounded once, to the format of the operation: no double rounding.
  */
object FpFormat {
  val expBits = 11
  val sigBits = 53 // with the hidden one
  val canonicalNanS = "h7fc00000".U(32.W)
  val canonicalNanD = "h7ff8000000000000".U(64.W)

  /** A register as a value of the format: the double, or the single in the low half; one that is badly boxed is the canonical NaN. */
  def unbox(register: UInt, double: Bool): UInt =
    Mux(double || register(63, 32).andR, register, canonicalNanS)

  def box(single: UInt): UInt = Cat(Fill(32, 1.U(1.W)), single(31, 0))

  /** Number of zeros above the highest one, as a tree; all ones if there is none. */
  def leadingZeros(x: UInt): UInt = {
    def search(bits: UInt): (Bool, UInt) = // any one, zeros above the first; the width is a power of 2
      if (bits.getWidth == 2) (bits.orR, !bits(1))
      else {
        val half = bits.getWidth / 2
        val (highAny, high) = search(bits(2 * half - 1, half))
        val (lowAny, low) = search(bits(half - 1, 0))
        (highAny || lowAny, Cat(!highAny, Mux(highAny, high, low)))
      }
    val width = 1 << log2Ceil(x.getWidth)
    search(if (width == x.getWidth) x else Cat(x, 0.U((width - x.getWidth).W)))._2
  }

  /** Parts of an unboxed value, each where a double has it. */
  def sign(value: UInt, double: Bool): Bool = Mux(double, value(63), value(31))
  def magnitude(value: UInt, double: Bool): UInt = Mux(double, value(62, 0), Cat(value(30, 0), 0.U(32.W)))
  def isNan(value: UInt, double: Bool): Bool =
    Mux(double, value(62, 52).andR && value(51, 0).orR, value(30, 23).andR && value(22, 0).orR)
  def isSignalling(value: UInt, double: Bool): Bool = isNan(value, double) && !Mux(double, value(51), value(22))

  /** An unboxed value of either format as HardFloat's raw double, normalised; a NaN stays signalling. */
  def raw(value: UInt, double: Bool): RawFloat = {
    val exponent = Mux(double, value(62, 52), value(30, 23))
    val fraction = Mux(double, value(51, 0), Cat(value(22, 0), 0.U(29.W)))
    val isSubnormal = exponent === 0.U
    val isSpecial = Mux(double, value(62, 52).andR, value(30, 23).andR)
    val zeros = leadingZeros(fraction)(5, 0)
    val bias = Mux(double, (1 << (expBits - 1)).U, ((1 << expBits) - (1 << 7)).U(12.W))

    val out = Wire(new RawFloat(expBits, sigBits))
    out.sign := sign(value, double)
    out.isNaN := isSpecial && fraction.orR
    out.isInf := isSpecial && !fraction.orR
    out.isZero := isSubnormal && !fraction.orR
    out.sExp := (Mux(isSubnormal, ~zeros.pad(12), exponent.pad(12)) + bias + Mux(isSubnormal, 2.U, 1.U))(11, 0).zext
    out.sig := Cat(!out.isZero, Mux(isSubnormal, (fraction << zeros)(50, 0) << 1, fraction)(51, 0))
    out
  }

  /** HardFloat's recoded double of a raw one whose exponent is in a double's range. */
  def recode(x: RawFloat): UInt = {
    val kind = Mux(x.isNaN, 7.U, Mux(x.isInf, 6.U, Mux(x.isZero, 0.U, x.sExp(expBits, expBits - 2))))
    Cat(x.sign, kind(2, 0), x.sExp(expBits - 3, 0), x.sig(sigBits - 2, 0))
  }
}

/** Rounds a raw number of double range with `sigBits` significant bits, the last of them sticky, to the format: a register's contents. */
class RoundToFormat(sigBits: Int, options: Int = 0) extends Module {
  val io = IO(new Bundle {
    val in = Input(new RawFloat(FpFormat.expBits, sigBits))
    val invalid = Input(Bool()) // the result is the canonical NaN, NV
    val divideByZero = Input(Bool()) // the result is infinite, DZ
    val double = Input(Bool())
    val rm = Input(UInt(3.W))
    val data = Output(UInt(64.W))
    val flags = Output(UInt(5.W))
  })
  private def rounded(exponentWidth: Int, significandWidth: Int): (UInt, UInt) = {
    val round = Module(new RoundAnyRawFNToRecFN(FpFormat.expBits, sigBits, exponentWidth, significandWidth, options))
    round.io.in := io.in
    round.io.invalidExc := io.invalid
    round.io.infiniteExc := io.divideByZero
    round.io.roundingMode := io.rm
    round.io.detectTininess := consts.tininess_afterRounding
    (fNFromRecFN(exponentWidth, significandWidth, round.io.out), round.io.exceptionFlags.asUInt)
  }
  private val (double, doubleFlags) = rounded(FpFormat.expBits, FpFormat.sigBits)
  private val (single, singleFlags) = rounded(8, 24)
  io.data := Mux(io.double, double, FpFormat.box(single))
  io.flags := Mux(io.double, doubleFlags, singleFlags)
}
