// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._

/** What the decision stage says about the request in it. */
class SliceDecision extends Bundle {
  val fails = Bool() // to be tried again
  val writes = Bool() // writes data a cycle later: nothing may follow it at once
  val needsProbe = Bool()
  val meetsStore = Bool() // an AMU store to the line is on its way to memory
}

/** In this order: firrtl takes the arbiter of two for that of another bundle with a line and a bit, and stops. */
class SlicePrefetch(p: SliceParams) extends Bundle {
  val forAmu = Bool()
  val lineAddr = UInt(p.line.addrBits.W)
}

/** First stage of a slice: chooses the request that enters the pipeline, and tries again those that failed.
  *
  * Order: releases and probe answers, installations, the hand-over of the last way, then AMU, clients and readers in turn, last prefetches. A
  * source keeps the request that failed until it succeeds; nothing of the same source overtakes it. After a probe its cause goes next. A prefetch
  * that fails is dropped.
  */
class SliceArbiter(p: SliceParams) extends Module {
  private val source = new SliceSource(p)
  private val n = p.clients.size
  val io = IO(new Bundle {
    val releases = Vec(n, Flipped(Decoupled(new LineRelease(p.line))))
    val install = Input(Valid(new Bundle {
      val idx = UInt(log2Ceil(p.mshrs).W)
      val lineAddr = UInt(p.line.addrBits.W)
    }))
    val installFires = Output(Bool())
    val handOver = Input(Valid(UInt(p.line.addrBits.W))) // any line of the set
    val lookup = Option.when(p.lookups > 0)(Flipped(Decoupled(new LineLookupRequest(p.line))))
    val acquires = Vec(n, Flipped(Decoupled(new LineAcquire(p.line, p.clientIdBits))))
    val reads = Vec(p.readers.size, Flipped(new LineReadPort(p.line, p.readerIdBits).req.cloneType))

    val prefetch = Flipped(Decoupled(new SlicePrefetch(p)))

    val ready = Input(Bool()) // the slice has been cleared after reset
    val probing = Input(Bool())
    val turn = Input(Valid(UInt(source.bits.W))) // the cause of a probe goes next
    val s1 = Input(Valid(new SliceRequest(p)))
    val s1Payload = Input(new SlicePayload(p))
    val decision = Input(new SliceDecision)

    val out = Output(Valid(new SliceRequest(p)))
    val outPayload = Output(new SlicePayload(p))
    /** The request in s1 is a lookup that stores, and would join stores that a miss waits for. */
    val storeWaits = Output(Bool())
  })
  private def empty: SliceRequest = 0.U.asTypeOf(new SliceRequest(p))
  private def mayGo(from: UInt): Bool = !io.turn.valid || io.turn.bits === from
  private def isIn(from: UInt): Bool = io.s1.valid && io.s1.bits.source === from

  // Requests that can fail, each with its first try in a short queue.
  private class Requester(val from: UInt, what: String, fresh: SliceRequest, freshValid: Bool, duringProbe: Boolean) {
    val pending = RegInit(false.B)
    val held = Reg(new SliceRequest(p))
    private val metStore = RegInit(false.B)
    private val needsProbe = RegInit(false.B)
    private val inS1 = isIn(from)
    val failsNow = inS1 && io.decision.fails
    when(failsNow) {
      pending := true.B
      held := io.s1.bits
    }
    when(inS1) {
      metStore := io.decision.meetsStore
      needsProbe := io.decision.needsProbe
    }
    private val mayRetry = !io.probing || (duringProbe.B && !needsProbe)
    val valid = Mux(pending, mayRetry, freshValid) && !failsNow
    val request = Mux(pending, held, fresh)
    BoundedWait.memory(pending || failsNow, what)
    def fired(): Unit = pending := false.B
    /** It found the prober busy with another line: installations and the hand-over let it pass, who could keep the prober busy for ever. */
    val waitsForProber = pending && needsProbe
    def waitsForStores(line: UInt): Bool =
      p.filter.fold(false.B)(f => pending && metStore && f.index(p.line, held.lineAddr) === f.index(p.line, line))
  }
  private def requester(from: UInt, what: String, duringProbe: Boolean, valid: Bool)(set: SliceRequest => Unit): Requester = {
    val request = WireDefault(empty)
    request.source := from
    set(request)
    new Requester(from, what, request, valid, duringProbe)
  }

