// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._

/** Lines over slices (`LineParams.sliceOf`): a crossbar between one port and the same port of every slice. Requests pass in the
  * cycle in which their slice takes them; a request waits behind an older one that its slice does not take. Answers pass in the cycle in
  * which they come unless those of two slices meet.
  */
object Interleave {
  def toSlices[T <: Data](p: LineParams, from: DecoupledIO[T], to: Seq[DecoupledIO[T]])(lineOf: T => UInt): Unit = {
    val slice = p.sliceOf(lineOf(from.bits), to.size)
    for ((port, k) <- to.zipWithIndex) {
      port.valid := from.valid && slice === k.U
      port.bits := from.bits
    }
    from.ready := VecInit(to.map(_.ready))(slice)
  }

  /** What slices tell, each in its order, in turn among them; at most `most` of a slice wait. More are lost (`mayLose`) or an error. */
  def inTurn[T <: Data](from: Seq[Valid[T]], most: Int, mayLose: Boolean = false): InTurn[T] = {
    val merge = Module(new InTurn(chiselTypeOf(from.head.bits), from.size, most, mayLose))
    merge.io.in.zip(from).foreach { case (in, answers) => in := answers }
    merge
  }
}

class InTurn[T <: Data](gen: T, n: Int, most: Int, mayLose: Boolean) extends Module {
  val io = IO(new Bundle {
    val in = Vec(n, Flipped(Valid(gen)))
    val out = Valid(gen)
    val waits = Output(UInt(n.W)) // answers of an earlier cycle do, by slice
  })
  private val arbiter = Module(new RRArbiter(gen, n))
  private val queues = io.in.map { in =>
    val queue = Module(new Queue(gen, most, flow = true))
    queue.io.enq.valid := in.valid
    queue.io.enq.bits := in.bits
    if (!mayLose) assert(!in.valid || queue.io.enq.ready, "more answers than requests")
    queue
  }
  for ((in, queue) <- arbiter.io.in.zip(queues)) in <> queue.io.deq
  arbiter.io.out.ready := true.B
  io.out.valid := arbiter.io.out.valid
  io.out.bits := arbiter.io.out.bits
  io.waits := VecInit(queues.map(_.io.count =/= 0.U)).asUInt
}

/** A client of the line bus to all slices. So that the rules of `LineClientPort` hold at the client, too, a probe waits for the grants that its slice
  * has given before, and for the answer to the last probe of another slice.
  */
class ClientInterleave(p: LineParams, idBits: Int, acquires: Int, n: Int) extends Module {
  val io = IO(new Bundle {
    val client = Flipped(new LineClientPort(p, idBits))
    val slices = Vec(n, new LineClientPort(p, idBits))
  })
  Interleave.toSlices(p, io.client.acquire, io.slices.map(_.acquire))(_.lineAddr)
  Interleave.toSlices(p, io.client.release, io.slices.map(_.release))(_.lineAddr)
  private val grants = Interleave.inTurn(io.slices.map(_.grant), acquires)
  io.client.grant := grants.io.out

  private val probes = Module(new RRArbiter(new LineProbe(p), n))
  private val probed = RegInit(false.B) // taken, not answered
  when(io.client.release.fire && io.client.release.bits.isProbeAck) { probed := false.B }
  when(io.client.probe.fire) { probed := true.B }
  for (((in, port), k) <- probes.io.in.zip(io.slices).zipWithIndex) {
    val mayGo = !probed && !grants.io.waits(k)
    in.valid := port.probe.valid && mayGo
    in.bits := port.probe.bits
    port.probe.ready := in.ready && mayGo
  }
  io.client.probe <> probes.io.out
}

class ReadInterleave(p: LineParams, idBits: Int, reads: Int, n: Int) extends Module {
  val io = IO(new Bundle {
    val reader = Flipped(new LineReadPort(p, idBits))
    val slices = Vec(n, new LineReadPort(p, idBits))
  })
  Interleave.toSlices(p, io.reader.req, io.slices.map(_.req))(_.lineAddr)
  io.reader.resp := Interleave.inTurn(io.slices.map(_.resp), reads).io.out
}

