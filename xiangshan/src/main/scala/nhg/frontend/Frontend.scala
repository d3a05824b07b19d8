// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import amu.{AmuConfig, BtqEntry}
import bus.{BoundedWait, LineReadPort}
import chisel3._
import chisel3.util._
import nhg._
import nhg.mmu.{Tlb, TranslationState, WalkPort}
import nhg.priv.{Pmp, PmpState}

/** The frontend: two stages and the instruction buffer.
  *
  *   - F0: `pc` → next-PC prediction (no bubble for taken predictions), translation, L1I tags, FTQ entry.
  *   - F1: L1I data, predecode, check of the prediction, up to eight instructions a cycle into the instruction buffer. A wrong
  *     prediction restarts F0 in the next cycle, with history, return stack and BTQ rolled back (paper IV-A).
  *   - Out: `decodeWidth` instructions, RVC expanded, addresses from the FTQ.
  *
  * A back-end redirect in cycle t empties everything; F0 works on its target in t + 1 and its instructions leave in t + 3.
  *
  * A fault of a fetch is an instruction of its own: with `isRvc` its first halfword lies at the missing address (pc), without it the
  * first halfword was there and the second one (pc + 2) is missing. After it F0 waits for a redirect.
  */
class Frontend(p: NhgParams) extends Module {
  private val idBits = log2Ceil(p.l1i.mshrs)
  private val halves = FetchWindow.halves(p)
  val io = IO(new Bundle {
    val core = new FrontendIO(p)
    val l2 = new LineReadPort(p.line, idBits)
    val btq = Flipped(Decoupled(new BtqEntry(p.amu)))
    val pollWait = Input(UInt(AmuConfig.pollWaitBits.W)) // cycles that a bafin may wait for a group, from the AMU
    val resetPc = Input(UInt(p.addressBits.W))
    val translation = Input(new TranslationState(p))
    val walks = new WalkPort(p)
    val pmp = Input(new PmpState(p))
  })
  private val redirect = io.core.redirect

  private val nextPc = Module(new NextPc(p))
  private val tlb = Module(new Tlb(p, p.mmu.fetch, ports = 1, fetches = true))
  private val icache = Module(new ICache(p))
  private val predecode = Module(new Predecode(p))
  private val ras = Module(new Ras(p))
  private val btq = Module(new Btq(p))
  private val ftq = Module(new Ftq(p))
  private val ibuf = Module(new IBuffer(p))

  // F0
  private val f0_pc = RegInit(UInt(p.pcBits.W), io.resetPc)
  private val f0_stuck = RegInit(false.B) // behind a fault
  private val history = RegInit(0.U(p.frontend.historyBits.W))
  private val f1_ready = Wire(Bool())
  private val f1_redirect = Wire(Bool())

