// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._

/** What a cache counts in a cycle. */
class CacheProbe(slices: Int) extends Bundle {
  private def count = UInt(log2Ceil(slices + 1).W)
  val demandMiss = count
  val eviction = count
  val mshrs = UInt(7.W) // in use
  val prefetch = count // sent to the level below
  val prefetchUseful = count // a client asks for a prefetched line for the first time
  val prefetchLate = count // ... while it is on its way
}

object CacheProbe {
  def sum(to: CacheProbe, slices: Seq[CacheProbe]): Unit =
    for ((count, k) <- to.getElements.zipWithIndex) count := slices.map(_.getElements(k).asUInt).reduce(_ +& _)
}

/** A cache slice: write-back, inclusive of its clients, non-inclusive of its readers; also the place where AMU requests meet the caches
  * (paper section IV). A slice without clients probes nobody and keeps no permissions (`L3Slice`).
  *
  * The way of a request: s0 `SliceArbiter` picks it and the `Directory` is read; s1 decides (this file): compares, checks
  * MSHRs and write-backs, updates the directory and reads the data; s2 answers and writes data (a request that writes leaves a
  * bubble behind it, the arrays are single-ported). A miss goes to `SliceMissQueue`, out by `lower`, and comes back as the request
  * `install`, which may evict a line to `SliceWritebackQueue`. A request that cannot go on (MSHR busy, line being written
  * back, clients must be probed first: `Prober`) is tried again; releases and probe answers always go on (docs/design/progress.md). AMU requests hold
  * no MSHR. A prefetch goes when nothing else does, holds one of at most `prefetches` MSHRs, and is dropped if it cannot go on. An AMU request does not
  * wait for a line that only a prefetch fetches: it goes to memory, and if it stores, that line is not installed.
  */
class CacheSlice(p: SliceParams) extends Module {
  private val n = p.clients.size
  private val source = new SliceSource(p)
  val io = IO(new Bundle {
    val slice = Input(UInt(p.sliceBits.W)) // number of this one; no parameter, so that all slices are one module: the simulator is faster by that
    val clients = Vec(n, Flipped(new LineClientPort(p.line, p.clientIdBits)))
    val readers = Vec(p.readers.size, Flipped(new LineReadPort(p.line, p.readerIdBits)))
    val lookup = Option.when(p.lookups > 0)(Flipped(new LineLookupPort(p.line)))
    val lower = new LowerPort(p.line, p.lowerIdBits)
    val spm = p.spm.map(new SpmWayPort(_))
    val prefetcher = Option.when(p.prefetches > 0)(Flipped(new PrefetchPort(p.line)))
    val wanted = Option.when(p.prefetches > 0)(Flipped(Decoupled(UInt(p.line.addrBits.W)))) // by the AMU
    val probe = Output(new CacheProbe(1))
  })

  private val arbiter = Module(new SliceArbiter(p))
  private val directory = Module(new Directory(p))
  private val prober = Module(new Prober(p))
  private val misses = Module(new SliceMissQueue(p))
  private val writebacks = Module(new SliceWritebackQueue(p))
  private val data = Module(new SliceData(p))
  private val filter = p.filter.map(f => Module(new StoreFilter(p.line, f)))
  private val handOver = p.spm.map(_ => Module(new WayHandOver(p)))

  io.lower.fetch <> misses.io.fetch
  misses.io.fetched := io.lower.fetched
  io.lower.writeback <> writebacks.io.writeback
  writebacks.io.written := io.lower.written
  for ((port, c) <- io.clients.zipWithIndex) {
    port.probe <> prober.io.probe(c)
    arbiter.io.releases(c) <> port.release
    arbiter.io.acquires(c) <> port.acquire
  }
  for ((port, in) <- io.readers.zip(arbiter.io.reads)) in <> port.req
  for ((port, in) <- io.lookup.zip(arbiter.io.lookup)) in <> port.req
  LineBusMonitor(p.line, p.clientIdBits, io.clients, p.slices)

  private val spmTakes = io.spm.fold(false.B)(_.take)
  for ((spm, h) <- io.spm.zip(handOver)) {
    h.io.take := spm.take
    spm.present := h.io.present
    spm.line <> data.io.lastWay.get
  }
  arbiter.io.handOver.valid := handOver.fold(false.B)(_.io.set.valid)
  arbiter.io.handOver.bits := Cat(handOver.fold(0.U)(_.io.set.bits), io.slice)

