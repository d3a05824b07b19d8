// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu._
import chisel3._
import chisel3.util._
import nhg._
import nhg.frontend.FrontendIO
import nhg.mem.{LsuFault, LsuIO}
import nhg.mmu.TranslationState
import nhg.priv.{InterruptLines, PmpState, PrivilegedTrace, TriggerState}
import platform.Amuctl

/** The out-of-order back end (paper Table I): decode (d) 4 wide, rename (r), dispatch queues, issue queues with 12 ports, register read,
  * execute, ROB of 96 retiring 4 a cycle. Mispredicts squash from the branch's snapshot in the cycle the BRU resolves them; exceptions,
  * memory-order replays and serialising instructions flush everything from the ROB head. Memory operations go to the LSU, AMI requests
  * to the AMU.
  */
class Backend(p: NhgParams) extends Module {
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  val io = IO(new Bundle {
    val hartId = Input(UInt(64.W))
    val frontend = Flipped(new FrontendIO(p))
    val lsu = Flipped(new LsuIO(p))
    val amuRequest = Flipped(new AmuRequestIO(p.amu))
    val amuFinish = Flipped(new AmuFinishIO(p.amu))
    val amuCsr = Flipped(new AmuCsrIO(p.amu))
    val lines = Input(new InterruptLines)
    val amuctl = Output(UInt(2.W))
    val requestsInFlight = Input(Bool()) // of the AMU, committed
    val spmPresent = Input(Bool()) // follows amuctl after L2 has emptied the way
    val commit = Output(Vec(cw, new CommitRecord(p)))
    val pmp = Output(new PmpState(p))
    val translation = Output(new TranslationState(p))
    val triggers = Output(new TriggerState)
    val privileged = Output(new PrivilegedTrace)
    val perf = Output(new BackendPerf(p))
  })
  private val waitTable = Module(new WaitTable(p))
  private val rename = Module(new Rename(p))
  private val dispatch = Module(new Dispatch(p))
  private val execute = Module(new Execute(p))
  private val rob = Module(new Rob(p))
  private val exceptions = Module(new ExceptionUnit(p, p.lsu.loadPipes + 1 + p.lsu.storePipes + 2))
  private val csr = Module(new Csr(p))
  private val widePc = Module(new WidePc(p))
  private val trace = Module(new CommitTrace(p))
  private val stalls = Module(new StallAttribution(p))
  private val perf = Module(new PerfCounters(p))

  // what dies
  private val resolution = execute.io.resolution
  private val flush = rob.io.flush
  private val kill = Wire(new Kill(p))
  kill.flush := flush.valid
  kill.squash := resolution.valid && resolution.bits.mispredicted
  kill.robPtr := resolution.bits.robPtr
  for (k <- Seq(rename.io.kill, dispatch.io.kill, execute.io.kill, rob.io.kill, exceptions.io.kill)) k := kill

  // decode; nothing younger than a write of amuctl[1] runs before the way has changed hands, nothing younger than one of amuid before the ID is found
  // An interrupt is taken in place of the next instruction that is decoded, if it is still let in when that is the oldest; so nothing that has begun is
  // given up, and a squash only brings another next instruction.
  private val interrupted = RegNext(csr.io.interrupts.letIn, false.B)
  io.frontend.interrupted := interrupted
  private val settled = io.spmPresent === csr.io.amuctl(Amuctl.spmWay.lsb) && !io.amuCsr.readOutBusy
  for (i <- 0 until dw) {
    val decoder = Module(new Decoder(p))
    val fetched = io.frontend.fetch.inst(i)
    decoder.io.in := fetched
    decoder.io.address := (if (i == 0) widePc.io.fetchedAddress else Pc.address(fetched.pc))
    decoder.io.allowed := csr.io.allowed
    decoder.io.triggers := csr.io.triggers
    decoder.io.frm := csr.io.frm
    decoder.io.interrupted := (if (i == 0) interrupted else false.B)
    waitTable.io.pc(i) := fetched.pc
    rename.io.in(i).valid := io.frontend.fetch.valid(i) && settled
    rename.io.in(i).bits := decoder.io.out
    rename.io.in(i).bits.waitForStores := waitTable.io.mustWait(i)
  }
  io.frontend.fetch.ready := rename.io.ready && settled
  widePc.io.fetched := io.frontend.fetch.inst(0).pc
  waitTable.io.replayed.valid := flush.valid && flush.bits.isReplay
  waitTable.io.replayed.bits := flush.bits.pc

