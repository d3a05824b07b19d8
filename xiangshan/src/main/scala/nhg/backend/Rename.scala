// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu._
import chisel3._
import chisel3.util._
import nhg._

/** Why rename does not take its group this cycle (performance probe). */
class RenameStall(p: NhgParams) extends Bundle {
  val rob = Bool()
  val freeList = Bool()
  val loadQueue = Bool()
  val storeQueue = Bool()
  val dispatchQueue = Bool()
  val snapshot = Bool()
  val amuQueue = Bool()
  val serial = Bool()
}

/** Rename stage: takes the longest prefix of its group that may go together, all or nothing with respect to resources, and allocates
  * registers, ROB, LQ, SQ, snapshot, request-queue and finish-queue entries. A group ends before a second getfin/bafin, a second AMI
  * request, a third control-flow instruction, and around an instruction that must be alone in the ROB. Lanes left over move down.
  */
class Rename(p: NhgParams) extends Module {
  private val dw = p.backend.decodeWidth
  private val countBits = log2Ceil(dw + 1)
  val io = IO(new Bundle {
    val in = Input(Vec(dw, Valid(new DecodedOp(p)))) // valid is a prefix
    val ready = Output(Bool())
    val kill = Input(new Kill(p))
    // resources
    val robTail = Input(UInt(RobPtr.bits(p).W))
    val robFree = Input(UInt(log2Ceil(p.backend.robEntries + 1).W))
    val robEmpty = Input(Bool())
    val intFree = Input(UInt(log2Ceil(p.backend.dispatchQueue + 1).W))
    val lsFree = Input(UInt(log2Ceil(p.backend.dispatchQueue + 1).W))
    val lqTail = Input(UInt(p.lqPtrBits.W))
    val sqTail = Input(UInt(p.sqPtrBits.W))
    val lqFree = Input(UInt(p.lqPtrBits.W))
    val sqFree = Input(UInt(p.sqPtrBits.W))
    val storesDrained = Input(Bool())
    val storesInLines = Input(Bool())
    val allocLoads = Output(UInt(countBits.W))
    val allocStores = Output(UInt(countBits.W))
    val reqTail = Input(UInt(p.amu.reqPtrBits.W))
    val reqFull = Input(Bool())
    val reqAllocate = Valid(new Bundle {
      val op = UInt(3.W)
      val sqPtr = UInt(p.sqPtrBits.W)
    })
    val finAvailable = Input(Bool())
    val finPtr = Input(UInt(p.amu.finPtrBits.W))
    val finTake = Output(Bool())
    // results: a prefix
    val out = Output(Vec(dw, Valid(new MicroOp(p))))
    val decoded = Output(Vec(dw, new DecodedOp(p)))
    val pold = Output(Vec(dw, UInt(p.pregBits.W)))
    // resolution and commit
    val infoIdx = Input(UInt(log2Ceil(p.backend.branchSnapshots).W))
    val infoRead = Output(new BranchInfo(p))
    val resolved = Input(Valid(UInt(log2Ceil(p.backend.branchSnapshots).W)))
    val restored = Output(new BranchSnapshot(p))
    val commit = Input(Vec(p.backend.commitWidth, Valid(new CommittedRegister(p))))
    val stall = Output(new RenameStall(p))
  })
  private val table = Module(new RenameTable(p))
  private val freeList = Module(new FreeList(p))
  private val snapshots = Module(new Snapshots(p))
  private val kill = io.kill.flush || io.kill.squash

  private val valid = RegInit(VecInit(Seq.fill(dw)(false.B)))
  private val ops = Reg(Vec(dw, new DecodedOp(p)))

