// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._
import nhg._
import nhg.mem.L1D
import nhg.priv.PmpState

/** L2 of a tile (Table I: four slices, 8-way, 256 KB, 56 MSHRs, best-offset prefetcher).
  *
  * One prefetcher observes all slices: each sees only every fourth line, so a prefetcher of its own would learn from a quarter of the accesses,
  * know a quarter of the offsets, and mostly want lines of the other slices.
  */
class L2Cache(p: NhgParams) extends Module {
  private val params = SliceParams.l2(p)
  val io = IO(new Bundle {
    val l1d = Flipped(L1D.port(p))
    val l1i = Flipped(new LineReadPort(p.line, log2Ceil(p.l1i.mshrs)))
    val walker = Flipped(new LineReadPort(p.line, log2Ceil(p.mmu.walks)))
    val amu = Flipped(new LineLookupPort(p.line))
    val wanted = Flipped(Decoupled(UInt(p.lineAddrBits.W))) // by the AMU
    val lower = L2Cache.lower(p)
    val spm = Vec(p.l2.slices, new SpmWayPort(params.spm.get))
    val pmp = Input(new PmpState(p)) // for prefetches
    val probe = Output(new CacheProbe(p.l2.slices))
  })
  private val cache = Module(new SlicedCache(params))
  cache.io.clients(0) <> io.l1d
  cache.io.readers(0) <> io.l1i
  cache.io.readers(1) <> io.walker
  cache.io.lookup.get <> io.amu
  cache.io.spm.get <> io.spm
  io.lower <> cache.io.lower
  io.probe := cache.io.probe
  cache.io.wanted.get <> io.wanted
  private val prefetches = cache.io.prefetcher.get
  prefetches.prefetch.valid := false.B
  prefetches.prefetch.bits := DontCare
  for (bestOffset <- p.l2Prefetcher) {
    val prefetcher = Module(new L2Prefetcher(p, bestOffset))
    prefetcher.pmp := io.pmp
    prefetches <> prefetcher.io
  }
}

object L2Cache {
  /** To the level below, a port for each slice. */
  def lower(p: NhgParams): Vec[LowerPort] = Vec(p.l2.slices, new LowerPort(p.line, SliceParams.l2(p).lowerIdBits))
}
