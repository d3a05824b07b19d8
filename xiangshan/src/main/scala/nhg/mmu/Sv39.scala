// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

import chisel3._
import chisel3.util._
import nhg.NhgParams
import nhg.priv.Pmp

/** Widths of Sv39, in bits: virtual page number `vpn`, of which each of three levels takes nine, and ASID. */
object Sv39 {
  val mode = 8 // of satp
  val modes = Seq(0, mode) // that there are
  val levels = 3
  val indexBits = 9
  val vpnBits: Int = levels * indexBits
  val asidBits = 16
  val pteBits = 64

  def vpn(address: UInt): UInt = address(Pmp.grainBits + vpnBits - 1, Pmp.grainBits)
  def isCanonical(address: UInt): Bool = {
    val sign = address(63, Pmp.grainBits + vpnBits - 1)
    sign.andR || !sign.orR
  }
  def extend(address: UInt): UInt = Cat(Fill(64 - address.getWidth, address.head(1)), address)
}

/** Whether accesses of a kind are translated, and with whose rights. */
class TranslationMode extends Bundle {
  val on = Bool()
  val isUser = Bool()
}

/** What the CSRs say about translation: all zero is off. */
class TranslationState(p: NhgParams) extends Bundle {
  val fetch = new TranslationMode
  val data = new TranslationMode // MPRV counts
  val asid = UInt(Sv39.asidBits.W)
  val root = UInt(Pmp.pageBits(p).W) // page of the root table
  val sum = Bool()
  val mxr = Bool()
  val clear = Bool() // sfence.vma is done
  val forgetFaults = Bool() // a flush at the ROB head
}

/** Where a page lies and what may be done with it, or that an access fails: with `outside` by an access fault, else by a page fault. */
class PageMapping(p: NhgParams) extends Bundle {
  val isFault = Bool()
  val outside = Bool() // beyond physical addresses
  val ppn = UInt(Pmp.pageBits(p).W)
  val global = Bool()
  val user = Bool()
  val read = Bool()
  val write = Bool()
  val execute = Bool()
  val dirty = Bool()
}

object PageMapping {
  def fault(p: NhgParams, isAccess: Bool): PageMapping = {
    val m = WireDefault(0.U.asTypeOf(new PageMapping(p)))
    m.isFault := true.B
    m.outside := isAccess
    m
  }
}

/** A page-table entry. */
class Pte(p: NhgParams, bits: UInt) {
  private val Seq(valid, read, write, execute, user, global, accessed, dirty) = bits(7, 0).asBools
  private val ppn = bits(53, 10)
  private val reserved = bits(63, 54).orR // Svnapot and Svpbmt are not there

  /** The table of the next level. */
  val outside: Bool = ppn(ppn.getWidth - 1, Pmp.pageBits(p)).orR
  val page: UInt = ppn(Pmp.pageBits(p) - 1, 0)
  def isPointer(level: UInt): Bool = valid && !read && !write && !execute && !user && !accessed && !dirty && !reserved && level =/= 0.U

  /** What it says as a leaf of `level` about the page `vpn`; of a superpage that is the aligned 2 MiB around it. Hardware does not set A and D (Svade). */
  def mapping(level: UInt, vpn: UInt): PageMapping = {
    val (low, high) = (Sv39.indexBits, 2 * Sv39.indexBits)
    val misaligned = level =/= 0.U && page(low - 1, 0).orR || level === 2.U && page(high - 1, low).orR
    val m = Wire(new PageMapping(p))
    m.isFault := !valid || !(read || execute) || write && !read || !accessed || reserved || misaligned
    m.outside := outside && !m.isFault
    m.ppn := Mux(level === 2.U, Cat(page(Pmp.pageBits(p) - 1, high), vpn(high - 1, low), page(low - 1, 0)), page)
    m.global := global
    m.user := user
    m.read := read
    m.write := write
    m.execute := execute
    m.dirty := dirty
    m
  }
}