  // the group
  private def before(i: Int)(f: DecodedOp => Bool): UInt = CountBefore(ops.take(i).map(f), countBits)
  private val cut = (0 until dw).map { i =>
    val op = ops(i)
    val older = ops.take(i)
    if (i == 0) false.B
    else
      op.serial || VecInit(older.map(_.serial)).asUInt.orR || op.isFin && before(i)(_.isFin) =/= 0.U ||
      op.isAmi && before(i)(_.isAmi) =/= 0.U || op.isCfi && before(i)(_.isCfi) >= Snapshots.perCycle.U
  }
  private val group = (0 until dw).map(i => valid(i) && !VecInit(cut.take(i + 1)).asUInt.orR)
  private def count(f: DecodedOp => Bool): UInt = PopCount((0 until dw).map(i => group(i) && f(ops(i))))
  private def isInt(op: DecodedOp) = op.fuType <= FuType.mdu
  private def isLs(op: DecodedOp) = op.fuType >= FuType.load && op.fuType <= FuType.ami
  private def writes(op: DecodedOp) = op.lrd =/= 0.U

  private val serialBusy = RegInit(false.B)
  private val loads = count(_.isLoad)
  private val stores = count(_.isStore)
  io.stall.rob := PopCount(group) > io.robFree
  io.stall.freeList := count(writes) > freeList.io.free
  io.stall.loadQueue := loads > io.lqFree
  io.stall.storeQueue := stores > io.sqFree
  io.stall.dispatchQueue := count(isInt) > io.intFree || count(isLs) > io.lsFree
  io.stall.snapshot := count(_.isCfi) > snapshots.io.free
  io.stall.amuQueue := io.reqFull && count(_.isAmi) =/= 0.U
  private val storesDone = (!ops(0).drainStores || io.storesDrained) && (!ops(0).isFenceI || io.storesInLines)
  io.stall.serial := serialBusy || valid(0) && ops(0).serial && !(io.robEmpty && storesDone)
  private val fire = valid(0) && !kill && !io.stall.asUInt.orR
  private val take = VecInit(group.map(_ && fire))

  when(kill) { serialBusy := false.B }
    .elsewhen(fire && ops(0).serial) { serialBusy := true.B }
    .elsewhen(io.robEmpty) { serialBusy := false.B }

  // next group
  private val taken = PopCount(take)
  private val left = PopCount(valid) - taken
  io.ready := left === 0.U
  when(kill) {
    valid.foreach(_ := false.B)
  }.elsewhen(io.ready) {
    valid := VecInit(io.in.map(_.valid))
    when(io.in(0).valid) { ops := VecInit(io.in.map(_.bits)) }
  }.elsewhen(fire) {
    for (i <- 0 until dw) {
      valid(i) := i.U < left
      ops(i) := MuxLookup(taken, ops(i), (1 until dw - i).map(n => n.U -> ops(i + n)))
    }
  }

  // registers
  private val pdst = (0 until dw).map(i => Mux(writes(ops(i)), freeList.io.next(before(i)(writes)(log2Ceil(dw) - 1, 0)), 0.U))
  freeList.io.allocate := Mux(fire, count(writes), 0.U)
  private val frees = io.commit.map(c => c.valid && c.bits.lrd =/= 0.U)
  freeList.io.commitCount := PopCount(frees)
  for (k <- 0 until p.backend.commitWidth) {
    val kth = frees.indices.map(i => frees(i) && CountBefore(frees.take(i), countBits) === k.U)
    freeList.io.commitFreed(k) := Mux1H(kth, io.commit.map(_.bits.pold))
  }
  for (i <- 0 until dw) {
    val lane = table.io.lane(i)
    lane.lrs1 := ops(i).lrs1
    lane.lrs2 := ops(i).lrs2
    lane.lrd := ops(i).lrd
    lane.pdst := pdst(i)
  }
  table.io.take := take
  table.io.commit := io.commit

  // finish queue: an entry for a getfin/bafin, unless the frontend has promised that this bafin finds none
  private val wants = VecInit((0 until dw).map { i =>
    val f = ops(i).fetched
    ops(i).isFin && !(f.bafinPredicted && !f.predTaken)
  })
  private val takes = VecInit((0 until dw).map(i => group(i) && wants(i) && io.finAvailable))
  io.finTake := fire && takes.asUInt.orR
  private val finAfter = (0 until dw).map(i => io.finPtr + takes.take(i + 1).reduce(_ || _))

