// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import nhg._

/** One retired (or trapped) instruction for the commit trace and the lock-step comparison. */
class CommitRecord(p: NhgParams) extends Bundle {
  val valid = Bool()
  val pc = UInt(64.W)
  val inst = UInt(32.W) // raw
  val writes = Bool()
  val rdClass = UInt(1.W) // of rd: 0 integer, 1 floating point
  val rd = UInt(5.W)
  val rdValue = UInt(64.W)
  val trap = Bool() // trapped instead of retiring
  val cause = UInt(64.W)
  val tval = UInt(64.W)
  val memValid = Bool()
  val memAddr = UInt(64.W)
  val memIsMmio = Bool()
}