  // rename and allocation
  rename.io.robTail := rob.io.tail
  rename.io.robFree := rob.io.free
  rename.io.robEmpty := rob.io.empty
  rename.io.dispatchFree := dispatch.io.free
  rename.io.lqTail := io.lsu.lqTail
  rename.io.sqTail := io.lsu.sqTail
  rename.io.lqFree := io.lsu.lqFree
  rename.io.sqFree := io.lsu.sqFree
  rename.io.storesDrained := io.lsu.storesDrained
  rename.io.storesInLines := io.lsu.storesInLines
  rename.io.requestsInFlight := io.requestsInFlight
  io.lsu.allocLoads := rename.io.allocLoads
  io.lsu.allocStores := rename.io.allocStores
  rename.io.reqTail := io.amuRequest.tail
  rename.io.reqFull := io.amuRequest.full
  io.amuRequest.allocate := rename.io.reqAllocate.valid
  io.amuRequest.allocateOp := rename.io.reqAllocate.bits.op
  io.amuRequest.allocateSqPtr := rename.io.reqAllocate.bits.sqPtr
  rename.io.finAvailable := io.amuFinish.available
  rename.io.finPtr := io.amuFinish.renamePtr
  io.amuFinish.take := rename.io.finTake
  dispatch.io.in := rename.io.out
  for (i <- 0 until dw) {
    val op = rename.io.decoded(i)
    val uop = rename.io.out(i)
    val entry = rob.io.in(i).bits
    rob.io.in(i).valid := uop.valid
    rob.io.inComplete(i) := !op.queues.orR
    rob.io.inPc(i) := op.fetched.pc
    entry.register.writes := op.dest.writes
    entry.register.regClass := op.dest.regClass
    entry.register.logical := op.dest.index
    entry.register.physical := uop.bits.dest.index
    entry.register.old := rename.io.pold(i)
    entry.register.isMove := op.isMove
    entry.ftqIdx := op.fetched.ftqIdx
    entry.isRvc := op.fetched.isRvc
    entry.isLoad := op.isLoad
    entry.isPrefetch := op.isLoad && MemFn.isPrefetch(op.fn)
    entry.isStore := op.isStore
    entry.isAmo := op.isAmo
    entry.isAmi := op.isAmi
    entry.isFin := op.isFin
    entry.finTaken := uop.bits.finTaken
    entry.isCfi := op.isCfi
    entry.isFp := FuType.isFp(op.fuType) && !op.isMove
    entry.alone := op.serial || op.flushAfter
    entry.flushAfter := op.flushAfter
    entry.isMret := op.isMret
    entry.isSret := op.isSret
    entry.isWfi := op.isWfi
    entry.isFenceI := op.isFenceI
    entry.isSfence := op.isSfence
    execute.io.renamed(i).valid := uop.valid
    execute.io.renamed(i).bits := uop.bits.dest
    trace.io.allocate(i) := uop.valid
    trace.io.inst(i) := op.fetched.raw
    trace.io.rd(i) := op.fetched.inst(11, 7)
    trace.io.pages(i) := op.fetched.pages
  }
  trace.io.tailIdx := p.robRing.index(rob.io.tail)

  // issue and execution
  execute.io.issue <> dispatch.io.issue
  execute.io.robHead := rob.io.head
  rob.io.pcIdx := execute.io.pcIdx
  execute.io.pcRead := rob.io.pcRead
  rename.io.infoIdx := execute.io.infoIdx
  execute.io.infoRead := rename.io.infoRead
  io.amuFinish.readPtr := execute.io.finPtr
  execute.io.finished := io.amuFinish.read
  io.lsu.load <> execute.io.lsuLoad
  io.lsu.storeAddress <> execute.io.lsuStoreAddress
  io.lsu.storeData <> execute.io.lsuStoreData
  execute.io.writeback := io.lsu.writeback
  private val ami = execute.io.amiOperands
  io.amuRequest.operands.valid := ami.valid
  io.amuRequest.operands.bits.ptr := ami.bits.uop.reqPtr
  io.amuRequest.operands.bits.rs1 := ami.bits.src(0)
  io.amuRequest.operands.bits.rs2 := ami.bits.src(1)

  assert(!execute.io.csr.valid || execute.io.csr.bits.robPtr === rob.io.head, "a CSR is accessed before its instruction is the oldest")
  csr.io.access.valid := execute.io.csr.valid
  csr.io.access.bits.funct3 := execute.io.csr.bits.fn(2, 0)
  csr.io.access.bits.addr := execute.io.csr.bits.imm(11, 0)
  csr.io.access.bits.rs1Field := execute.io.csr.bits.imm(16, 12)
  csr.io.access.bits.rs1 := execute.io.csrOperand
  csr.io.amu <> io.amuCsr
  execute.io.csrData := csr.io.readData
  io.amuctl := csr.io.amuctl
  io.pmp := csr.io.pmp
  io.translation := csr.io.translation
  io.translation.clear := flush.valid && flush.bits.isSfence
  io.translation.forgetFaults := flush.valid
  io.triggers := csr.io.triggers

