// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Issue port pipeline between select and execute: register read (r), where operands of instructions that execute in this very cycle
  * arrive over the bypass, then the execute register (x). Stalls when the unit does.
  *
  * @param seesSquash false for the port that makes squashes: its own output must not depend on them (and is never killed by one,
  *                   because it is the only operation in the cycle that can squash)
  */
class ReadStage(p: NhgParams, seesSquash: Boolean = true) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new MicroOp(p)))
    val r_valid = Output(Bool())
    val r_leaves = Output(Bool()) // executes in the next cycle, unless it is killed
    val r_uop = Output(new MicroOp(p))
    val r_src = Input(Vec(p.backend.sources, UInt(64.W)))
    val out = Decoupled(new IssuedOp(p))
    val kill = Input(new Kill(p))
  })
  private val r_valid = RegInit(false.B)
  private val r_uop = Reg(new MicroOp(p))
  private val x_valid = RegInit(false.B)
  private val x_op = Reg(new IssuedOp(p))
  private val x_dead = io.kill(p, x_op.uop.robPtr)

  private val x_free = !x_valid || io.out.ready
  private val r_free = !r_valid || x_free
  io.in.ready := r_free
  when(r_free) {
    r_valid := io.in.valid && !io.kill(p, io.in.bits.robPtr)
    when(io.in.valid) { r_uop := io.in.bits }
  }.elsewhen(io.kill(p, r_uop.robPtr)) {
    r_valid := false.B
  }
  when(x_free) {
    x_valid := r_valid && !io.kill(p, r_uop.robPtr)
    when(r_valid) {
      x_op.uop := r_uop
      x_op.src := io.r_src
    }
  }.elsewhen(x_dead) {
    x_valid := false.B
  }
  io.r_valid := r_valid
  io.r_leaves := r_valid && x_free
  io.r_uop := r_uop
  io.out.valid := x_valid && (if (seesSquash) !x_dead else !io.kill.flush)
  io.out.bits := x_op
}
