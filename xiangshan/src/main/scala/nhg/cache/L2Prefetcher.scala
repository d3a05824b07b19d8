// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._
import nhg.NhgParams
import nhg.priv.PmpState

/** L2's best-offset prefetcher, with a stream prefetcher beside it where the core has one: that one follows consecutive lines, and the other learns from all
  * other accesses.
  */
class L2Prefetcher(p: NhgParams, bestOffset: BestOffsetParams) extends Module {
  val io = IO(new PrefetchPort(p.line))
  val pmp = IO(Input(new PmpState(p)))
  private val offsets = Module(new BestOffset(bestOffset, p.line))
  offsets.io <> io
  for (streamParams <- p.l2Streams) {
    val streams = Module(new StreamPrefetcher(streamParams, p.line))
    streams.io.access := io.access
    offsets.io.access.valid := io.access.valid && !streams.io.covers

    val inTurn = Module(new RRArbiter(new PrefetchCandidate(p.line), 2))
    inTurn.io.in(0) <> streams.io.prefetch
    inTurn.io.in(1).valid := offsets.io.prefetch.valid
    inTurn.io.in(1).bits.lineAddr := offsets.io.prefetch.bits
    inTurn.io.in(1).bits.cause := offsets.cause
    offsets.io.prefetch.ready := inTurn.io.in(1).ready
    val fence = Module(new PrefetchFence(p))
    fence.io.pmp := pmp
    fence.io.in <> inTurn.io.out
    io.prefetch <> fence.io.out
  }
}
