// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{Axi4Port, BoundedWait, LineLookupPort, LineReadPort, SpmLinePort}
import chisel3._
import chisel3.util._
import common.TreePlru
import nhg._
import nhg.mem.L1D

/** Directory entry of one way. */
class L2Entry(p: NhgParams) extends Bundle {
  val valid = Bool()
  val dirty = Bool()
  val inL1D = Bool() // L1D may hold the line, perhaps newer than here
  val tag = UInt((p.lineAddrBits - log2Ceil(p.l2.sets)).W)
}

object L2Source {
  val release = 0.U(3.W) // L1D write-back or probe answer
  val install = 1.U(3.W) // a line has come from memory
  val amu = 2.U(3.W)
  val l1d = 3.U(3.W)
  val l1i = 4.U(3.W)
  val flushWay = 5.U(3.W) // the last way is being taken for the SPM
}

/** L2: 8-way 256 KB, write-back, inclusive of L1D (Table I); also the place where AMU requests meet the caches (paper section IV).
  *
  * Pipeline: s0 picks a request and reads the directory; s1 compares, checks MSHRs and write-backs, decides, updates the directory and reads
  * the data; s2 answers and writes data (a request that writes leaves a bubble behind it, the arrays are single-ported). A
  * request that cannot go on (MSHR busy, line being written back, L1D must be probed first) is tried again; releases and
  * probe answers always go on, and the request that had a line taken from L1D is the next one to be decided, so a retry always
  * finds its condition gone in the end (docs/progress.md). AMU requests hold no MSHR.
  */
class L2Cache(p: NhgParams) extends Module {
  private val sets = p.l2.sets
  private val ways = p.l2.ways
  private val setBits = log2Ceil(sets)
  private val wayBits = log2Ceil(ways)
  private val lastWay = ways - 1
  require(p.l2.mshrs >= p.l1d.mshrs + p.l1i.mshrs, "an L1D miss must never wait for an MSHR, see Retry")

  val io = IO(new Bundle {
    val l1d = Flipped(L1D.port(p))
    val l1i = Flipped(new LineReadPort(p.line, log2Ceil(p.l1i.mshrs)))
    val amu = Flipped(new LineLookupPort(p.line))
    val mem = new Axi4Port(p.amu.axi)
    val takeSpmWay = Input(Bool()) // amuctl[1]
    val spmPresent = Output(Bool()) // the last way belongs to the SPM
    val lastWay = new SpmLinePort(p.amu.spm)
    val probe = Output(new L2Probe)
  })

  class Request extends Bundle {
    val source = UInt(3.W)
    val line = UInt(p.lineAddrBits.W)
    val id = UInt(math.max(log2Ceil(p.l2.mshrs), log2Ceil(p.l1d.mshrs)).W)
    val isStore = Bool() // AMU store; release: carries data
    val isProbeAck = Bool()
    val data = UInt(p.lineBits.W)
    val mask = UInt(p.lineBytes.W)
  }

  private val misses = Module(new L2MissQueue(p))
  private val writebacks = Module(new L2WritebackQueue(p, 32))
  private val filter = Module(new StoreFilter(p))
  private val data = Module(new L2Data(p))
  private val directory = SyncReadMem(sets, Vec(ways, UInt((new L2Entry(p)).getWidth.W)))
  private val plru = Mem(sets, UInt((ways - 1).W))

  io.mem.ar <> misses.io.mem.ar
  misses.io.mem.r <> io.mem.r
  io.mem.aw <> writebacks.io.mem.aw
  io.mem.w <> writebacks.io.mem.w
  writebacks.io.mem.b <> io.mem.b
  io.lastWay <> data.io.lastWay

