// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import nhg._

/** The privileged state inside a test's module, which writes CSRs, takes traps and returns from them; nothing else comes to it. */
object PrivilegedUnderTest {
  def apply(p: NhgParams, csr: UInt, write: Valid[UInt], trap: Bool, mret: Bool): Privileged = {
    val privileged = Module(new Privileged(p))
    privileged.io := DontCare
    privileged.io.addr := csr
    privileged.io.write := write
    privileged.io.trap := 0.U.asTypeOf(new Trap)
    privileged.io.trap.exception.valid := trap
    privileged.io.mret := mret
    privileged.io.sret := false.B
    privileged
  }
}
