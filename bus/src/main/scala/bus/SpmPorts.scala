// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._

/** Size of the scratchpad memory in bytes. */
case class SpmParams(bytes: Int = 32 * 1024, line: LineParams = LineParams()) {
  require(isPow2(bytes))
  val addrBits: Int = log2Ceil(bytes)
  val wordBits: Int = addrBits - 3
  val lineBits: Int = addrBits - line.offsetBits
}

/** SPM window of the core: 64-bit words, reads answered in order a fixed number of cycles after they were accepted. */
class SpmWordPort(p: SpmParams) extends Bundle {
  val read = Decoupled(UInt(p.wordBits.W))
  val readData = Flipped(Valid(UInt(64.W)))
  val write = Decoupled(new Bundle {
    val word = UInt(p.wordBits.W)
    val data = UInt(64.W)
    val mask = UInt(8.W)
  })
}

class SpmLineWrite(p: SpmParams) extends Bundle {
  val line = UInt(p.lineBits.W)
  val data = UInt(p.line.bits.W)
  val mask = UInt(p.line.bytes.W)
}

/** Whole lines of the SPM's RAM, one a cycle, byte mask on writes, read data one cycle after the request. */
class SpmLinePort(p: SpmParams) extends Bundle {
  val read = Decoupled(UInt(p.lineBits.W))
  val readData = Input(UInt(p.line.bits.W))
  val write = Decoupled(new SpmLineWrite(p))
}