  private val f0_window = FetchWindow.of(f0_pc, p)
  // A miss of the TLB waits here as one of L1I does; it asks for a walk once, and again when one has ended.
  private val lookup = tlb.io.lookup(0)
  private val f0_walks = RegInit(false.B)
  tlb.io.state := io.translation
  io.walks <> tlb.io.walk
  lookup.address := Pc.address(f0_pc)
  lookup.isStore := false.B
  lookup.walks := !f0_walks && !f0_stuck
  when(redirect.valid || f1_redirect || io.walks.woken) { f0_walks := false.B }.elsewhen(lookup.walks && lookup.miss) { f0_walks := lookup.waits }
  private val f0_legal = !lookup.miss && !lookup.pageFault && FetchWindow.isExecutable(lookup.physical, p) &&
    !io.pmp.denies(lookup.physical, io.pmp.fetch)
  // A bafin waits for a target that is on its way to the BTQ. Without that, one that is fetched right after a redirect, which empties the BTQ, would never
  // have a target; and a program that polls could run for ever if each poll ended in a misprediction (docs/design/progress.md).
  private val f0_hasNoTarget = nextPc.io.prediction.bafinAsked && !btq.io.headValid
  private val f0_waitsForTarget = f0_hasNoTarget && io.btq.valid
  BoundedWait.onChip(f0_waitsForTarget, "a bafin for a target that is on its way")
  // It also waits for a group that has not finished yet, for `pollWait` cycles at most (contract: poll_wait), if the last poll found nothing and the
  // program has requested nothing since: what would follow is the poll loop, which does nothing else. A redirect ends the wait. F0 must stand at the bafin
  // itself (or at its second half, if a window begins there): it does not see what lies before it in the window, which may be requests.
  private val polledInVain = Wire(Bool())
  private val pollCycles = RegInit(0.U(AmuConfig.pollWaitBits.W))
  private val bafinEnd = nextPc.io.prediction.bafinEnd
  private val f0_isAtBafin = bafinEnd === FetchWindow.endOf(f0_pc, p) + 1.U || bafinEnd === 0.U
  private val f0_waitsForGroup = f0_hasNoTarget && f0_isAtBafin && !io.btq.valid && polledInVain && pollCycles < io.pollWait && !io.core.interrupted
  private val f0_waits = f0_waitsForTarget || f0_waitsForGroup
  private val f0_goes = !f0_waits && !f0_stuck && !redirect.valid && !f1_redirect && f1_ready && !ftq.io.full
  private val f0_fault = !lookup.miss && (!f0_legal || icache.io.error)
  private val f0_fire = f0_goes && (f0_fault || icache.io.hit)
  when(f0_fire || redirect.valid) { pollCycles := 0.U }.elsewhen(f0_waitsForGroup) { pollCycles := pollCycles + 1.U }
  io.core.waitsForGroup := RegNext(f0_waitsForGroup, false.B)

  nextPc.io.pc := f0_pc
  nextPc.io.history := history
  nextPc.io.rasTop := ras.io.state.top
  nextPc.io.btqValid := btq.io.headValid
  nextPc.io.btqTarget := btq.io.headTarget
  nextPc.io.forgetBafins := io.core.invalidateICache
  private val f0_prediction = WireDefault(nextPc.io.prediction)
  when(f0_fault) {
    f0_prediction.taken := false.B
    f0_prediction.bafinAsked := false.B
  }

  icache.io.wanted.valid := f0_legal && !f0_stuck
  icache.io.wanted.bits := lookup.physical(p.paddrBits - 1, FetchWindow.offsetBits(p))
  icache.io.staysInPage := io.translation.fetch.on
  icache.io.read := f0_fire
  icache.io.invalidate := io.core.invalidateICache
  icache.io.forgetError := redirect.valid
  icache.io.pmp := io.pmp
  io.l2 <> icache.io.l2

  btq.io.in <> io.btq
  btq.io.pop := f0_fire && f0_prediction.isBafin
  btq.io.flush.valid := redirect.valid
  btq.io.flush.bits := redirect.bits.finPtr

  private val f0_state = Wire(new PredictorState(p))
  f0_state.history := history
  f0_state.ras := ras.io.state
  ftq.io.allocate.valid := f0_fire
  ftq.io.allocate.bits := f0_state

  // F1
  private val f1_valid = RegInit(false.B)
  private val f1_second = RegInit(false.B) // the first eight instructions have gone
  private val f1_pc = RegEnable(f0_pc, f0_fire)
  private val f1_prediction = RegEnable(f0_prediction, f0_fire)
  private val f1_state = RegEnable(f0_state, f0_fire)
  private val f1_fault = RegEnable(f0_fault, f0_fire)
  private val f1_cause = RegEnable(Mux(lookup.pageFault, Cause.instPage, Cause.instAccess), f0_fire)
  private val f1_ftqIdx = RegEnable(ftq.io.tail, f0_fire)
  private val f1_page = RegEnable(lookup.physical(p.paddrBits - 1, Pmp.grainBits), f0_fire)
  private val carry = RegInit(0.U.asTypeOf(new CarriedHalf))

