// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Why the instruction at `robPtr` cannot retire: an exception, an interrupt that is taken in its place (it has not been executed), or neither
  * (`replay`) because it is a load that must run again.
  */
class RobException(p: NhgParams) extends Bundle {
  val robPtr = UInt(p.robRing.bits.W)
  val exception = new ExceptionInfo
  val isInterrupt = Bool() // `exception` is valid and says nothing
  def replay: Bool = !exception.valid
}

/** Keeps the oldest pending exception; younger ones cannot matter, since nothing behind it will retire. The earlier a source stands in `in`, the later in a
  * cycle it may come.
  */
class ExceptionUnit(p: NhgParams, sources: Int) extends Module {
  val io = IO(new Bundle {
    val in = Input(Vec(sources, Valid(new RobException(p))))
    val kill = Input(new Kill(p))
    val out = Output(Valid(new RobException(p)))
  })
  private val valid = RegInit(false.B)
  private val current = Reg(new RobException(p))
  private val all = io.in :+ {
    val c = Wire(Valid(new RobException(p)))
    c.valid := valid
    c.bits := current
    c
  }
  // A later report on the same instruction wins (a replay after an exception runs it again).
  private val oldest = all.reduceRight[Valid[RobException]] { (a, b) =>
    val pick = Wire(Valid(new RobException(p)))
    val takeB = b.valid && (!a.valid || p.robRing.isBefore(b.bits.robPtr, a.bits.robPtr))
    pick := Mux(takeB, b, a)
    pick
  }
  valid := oldest.valid && !io.kill(p, oldest.bits.robPtr)
  when(oldest.valid) { current := oldest.bits }
  io.out.valid := valid
  io.out.bits := current
}
