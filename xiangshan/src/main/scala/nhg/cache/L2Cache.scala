// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._
import nhg._
import nhg.mem.L1D

/** Events for the performance counters. */
class L2Probe extends Bundle {
  val demandMiss = Bool()
  val eviction = Bool()
  val mshrs = UInt(7.W)
  val prefetch = Bool() // sent to memory
  val prefetchUseful = Bool() // L1D asks for a prefetched line for the first time
  val prefetchLate = Bool() // ... while it is on its way
}

/** L2 of a tile (Table I: 8-way, 256 KB, best-offset prefetcher): one slice with memory below it. */
class L2Cache(p: NhgParams) extends Module {
  private val params = SliceParams.l2(p)
  val io = IO(new Bundle {
    val l1d = Flipped(L1D.port(p))
    val l1i = Flipped(new LineReadPort(p.line, log2Ceil(p.l1i.mshrs)))
    val amu = Flipped(new LineLookupPort(p.line))
    val mem = new Axi4Port(p.amu.axi)
    val spm = new SpmWayPort(p.amu.spm)
    val probe = Output(new L2Probe)
  })
  private val slice = Module(new CacheSlice(params))
  private val lower = Module(new AxiLower(params, p.amu.axi))
  slice.io.clients(0) <> io.l1d
  slice.io.readers(0) <> io.l1i
  slice.io.lookup.get <> io.amu
  slice.io.spm.get <> io.spm
  lower.io.slice <> slice.io.lower
  io.mem <> lower.io.mem
  io.probe := slice.io.probe
  for (prefetcher <- p.l2Prefetcher; port <- slice.io.prefetcher) port <> Module(new BestOffset(prefetcher, p.line)).io
}