  // ---- Probe of L1D: one at a time.
  private val probeIdle :: probeSend :: probeWait :: Nil = Enum(3)
  private val probeState = RegInit(probeIdle)
  private val probeLine = Reg(UInt(p.lineAddrBits.W))
  io.l1d.probe.valid := probeState === probeSend
  io.l1d.probe.bits := probeLine
  when(io.l1d.probe.fire) { probeState := probeWait }
  private val probing = probeState =/= probeIdle
  // Who had the line taken from L1D goes next: otherwise L1D may have it back before, and both would try for ever.
  private val prober = Reg(UInt(3.W)) // L2Source
  private val proberNext = RegInit(false.B) // the probe has been answered, its cause not decided again

  // ---- Directory reset, and hand-over of the last way.
  private val initSet = RegInit(0.U((setBits + 1).W))
  private val initDone = initSet(setBits)
  private val wayTaken = RegInit(true.B)
  private val flushSet = RegInit(0.U((setBits + 1).W))
  private val flushing = !wayTaken && io.takeSpmWay
  when(!io.takeSpmWay) {
    wayTaken := false.B
    flushSet := 0.U
  }
  when(flushing && flushSet(setBits)) { wayTaken := true.B }
  when(prober === L2Source.flushWay && !flushing) { proberNext := false.B }
  io.spmPresent := wayTaken && io.takeSpmWay

  // ---- s0: choose.
  private val s1_valid = RegInit(false.B)
  private val s1 = Reg(new Request)
  private val s1_fail = Wire(Bool())
  private val s1_writes = Wire(Bool())
  private val s1_meetsStore = Wire(Bool())
  private val amuQueue = Queue(io.amu.req, 2, flow = true)
  private val dQueue = Queue(io.l1d.acquire, 2, flow = true)
  private val iQueue = Queue(io.l1i.req, 2, flow = true)

  private val amuRequest, dRequest, iRequest = Wire(new Request)
  for (r <- Seq(amuRequest, dRequest, iRequest)) {
    r.isProbeAck := false.B
    r.isStore := false.B
    r.id := 0.U
    r.data := amuQueue.bits.data
    r.mask := amuQueue.bits.mask
  }
  amuRequest.source := L2Source.amu
  amuRequest.line := amuQueue.bits.lineAddr
  amuRequest.isStore := amuQueue.bits.isStore
  dRequest.source := L2Source.l1d
  dRequest.line := dQueue.bits.lineAddr
  dRequest.id := dQueue.bits.id
  iRequest.source := L2Source.l1i
  iRequest.line := iQueue.bits.lineAddr
  iRequest.id := iQueue.bits.id

  /** A source keeps the request it has in the pipeline until that succeeds; nothing of the same source overtakes a failing one. L1D's
    * retries go on during a probe: L1D may answer it only after a grant that queues behind the retried request.
    */
  private class Retry(val source: UInt, fresh: Request, freshValid: Bool, duringProbe: Boolean) {
    val pending = RegInit(false.B)
    val held = Reg(new Request)
    /** The last try met an AMU store on its way to memory. */
    val metStore = RegInit(false.B)
    val inS1 = s1_valid && s1.source === source
    val valid = Mux(pending, duringProbe.B || !probing, freshValid) && !(inS1 && s1_fail)
    val request = Mux(pending, held, fresh)
    when(inS1 && s1_fail) {
      pending := true.B
      held := s1
    }
    when(inS1) { metStore := s1_meetsStore }
    BoundedWait.memory(pending || (inS1 && s1_fail), s"request of L2 source ${source.litValue}")
    def fired(): Unit = pending := false.B
    /** Waits for the AMU stores that `line` would join. */
    def waitsForStores(line: UInt): Bool = pending && metStore && filter.sharesCounter(held.line, line)
  }
  private val retries = Seq(
    new Retry(L2Source.amu, amuRequest, amuQueue.valid, duringProbe = false),
    new Retry(L2Source.l1d, dRequest, dQueue.valid, duringProbe = true),
    new Retry(L2Source.l1i, iRequest, iQueue.valid, duringProbe = false)
  )
  private val answerInS1 = s1_valid && s1.source === L2Source.release && s1.isProbeAck
  private val reserved = proberNext || answerInS1
  private def mayGo(source: UInt): Bool = !reserved || prober === source
  private val requesters = Module(new RRArbiter(new Request, 3))
  for ((in, r) <- requesters.io.in.zip(retries)) {
    in.valid := r.valid && mayGo(r.source)
    in.bits := r.request
  }

