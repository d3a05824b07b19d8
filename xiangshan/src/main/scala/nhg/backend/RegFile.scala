// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Physical register file: 64-bit words, combinational reads that see the writes of the same cycle (this is the bypass from the
  * execute stage to the register-read stage). Register 0 reads zero. `trace` ports are for the commit trace only.
  */
class RegFile(p: NhgParams, reads: Int, writes: Int) extends Module {
  val io = IO(new Bundle {
    val readAddr = Input(Vec(reads, UInt(p.pregBits.W)))
    val readData = Output(Vec(reads, UInt(64.W)))
    val write = Input(Vec(writes, Valid(new Bundle {
      val addr = UInt(p.pregBits.W)
      val data = UInt(64.W)
    })))
    val traceAddr = Input(Vec(p.backend.commitWidth, UInt(p.pregBits.W)))
    val traceData = Output(Vec(p.backend.commitWidth, UInt(64.W)))
  })
  private val regs = Mem(p.backend.intPhysRegs, UInt(64.W))
  for (w <- io.write) { when(w.valid) { regs.write(w.bits.addr, w.bits.data) } }
  for ((addr, data) <- io.readAddr.zip(io.readData)) {
    val bypass = io.write.map(w => (w.valid && w.bits.addr === addr) -> w.bits.data)
    data := Mux(addr === 0.U, 0.U, MuxCase(regs.read(addr), bypass))
  }
  for ((addr, data) <- io.traceAddr.zip(io.traceData)) { data := Mux(addr === 0.U, 0.U, regs.read(addr)) }

  for (i <- 0 until writes; j <- 0 until i)
    assert(
      !(io.write(i).valid && io.write(j).valid && io.write(i).bits.addr === io.write(j).bits.addr && io.write(i).bits.addr =/= 0.U),
      "two writes to one physical register"
    )
}
