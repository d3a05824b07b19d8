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
  private class Candidate extends Bundle {
    val valid = Bool()
    val killed = Bool() // found for each before the oldest is
    val report = new RobException(p)
  }
  private def candidate(isValid: Bool, report: RobException): Candidate = {
    val c = Wire(new Candidate)
    c.valid := isValid
    c.killed := io.kill(p, report.robPtr)
    c.report := report
    c
  }
  // A later report on the same instruction wins (a replay after an exception runs it again).
  private val all = io.in.map(in => candidate(in.valid, in.bits)) :+ candidate(valid, current)
  private val oldest = all.reduceRight[Candidate] { (a, b) =>
    val takeB = b.valid && (!a.valid || p.robRing.isBefore(b.report.robPtr, a.report.robPtr))
    val pick = Wire(new Candidate)
    pick := Mux(takeB, b, a)
    pick.valid := a.valid || b.valid
    pick
  }
  valid := oldest.valid && !oldest.killed
  when(oldest.valid) { current := oldest.report }
  io.out.valid := valid
  io.out.bits := current
}
