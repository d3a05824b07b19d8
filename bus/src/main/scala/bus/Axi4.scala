// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._
import platform.PhysicalAddress

/** AXI4 port widths in bits. */
case class Axi4Params(addrBits: Int = PhysicalAddress.bits, dataBits: Int = 256, idBits: Int = 10)

/** AXI4 address channel (AR and AW): INCR bursts, no locks, no QoS. */
class Axi4Address(p: Axi4Params) extends Bundle {
  val id = UInt(p.idBits.W)
  val addr = UInt(p.addrBits.W)
  val len = UInt(8.W) // beats - 1
  val size = UInt(3.W) // log2 bytes a beat
}

class Axi4WriteData(p: Axi4Params) extends Bundle {
  val data = UInt(p.dataBits.W)
  val strb = UInt((p.dataBits / 8).W)
  val last = Bool()
}

class Axi4ReadData(p: Axi4Params) extends Bundle {
  val id = UInt(p.idBits.W)
  val data = UInt(p.dataBits.W)
  val resp = UInt(2.W)
  val last = Bool()
}

class Axi4WriteResponse(p: Axi4Params) extends Bundle {
  val id = UInt(p.idBits.W)
  val resp = UInt(2.W)
}

/** AXI4 manager port. */
class Axi4Port(val p: Axi4Params) extends Bundle {
  val aw = Decoupled(new Axi4Address(p))
  val w = Decoupled(new Axi4WriteData(p))
  val b = Flipped(Decoupled(new Axi4WriteResponse(p)))
  val ar = Decoupled(new Axi4Address(p))
  val r = Flipped(Decoupled(new Axi4ReadData(p)))
}
