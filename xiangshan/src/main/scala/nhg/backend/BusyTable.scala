// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Which physical registers of one class have no value yet, or rather: whose value cannot be read by a micro-op that is selected now. */
class BusyTable(p: NhgParams, c: RegisterClass, wakes: Int) extends Module {
  val io = IO(new Bundle {
    val renamed = Input(Vec(p.backend.decodeWidth, Valid(UInt(c.physicalBits.W))))
    val wake = Input(Vec(wakes, Valid(UInt(c.physicalBits.W))))
    val busy = Output(UInt(c.physical.W))
  })
  private val busy = RegInit(0.U(c.physical.W))
  private def bits(registers: Seq[Valid[UInt]]): UInt = registers.map(r => Mux(r.valid, UIntToOH(r.bits, c.physical), 0.U)).reduce(_ | _)
  busy := (busy & ~bits(io.wake)) | bits(io.renamed)
  io.busy := busy
  if (c.fixedZero) assert(!busy(0), "the register fixed to zero is waited for")
}
