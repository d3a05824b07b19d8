// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Shift

/** Port of a combinational unit of an ALU's execution port. */
class AluIO extends Bundle {
  val fn = Input(UInt(5.W))
  val word = Input(Bool())
  val a = Input(UInt(64.W))
  val b = Input(UInt(64.W))
  val out = Output(UInt(64.W))
}

/** Integer ALU, combinational, 64 bits; `word` computes on the low halves and sign-extends. */
class Alu extends Module {
  val io = IO(new AluIO)
  private val a = io.a
  private val b = io.b
  private val shamt = Cat(!io.word && b(5), b(4, 0))
  private val isSra = io.fn === AluFn.sra
  private val shiftIn = Mux(io.word, Cat(Fill(32, isSra && a(31)), a(31, 0)), a)
  private val right = Shift.right(shiftIn, shamt, isSra && shiftIn(63))
  private val left = Shift.left(a, shamt)
  private val less = a < b
  private val lessSigned = a.asSInt < b.asSInt
  private val result = MuxLookup(
    io.fn,
    a + b,
    Seq(
      AluFn.sub -> (a - b),
      AluFn.sll -> left,
      AluFn.slt -> lessSigned.asUInt,
      AluFn.sltu -> less.asUInt,
      AluFn.xor -> (a ^ b),
      AluFn.srl -> right,
      AluFn.sra -> right,
      AluFn.or -> (a | b),
      AluFn.and -> (a & b),
      AluFn.copyB -> b
    )
  )
  io.out := Mux(io.word, Cat(Fill(32, result(31)), result(31, 0)), result)
}
