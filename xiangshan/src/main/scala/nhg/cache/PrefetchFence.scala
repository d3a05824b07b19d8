// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chisel3.util._
import nhg.NhgParams
import nhg.priv.PmpState

/** A line to prefetch, and the line whose access made the prefetcher want it. */
class PrefetchCandidate(p: LineParams) extends Bundle {
  val cause = UInt(p.addrBits.W)
  val lineAddr = UInt(p.addrBits.W)
}

/** Lets a prefetch into another page pass only where PMP and the memory map treat that page as they treat the page of its cause: the same region of either
  * has both. Then the access that caused it could have been to either page, in whatever mode it was; the mode of this cycle may be another one.
  */
class PrefetchFence(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new PrefetchCandidate(p.line)))
    val out = Decoupled(UInt(p.lineAddrBits.W))
    val pmp = Input(new PmpState(p))
  })
  private val candidate = Queue(io.in, 1, pipe = true)
  private val memories = Seq(p.map.local, p.map.far)
  private def regions(lineAddr: UInt): UInt = {
    val address = Cat(lineAddr, 0.U(log2Ceil(p.lineBytes).W))
    Cat(io.pmp.regionOf(address), Cat(memories.map(region => address >= region.base.U && address < region.end.U)))
  }
  private def page(lineAddr: UInt): UInt = lineAddr >> (p.pageOffsetBits - log2Ceil(p.lineBytes))
  private val (from, to) = (candidate.bits.cause, candidate.bits.lineAddr)
  private val mayGo = page(from) === page(to) || (regions(from) === regions(to) && regions(to)(memories.size - 1, 0).orR)
  io.out.valid := candidate.valid && mayGo
  io.out.bits := to
  candidate.ready := io.out.ready || !mayGo
}
