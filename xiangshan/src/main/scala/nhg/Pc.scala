// SPDX-License-Identifier: Apache-2.0
package nhg

import chisel3._
import chisel3.util._

/** Program counters are the low pcBits of an address, one more than Sv39 has, and stand for that address by their sign. So every physical and every
  * canonical virtual address has one, and what runs or branches out of the lower or upper half of Sv39 keeps its address: the two highest bits differ
  * then. They are the canonical flag. The lowest program counter, `beyond`, stands for all other addresses, and for its own. It is in neither half and in no
  * memory, so that nothing executes there; `WidePc` has the whole address.
  */
object Pc {
  def address(pc: UInt): UInt = Cat(Fill(64 - pc.getWidth, pc.head(1)), pc)
  def beyond(p: NhgParams): UInt = (BigInt(1) << (p.pcBits - 1)).U(p.pcBits.W)

  /** The program counter of an address of Sv39, of which bit 38 stands for those above it. */
  def ofSv39(address: UInt, p: NhgParams): UInt = address.asSInt.pad(p.pcBits).asUInt

  /** The program counter of an address that is jumped to; its bit 0 counts as 0. */
  def of(address: UInt, p: NhgParams): UInt = {
    val sign = address(63, p.pcBits - 1)
    Mux(sign.andR || !sign.orR, Cat(address(p.pcBits - 1, 1), 0.U(1.W)), beyond(p))
  }
}