  private val lookups = io.lookup.map(Queue(_, 2, flow = true))
  private val acquires = io.acquires.map(Queue(_, 2, flow = true))
  private val reads = io.reads.map(Queue(_, 2, flow = true))
  private val lookupRequester = lookups.map(q =>
    requester(source.lookup, "an AMU lookup", duringProbe = false, q.valid) { r =>
      r.lineAddr := q.bits.lineAddr
      r.isStore := q.bits.isStore
    }
  )
  private val clientRequesters = acquires.zipWithIndex.map { case (q, c) =>
    requester(source.client(c), s"an acquire of client $c", duringProbe = true, q.valid) { r =>
      r.lineAddr := q.bits.lineAddr
      r.id := q.bits.id
      r.client := (1 << c).U
      r.wantsExclusive := q.bits.grow.to === Permission.exclusive
    }
  }
  private val readRequesters = reads.zipWithIndex.map { case (q, k) =>
    requester(source.reader(k), s"a read of reader $k", duringProbe = false, q.valid) { r =>
      r.lineAddr := q.bits.lineAddr
      r.id := q.bits.id
      r.isPrefetch := q.bits.isPrefetch
    }
  }
  private val requesters = lookupRequester.toSeq ++ clientRequesters ++ readRequesters
  private val queues = lookups.toSeq ++ acquires ++ reads
  io.storeWaits := requesters.map(_.waitsForStores(io.s1.bits.lineAddr)).reduce(_ || _)

  private val inTurn = Module(new RRArbiter(new SliceRequest(p), requesters.size))
  for (((in, r), q) <- inTurn.io.in.zip(requesters).zip(queues)) {
    in.valid := r.valid && mayGo(r.from)
    in.bits := r.request
    q.ready := in.fire && !r.pending
    when(in.fire) { r.fired() }
  }

  // Releases, in turn among the clients; they always succeed.
  private val release = Wire(Decoupled(new LineRelease(p.line)))
  private val releasing = Wire(UInt(p.clientBits.W)) // which client, one-hot
  if (n > 0) {
    val arbiter = Module(new RRArbiter(new LineRelease(p.line), n))
    for ((in, port) <- arbiter.io.in.zip(io.releases)) in <> port
    release <> arbiter.io.out
    releasing := UIntToOH(arbiter.io.chosen, n)
  } else {
    release.valid := false.B
    release.bits := DontCare
    releasing := 0.U
  }

  private val canIssue = io.ready && !io.decision.writes
  private val releaseFires = release.valid && canIssue
  private val proberIsFree = !io.probing && (io.turn.valid || !requesters.map(_.waitsForProber).reduce(_ || _))
  private val installFires = io.install.valid && canIssue && !releaseFires && proberIsFree && !isIn(source.install) && mayGo(source.install)
  private val handOverFires = io.handOver.valid && canIssue && !releaseFires && !installFires && proberIsFree &&
    !isIn(source.handOver) && mayGo(source.handOver)
  private val mayRequest = canIssue && !releaseFires && !installFires && !handOverFires
  release.ready := canIssue
  io.installFires := installFires
  inTurn.io.out.ready := mayRequest
  io.prefetch.ready := mayRequest && !inTurn.io.out.valid && mayGo(source.prefetch) && !isIn(source.prefetch)

  io.out.valid := releaseFires || installFires || handOverFires || (mayRequest && inTurn.io.out.valid) || io.prefetch.fire
  io.out.bits := inTurn.io.out.bits
  when(io.prefetch.fire) {
    io.out.bits := empty
    io.out.bits.source := source.prefetch
    io.out.bits.lineAddr := io.prefetch.bits.lineAddr
    io.out.bits.isPrefetch := true.B
    io.out.bits.forAmu := io.prefetch.bits.forAmu
  }
  when(releaseFires) {
    val c = release.bits
    io.out.bits := empty
    io.out.bits.source := source.release
    io.out.bits.lineAddr := c.lineAddr
    io.out.bits.client := releasing
    io.out.bits.isProbeAck := c.isProbeAck
    io.out.bits.hasData := c.hasData
    io.out.bits.keepsShared := c.shrink.to === Permission.shared
  }.elsewhen(installFires) {
    io.out.bits := empty
    io.out.bits.source := source.install
    io.out.bits.lineAddr := io.install.bits.lineAddr
    io.out.bits.id := io.install.bits.idx
  }.elsewhen(handOverFires) {
    io.out.bits := empty
    io.out.bits.source := source.handOver
    io.out.bits.lineAddr := io.handOver.bits
  }

  // The data of the lookup, beside the requests: nothing else that is tried again carries any.
  io.outPayload.data := release.bits.data
  io.outPayload.mask := 0.U
  for ((q, r) <- lookups.zip(lookupRequester)) {
    val held = Reg(new SlicePayload(p))
    when(r.failsNow) { held := io.s1Payload }
    when(!releaseFires) {
      io.outPayload.data := Mux(r.pending, held.data, q.bits.data)
      io.outPayload.mask := Mux(r.pending, held.mask, q.bits.mask)
    }
  }
}