  // completion
  rob.io.done := execute.io.done
  for ((to, from) <- rob.io.storeDone.zip(io.lsu.storeDone)) {
    to.valid := from.valid
    to.bits := from.bits.robIdx
  }
  rob.io.storeDataDone := io.lsu.storeDataDone
  rob.io.fpFlags := execute.io.fpFlags

  private def robPtr(index: UInt) = p.robRing.fromIndex(index, rob.io.head)
  for ((to, from) <- trace.io.access.zip(io.lsu.writeback ++ io.lsu.storeDone)) {
    to.valid := from.valid
    to.bits := from.bits
  }
  // Those that come latest in a cycle first.
  private val storeFaults = io.lsu.storeDone.map { done =>
    val fault = Wire(Valid(new LsuFault(p)))
    fault.valid := done.valid && done.bits.exception.valid
    fault.bits.robIdx := done.bits.robIdx
    fault.bits.exception := done.bits.exception
    fault
  }
  private val faults = exceptions.io.in.head +: exceptions.io.in.slice(2, exceptions.io.in.length - 1)
  for ((e, fault) <- faults.zip(io.lsu.fault.last +: (io.lsu.fault.init ++ storeFaults))) {
    e.valid := fault.valid
    e.bits.robPtr := robPtr(fault.bits.robIdx)
    e.bits.exception := fault.bits.exception
    e.bits.isInterrupt := false.B
  }
  private val violation = exceptions.io.in(1)
  violation.valid := io.lsu.violation.valid
  violation.bits.robPtr := robPtr(io.lsu.violation.bits)
  violation.bits.exception := 0.U.asTypeOf(new ExceptionInfo)
  violation.bits.isInterrupt := false.B
  private val decodeException = exceptions.io.in.last
  private val excepted = (0 until dw).map(i => rename.io.out(i).valid && rename.io.decoded(i).exception.valid)
  decodeException.valid := VecInit(excepted).asUInt.orR
  decodeException.bits.robPtr := PriorityMux(excepted, rename.io.out.map(_.bits.robPtr))
  decodeException.bits.exception := PriorityMux(excepted, rename.io.decoded.map(_.exception))
  decodeException.bits.isInterrupt := PriorityMux(excepted, rename.io.decoded.map(_.isInterrupted))
  rob.io.exception := exceptions.io.out
  rob.io.interrupts := csr.io.interrupts

  // retirement
  private val commit = rob.io.commit
  private def retiring(f: RobEntry => Bool): UInt = PopCount(commit.map(c => c.valid && f(c.bits)))
  for ((r, c) <- rename.io.commit.zip(commit)) {
    r.valid := c.valid
    r.bits := c.bits.register
  }
  io.lsu.commitLoads := retiring(_.isLoad)
  io.lsu.commitStores := retiring(_.isStore)
  io.lsu.robHead.valid := !rob.io.empty && !rob.io.headStuck
  io.lsu.robHead.bits := p.robRing.index(rob.io.head)
  io.amuRequest.commitValid := rob.io.ami.valid
  rob.io.ami.ready := io.amuRequest.commitReady
  rob.io.ami.exception.valid := io.amuRequest.commitException
  rob.io.ami.exception.cause := io.amuRequest.commitCause
  rob.io.ami.exception.tval := io.amuRequest.commitTval
  private val taken = retiring(_.finTaken)
  private val committedFin = RegInit(0.U(p.amu.finPtrBits.W))
  committedFin := committedFin + taken
  io.amuFinish.commitTake := taken =/= 0.U
  assert(taken <= 1.U, "two finish-queue entries retire in one cycle")
  csr.io.retired := retiring(_ => true.B)
  csr.io.fpRetired := rob.io.fpRetired
  widePc.io.oldest := rob.io.commitPc(0)
  private val trap = WireDefault(rob.io.trap)
  trap.pc := widePc.io.oldestAddress
  csr.io.trap := trap
  csr.io.mret := commit(0).valid && commit(0).bits.isMret
  csr.io.sret := commit(0).valid && commit(0).bits.isSret
  csr.io.hartId := io.hartId
  csr.io.lines := io.lines
  io.frontend.commitFtqIdx.valid := !rob.io.empty
  io.frontend.commitFtqIdx.bits := rob.io.headEntry.ftqIdx