  private val canIssue = initDone && filter.io.ready && !s1_writes
  private val releaseFires = io.l1d.release.valid && canIssue
  private val installInS1 = s1_valid && s1.source === L2Source.install
  private val installFires = !releaseFires && canIssue && misses.io.install.valid && !probing && !installInS1 &&
    mayGo(L2Source.install)
  private val flushInS1 = s1_valid && s1.source === L2Source.flushWay
  private val flushFires = !releaseFires && !installFires && canIssue && flushing && !flushSet(setBits) && !probing && !flushInS1 &&
    mayGo(L2Source.flushWay)
  private val otherFires = !releaseFires && !installFires && !flushFires && canIssue && requesters.io.out.valid

  io.l1d.release.ready := canIssue
  requesters.io.out.ready := !releaseFires && !installFires && !flushFires && canIssue
  private val fresh = Seq(amuQueue, dQueue, iQueue)
  for ((in, (r, q)) <- requesters.io.in.zip(retries.zip(fresh))) {
    q.ready := in.fire && !r.pending
    when(in.fire) { r.fired() }
  }

  private val s0 = Wire(new Request)
  s0 := requesters.io.out.bits
  when(releaseFires) {
    s0.source := L2Source.release
    s0.line := io.l1d.release.bits.lineAddr
    s0.isStore := io.l1d.release.bits.hasData
    s0.isProbeAck := io.l1d.release.bits.isProbeAck
    s0.data := io.l1d.release.bits.data
  }.elsewhen(installFires) {
    s0.source := L2Source.install
    s0.line := misses.io.install.lineAddr
    s0.id := misses.io.install.idx
  }.elsewhen(flushFires) {
    s0.source := L2Source.flushWay
    s0.line := flushSet(setBits - 1, 0)
  }
  misses.io.installRead := installFires
  private val s0_valid = releaseFires || installFires || flushFires || otherFires
  s1_valid := s0_valid
  when(s0_valid) { s1 := s0 }

  // ---- s1: decide.
  private val s1_set = s1.line(setBits - 1, 0)
  private val s1_tag = s1.line >> setBits
  private val directoryRead = directory.read(s0.line(setBits - 1, 0), s0_valid)
  private val directoryWrite = Wire(Valid(Vec(ways, UInt((new L2Entry(p)).getWidth.W))))
  private val lastWrite = RegNext(directoryWrite.bits)
  private val lastWriteHits = RegNext(directoryWrite.valid && s0.line(setBits - 1, 0) === s1_set, false.B)
  private val entries = VecInit(Mux(lastWriteHits, lastWrite, directoryRead).map(_.asTypeOf(new L2Entry(p))))

  private val hits = VecInit(entries.map(e => e.valid && e.tag === s1_tag))
  private val hit = hits.asUInt.orR
  private val hitWay = OHToUInt(hits)
  private val hitEntry = entries(hitWay)
  assert(!s1_valid || PopCount(hits) <= 1.U, "L2 line in two ways")

  private val isRelease = s1.source === L2Source.release
  private val isInstall = s1.source === L2Source.install
  private val isAmu = s1.source === L2Source.amu
  private val isD = s1.source === L2Source.l1d
  private val isI = s1.source === L2Source.l1i
  private val isFlush = s1.source === L2Source.flushWay

  misses.io.lookup.lineAddr := s1.line
  misses.io.started.idx := s1.id
  writebacks.io.lookup.lineAddr := s1.line
  filter.io.lookup := s1.line
  private val inMshr = misses.io.lookup.hit
  private val inWriteback = writebacks.io.lookup.hit

