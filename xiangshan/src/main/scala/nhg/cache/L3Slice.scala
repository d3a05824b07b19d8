// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._

/** A cache slice on the memory side of an L2 slice: what L2 fetches is kept here, what L2 writes back is merged where the line is here
  * and passed on to memory where not. It never asks L2 for anything: a line has one user above, and no copy there depends on one here.
  *
  * A fetch of L2 is a read of the slice, a write-back is a lookup that stores all bytes, in turn with the AMU's lookups and one at a time. Since
  * L2 fetches a line only when its write-back has reached its place, neither can overtake the other. IDs below: an MSHR or write-back of this
  * slice, or, with the top bit set, L2's write-back that is passed on.
  */
class L3Slice(p: SliceParams, upperIdBits: Int) extends Module {
  require(p.clients.isEmpty && p.readers.size == 1 && p.lookups > 0 && p.readerIdBits <= upperIdBits)
  private val lowerIdBits = L3Slice.lowerIdBits(p, upperIdBits)
  val io = IO(new Bundle {
    val slice = Input(UInt(p.sliceBits.W))
    val upper = Flipped(new LowerPort(p.line, upperIdBits))
    val lookup = Flipped(new LineLookupPort(p.line)) // of the AMU; storeDone has no meaning here
    val lower = new LowerPort(p.line, lowerIdBits)
    val probe = Output(new CacheProbe(1))
  })
  private val slice = Module(new CacheSlice(p))
  slice.io.slice := io.slice
  io.probe := slice.io.probe

  // Fetches
  private val reader = slice.io.readers(0)
  reader.req.valid := io.upper.fetch.valid
  reader.req.bits.id := io.upper.fetch.bits.id
  reader.req.bits.lineAddr := io.upper.fetch.bits.lineAddr
  reader.req.bits.isPrefetch := io.upper.fetch.bits.isPrefetch
  io.upper.fetch.ready := reader.req.ready
  io.upper.fetched.valid := reader.resp.valid
  io.upper.fetched.bits.id := reader.resp.bits.id
  io.upper.fetched.bits.halves := 3.U
  io.upper.fetched.bits.data := reader.resp.bits.data
  io.upper.fetched.bits.error := reader.resp.bits.error
  io.upper.fetched.bits.last := true.B

  // Lookups: the AMU's and write-backs
  private val idle :: asked :: merged :: passes :: Nil = Enum(4)
  private val state = RegInit(idle)
  private val writeback = io.upper.writeback
  private val asks = Module(new RRArbiter(new LineLookupRequest(p.line), 2))
  asks.io.in(0) <> io.lookup.req
  asks.io.in(1).valid := writeback.valid && state === idle
  asks.io.in(1).bits.lineAddr := writeback.bits.lineAddr
  asks.io.in(1).bits.isStore := true.B
  asks.io.in(1).bits.data := writeback.bits.data
  asks.io.in(1).bits.mask := Fill(p.line.bytes, 1.U(1.W))
  private val isWriteback = Module(new Queue(Bool(), p.lookups + 1))
  private val lookup = slice.io.lookup.get
  lookup.req.valid := asks.io.out.valid && isWriteback.io.enq.ready
  lookup.req.bits := asks.io.out.bits
  asks.io.out.ready := lookup.req.ready && isWriteback.io.enq.ready
  isWriteback.io.enq.valid := lookup.req.fire
  isWriteback.io.enq.bits := asks.io.chosen === 1.U
  isWriteback.io.deq.ready := lookup.resp.valid
  assert(!lookup.resp.valid || isWriteback.io.deq.valid, "L3: an answer to a lookup that nobody asked")
  lookup.storeDone.valid := false.B
  lookup.storeDone.bits := DontCare
  io.lookup.resp.valid := lookup.resp.valid && !isWriteback.io.deq.bits
  io.lookup.resp.bits := lookup.resp.bits

  // A write-back is held above until it has been merged, or is on its way to memory.
  private val own = slice.io.lower
  private val toMemory = Module(new RRArbiter(new LowerWriteback(p.line, lowerIdBits), 2))
  private val Seq(ownWrites, passed) = toMemory.io.in.toSeq
  ownWrites <> own.writeback
  ownWrites.bits.id := own.writeback.bits.id
  passed.valid := state === passes
  passed.bits := writeback.bits
  passed.bits.id := Cat(1.U(1.W), writeback.bits.id.pad(lowerIdBits - 1))
  io.lower.writeback <> toMemory.io.out
  private val writtenBelow = io.lower.written.valid && io.lower.written.bits(lowerIdBits - 1)
  private val tells = state === merged && !writtenBelow
  writeback.ready := tells || passed.fire
  io.upper.written.valid := writtenBelow || tells
  io.upper.written.bits := Mux(writtenBelow, io.lower.written.bits, writeback.bits.id)
  when(asks.io.in(1).fire) { state := asked }
  when(lookup.resp.valid && isWriteback.io.deq.bits) { state := Mux(lookup.resp.bits.hit, merged, passes) }
  when(writeback.fire) { state := idle }
  assert(state === idle || writeback.valid, "L3: a write-back withdrawn")
  BoundedWait.memory(writeback.valid && !writeback.ready, "a write-back at L3's door")

  // Fetches of this slice, and its own write-backs
  io.lower.fetch <> own.fetch
  io.lower.fetch.bits.id := own.fetch.bits.id
  own.fetched := io.lower.fetched
  own.written.valid := io.lower.written.valid && !writtenBelow
  own.written.bits := io.lower.written.bits
}

object L3Slice {
  def lowerIdBits(p: SliceParams, upperIdBits: Int): Int = math.max(p.lowerIdBits, upperIdBits) + 1
}
