// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._

/** A cache of interleaved slices (`p` is each of them): the ports of `CacheSlice`, with the SPM's RAM behind each slice's last way. */
class SlicedCache(p: SliceParams) extends Module {
  private val n = p.slices
  require(n >= 2, "one slice alone is a CacheSlice")
  val io = IO(new Bundle {
    val clients = Vec(p.clients.size, Flipped(new LineClientPort(p.line, p.clientIdBits)))
    val readers = Vec(p.readers.size, Flipped(new LineReadPort(p.line, p.readerIdBits)))
    val lookup = Option.when(p.lookups > 0)(Flipped(new LineLookupPort(p.line)))
    val lower = Vec(n, new LowerPort(p.line, p.lowerIdBits))
    val spm = p.spm.map(spm => Vec(n, new SpmWayPort(spm)))
    val prefetcher = Option.when(p.prefetches > 0)(Flipped(new PrefetchPort(p.line)))
    val wanted = Option.when(p.prefetches > 0)(Flipped(Decoupled(UInt(p.line.addrBits.W)))) // by the AMU
    val probe = Output(new CacheProbe(n))
  })
  private val slices = Seq.fill(n)(Module(new CacheSlice(p)))
  for ((slice, k) <- slices.zipWithIndex) slice.io.slice := k.U

  for (((port, acquires), c) <- io.clients.zip(p.clients).zipWithIndex) {
    val crossbar = Module(new ClientInterleave(p.line, p.clientIdBits, acquires, n))
    crossbar.io.client <> port
    for ((slice, k) <- slices.zipWithIndex) slice.io.clients(c) <> crossbar.io.slices(k)
  }
  for (((port, reads), r) <- io.readers.zip(p.readers).zipWithIndex) {
    val crossbar = Module(new ReadInterleave(p.line, p.readerIdBits, reads, n))
    crossbar.io.reader <> port
    for ((slice, k) <- slices.zipWithIndex) slice.io.readers(r) <> crossbar.io.slices(k)
  }
  for (port <- io.lookup) {
    val crossbar = Module(new LookupInterleave(p.line, p.lookups, n))
    crossbar.io.amu <> port
    for ((slice, k) <- slices.zipWithIndex) slice.io.lookup.get <> crossbar.io.slices(k)
  }
  for (port <- io.prefetcher) {
    val crossbar = Module(new PrefetchInterleave(p.line, n))
    crossbar.io.prefetcher <> port
    for ((slice, k) <- slices.zipWithIndex) slice.io.prefetcher.get <> crossbar.io.slices(k)
  }
  for (port <- io.wanted) Interleave.toSlices(p.line, port, slices.map(_.io.wanted.get))(identity)
  for (ports <- io.spm; (slice, k) <- slices.zipWithIndex) slice.io.spm.get <> ports(k)
  for ((slice, k) <- slices.zipWithIndex) slice.io.lower <> io.lower(k)
  CacheProbe.sum(io.probe, slices.map(_.io.probe))
}