  // Victim of an installation: an invalid way, or by tree PLRU among the ways L2 owns.
  private val invalid = VecInit(entries.zipWithIndex.map { case (e, w) => !e.valid && (if (w == lastWay) !io.takeSpmWay else true.B) })
  private val plruState = plru(s1_set)
  private val plruWay = TreePlru.victim(plruState, ways)
  private val oldWay = Mux(plruWay === lastWay.U && io.takeSpmWay, (lastWay - 1).U, plruWay)
  private val victimWay = Mux(isFlush, lastWay.U, Mux(invalid.asUInt.orR, PriorityEncoder(invalid), oldWay))
  private val victim = entries(victimWay)
  private val victimLine = Cat(victim.tag, s1_set)
  private val installs = isInstall && !misses.io.started.error
  private val evicts = (installs || isFlush) && victim.valid

  private val probeNeeded = ((isAmu || isI) && hit && hitEntry.inL1D) || (evicts && victim.inL1D)
  private val mayMiss = (isAmu || isD || isI) && !hit
  private val canMerge = isD && inMshr && !misses.io.lookup.waiters.d
  private val storeMisses = isAmu && s1.isStore && !hit
  s1_meetsStore := (isD || isI) && !hit && filter.io.busy
  s1_fail := s1_valid && (probeNeeded ||
    (mayMiss && inWriteback) ||
    (isAmu && inMshr) ||
    (storeMisses && retries.map(_.waitsForStores(s1.line)).reduce(_ || _)) ||
    s1_meetsStore ||
    ((isD || isI) && !hit && Mux(inMshr, !canMerge, misses.io.full)) ||
    (evicts && victim.dirty && writebacks.io.full))
  private val s1_go = s1_valid && !s1_fail

  when(s1_valid && probeNeeded && !probing) {
    probeState := probeSend
    probeLine := Mux(evicts, victimLine, s1.line)
    prober := s1.source
  }
  when(s1_valid && s1.source === prober) { proberNext := false.B }
  when(s1_valid && isRelease && s1.isProbeAck) {
    assert(probeState === probeWait && probeLine === s1.line, "probe answer without a probe")
    probeState := probeIdle
    proberNext := true.B
  }
  assert(!s1_valid || !isRelease || hit, "L2 is inclusive of L1D")

  private val amuStoreHit = isAmu && s1.isStore && hit
  private val releaseData = isRelease && s1.isStore
  private val evictsDirty = evicts && victim.dirty
  s1_writes := s1_go && (releaseData || installs || amuStoreHit)

  // Directory update.
  private val updated = Wire(Vec(ways, new L2Entry(p)))
  updated := entries
  private val touchedWay = Mux(isInstall || isFlush, victimWay, hitWay)
  when(isInstall) {
    updated(victimWay).valid := true.B
    updated(victimWay).dirty := false.B
    updated(victimWay).inL1D := misses.io.started.waiters.d
    updated(victimWay).tag := s1_tag
  }.elsewhen(isFlush) {
    updated(lastWay).valid := false.B
  }.elsewhen(isRelease) {
    updated(hitWay).inL1D := false.B
    when(s1.isStore) { updated(hitWay).dirty := true.B }
  }.elsewhen(isD) {
    updated(hitWay).inL1D := true.B
  }.elsewhen(isAmu) {
    updated(hitWay).dirty := true.B
  }
  directoryWrite.valid := s1_go && (installs || isFlush || isRelease || (isD && hit) || amuStoreHit)
  directoryWrite.bits := VecInit(updated.map(_.asUInt))
  private val initEntries = VecInit(Seq.fill(ways)(0.U((new L2Entry(p)).getWidth.W)))
  // One write port each, so that the directory fits a block RAM.
  private val writtenSet = Mux(initDone, s1_set, initSet(setBits - 1, 0))
  when(!initDone || directoryWrite.valid) {
    directory.write(writtenSet, Mux(initDone, directoryWrite.bits, initEntries))
  }
  when(!initDone || (s1_go && (installs || ((isD || isI) && hit)))) {
    plru(writtenSet) := Mux(initDone, TreePlru.touch(plruState, touchedWay, ways), 0.U)
  }
  when(!initDone) { initSet := initSet + 1.U }
  when(s1_go && isFlush) { flushSet := flushSet + 1.U }

