// SPDX-License-Identifier: Apache-2.0
package nhg

import chisel3._
import chisel3.util._

/** Exception codes of mcause and scause. */
object Cause {
  val width = 5
  val instAccess = 1.U(width.W)
  val illegal = 2.U(width.W)
  val breakpoint = 3.U(width.W)
  val loadMisaligned = 4.U(width.W)
  val loadAccess = 5.U(width.W)
  val storeMisaligned = 6.U(width.W) // and AMO, SC
  val storeAccess = 7.U(width.W)
  val instPage = 12.U(width.W)
  val loadPage = 13.U(width.W)
  val storePage = 15.U(width.W)
  def call(mode: UInt): UInt = 8.U(width.W) | mode // ecall
}

/** Whether something failed, and why. */
class ExceptionCause extends Bundle {
  val valid = Bool()
  val cause = UInt(Cause.width.W)
}

/** The same with the value for mtval. */
class ExceptionInfo extends ExceptionCause {
  val tval = UInt(64.W)
}

/** An exception or an interrupt taken at the ROB head; of an interrupt `cause` is its number in mip. */
class Trap extends Bundle {
  val pc = UInt(64.W)
  val exception = new ExceptionInfo
  val isInterrupt = Bool()
  def valid: Bool = exception.valid
  def code: UInt = Cat(isInterrupt, exception.cause.pad(63)) // of mcause
}
