// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{Axi4Port, LineLookupPort, SpmLinePort}
import chisel3._
import chisel3.util._
import platform.{AmiOperation, Amucap, Amuctl, Amuhits, AmuLimits, Amustat}

class AmuIO(p: AmuParams) extends Bundle {
  val request = new AmuRequestIO(p)
  val translation = new AmuTranslationIO
  val finish = new AmuFinishIO(p)
  val btq = Decoupled(new BtqEntry(p))
  val pollWait = Output(UInt(AmuConfig.pollWaitBits.W)) // cycles that a bafin may wait for a group; 0 while none is outstanding
  val csr = new AmuCsrIO(p)
  val amuctl = Input(UInt(2.W)) // bit 0 AMU on, bit 1 SPM way taken from L2
  val cache = new LineLookupPort(p.line)
  val wanted = Decoupled(UInt(p.lineAddrBits.W)) // a line that L2 may fetch
  val spm = new SpmLinePort(p.spm)
  val spmInUse = Output(Bool()) // requests are under way: their data comes from the SPM, or goes there
  val order = new AmuOrderIO(p)
  val axi = new Axi4Port(p.axi) // IDs are line tags
  val probe = Output(new AmuProbe(p))
}

/** What a tile has in the AMU's place. */
abstract class AmuModule(p: AmuParams) extends Module {
  val io = IO(new AmuIO(p))
}

/** Asynchronous Memory Unit (paper section IV; contract in docs/ami.md, data path in docs/microarchitecture.md):
  * request queue → splitter → line lookup in L2 → memory → responses → group table → finish queue → core and BTQ.
  */
class Amu(p: AmuParams) extends AmuModule(p) {
  private val config = Module(new AmuConfigRegisters(p))
  private val requestQueue = Module(new RequestQueue(p))
  private val groups = Module(new GroupTable(p))
  private val finishQueue = Module(new FinishQueue(p))
  private val splitter = Module(new Splitter(p))
  private val lines = Module(new LineTable(p))
  private val lookup = Module(new LineLookup(p))
  private val memory = Module(new MemoryAccess(p))
  private val readOut = Module(new ReadOut(p))
  private val reuse = Module(new ReuseTable(p))
  private val responses = Module(new Responses(p))
  private val probes = Module(new AmuProbeCounters(p))

  // Commit
  requestQueue.io.core <> io.request
  io.translation <> requestQueue.io.translation
  requestQueue.io.sqDeqPtr := io.order.sqDeqPtr
  requestQueue.io.storeBuffer := io.order.storeBuffer
  requestQueue.io.idState := groups.io.idState
  requestQueue.io.signalReady := groups.io.signalReady
  requestQueue.io.spmSlot := config.io.config.spmSlot
  requestQueue.io.amuOn := io.amuctl(Amuctl.on.lsb)
  requestQueue.io.spmWayTaken := io.amuctl(Amuctl.spmWay.lsb)
  groups.io.commitId := requestQueue.io.commitId
  groups.io.commit := requestQueue.io.commit
  private val commit = requestQueue.io.commit
  config.io.write.valid := commit.valid && commit.bits.op === AmiOp(AmiOperation.aconfig)
  config.io.write.bits.register := commit.bits.register
  config.io.write.bits.value := commit.bits.value

  // Line requests to L2
  splitter.io.in <> requestQueue.io.out
  lookup.io.in <> splitter.io.out
  lookup.io.tagAvailable := lines.io.available
  lookup.io.tag := lines.io.tag
  lines.io.allocate := lookup.io.allocate
  lines.io.line := splitter.io.out.bits
  io.spm.read <> lookup.io.spmRead
  lookup.io.spmData := io.spm.readData
  io.order.queryLine := lookup.io.queryLine
  lookup.io.queryBusy := io.order.queryBusy
  io.cache.req <> lookup.io.cacheReq
  lookup.io.cacheResp := io.cache.resp

  // L2's answer: a hit completes, a miss goes to memory
  private val answer = lookup.io.done
  private val isStore = answer.bits.request.line.isStore
  memory.io.in.valid := answer.valid && !answer.bits.hit
  memory.io.in.bits.request := answer.bits.request
  memory.io.in.bits.data := answer.bits.data
  responses.io.loadHit.valid := answer.valid && answer.bits.hit && !isStore
  responses.io.loadHit.bits.request := answer.bits.request
  responses.io.loadHit.bits.data := answer.bits.data
  responses.io.storeHit.valid := answer.valid && answer.bits.hit && isStore
  responses.io.storeHit.bits := answer.bits.request
  answer.ready := Mux(!answer.bits.hit, memory.io.in.ready, Mux(isStore, responses.io.storeHit.ready, responses.io.loadHit.ready))
  reuse.io.missed.valid := answer.fire && !answer.bits.hit
  reuse.io.missed.bits := answer.bits.request.line
  io.wanted <> reuse.io.wanted
  io.axi.ar <> memory.io.ar
  io.axi.aw <> memory.io.aw
  io.axi.w <> memory.io.w

