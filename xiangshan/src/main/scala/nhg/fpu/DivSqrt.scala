// SPDX-License-Identifier: Apache-2.0
package nhg.fpu

import chisel3._
import chisel3.util._
import hardfloat._

/** Division and square root, one at a time, `bitsPerCycle` bits of the result a cycle; rounding is HardFloat's.
  *
  * With 4 bits a cycle a double takes 16 cycles from operands to result, a single 9, an operation on a zero, an infinity or a NaN, and the
  * root of a negative number, 2. HardFloat's own unit finds one bit a cycle, which is a fraction of the 20 ns there are: some 56 cycles.
  *
  * `kill` ends the operation in the unit or at `in` in this cycle; the unit takes another one in the next. The result waits for `out.ready`.
  */
class DivSqrt[T <: Data](tagType: T, bitsPerCycle: Int = 4) extends Module {
  import FpFormat.{expBits, sigBits}
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new FpuRequest(tagType)))
    val kill = Input(Bool())
    val inFlight = Output(Valid(tagType)) // not `in`
    val out = Decoupled(new FpuResponse(tagType))
  })
  // The quotient is in (1/2, 2), the root in [1, 2): two bits before those of a double, and one below for rounding. Whole cycles.
  private def cycles(significand: Int) = (significand + 2 + bitsPerCycle - 1) / bitsPerCycle
  private val rootBits = cycles(sigBits) * bitsPerCycle
  private val scale = rootBits - sigBits - 2 // both significands count in units of 2^-(sigBits + scale)
  require(scale >= 1 && rootBits >= sigBits + 3)

  private val sIdle :: sIterate :: sDone :: Nil = Enum(3)
  private val state = RegInit(sIdle)
  private val cyclesLeft = Reg(UInt(log2Ceil(cycles(sigBits) + 1).W))
  private val isSqrt = Reg(Bool())
  private val divisor = Reg(UInt((rootBits + 1).W))
  private val remainder = Reg(UInt((rootBits + 1).W))
  private val root = Reg(UInt(rootBits.W)) // or quotient
  private val bit = Reg(UInt(rootBits.W)) // one-hot: the next one to find
  private val result = Reg(new RawFloat(expBits, sigBits + 2)) // but its significand
  private val invalid = Reg(Bool())
  private val divideByZero = Reg(Bool())

  private val in = io.in.bits
  private val Seq(a, b) = in.src.take(2).map(register => FpFormat.raw(FpFormat.unbox(register, in.double), in.double))
  private val inSqrt = in.op === FpuOp.fsqrt
  private val request = RegEnable(in, io.in.fire)

  io.in.ready := state === sIdle
  when(io.in.fire) {
    val negativeRoot = inSqrt && a.sign && !a.isZero && !a.isNaN
    val undefinedQuotient = !inSqrt && ((a.isZero && b.isZero) || (a.isInf && b.isInf))
    val isNaN = a.isNaN || (!inSqrt && b.isNaN) || negativeRoot || undefinedQuotient
    val isInf = a.isInf || (!inSqrt && b.isZero)
    val isZero = a.isZero || (!inSqrt && b.isInf)
    val exponentIsOdd = a.sExp(0)
    val quotientExponent = a.sExp -& b.sExp +& ((1 << expBits) - 1).S
    val overflowed = (7 << (expBits - 2)).S // beyond it the exponent would not fit, and it overflows in every format

    isSqrt := inSqrt
    result.isNaN := isNaN
    result.isInf := isInf
    result.isZero := isZero
    result.sign := a.sign ^ (!inSqrt && b.sign)
    result.sExp := Mux(inSqrt, (a.sExp >> 1) +& (1 << (expBits - 1)).S, Mux(quotientExponent > overflowed, overflowed, quotientExponent))
    invalid := isSigNaNRawFloat(a) || (!inSqrt && isSigNaNRawFloat(b)) || negativeRoot || undefinedQuotient
    divideByZero := !inSqrt && b.isZero && !a.isZero && !a.isInf && !a.isNaN

    divisor := b.sig << (1 + scale)
    remainder := Mux(inSqrt && !exponentIsOdd, a.sig << (scale - 1), a.sig << scale)
    root := 0.U
    bit := (BigInt(1) << (rootBits - 1)).U
    cyclesLeft := Mux(in.double, cycles(sigBits).U, cycles(24).U)
    state := Mux(isNaN || isInf || isZero, sDone, sIterate)
  }

  // A step finds one bit: it is one if the term it costs fits into twice the remainder.
  private var r = remainder
  private var q = root
  for (i <- 0 until bitsPerCycle) {
    val mask = (bit >> i).asUInt
    val twice = (r << 1).asUInt
    val term = Mux(isSqrt, (q << 1).asUInt | mask, divisor)
    val rest = twice -& term
    val fits = twice >= term
    r = Mux(fits, rest, twice)(rootBits, 0)
    q = Mux(fits, q | mask, q)
  }
  when(state === sIterate) {
    remainder := r
    root := q
    bit := bit >> bitsPerCycle
    cyclesLeft := cyclesLeft - 1.U
    when(cyclesLeft === 1.U) { state := sDone }
  }

  private val round = Module(new RoundToFormat(sigBits + 2))
  round.io.in := result
  round.io.in.sig := Cat(root >> (rootBits - sigBits - 2), root(rootBits - sigBits - 3, 0).orR || remainder.orR)
  round.io.invalid := invalid
  round.io.divideByZero := divideByZero
  round.io.double := request.double
  round.io.rm := request.rm
  io.out.valid := state === sDone && !io.kill
  io.out.bits.data := round.io.data
  io.out.bits.flags := round.io.flags
  io.out.bits.tag := request.tag
  io.inFlight.valid := state =/= sIdle
  io.inFlight.bits := request.tag
  when(io.kill || io.out.fire) { state := sIdle }
}