  // ---- s0: choose.
  private val s0 = arbiter.io.out
  private val s1_valid = RegNext(s0.valid, false.B)
  private val s1 = RegEnable(s0.bits, s0.valid)
  private val s1_payload = RegEnable(arbiter.io.outPayload, s0.valid)
  arbiter.io.ready := directory.io.ready && filter.fold(true.B)(_.io.ready)
  arbiter.io.s1.valid := s1_valid
  arbiter.io.s1.bits := s1
  arbiter.io.s1Payload := s1_payload
  arbiter.io.install.valid := misses.io.install.valid
  arbiter.io.install.bits.idx := misses.io.install.idx
  arbiter.io.install.bits.lineAddr := misses.io.install.lineAddr
  misses.io.installRead := arbiter.io.installFires
  directory.io.read.valid := s0.valid
  directory.io.read.bits := p.setOf(s0.bits.lineAddr)

  // ---- s1: decide.
  private val s1_set = p.setOf(s1.lineAddr)
  private val isRelease = s1.source === source.release
  private val isInstall = s1.source === source.install
  private val isHandOver = s1.source === source.handOver
  private val isLookup = s1.source === source.lookup
  private val isAcquire = s1.client.orR && !isRelease
  private val reader = Cat(p.readers.indices.reverse.map(r => s1.source === source.reader(r)))
  private val isRead = reader.orR
  private val isRequest = isAcquire || isLookup || isRead
  private val isPrefetch = s1.source === source.prefetch
  assert(!s1_valid || p.line.sliceOf(s1.lineAddr, p.slices) === io.slice, "a line of another slice")

  directory.io.shownSet := s1_set
  directory.io.lastWayTaken := spmTakes
  private val entries = directory.io.entries
  private val hits = VecInit(entries.map(e => e.valid && e.tag === p.tagOf(s1.lineAddr)))
  private val hit = hits.asUInt.orR
  private val hitWay = OHToUInt(hits)
  private val hitEntry = entries(hitWay)
  assert(!s1_valid || PopCount(hits) <= 1.U, "a line in two ways")

  misses.io.lookup.lineAddr := s1.lineAddr
  misses.io.started.idx := s1.id
  writebacks.io.lookup.lineAddr := s1.lineAddr
  private val started = misses.io.started
  private val inMshr = misses.io.lookup.hit

  // Victim of an installation or of the hand-over.
  private val wasProbed = prober.io.causeNext
  private val victimWay = Mux(isHandOver, p.lastWay.U, Mux(wasProbed, prober.io.current.way, directory.io.victimWay))
  private val victim = entries(victimWay)
  private val victimLine = p.lineOf(victim.tag, s1.lineAddr)
  private val installs = isInstall && !started.error && !started.dropped
  private val evicts = (installs || isHandOver) && victim.valid
  private val touchedWay = Mux(isInstall || isHandOver, victimWay, hitWay)

  // Permissions: a request that writes takes all other copies, one that reads takes the right to write.
  private val others = hitEntry.holders & ~s1.client
  private val wantsAlone = (isAcquire && s1.wantsExclusive) || (isLookup && s1.isStore)
  private val takesCopies = isRequest && hit && others.orR && (wantsAlone || hitEntry.exclusive)
  private val needsProbe = takesCopies || (evicts && victim.holders.orR)
  private val underProbe = isAcquire && prober.io.busy && prober.io.current.lineAddr === s1.lineAddr

  private val isMiss = (isRequest || isPrefetch) && !hit
  private val fetches = isMiss && !isLookup
  private val canMerge = isAcquire && inMshr && !misses.io.lookup.waiters.client.orR && !misses.io.lookup.dropped
  private val storeMisses = isLookup && s1.isStore && !hit
  private val meetsStore = fetches && filter.fold(false.B)(_.io.busy)
  private val fails = s1_valid && (needsProbe || underProbe ||
    (isMiss && writebacks.io.lookup.hit) ||
    (isLookup && inMshr && !misses.io.lookup.isPrefetch) ||
    (storeMisses && arbiter.io.storeWaits) ||
    meetsStore ||
    (fetches && Mux(inMshr, !canMerge, misses.io.full)) ||
    (evicts && victim.dirty && writebacks.io.full))
  private val s1_go = s1_valid && !fails
  arbiter.io.decision.fails := fails
  arbiter.io.decision.needsProbe := needsProbe
  arbiter.io.decision.meetsStore := meetsStore