  private val f1_window = FetchWindow.of(f1_pc, p)
  private val f1_start = FetchWindow.endOf(f1_pc, p)
  predecode.io.window := f1_window
  predecode.io.data := icache.io.data
  predecode.io.start := f1_start
  predecode.io.carry := carry
  predecode.io.prediction := f1_prediction
  predecode.io.rasTop := f1_state.ras.top
  private val block = predecode.io.block
  private val f1_taken = block.taken && !f1_fault
  private val f1_ends = Mux(f1_fault, UIntToOH(f1_start, halves), block.ends)

  // Rank of each instruction in the block; eight leave at a time
  private val rank = (0 until halves).map(i => PopCount(f1_ends & ((1 << i) - 1).U(halves.W)))
  private val total = PopCount(f1_ends)
  private val eight = IBuffer.width
  private val leaving = (0 until halves).map(i => f1_ends(i) && (rank(i) >= eight.U) === f1_second)
  private val f1_last = f1_second || total <= eight.U
  private val f1_beat = f1_valid && ibuf.io.ready && !redirect.valid
  private val f1_fire = f1_beat && f1_last
  f1_ready := !f1_valid || (ibuf.io.ready && f1_last)
  f1_redirect := f1_fire && !f1_fault && block.mispredicted
  private val carriedPage = RegEnable(f1_page, f1_fire)
  nextPc.io.forget.valid := f1_redirect && block.phantom
  nextPc.io.forget.bits := FetchWindow.lastHalfAt(f1_window, f1_prediction.end)

  private val insts = (0 until halves).map { i =>
    val inst = Wire(new BufferedInst(p))
    inst.raw := block.raw(i)
    inst.end := i.U
    inst.isRvc := Mux(f1_fault, !carry.valid, block.rvc(i))
    inst.exception.valid := f1_fault
    inst.exception.cause := f1_cause
    inst.predTaken := f1_taken && block.end === i.U
    inst.bafinPredicted := !f1_fault && f1_prediction.bafinAsked && f1_prediction.bafinEnd === i.U && block.bafin(i)
    inst.ftqIdx := f1_ftqIdx
    inst
  }
  for (j <- 0 until eight) {
    ibuf.io.in(j) := Mux1H((0 until halves).map(i => (leaving(i) && rank(i)(log2Ceil(eight) - 1, 0) === j.U) -> insts(i)))
  }
  ibuf.io.count := Mux(f1_beat, PopCount(leaving), 0.U)
  ibuf.io.flush := redirect.valid

  ftq.io.addresses.valid := f1_beat
  ftq.io.addresses.bits.idx := f1_ftqIdx
  ftq.io.addresses.bits.block.window := f1_window
  ftq.io.addresses.bits.block.target := block.target
  ftq.io.addresses.bits.block.pages.first := carriedPage
  ftq.io.addresses.bits.block.pages.last := f1_page

  private val f1_bafinTaken = f1_taken && block.cfiType === CfiType.bafin
  btq.io.confirm := f1_fire && f1_bafinTaken
  btq.io.rollBack := f1_redirect

  // The block's last poll in vain or request decides; a block with neither changes nothing.
  private val vain = (0 until halves).map(i => block.ends(i) && block.bafin(i) && !(f1_bafinTaken && block.end === i.U))
  private val acts = (0 until halves).map(i => vain(i) || (block.ends(i) && block.amuRequest(i)))
  private val wasInVain = RegInit(false.B)
  polledInVain := Mux(f1_valid && !f1_fault && acts.reduce(_ || _), PriorityMux(acts.reverse, vain.reverse), wasInVain)
  when(redirect.valid) { wasInVain := false.B }.elsewhen(f1_fire) { wasInVain := polledInVain }

  when(f1_beat) { f1_second := !f1_last }
  when(f1_fire) {
    f1_valid := false.B
    carry := block.carry
    when(f1_fault) { carry.valid := false.B }
  }
  when(f0_fire) { f1_valid := true.B }
  when(redirect.valid) {
    f1_valid := false.B
    f1_second := false.B
    carry.valid := false.B
  }
  assert(!(f1_valid && carry.valid) || f1_start === 0.U, "a carried half is followed by the start of a window")

