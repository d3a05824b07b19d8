// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Physical registers of one class: 64-bit words, combinational reads that see the writes of the same cycle (this is the bypass from the
  * execute stage to the register-read stage). A register fixed to zero is never written. `trace` ports are for the commit trace only. On the board
  * the array becomes banks of LUT RAM with a live-value table (fpga-vcu128/banks.py).
  */
class RegFile(p: NhgParams, c: RegisterClass, reads: Int, writes: Int) extends Module {
  val io = IO(new Bundle {
    val readAddr = Input(Vec(reads, UInt(c.physicalBits.W)))
    val readData = Output(Vec(reads, UInt(64.W)))
    val write = Input(Vec(
      writes,
      Valid(new Bundle {
        val addr = UInt(c.physicalBits.W)
        val data = UInt(64.W)
      })
    ))
    val traceAddr = Input(Vec(p.backend.commitWidth, UInt(c.physicalBits.W)))
    val traceData = Output(Vec(p.backend.commitWidth, UInt(64.W)))
  })
  private val regs = Mem(c.physical, UInt(64.W))
  private def isFixed(addr: UInt): Bool = c.fixedZero.B && addr === 0.U
  for (w <- io.write) { when(w.valid) { regs.write(w.bits.addr, w.bits.data) } }

  /** values(index), as a tree over the bits of the index: fewer LUTs than a chain of comparisons. */
  private def select(index: UInt, values: Seq[UInt]): UInt =
    if (values.length == 1) values.head
    else {
      val bit = log2Ceil(values.length) - 1
      val (low, high) = values.splitAt(1 << bit)
      Mux(index(bit), select(index, high), select(index, low))
    }

  for ((addr, data) <- io.readAddr.zip(io.readData) ++ io.traceAddr.zip(io.traceData)) {
    val hits = VecInit(io.write.map(w => w.valid && w.bits.addr === addr)).asUInt
    data := Mux(isFixed(addr), 0.U, Mux(hits.orR, select(OHToUInt(hits), io.write.map(_.bits.data)), regs.read(addr)))
  }

  for (w <- io.write) assert(!(w.valid && isFixed(w.bits.addr)), "write to the register fixed to zero")
  for (i <- 0 until writes; j <- 0 until i)
    assert(
      !(io.write(i).valid && io.write(j).valid && io.write(i).bits.addr === io.write(j).bits.addr),
      "two writes to one physical register"
    )
}