  arbiter.io.probing := prober.io.busy
  arbiter.io.turn.valid := prober.io.turn
  arbiter.io.turn.bits := prober.io.current.cause
  prober.io.start.valid := s1_valid && needsProbe && !prober.io.busy
  prober.io.start.bits.lineAddr := Mux(evicts, victimLine, s1.lineAddr)
  prober.io.start.bits.cap := Mux(evicts || wantsAlone, Permission.none, Permission.shared)
  prober.io.start.bits.clients := Mux(evicts, victim.holders, others)
  prober.io.start.bits.cause := s1.source
  prober.io.start.bits.way := touchedWay
  prober.io.answer := Mux(s1_valid && isRelease && s1.isProbeAck, s1.client, 0.U)
  prober.io.answerLine := s1.lineAddr
  prober.io.decided.valid := s1_valid
  prober.io.decided.bits := s1.source
  prober.io.noHandOver := handOver.fold(true.B)(!_.io.active)
  for (h <- handOver) h.io.emptied := s1_go && isHandOver

  assert(!s1_valid || !isRelease || hit, "inclusive of its clients")
  assert(!s1_valid || !isRelease || s1.isProbeAck || (hitEntry.holders & s1.client).orR, "a release by a client that holds nothing")
  assert(!s1_valid || !isRelease || !s1.hasData || (hitEntry.exclusive && hitEntry.holders === s1.client), "dirty data of a client that may not write")

