// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Pipelined multiplier: operands in stage 1, result three cycles later counting stage 1 (stage 3 is the output). MUL, MULH, MULHSU,
  * MULHU, MULW by funct3 0-3. Unsigned 32x32 partial products, corrected for signs at the end.
  */
class Multiplier(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val in = Input(Valid(new IssuedOp(p)))
    val kill = Input(new Kill(p))
    val s1_wake = Output(Valid(new PhysicalDestination(p))) // two cycles before the result
    val out = Output(Valid(new PortResult(p)))
  })
  private val s1_a = io.in.bits.src(0)
  private val s1_b = io.in.bits.src(1)
  io.s1_wake.valid := io.in.valid
  io.s1_wake.bits := io.in.bits.uop.dest

  private val s2_valid = RegNext(io.in.valid && !io.kill(p, io.in.bits.uop.robPtr), false.B)
  private val s2_op = RegEnable(io.in.bits, io.in.valid)
  private def part(x: UInt, y: UInt) = RegEnable(x * y, io.in.valid)
  private val s2_ll = part(s1_a(31, 0), s1_b(31, 0))
  private val s2_lh = part(s1_a(31, 0), s1_b(63, 32))
  private val s2_hl = part(s1_a(63, 32), s1_b(31, 0))
  private val s2_hh = part(s1_a(63, 32), s1_b(63, 32))
  private val s2_mid = (s2_ll >> 32) +& s2_lh(31, 0) +& s2_hl(31, 0)
  private val s2_high = s2_hh + (s2_lh >> 32) + (s2_hl >> 32) + (s2_mid >> 32)
  private val s2_fn = s2_op.uop.fn(1, 0)
  private val s2_fixA = Mux(s2_op.src(0)(63) && (s2_fn === 1.U || s2_fn === 2.U), s2_op.src(1), 0.U)
  private val s2_fixB = Mux(s2_op.src(1)(63) && s2_fn === 1.U, s2_op.src(0), 0.U)

  private val s3_valid = RegNext(s2_valid && !io.kill(p, s2_op.uop.robPtr), false.B)
  private val s3_uop = RegEnable(s2_op.uop, s2_valid)
  private val s3_low = RegEnable(Cat(s2_mid(31, 0), s2_ll(31, 0)), s2_valid)
  private val s3_high = RegEnable((s2_high - s2_fixA) - s2_fixB, s2_valid)
  io.out.valid := s3_valid
  io.out.bits.robPtr := s3_uop.robPtr
  io.out.bits.dest := s3_uop.dest
  io.out.bits.data := MuxCase(
    s3_high,
    Seq(
      s3_uop.word -> Cat(Fill(32, s3_low(31)), s3_low(31, 0)),
      (s3_uop.fn(1, 0) === 0.U) -> s3_low
    )
  )
}

/** Iterative divider, `bitsPerCycle` quotient bits a cycle (radix 16 by default), leading zeros of the dividend skipped: 2 to 18
  * cycles. DIV, DIVU, REM, REMU and the W forms by funct3 4-7. One operation at a time; the result waits for `out.ready`.
  */
class Divider(p: NhgParams, bitsPerCycle: Int = 4) extends Module {
  require(isPow2(bitsPerCycle) && bitsPerCycle <= 8)
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new IssuedOp(p)))
    val kill = Input(new Kill(p))
    val out = Decoupled(new PortResult(p))
  })
  private val sIdle :: sDivide :: sDone :: Nil = Enum(3)
  private val state = RegInit(sIdle)
  private val uop = Reg(new MicroOp(p))
  private val quotient = Reg(UInt(64.W)) // dividend shifts out at the top, quotient in at the bottom
  private val remainder = Reg(UInt(64.W))
  private val divisor = Reg(UInt(64.W))
  private val negQuotient = Reg(Bool())
  private val negRemainder = Reg(Bool())
  private val left = Reg(UInt(7.W)) // steps to do

  private val in = io.in.bits
  private val signed = !in.uop.fn(0)
  private def operand(x: UInt) = Mux(in.uop.word, Cat(Fill(32, signed && x(31)), x(31, 0)), x)
  private val a = operand(in.src(0))
  private val b = operand(in.src(1))
  private val negA = signed && a(63)
  private val negB = signed && b(63)
  private val magA = Mux(negA, 0.U - a, a)
  private val steps = 64 / bitsPerCycle
  private val nonZero = VecInit((0 until steps).map(i => magA(64 - i * bitsPerCycle - 1, 64 - (i + 1) * bitsPerCycle).orR)).asUInt
  private val skipped = Mux(nonZero.orR, PriorityEncoder(nonZero), steps.U)

  io.in.ready := state === sIdle
  when(io.in.fire) {
    uop := in.uop
    quotient := (magA << (skipped << log2Ceil(bitsPerCycle)))(63, 0)
    remainder := 0.U
    divisor := Mux(negB, 0.U - b, b)
    negQuotient := (negA ^ negB) && b.orR // x / 0 = -1, never negated
    negRemainder := negA
    left := steps.U - skipped
    state := Mux(io.kill(p, in.uop.robPtr), sIdle, sDivide)
  }

  private var r = remainder
  private var q = quotient
  for (_ <- 0 until bitsPerCycle) {
    val shifted = Cat(r, q(63))
    val difference = shifted -& divisor
    val fits = shifted >= divisor
    r = Mux(fits, difference(63, 0), shifted(63, 0))
    q = Cat(q(62, 0), fits)
  }
  when(state === sDivide) {
    when(left === 0.U || divisor === 0.U) {
      state := sDone
    }.otherwise {
      remainder := r
      quotient := q
      left := left - 1.U
    }
  }
  // Divisor 0: quotient all ones, remainder the dividend, kept from the operands instead of the iteration.
  private val dividend = RegEnable(a, io.in.fire)
  private val quotientResult = Mux(divisor === 0.U, Fill(64, 1.U(1.W)), Mux(negQuotient, 0.U - quotient, quotient))
  private val remainderResult = Mux(divisor === 0.U, dividend, Mux(negRemainder, 0.U - remainder, remainder))
  private val result = Mux(uop.fn(1), remainderResult, quotientResult)
  io.out.valid := state === sDone
  io.out.bits.robPtr := uop.robPtr
  io.out.bits.dest := uop.dest
  io.out.bits.data := Mux(uop.word, Cat(Fill(32, result(31)), result(31, 0)), result)
  when(state =/= sIdle && (io.out.fire || io.kill(p, uop.robPtr))) { state := sIdle }
}