/** The AMU to all slices: `most` lookups at a time, answered in the order of the requests. */
class LookupInterleave(p: LineParams, most: Int, n: Int) extends Module {
  val io = IO(new Bundle {
    val amu = Flipped(new LineLookupPort(p))
    val slices = Vec(n, new LineLookupPort(p))
  })
  private val order = Module(new Queue(UInt(log2Ceil(n).W), most, pipe = true))
  private val slice = p.sliceOf(io.amu.req.bits.lineAddr, n)
  order.io.enq.valid := io.amu.req.fire
  order.io.enq.bits := slice
  private val oldest = order.io.deq.bits
  private val answers = io.slices.zipWithIndex.map { case (port, k) =>
    port.req.valid := io.amu.req.valid && order.io.enq.ready && slice === k.U
    port.req.bits := io.amu.req.bits
    port.storeDone.valid := io.amu.storeDone.valid && p.sliceOf(io.amu.storeDone.bits, n) === k.U
    port.storeDone.bits := io.amu.storeDone.bits
    val queue = Module(new Queue(new LineLookupResponse(p), most, flow = true))
    queue.io.enq.valid := port.resp.valid
    queue.io.enq.bits := port.resp.bits
    assert(!port.resp.valid || queue.io.enq.ready, "more answers than lookups")
    queue.io.deq.ready := order.io.deq.valid && oldest === k.U
    queue.io.deq
  }
  io.amu.req.ready := order.io.enq.ready && VecInit(io.slices.map(_.req.ready))(slice)
  order.io.deq.ready := answers.map(_.fire).reduce(_ || _)
  io.amu.resp.valid := order.io.deq.ready
  io.amu.resp.bits := VecInit(answers.map(_.bits))(oldest)
}

/** All slices to the level below; the top bits of an ID say whose it is. */
class LowerInterleave(p: LineParams, idBits: Int, n: Int) extends Module {
  private val sliceBits = log2Ceil(n)
  val io = IO(new Bundle {
    val slices = Vec(n, Flipped(new LowerPort(p, idBits)))
    val lower = new LowerPort(p, idBits + sliceBits)
  })
  private def of(id: UInt, k: Int): Bool = id(idBits + sliceBits - 1, idBits) === k.U
  private val fetch = Module(new RRArbiter(new LowerFetch(p, idBits + sliceBits), n))
  private val writeback = Module(new RRArbiter(new LowerWriteback(p, idBits + sliceBits), n))
  for ((port, k) <- io.slices.zipWithIndex) {
    fetch.io.in(k) <> port.fetch
    fetch.io.in(k).bits.id := Cat(k.U(sliceBits.W), port.fetch.bits.id)
    writeback.io.in(k) <> port.writeback
    writeback.io.in(k).bits.id := Cat(k.U(sliceBits.W), port.writeback.bits.id)
    port.fetched := io.lower.fetched
    port.fetched.valid := io.lower.fetched.valid && of(io.lower.fetched.bits.id, k)
    port.written := io.lower.written
    port.written.valid := io.lower.written.valid && of(io.lower.written.bits, k)
  }
  io.lower.fetch <> fetch.io.out
  io.lower.writeback <> Queue(writeback.io.out, 1, pipe = true) // held until it is taken
}

/** One prefetcher for all slices. */
class PrefetchInterleave(p: LineParams, n: Int) extends Module {
  val io = IO(new Bundle {
    val slices = Vec(n, new PrefetchPort(p))
    val prefetcher = Flipped(new PrefetchPort(p))
  })
  Interleave.toSlices(p, io.prefetcher.prefetch, io.slices.map(_.prefetch))(identity)
  io.prefetcher.access := Interleave.inTurn(io.slices.map(_.access), 2, mayLose = true).io.out
  io.prefetcher.fetched := Interleave.inTurn(io.slices.map(_.fetched), 2, mayLose = true).io.out
}