  // Next PC, in order of priority: back end, predecode, prediction
  private val sequential = FetchWindow.start(f0_window + 1.U, p)
  when(redirect.valid) {
    f0_pc := redirect.bits.target
    f0_stuck := false.B
  }.elsewhen(f1_redirect) {
    f0_pc := Mux(f1_taken, block.target, FetchWindow.start(f1_window + 1.U, p))
    f0_stuck := false.B
  }.elsewhen(f0_fire) {
    f0_pc := Mux(f0_prediction.taken, f0_prediction.target, sequential)
    f0_stuck := f0_fault
  }

  // History and return stack: the state before the block, then its taken instruction
  ftq.io.redirect.valid := redirect.valid
  ftq.io.redirect.bits := redirect.bits.ftqIdx
  private val restored = Mux(redirect.valid, ftq.io.redirectState, f1_state)
  private val event = Wire(new Bundle {
    val taken = Bool()
    val cfiType = UInt(3.W)
    val lastHalf = UInt(p.pcBits.W)
    val target = UInt(p.pcBits.W)
  })
  when(redirect.valid) {
    event.taken := redirect.bits.isCfi && redirect.bits.taken
    event.cfiType := redirect.bits.cfiType
    event.lastHalf := FetchWindow.lastHalf(redirect.bits.pc, redirect.bits.isRvc)
    event.target := redirect.bits.target
  }.elsewhen(f1_redirect) {
    event.taken := f1_taken
    event.cfiType := block.cfiType
    event.lastHalf := FetchWindow.lastHalfAt(f1_window, block.end)
    event.target := block.target
  }.otherwise {
    event.taken := f0_fire && f0_prediction.taken
    event.cfiType := f0_prediction.cfiType
    event.lastHalf := FetchWindow.lastHalfAt(f0_window, f0_prediction.end)
    event.target := f0_prediction.target
  }
  private val restores = redirect.valid || f1_redirect
  private val from = Mux(restores, restored.history, history)
  history := Mux(event.taken, PathHistory.taken(from, event.lastHalf, event.target), from)
  ras.io.restore.valid := restores
  ras.io.restore.bits := restored.ras
  ras.io.call := event.taken && event.cfiType === CfiType.call
  ras.io.ret := event.taken && event.cfiType === CfiType.ret
  ras.io.returnAddress := event.lastHalf + 2.U

  // Training, one cycle after the update
  private val update = io.core.update
  ftq.io.trainIdx := update.bits.ftqIdx
  private val training = Wire(new Training(p))
  training.lastHalf := FetchWindow.lastHalf(update.bits.pc, update.bits.isRvc)
  training.cfiType := update.bits.cfiType
  training.taken := update.bits.taken
  training.target := update.bits.target
  training.mispredicted := update.bits.mispredicted
  training.history := ftq.io.trainHistory
  nextPc.io.train.valid := RegNext(update.valid, false.B)
  nextPc.io.train.bits := RegEnable(training, update.valid)
  ftq.io.commit := io.core.commitFtqIdx

  // Out
  ibuf.io.take := io.core.fetch.ready
  for (i <- 0 until p.backend.decodeWidth) {
    val from = ibuf.io.out(i)
    val to = io.core.fetch.inst(i)
    ftq.io.readIdx(i) := from.ftqIdx
    val addresses = ftq.io.readBlock(i)
    val lastHalf = FetchWindow.lastHalfAt(addresses.window, from.end)
    io.core.fetch.valid(i) := ibuf.io.valid(i)
    to.pc := Mux(from.isRvc, lastHalf, lastHalf - 2.U)
    to.inst := Mux(from.isRvc, Rvc.expand(from.raw(15, 0)), from.raw)
    to.raw := from.raw
    to.isRvc := from.isRvc
    to.exception := from.exception
    to.predTaken := from.predTaken
    to.predTarget := addresses.target
    to.bafinPredicted := from.bafinPredicted
    to.ftqIdx := from.ftqIdx
    to.pages.first := Mux(!from.isRvc && from.end === 0.U, addresses.pages.first, addresses.pages.last)
    to.pages.last := addresses.pages.last
  }
}
