// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import common.Shift
import nhg._
import platform.Region

/** Byte lanes of a 64-bit word. */
object ByteLanes {
  def mask(offset: UInt, size: UInt): UInt = {
    val base = MuxLookup(size, 0xff.U(8.W), Seq(0.U -> 1.U(8.W), 1.U -> 3.U(8.W), 2.U -> 15.U(8.W)))
    Shift.left(base, offset)
  }

  def bytes(size: UInt): UInt = UIntToOH(size, 4)

  def misaligned(offset: UInt, size: UInt): Bool =
    MuxLookup(size, offset(2, 0).orR, Seq(0.U -> false.B, 1.U -> offset(0), 2.U -> offset(1, 0).orR))

  def place(data: UInt, offset: UInt): UInt = Shift.left(data, Cat(offset, 0.U(3.W)))

  /** The value a load of `size` finds `offset` bytes up in `word`. */
  def extract(word: UInt, offset: UInt, size: UInt, unsigned: Bool): UInt = {
    val low = word >> Cat(offset, 0.U(3.W))
    def extend(bits: Int): UInt = Cat(Fill(64 - bits, low(bits - 1) && !unsigned), low(bits - 1, 0))
    MuxLookup(size, low, Seq(0.U -> extend(8), 1.U -> extend(16), 2.U -> extend(32)))
  }

  def merge(word: UInt, data: UInt, mask: UInt): UInt = {
    val bits = FillInterleaved(8, mask)
    (word & ~bits) | (data & bits)
  }
}

/** What lies at a 64-bit physical address; none set: nothing does. */
class AddressClass extends Bundle {
  val memory = Bool() // local or far
  val rom = Bool()
  val spm = Bool()
  val mmio = Bool()
}

object AddressClass {
  /** Of an address in memory. */
  def isFar(p: NhgParams, addr: UInt): Bool = addr >= p.map.far.base.U && addr < p.map.far.end.U

  def apply(p: NhgParams, addr: UInt, spmPresent: Bool): AddressClass = {
    val low = addr(p.paddrBits - 1, 0)
    val inRange = !addr(63, p.paddrBits).orR
    def in(region: Region): Bool = inRange && low >= region.base.U && low < region.end.U
    val c = Wire(new AddressClass)
    c.memory := in(p.map.local) || in(p.map.far)
    c.rom := in(p.map.bootRom)
    c.spm := in(p.map.spm) && spmPresent
    c.mmio := in(p.map.mmio)
    c
  }
}

/** Squash as every unit of the LSU sees it. */
class Squash(p: NhgParams) extends Bundle {
  val flush = Bool()
  val restore = Bool()
  val lqTail = UInt(p.lqPtrBits.W)
  val sqTail = UInt(p.sqPtrBits.W)

  def killsLoad(lqPtr: UInt): Bool = flush || (restore && !p.loadRing.isBefore(lqPtr, lqTail))
  def killsStore(sqPtr: UInt): Bool = flush || (restore && !p.storeRing.isBefore(sqPtr, sqTail))
}

/** Events of one cycle for the performance counters. */
class LsuProbe(p: NhgParams) extends Bundle {
  private val perPipe = log2Ceil(p.lsu.loadPipes + 1)
  val loads = UInt(perPipe.W) // loads that got their data from a load pipe
  val loadMisses = UInt(perPipe.W) // loads that began to wait for a line
  val forwards = UInt(perPipe.W) // loads served by the store queue or the store buffer
  val replays = UInt(perPipe.W) // loads sent into a pipe again
  val mshrOccupancy = UInt(log2Ceil(p.l1d.mshrs + 1).W)
}