  // Directory update.
  private val storeHits = isLookup && s1.isStore && hit
  private val releaseData = isRelease && s1.hasData
  private val evictsDirty = evicts && victim.dirty
  private val alone = !others.orR
  private val updated = WireDefault(entries)
  when(isInstall) {
    updated(victimWay).valid := true.B
    updated(victimWay).dirty := false.B
    updated(victimWay).exclusive := started.waiters.client.orR
    updated(victimWay).holders := started.waiters.client
    updated(victimWay).prefetched := started.isPrefetch && !started.forAmu && !(started.waiters.client ## started.waiters.reader).orR
    updated(victimWay).tag := p.tagOf(s1.lineAddr)
  }.elsewhen(isHandOver) {
    updated(p.lastWay).valid := false.B
  }.elsewhen(isRelease) {
    updated(hitWay).exclusive := false.B
    when(!s1.keepsShared) { updated(hitWay).holders := others }
    when(s1.hasData) { updated(hitWay).dirty := true.B }
  }.elsewhen(isAcquire) {
    updated(hitWay).exclusive := alone
    updated(hitWay).holders := hitEntry.holders | s1.client
    updated(hitWay).prefetched := false.B
  }.elsewhen(isLookup) {
    updated(hitWay).dirty := true.B
  }
  directory.io.write.valid := s1_go && (installs || isHandOver || isRelease || (isAcquire && hit) || storeHits)
  directory.io.write.bits := updated
  directory.io.touch.valid := s1_go && (installs || ((isAcquire || isRead) && hit))
  directory.io.touch.bits := touchedWay

  // Misses.
  misses.io.allocate.valid := s1_go && fetches && !inMshr
  misses.io.allocate.bits.lineAddr := s1.lineAddr
  misses.io.allocate.bits.waiters.client := s1.client
  misses.io.allocate.bits.waiters.clientId := s1.id
  misses.io.allocate.bits.waiters.reader := reader
  misses.io.allocate.bits.waiters.readerId := s1.id
  misses.io.allocate.bits.isPrefetch := s1.isPrefetch
  misses.io.allocate.bits.forAmu := s1.forAmu
  misses.io.merge.valid := s1_go && fetches && inMshr
  misses.io.merge.bits.client := s1.client
  misses.io.merge.bits.id := s1.id
  misses.io.started.done := s1_go && isInstall
  misses.io.drop := s1_go && storeMisses && inMshr
  writebacks.io.allocate.valid := s1_go && evictsDirty
  writebacks.io.allocate.bits := victimLine
  for ((f, port) <- filter.zip(io.lookup)) {
    f.io.lookup := s1.lineAddr
    f.io.enter.valid := s1_go && storeMisses
    f.io.enter.bits := s1.lineAddr
    f.io.leave := port.storeDone
  }

  // Prefetches.
  private val isFirstUse = s1_go && isAcquire && hit && hitEntry.prefetched
  arbiter.io.prefetch.valid := false.B
  arbiter.io.prefetch.bits := DontCare
  for ((port, wanted) <- io.prefetcher.zip(io.wanted)) {
    val hasRoom = misses.io.prefetches < p.prefetches.U
    val inTurn = Module(new RRArbiter(new SlicePrefetch(p), 2))
    for (((in, from), k) <- inTurn.io.in.zip(Seq(port.prefetch, wanted)).zipWithIndex) {
      in.valid := from.valid
      in.bits.lineAddr := from.bits
      in.bits.forAmu := (k == 1).B
      from.ready := in.ready
    }
    arbiter.io.prefetch.valid := inTurn.io.out.valid && hasRoom
    arbiter.io.prefetch.bits := inTurn.io.out.bits
    inTurn.io.out.ready := arbiter.io.prefetch.ready && hasRoom
    port.access.valid := isFirstUse || (s1_go && isAcquire && !hit)
    port.access.bits.wasPrefetch := hit
    port.access.bits.lineAddr := s1.lineAddr
    port.fetched.valid := s1_go && installs && !started.forAmu
    port.fetched.bits.lineAddr := s1.lineAddr
    port.fetched.bits.wasPrefetch := started.isPrefetch
  }

  data.io.read.valid := s1_go && ((isRequest && hit) || evictsDirty)
  data.io.read.bits.set := s1_set
  data.io.read.bits.way := touchedWay
  private val s1_writes = s1_go && (releaseData || installs || storeHits || isHandOver)
  arbiter.io.decision.writes := s1_writes

  // ---- s2: answer and write.
  private val s2_valid = RegNext(s1_go, false.B)
  private val s2 = RegEnable(s1, s1_go)
  private val s2_payload = RegEnable(s1_payload, s1_go)
  private val s2_hit = RegEnable(hit, s1_go)
  private val s2_way = RegEnable(touchedWay, s1_go)
  private val s2_writes = RegNext(s1_writes, false.B)
  private val s2_alone = RegEnable(isInstall || alone, s1_go)
  private val s2_waiters = RegEnable(started.waiters, s1_go)
  private val s2_error = RegEnable(started.error, s1_go)
  private val s2_installData = RegEnable(misses.io.installData, s1_go && isInstall)
  private val s2_isInstall = s2.source === source.install
  private val s2_isLookup = s2.source === source.lookup
  private val byteMask = FillInterleaved(8, s2_payload.mask)
  private val merged = (s2_payload.data & byteMask) | (data.io.readData & ~byteMask)

  data.io.write.valid := s2_writes
  data.io.write.bits.set := p.setOf(s2.lineAddr)
  data.io.write.bits.way := s2_way
  // The SPM begins with zeros: no program sees lines of another one there.
  private val s2_cleared = s2.source === source.handOver
  data.io.writeData := Mux(s2_isInstall, s2_installData, Mux(s2_isLookup, merged, Mux(s2_cleared, 0.U, s2_payload.data)))
  writebacks.io.data := data.io.readData

  private val answer = Mux(s2_isInstall, s2_installData, data.io.readData)
  for ((port, c) <- io.clients.zipWithIndex) {
    val isHit = s2.source === source.client(c) && s2_hit
    port.grant.valid := s2_valid && (isHit || (s2_isInstall && s2_waiters.client(c)))
    port.grant.bits.id := Mux(s2_isInstall, s2_waiters.clientId, s2.id)
    port.grant.bits.cap := Mux(s2_alone, Permission.exclusive, Permission.shared)
    port.grant.bits.data := answer
    port.grant.bits.error := s2_isInstall && s2_error
  }
  for ((port, r) <- io.readers.zipWithIndex) {
    val isHit = s2.source === source.reader(r) && s2_hit
    port.resp.valid := s2_valid && (isHit || (s2_isInstall && s2_waiters.reader(r)))
    port.resp.bits.id := Mux(s2_isInstall, s2_waiters.readerId, s2.id)
    port.resp.bits.data := answer
    port.resp.bits.error := s2_isInstall && s2_error
  }
  for (port <- io.lookup) {
    port.resp.valid := s2_valid && s2_isLookup
    port.resp.bits.hit := s2_hit
    port.resp.bits.data := data.io.readData
  }
  BoundedWait.memory(misses.io.install.valid && !misses.io.started.done, "the installation of a line")

  io.probe.demandMiss := misses.io.allocate.valid && !isPrefetch
  io.probe.eviction := writebacks.io.allocate.valid
  io.probe.mshrs := misses.io.occupied
  io.probe.prefetch := misses.io.allocate.valid && isPrefetch && !s1.forAmu
  io.probe.prefetchUseful := isFirstUse
  io.probe.prefetchLate := misses.io.merge.valid && misses.io.lookup.isPrefetch && !misses.io.lookup.forAmu
}