  // Misses.
  misses.io.allocate.valid := s1_go && (isD || isI) && !hit && !inMshr
  misses.io.allocate.bits.lineAddr := s1.line
  misses.io.allocate.bits.waiters.d := isD
  misses.io.allocate.bits.waiters.dId := s1.id
  misses.io.allocate.bits.waiters.i := isI
  misses.io.allocate.bits.waiters.iId := s1.id
  misses.io.mergeD.valid := s1_go && isD && !hit && inMshr
  misses.io.mergeD.bits := s1.id
  misses.io.started.done := s1_go && isInstall
  writebacks.io.allocate.valid := s1_go && evictsDirty
  writebacks.io.allocate.bits := victimLine
  filter.io.enter.valid := s1_go && storeMisses
  filter.io.enter.bits := s1.line
  filter.io.leave := io.amu.storeDone

  private val readsHit = (isD || isI || isAmu) && hit
  data.io.read.valid := s1_go && (readsHit || evictsDirty)
  data.io.read.bits.set := s1_set
  data.io.read.bits.way := touchedWay

  // ---- s2: answer and write.
  private val s2_valid = RegNext(s1_go, false.B)
  private val s2 = RegEnable(s1, s1_go)
  private val s2_hit = RegEnable(hit, s1_go)
  private val s2_way = RegEnable(touchedWay, s1_go)
  private val s2_writes = RegNext(s1_writes, false.B)
  private val s2_waiters = RegEnable(misses.io.started.waiters, s1_go)
  private val s2_error = RegEnable(misses.io.started.error, s1_go)
  private val s2_installData = RegEnable(misses.io.installData, s1_go && isInstall)
  private val s2_isInstall = s2.source === L2Source.install
  private val s2_isAmu = s2.source === L2Source.amu
  private val byteMask = FillInterleaved(8, s2.mask)
  private val merged = (s2.data & byteMask) | (data.io.readData & ~byteMask)

  data.io.write.valid := s2_writes
  data.io.write.bits.set := s2.line(setBits - 1, 0)
  data.io.write.bits.way := s2_way
  data.io.writeData := Mux(s2_isInstall, s2_installData, Mux(s2_isAmu, merged, s2.data))
  writebacks.io.data := data.io.readData

  private val answer = Mux(s2_isInstall, s2_installData, data.io.readData)
  private val isDHit = s2.source === L2Source.l1d && s2_hit
  private val isIHit = s2.source === L2Source.l1i && s2_hit
  io.l1d.grant.valid := s2_valid && (isDHit || (s2_isInstall && s2_waiters.d))
  io.l1d.grant.bits.id := Mux(s2_isInstall, s2_waiters.dId, s2.id)
  io.l1d.grant.bits.data := answer
  io.l1d.grant.bits.error := s2_isInstall && s2_error
  io.l1i.resp.valid := s2_valid && (isIHit || (s2_isInstall && s2_waiters.i))
  io.l1i.resp.bits.id := Mux(s2_isInstall, s2_waiters.iId, s2.id)
  io.l1i.resp.bits.data := answer
  io.l1i.resp.bits.error := s2_isInstall && s2_error
  io.amu.resp.valid := s2_valid && s2_isAmu
  io.amu.resp.bits.hit := s2_hit
  io.amu.resp.bits.data := data.io.readData

  BoundedWait.memory(misses.io.install.valid && !misses.io.started.done, "the installation of an L2 line")
  BoundedWait.memory(probing, "a probe of L2")
  BoundedWait.onChip(proberNext, "the request that L2 probed for")
  BoundedWait.memory(flushing && !(s1_go && isFlush), "the hand-over of the SPM way")

  io.probe.demandMiss := misses.io.allocate.valid
  io.probe.eviction := writebacks.io.allocate.valid
  io.probe.mshrs := misses.io.occupied
}

/** Events for the performance counters. */
class L2Probe extends Bundle {
  val demandMiss = Bool()
  val eviction = Bool()
  val mshrs = UInt(7.W)
}
