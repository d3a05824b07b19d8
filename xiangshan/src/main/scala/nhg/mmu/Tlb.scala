// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

import chisel3._
import chisel3.util._
import nhg.NhgParams
import nhg.priv.Pmp

/** Sizes of a TLB: pages of 4 KiB, and superpages, of which an entry has 2 MiB. */
case class TlbParams(pages: TableSize, superpages: TableSize)

class TlbEntry(p: NhgParams) extends Bundle {
  val asid = UInt(Sv39.asidBits.W)
  val mapping = new PageMapping(p)
}

/** What a walk has found. */
class WalkResult(p: NhgParams) extends Bundle {
  val vpn = UInt(Sv39.vpnBits.W)
  val isSuperpage = Bool()
  val entry = new TlbEntry(p)
}

/** A TLB to the walker. */
class WalkPort(p: NhgParams) extends Bundle {
  val request = Decoupled(UInt(Sv39.vpnBits.W))
  val result = Flipped(Decoupled(new WalkResult(p)))
  val full = Input(Bool()) // no request is taken before a walk ends
  val woken = Input(Bool()) // a result was taken or a walk ended in the cycle before: who waits may try again
}

/** One address, translated in the same cycle. Without translation `physical` is the address itself: whoever asks looks whether anything is there. */
class TlbLookup extends Bundle {
  val address = Input(UInt(64.W))
  val isStore = Input(Bool())
  val walks = Input(Bool()) // if it misses, and the access is one
  val physical = Output(UInt(64.W)) // of a page fault or miss it says nothing; where a walk was refused, it is beyond physical addresses
  val pageFault = Output(Bool())
  val miss = Output(Bool()) // then neither
  val waits = Output(Bool()) // for the end of a walk: its own, or one that makes room; else it tries again at once
}

/** TLB of one unit, of `ports` accesses a cycle. Entries keep the rights of their page, checked against the mode of each access.
  *
  * A fault that a walk has found is an entry, too, until the next flush at the ROB head: so the access that waited finds it, and when it is tried again
  * after its exception the tables are read anew. A refill is taken every `refillGap` cycles at the most: the oldest access that waits has come back by
  * then, so two pages of one entry cannot keep each other out for ever.
  */
class Tlb(p: NhgParams, size: TlbParams, ports: Int, fetches: Boolean) extends Module {
  private val refillGap = 5
  val io = IO(new Bundle {
    val state = Input(new TranslationState(p))
    val lookup = Vec(ports, new TlbLookup)
    val walk = new WalkPort(p)
  })
  private val mode = if (fetches) io.state.fetch else io.state.data
  private def table(size: TableSize, keyBits: Int) = new TranslationTable(new TlbEntry(p), size, keyBits, io.state.clear, io.state.forgetFaults)
  private val pages = table(size.pages, Sv39.vpnBits)
  private val superpages = table(size.superpages, Sv39.vpnBits - Sv39.indexBits)

  for (l <- io.lookup) {
    def isMine(e: TlbEntry): Bool = e.asid === io.state.asid || e.mapping.global
    val vpn = Sv39.vpn(l.address)
    val page = pages.find(vpn)(isMine)
    val superpage = superpages.find(vpn >> Sv39.indexBits)(isMine)
    val m = Mux(page.valid, page.bits.mapping, superpage.bits.mapping)
    val ppn = Mux(page.valid, m.ppn, Cat(m.ppn >> Sv39.indexBits, vpn(Sv39.indexBits - 1, 0)))
    val isThere = page.valid || superpage.valid
    val isCanonical = Sv39.isCanonical(l.address)
    val mine = Mux(mode.isUser, m.user, !m.user || (!fetches).B && io.state.sum)
    val right = if (fetches) m.execute else Mux(l.isStore, m.write && m.dirty, m.read || io.state.mxr && m.execute)
    l.miss := mode.on && isCanonical && !isThere
    l.pageFault := mode.on && (!isCanonical || isThere && Mux(m.isFault, !m.outside, !(mine && right)))
    l.physical := Mux(mode.on, Cat(m.outside, ppn, l.address(Pmp.grainBits - 1, 0)), l.address)
  }

  private val asks = io.lookup.map(l => l.walks && l.miss)
  io.walk.request.valid := asks.reduce(_ || _)
  io.walk.request.bits := PriorityMux(asks, io.lookup.map(l => Sv39.vpn(l.address)))
  for ((l, first) <- io.lookup.zip(PriorityEncoderOH(asks))) l.waits := first && io.walk.request.ready || io.walk.full

  private val rest = RegInit(0.U(log2Ceil(refillGap).W))
  io.walk.result.ready := rest === 0.U
  rest := Mux(io.walk.result.fire, (refillGap - 1).U, Mux(rest === 0.U, 0.U, rest - 1.U))
  private val r = io.walk.result.bits
  private def isOfAsid(e: TlbEntry): Bool = e.asid === r.entry.asid
  pages.write(io.walk.result.fire && !r.isSuperpage, r.vpn, r.entry, r.entry.mapping.isFault)(isOfAsid)
  superpages.write(io.walk.result.fire && r.isSuperpage, r.vpn >> Sv39.indexBits, r.entry, false.B)(isOfAsid)
}