  // Responses
  responses.io.r <> io.axi.r
  responses.io.b <> io.axi.b
  lines.io.readTag := responses.io.readTag
  responses.io.read := lines.io.read
  io.spm.write <> responses.io.spmWrite
  io.cache.storeDone := responses.io.storeDone
  lines.io.free.valid := responses.io.counted.valid
  lines.io.free.bits := responses.io.counted.bits.tag
  groups.io.counted.valid := responses.io.counted.valid
  groups.io.counted.bits := responses.io.counted.bits.id

  // Lines of committed requests that are not complete
  private val underWay = RegInit(0.U(log2Ceil(p.lines + (p.requestQueue + 1) * AmuLimits.pageBytes / p.lineBytes + 1).W))
  private val commitsRequest = commit.valid && (commit.bits.op === AmiOp(AmiOperation.aload) || commit.bits.op === AmiOp(AmiOperation.astore))
  underWay := underWay + Mux(commitsRequest, commit.bits.lines, 0.U) - responses.io.counted.valid
  io.spmInUse := underWay =/= 0.U
  assert(underWay =/= 0.U || !responses.io.counted.valid, "a line is complete that no request asked for")

  // Finished groups
  finishQueue.io.in <> groups.io.completed
  finishQueue.io.config := config.io.config
  finishQueue.io.core <> io.finish
  io.btq <> finishQueue.io.btq
  io.pollWait := Mux(groups.io.outstanding =/= 0.U, config.io.config.pollWait, 0.U)
  groups.io.taken := finishQueue.io.taken

  // CSRs
  io.csr.amucap := ((BigInt(AmuLimits.contractVersion) << Amucap.version.lsb) | (BigInt(p.spmBytes / 8) << Amucap.spmWords.lsb) | p.maxId).U
  private val finished = (groups.io.waitingToBeTaken +& finishQueue.io.entries).pad(Amustat.finished.bits)
  io.csr.amustat := Cat(0.U((64 - 1 - Amustat.finished.msb).W), finished, groups.io.outstanding.pad(Amustat.outstanding.bits))
  io.csr.amucfg := VecInit(config.io.config.words)
  io.csr.amuhits := Cat(io.probe.cacheMisses(Amuhits.memory.bits - 1, 0), io.probe.cacheHits(Amuhits.cache.bits - 1, 0))
  io.csr.amureuse := io.probe.reused
  readOut.io.select := io.csr.select
  readOut.io.forget := io.csr.forget
  requestQueue.io.asked := readOut.io.asked
  readOut.io.record := groups.io.record
  groups.io.forgets := readOut.io.forgets
  io.csr.amuid := readOut.io.amuid
  io.csr.amustate := readOut.io.amustate
  io.csr.readOutBusy := readOut.io.busy
  assert(!(io.csr.forget && io.spmInUse), "an ID is forgotten under requests")

  // Probes
  probes.io.request := commitsRequest
  probes.io.line := lookup.io.allocate
  probes.io.cacheHit := answer.fire && answer.bits.hit
  probes.io.cacheMiss := answer.fire && !answer.bits.hit
  probes.io.reused := reuse.io.again
  probes.io.finished := finishQueue.io.taken.valid
  probes.io.linesInFlight := lines.io.inFlight
  private val stalls = Seq(
    AmuStall.requestQueueFull -> io.request.full,
    AmuStall.signal -> requestQueue.io.stallSignal,
    AmuStall.storeOrder -> requestQueue.io.stallStoreOrder,
    AmuStall.mshr -> lookup.io.stallMshr,
    AmuStall.lineTag -> lookup.io.stallTag,
    AmuStall.lookupBuffer -> lookup.io.stallBuffer,
    AmuStall.cache -> lookup.io.stallCache,
    AmuStall.memory -> (answer.valid && !answer.bits.hit && !memory.io.in.ready)
  )
  require(stalls.map(_._1) == (0 until AmuStall.count))
  probes.io.stall := VecInit(stalls.map(_._2))
  io.probe := probes.io.probe
}
