// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import platform.PrivilegedCsrs

/** Privilege modes, as MPP and bits 9:8 of a CSR's number give them. */
object Mode {
  val width = 2
  val user = 0.U(width.W)
  val supervisor = 1.U(width.W)
  val machine = 3.U(width.W)
}

/** What the mode and the CSRs let an instruction do. Decoding uses it directly: what changes it makes everything younger be fetched again. */
class Allowed extends Bundle {
  val mode = UInt(Mode.width.W)
  val debug = Bool() // debug mode, in which `mode` is M
  val sret = Bool()
  val wfi = Bool()
  val translation = Bool() // satp, sfence.vma
  val counters = UInt(3.W) // cycle, time, instret
  val senvcfg = Bool()
  val sstateen0 = Bool()
  val stimecmp = Bool()
  val amu = Bool()
  val fp = Bool()
}

/** The privileged state that lock-step compares: the mode, the CSRs in the order of csrs.toml, as M mode would read them, and the
  * time that the pending timer interrupts follow. `sleeps`, from the ROB, is for the watchdog: the oldest instruction is a wfi.
  */
class PrivilegedTrace extends Bundle {
  val mode = UInt(Mode.width.W)
  val csrs = Vec(PrivilegedCsrs.registers.length, UInt(64.W))
  val time = UInt(64.W)
  val sleeps = Bool()
}