  // squash and flush
  rename.io.resolved.valid := resolution.valid
  rename.io.resolved.bits := resolution.bits.snapshot
  private val squash = kill.squash && !kill.flush
  io.lsu.flush := kill.flush
  io.lsu.restore.valid := squash
  io.lsu.restore.bits.lqTail := rename.io.restored.lqTail
  io.lsu.restore.bits.sqTail := rename.io.restored.sqTail
  io.amuRequest.flush := kill.flush
  io.amuRequest.restore.valid := squash
  io.amuRequest.restore.bits := rename.io.restored.reqTail
  io.amuFinish.flush := kill.flush
  io.amuFinish.restore.valid := squash
  io.amuFinish.restore.bits := rename.io.restored.finPtr

  private val privileged = flush.valid && (flush.bits.isTrap || flush.bits.isMret || flush.bits.isSret)
  private val privilegedTarget = Mux(flush.bits.isTrap, csr.io.trapVector, Mux(flush.bits.isMret, csr.io.mepc, csr.io.sepc))
  private val redirect = io.frontend.redirect
  redirect.valid := kill.flush || kill.squash
  redirect.bits.target := MuxCase(
    resolution.bits.next,
    Seq(
      privileged -> Pc.of(privilegedTarget, p),
      (flush.valid && (flush.bits.isReplay || flush.bits.isWithdrawn)) -> flush.bits.pc,
      flush.valid -> (flush.bits.pc + Mux(flush.bits.isRvc, 2.U, 4.U))
    )
  )
  widePc.io.redirect.valid := redirect.valid
  widePc.io.redirect.bits.pc := redirect.bits.target
  widePc.io.redirect.bits.isJump := privileged || !flush.valid
  widePc.io.redirect.bits.address := Mux(flush.valid, privilegedTarget, resolution.bits.wideTarget)
  redirect.bits.ftqIdx := Mux(flush.valid, flush.bits.ftqIdx, resolution.bits.info.ftqIdx)
  redirect.bits.isCfi := !flush.valid
  redirect.bits.pc := Mux(flush.valid, flush.bits.pc, resolution.bits.pc)
  redirect.bits.taken := resolution.bits.taken
  redirect.bits.cfiType := resolution.bits.info.cfiType
  redirect.bits.isRvc := Mux(flush.valid, flush.bits.isRvc, resolution.bits.info.isRvc)
  redirect.bits.finPtr := Mux(flush.valid, committedFin, rename.io.restored.finPtr)
  io.frontend.invalidateICache := flush.valid && flush.bits.isFenceI
  private val update = io.frontend.update
  update.valid := resolution.valid
  update.bits.pc := resolution.bits.pc
  update.bits.ftqIdx := resolution.bits.info.ftqIdx
  update.bits.cfiType := resolution.bits.info.cfiType
  update.bits.taken := resolution.bits.taken
  update.bits.target := resolution.bits.target
  update.bits.mispredicted := resolution.bits.mispredicted
  update.bits.isRvc := resolution.bits.info.isRvc

  // observation
  for ((addr, c) <- execute.io.traceAddr.zip(commit)) {
    addr.regClass := c.bits.register.regClass
    addr.index := c.bits.register.physical
  }
  trace.io.value := execute.io.traceData
  trace.io.finResult := execute.io.finResult
  trace.io.request := io.amuRequest.commitAddress
  trace.io.head := rob.io.head
  trace.io.commit := commit
  trace.io.commitPc := rob.io.commitPc
  trace.io.trap := trap
  io.commit := trace.io.records
  io.privileged := csr.io.trace
  io.privileged.sleeps := !rob.io.empty && rob.io.headEntry.isWfi
  stalls.io.retires := commit(0).valid
  stalls.io.retiresVainPoll := retiring(c => c.isFin && !c.finTaken) =/= 0.U
  stalls.io.empty := rob.io.empty
  stalls.io.headIdx := p.robRing.index(rob.io.head)
  stalls.io.head := rob.io.headEntry
  stalls.io.headStuck := rob.io.headStuck
  stalls.io.headWaitsForFar := io.lsu.headWaitsForFar
  stalls.io.redirect := kill.flush || kill.squash
  stalls.io.fetchWaitsForGroup := io.frontend.waitsForGroup
  stalls.io.stall := rename.io.stall
  stalls.io.waitsForStores := rename.io.waitsForStores
  stalls.io.allocate := rename.io.out.map(_.valid)
  stalls.io.tail := rob.io.tail
  stalls.io.issued := execute.io.issued
  perf.io.commit := commit
  perf.io.empty := rob.io.empty
  perf.io.headPc := widePc.io.oldestAddress
  perf.io.head := rob.io.head
  perf.io.resolution := resolution
  perf.io.flush := flush
  perf.io.stall := rename.io.stall
  perf.io.cause := stalls.io.cause
  perf.io.cycles := stalls.io.cycles
  io.perf := perf.io.perf
}
