// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._

/** Device accesses: one request at a time; `size` log2 bytes; data in place (byte lane = address bits 2:0). */
class DevicePort(addrBits: Int) extends Bundle {
  val req = Decoupled(new Bundle {
    val addr = UInt(addrBits.W)
    val write = Bool()
    val size = UInt(2.W)
    val data = UInt(64.W)
    val mask = UInt(8.W)
  })
  val resp = Flipped(Valid(new Bundle {
    val data = UInt(64.W)
    val error = Bool()
  }))
}