  // queues
  io.allocLoads := Mux(fire, loads, 0.U)
  io.allocStores := Mux(fire, stores, 0.U)
  private val lqPtr = (0 to dw).map(i => io.lqTail + before(i)(_.isLoad))
  private val sqPtr = (0 to dw).map(i => io.sqTail + before(i)(_.isStore))
  private val amiLane = VecInit((0 until dw).map(i => group(i) && ops(i).isAmi))
  io.reqAllocate.valid := fire && amiLane.asUInt.orR
  io.reqAllocate.bits.op := Mux1H(amiLane, ops.map(_.fn(2, 0)))
  io.reqAllocate.bits.sqPtr := Mux1H(amiLane, sqPtr.take(dw))

  // snapshots
  for (k <- 0 until Snapshots.perCycle) {
    val here = (0 until dw).map(i => take(i) && ops(i).isCfi && before(i)(_.isCfi) === k.U)
    snapshots.io.allocate(k) := VecInit(here).asUInt.orR
    val state = snapshots.io.state(k)
    state.rat := Mux1H(here, table.io.after)
    state.freeHead := Mux1H(here, (1 to dw).map(i => freeList.io.head + before(i)(writes)))
    state.lqTail := Mux1H(here, lqPtr.tail)
    state.sqTail := Mux1H(here, sqPtr.tail)
    state.reqTail := Mux1H(here, (0 until dw).map(i => io.reqTail + amiLane.take(i + 1).reduce(_ || _)))
    state.finPtr := Mux1H(here, finAfter)
    val info = snapshots.io.info(k)
    info.ftqIdx := Mux1H(here, ops.map(_.fetched.ftqIdx))
    info.cfiType := Mux1H(here, ops.map(_.cfiType))
    info.predTaken := Mux1H(here, ops.map(_.fetched.predTaken))
    info.predTarget := Mux1H(here, ops.map(_.fetched.predTarget))
    info.isRvc := Mux1H(here, ops.map(_.fetched.isRvc))
  }
  snapshots.io.infoIdx := io.infoIdx
  io.infoRead := snapshots.io.infoRead
  snapshots.io.resolved := io.resolved
  snapshots.io.squash := io.kill.squash && !io.kill.flush
  snapshots.io.flush := io.kill.flush
  io.restored := snapshots.io.stateRead
  table.io.flush := io.kill.flush
  table.io.restore.valid := io.kill.squash
  table.io.restore.bits := io.restored.rat
  freeList.io.flush := io.kill.flush
  freeList.io.restore.valid := io.kill.squash
  freeList.io.restore.bits := io.restored.freeHead

  for (i <- 0 until dw) {
    val uop = io.out(i).bits
    val op = ops(i)
    io.out(i).valid := take(i)
    uop.robPtr := RobPtr.add(p, io.robTail, i.U)
    uop.fuType := op.fuType
    uop.fn := op.fn
    uop.word := op.word
    uop.useImm := op.useImm
    uop.usePc := op.usePc
    uop.imm := op.imm
    uop.psrc1 := table.io.psrc1(i)
    uop.psrc2 := table.io.psrc2(i)
    uop.pdst := pdst(i)
    uop.waitForStores := op.waitForStores
    uop.lqPtr := lqPtr(i)
    uop.sqPtr := sqPtr(i)
    uop.reqPtr := io.reqTail
    uop.finPtr := io.finPtr
    uop.finTaken := takes(i)
    uop.snapshot := snapshots.io.next(Mux(before(i)(_.isCfi) === 0.U, 0.U, 1.U)(0))
    io.decoded(i) := op
    io.pold(i) := table.io.pold(i)
  }
}
