// SPDX-License-Identifier: Apache-2.0
package amu

import bus.SpmLineWrite
import chisel3._
import chisel3.util._

/** Bytes of a memory line on their way to the SPM: a whole line request (cache hit) or what one AXI beat holds of it. */
class SpmPiece(p: AmuParams) extends Bundle {
  val tag = UInt(p.lineTagBits.W)
  val id = UInt(p.idBits.W)
  val isLast = Bool() // completes its line request
  val offset = UInt(p.lineOffsetBits.W) // first byte in the memory line
  val count = UInt((p.lineOffsetBits + 1).W)
  val spmAddr = UInt(p.spmAddrBits.W) // of the first byte
  val data = UInt(p.lineBits.W) // bytes at their place in the memory line
}

/** Writes pieces to the SPM, rotated to their SPM bytes: one SPM line a cycle, two when the piece crosses an SPM line.
  * `counted` pulses in the cycle of the last write of a line request: the bytes can be read from the next cycle on.
  */
class SpmWriter(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new SpmPiece(p)))
    val write = Decoupled(new SpmLineWrite(p.spm))
    val counted = Valid(new Bundle {
      val tag = UInt(p.lineTagBits.W)
      val id = UInt(p.idBits.W)
    })
  })
  private val valid = RegInit(false.B)
  private val second = RegInit(false.B)
  private val piece = Reg(new SpmPiece(p))

  private val spmOffset = piece.spmAddr(p.lineOffsetBits - 1, 0)
  private val spmLine = piece.spmAddr(p.spmAddrBits - 1, p.lineOffsetBits)
  private val end = spmOffset +& piece.count
  private val crosses = end > p.lineBytes.U
  private val mask = ((1.U << piece.count) - 1.U)(p.lineBytes - 1, 0)
  private val masks = (mask << spmOffset).pad(2 * p.lineBytes)

  io.write.valid := valid
  io.write.bits.line := spmLine + second
  io.write.bits.data := ByteAlign.rotate(piece.data, (spmOffset - piece.offset)(p.lineOffsetBits - 1, 0))
  io.write.bits.mask := Mux(second, masks(2 * p.lineBytes - 1, p.lineBytes), masks(p.lineBytes - 1, 0))

  private val finished = io.write.fire && (second || !crosses)
  io.counted.valid := finished && piece.isLast
  io.counted.bits.tag := piece.tag
  io.counted.bits.id := piece.id
  when(io.write.fire) { second := crosses && !second }

  io.in.ready := !valid || finished
  when(io.in.fire || finished) { valid := io.in.fire }
  when(io.in.fire) { piece := io.in.bits }
}
