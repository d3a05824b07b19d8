// SPDX-License-Identifier: Apache-2.0
package nhg

import chisel3._

/** A register as an instruction names it. Not used: register 0 of class 0, which reads zero. */
class LogicalRegister(p: NhgParams) extends Bundle {
  val regClass = UInt(p.regClassBits.W)
  val index = UInt(p.logicalRegBits.W)
}

/** A register as a micro-op names it. Not used: register 0 of class 0. */
class PhysicalRegister(p: NhgParams) extends Bundle {
  val regClass = UInt(p.regClassBits.W)
  val index = UInt(p.physicalRegBits.W)
}

/** What an instruction writes, if `writes`. A register that is fixed to zero counts as none. */
class LogicalDestination(p: NhgParams) extends LogicalRegister(p) {
  val writes = Bool()
}

class PhysicalDestination(p: NhgParams) extends PhysicalRegister(p) {
  val writes = Bool()
  def writesTo(k: Int): Bool = writes && regClass === k.U
}

/** Choice by a register's class. */
object ByClass {
  /** Among the values of all classes. */
  def apply[T <: Data](regClass: UInt, values: Seq[T]): T = among(regClass, values.zipWithIndex.map(_.swap))
  /** Among the values of some classes, given with their numbers. */
  def among[T <: Data](regClass: UInt, values: Seq[(Int, T)]): T =
    values.init.foldRight(values.last._2) { case ((k, value), others) => Mux(regClass === k.U, value, others) }
}
