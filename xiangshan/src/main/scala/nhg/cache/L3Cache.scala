// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._

/** L3 (Table I: four slices, 6-way, 1,536 KB, 56 MSHRs) with memory below it: a slice below each slice of L2, as both interleave lines by the same
  * bits. It is not inclusive of L2 and needs no probes: everything that reaches memory passes L2's slices and then these, or asks both (`LookupLevels`).
  */
class L3Cache(p: SliceParams, upperIdBits: Int, axi: Axi4Params) extends Module {
  private val n = p.slices
  val io = IO(new Bundle {
    val upper = Vec(n, Flipped(new LowerPort(p.line, upperIdBits)))
    val lookup = Flipped(new LineLookupPort(p.line)) // of the AMU
    val mem = new Axi4Port(axi)
    val probe = Output(new CacheProbe(n))
  })
  private val slices = Seq.fill(n)(Module(new L3Slice(p, upperIdBits)))
  private val lookups = Module(new LookupInterleave(p.line, p.lookups, n))
  private val below = Module(new AxiBelow(p.line, L3Slice.lowerIdBits(p, upperIdBits), n, axi))
  lookups.io.amu <> io.lookup
  io.mem <> below.io.mem
  for ((slice, k) <- slices.zipWithIndex) {
    slice.io.slice := k.U
    slice.io.upper <> io.upper(k)
    slice.io.lookup <> lookups.io.slices(k)
    below.io.slices(k) <> slice.io.lower
  }
  CacheProbe.sum(io.probe, slices.map(_.io.probe))
}
