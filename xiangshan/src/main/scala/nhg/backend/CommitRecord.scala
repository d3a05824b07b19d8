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
  val fetchFirst = UInt(64.W) // physical address of its first halfword; of a fetch fault it says nothing
  val fetchLast = UInt(64.W) // and of its last
  val memValid = Bool() // a load, a store or a request of the AMU
  val memAddr = UInt(64.W) // physical
  val memIsMmio = Bool()
}
