// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Shift

/** Operation of FuType.bitManip; `word` selects the 32-bit form where there is one. The first eight: [1:0] shift, [2] the low word of a. */
object BitFn {
  private val width = 5
  val sh1add = 1.U(width.W)
  val sh2add = 2.U(width.W)
  val sh3add = 3.U(width.W)
  val addUw = 4.U(width.W)
  val sh1addUw = 5.U(width.W)
  val sh2addUw = 6.U(width.W)
  val sh3addUw = 7.U(width.W)
  val slliUw = 8.U(width.W)
  val andn = 9.U(width.W)
  val orn = 10.U(width.W)
  val xnor = 11.U(width.W)
  val clz = 12.U(width.W)
  val ctz = 13.U(width.W)
  val cpop = 14.U(width.W)
  val min = 15.U(width.W)
  val minu = 16.U(width.W)
  val max = 17.U(width.W)
  val maxu = 18.U(width.W)
  val sextB = 19.U(width.W)
  val sextH = 20.U(width.W)
  val zextH = 21.U(width.W)
  val rol = 22.U(width.W)
  val ror = 23.U(width.W)
  val orcB = 24.U(width.W)
  val rev8 = 25.U(width.W)
  val bclr = 26.U(width.W)
  val bext = 27.U(width.W)
  val binv = 28.U(width.W)
  val bset = 29.U(width.W)
  val czeroEqz = 30.U(width.W)
  val czeroNez = 31.U(width.W)
}

/** Zba, Zbb, Zbs (ratified version 1.0) and Zicond, combinational, 64 bits, beside the ALU; results of 32-bit forms are sign-extended. */
class BitManip extends Module {
  val io = IO(new AluIO)
  private val (a, b) = (io.a, io.b)
  private val low = a(31, 0)
  private val fn = io.fn

  // address generation
  private val addend = Mux(fn(2), low, a)
  private val scaled = VecInit((0 until 4).map(n => if (n == 0) addend else Cat(addend(63 - n, 0), 0.U(n.W))))(fn(1, 0))

  // counts: leading zeros are trailing zeros of the reversed word
  private val isClz = fn === BitFn.clz
  private val counted64 = Mux(isClz, Reverse(a), a)
  private val counted32 = Mux(isClz, Reverse(low), low)
  private val counted = Mux(io.word, Cat(~0.U(32.W), counted32), counted64)

  // rotations: a word is doubled
  private val rotated = Mux(io.word, Cat(low, low), a)
  private val amount = Mux(fn === BitFn.rol, 0.U - b(5, 0), b(5, 0))
  private val right = Shift.rotateRight(rotated, amount)

  private val bytes = (0 until 8).map(i => a(8 * i + 7, 8 * i))
  private val oneBit = UIntToOH(b(5, 0), 64)
  private val less = a < b
  private val lessSigned = a.asSInt < b.asSInt
  private val isZero = b === 0.U
  private val result = MuxLookup(
    fn,
    scaled + b,
    Seq(
      BitFn.slliUw -> Shift.left(Cat(0.U(32.W), low), b(5, 0)),
      BitFn.andn -> (a & ~b),
      BitFn.orn -> (a | ~b),
      BitFn.xnor -> ~(a ^ b),
      BitFn.clz -> trailingZeros(counted),
      BitFn.ctz -> trailingZeros(counted),
      BitFn.cpop -> PopCount(Mux(io.word, low, a)),
      BitFn.min -> Mux(lessSigned, a, b),
      BitFn.minu -> Mux(less, a, b),
      BitFn.max -> Mux(lessSigned, b, a),
      BitFn.maxu -> Mux(less, b, a),
      BitFn.sextB -> Cat(Fill(56, a(7)), a(7, 0)),
      BitFn.sextH -> Cat(Fill(48, a(15)), a(15, 0)),
      BitFn.zextH -> a(15, 0),
      BitFn.rol -> right,
      BitFn.ror -> right,
      BitFn.orcB -> Cat(bytes.reverse.map(byte => Fill(8, byte.orR))),
      BitFn.rev8 -> Cat(bytes),
      BitFn.bclr -> (a & ~oneBit),
      BitFn.bext -> (a & oneBit).orR,
      BitFn.binv -> (a ^ oneBit),
      BitFn.bset -> (a | oneBit),
      BitFn.czeroEqz -> Mux(isZero, 0.U, a),
      BitFn.czeroNez -> Mux(isZero, a, 0.U)
    )
  )
  io.out := Mux(io.word, Cat(Fill(32, result(31)), result(31, 0)), result)

  /** 0 … width of `bits`, a power of two. */
  private def trailingZeros(bits: UInt): UInt = {
    val half = bits.getWidth / 2
    if (half == 0) !bits
    else {
      val (lower, upper) = (bits(half - 1, 0), bits(2 * half - 1, half))
      Mux(lower.orR, trailingZeros(lower), half.U +& trailingZeros(upper))
    }
  }
}
