// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu._
import chisel3._
import chisel3.util._
import nhg._

/** Why rename takes nothing this cycle (performance probe): what its oldest operation lacks. */
class RenameStall(p: NhgParams) extends Bundle {
  val rob = Bool()
  val freeList = Bool()
  val loadQueue = Bool()
  val storeQueue = Bool()
  val dispatchQueue = Bool()
  val snapshot = Bool()
  val amuQueue = Bool()
  val serial = Bool()
  val empty = Bool() // it has none
}

/** Rename stage: takes the longest prefix of its group that may go together and has the resources, and allocates
  * registers, ROB, LQ, SQ, snapshot, request-queue and finish-queue entries. A group ends before a second getfin/bafin, a second AMI
  * request, a third control-flow instruction, and around an instruction that must be alone in the ROB. Lanes left over move down.
  * Moves are executed here: their destination becomes the source's physical register.
  */
class Rename(p: NhgParams) extends Module {
  private val dw = p.backend.decodeWidth
  private val countBits = log2Ceil(dw + 1)
  val io = IO(new Bundle {
    val in = Input(Vec(dw, Valid(new DecodedOp(p)))) // valid is a prefix
    val ready = Output(Bool())
    val kill = Input(new Kill(p))
    // resources
    val robTail = Input(UInt(p.robRing.bits.W))
    val robFree = Input(UInt(log2Ceil(p.backend.robEntries + 1).W))
    val robEmpty = Input(Bool())
    val dispatchFree = Input(new ByName(p.backend.dispatchQueues.map(_.name), UInt(8.W)))
    val lqTail = Input(UInt(p.lqPtrBits.W))
    val sqTail = Input(UInt(p.sqPtrBits.W))
    val lqFree = Input(UInt(p.lqPtrBits.W))
    val sqFree = Input(UInt(p.sqPtrBits.W))
    val storesDrained = Input(Bool())
    val storesInLines = Input(Bool())
    val requestsInFlight = Input(Bool()) // of the AMU, committed
    val allocLoads = Output(UInt(countBits.W))
    val allocStores = Output(UInt(countBits.W))
    val reqTail = Input(UInt(p.amu.reqPtrBits.W))
    val reqFull = Input(Bool())
    val reqAllocate = Valid(new Bundle {
      val op = UInt(amu.AmiOp.width.W)
      val sqPtr = UInt(p.sqPtrBits.W)
    })
    val finAvailable = Input(Bool())
    val finPtr = Input(UInt(p.amu.finPtrBits.W))
    val finTake = Output(Bool())
    // results: a prefix
    val out = Output(Vec(dw, Valid(new MicroOp(p))))
    val decoded = Output(Vec(dw, new DecodedOp(p)))
    val pold = Output(Vec(dw, UInt(p.physicalRegBits.W)))
    // resolution and commit
    val infoIdx = Input(UInt(log2Ceil(p.backend.branchSnapshots).W))
    val infoRead = Output(new BranchInfo(p))
    val resolved = Input(Valid(UInt(log2Ceil(p.backend.branchSnapshots).W)))
    val restored = Output(new BranchSnapshot(p))
    val commit = Input(Vec(p.backend.commitWidth, Valid(new CommittedRegister(p))))
    val stall = Output(new RenameStall(p))
    val waitsForStores = Output(Bool()) // the reason for stall.serial
  })
  private val classes = p.backend.registerClasses.zipWithIndex
  private val tables = classes.map { case (c, _) => Module(new RenameTable(p, c)).suggestName(s"${c.name}Table") }
  private val freeLists = classes.map { case (c, _) => Module(new FreeList(p, c)).suggestName(s"${c.name}FreeList") }
  private val snapshots = Module(new Snapshots(p))
  private val kill = io.kill.flush || io.kill.squash

  private val valid = RegInit(VecInit(Seq.fill(dw)(false.B)))
  private val ops = Reg(Vec(dw, new DecodedOp(p)))

  // the group
  private val serialBusy = RegInit(false.B)
  private val storesDone = (!ops(0).drainStores || io.storesDrained) && (!(ops(0).isFenceI || ops(0).isSfence) || io.storesInLines) &&
    (!ops(0).drainRequests || !io.requestsInFlight)
  private def goesTo(queue: DispatchQueueParams)(op: DecodedOp): Bool = Dispatch.fills(p, queue, op.queues).orR
  private def writes(k: Int)(op: DecodedOp): Bool = op.dest.writes && op.dest.regClass === k.U
  private def allocates(k: Int)(op: DecodedOp): Bool = writes(k)(op) && !op.isMove
  private def before(i: Int)(f: DecodedOp => Bool): UInt = CountBefore(ops.take(i).map(f), countBits)
  private val cut = (0 until dw).map { i =>
    val op = ops(i)
    val older = ops.take(i)
    if (i == 0) false.B
    else
      op.serial || VecInit(older.map(_.serial)).asUInt.orR || op.isFin && before(i)(_.isFin) =/= 0.U ||
      op.isAmi && before(i)(_.isAmi) =/= 0.U || op.isCfi && before(i)(_.isCfi) >= Snapshots.perCycle.U
  }
  private def lacking(i: Int): RenameStall = { // what operations 0 … i together lack
    val stall = Wire(new RenameStall(p))
    def needed(f: DecodedOp => Bool): UInt = before(i + 1)(f)
    stall.rob := (i + 1).U > io.robFree
    stall.freeList := classes.map { case (_, k) => needed(allocates(k)) > freeLists(k).io.free }.reduce(_ || _)
    stall.loadQueue := needed(_.isLoad) > io.lqFree
    stall.storeQueue := needed(_.isStore) > io.sqFree
    stall.dispatchQueue := p.backend.dispatchQueues.map(q => needed(goesTo(q)) > io.dispatchFree(q.name)).reduce(_ || _)
    stall.snapshot := needed(_.isCfi) > snapshots.io.free
    stall.amuQueue := io.reqFull && needed(_.isAmi) =/= 0.U
    stall.serial := serialBusy || ops(0).serial && !(io.robEmpty && storesDone)
    stall.empty := false.B
    stall
  }
  private val lacks = (0 until dw).map(lacking)
  private val group = (0 until dw).map(i => valid(i) && !VecInit(cut.take(i + 1)).asUInt.orR && !lacks(i).asUInt.orR)
  private def count(f: DecodedOp => Bool): UInt = PopCount((0 until dw).map(i => group(i) && f(ops(i))))
  private val loads = count(_.isLoad)
  private val stores = count(_.isStore)
  private val fire = group(0) && !kill
  private val take = VecInit(group.map(_ && fire))
  private val nothing = WireDefault(0.U.asTypeOf(new RenameStall(p)))
  nothing.empty := true.B
  io.stall := Mux(valid(0), lacks(0), nothing)
  io.waitsForStores := !serialBusy && valid(0) && ops(0).serial && !storesDone

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

  // registers, class by class; a move's is that of its source
  private val pdst = classes.map { case (_, k) =>
    (0 until dw).map { i =>
      val own = freeLists(k).io.next(before(i)(allocates(k))(log2Ceil(dw) - 1, 0))
      Mux(ops(i).isMove, tables(k).io.psrc(i)(0), own)
    }
  }
  for (((_, k), (table, freeList)) <- classes.zip(tables.zip(freeLists))) {
    freeList.io.allocate := Mux(fire, count(allocates(k)), 0.U)
    val written = io.commit.map(c => c.valid && c.bits.writesTo(k))
    freeList.io.commitCount := PopCount(io.commit.zip(written).map { case (c, w) => w && !c.bits.isMove })
    val freed = table.io.freed
    freeList.io.freedCount := PopCount(freed)
    for (n <- 0 until p.backend.commitWidth) {
      val nth = freed.indices.map(i => freed(i) && CountBefore(freed.take(i), log2Ceil(p.backend.commitWidth + 1)) === n.U)
      freeList.io.freed(n) := Mux1H(nth, io.commit.map(_.bits.old))
    }
    for (i <- 0 until dw) {
      val lane = table.io.lane(i)
      lane.lrs := ops(i).lrs.map(_.index)
      lane.writes := writes(k)(ops(i))
      lane.lrd := ops(i).dest.index
      lane.pdst := pdst(k)(i)
    }
    table.io.take := take
    for ((to, (from, valid)) <- table.io.commit.zip(io.commit.zip(written))) {
      to.valid := valid
      to.bits.logical := from.bits.logical
      to.bits.physical := from.bits.physical
      to.bits.old := from.bits.old
    }
    table.io.flush := io.kill.flush
    table.io.restore.valid := io.kill.squash
    table.io.restore.bits := io.restored.registers(k).map
    freeList.io.flush := io.kill.flush
    freeList.io.restore.valid := io.kill.squash
    freeList.io.restore.bits := io.restored.registers(k).freeHead
  }

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
  io.reqAllocate.bits.op := Mux1H(amiLane, ops.map(_.fn(amu.AmiOp.width - 1, 0)))
  io.reqAllocate.bits.sqPtr := Mux1H(amiLane, sqPtr.take(dw))

  // snapshots
  for (k <- 0 until Snapshots.perCycle) {
    val here = (0 until dw).map(i => take(i) && ops(i).isCfi && before(i)(_.isCfi) === k.U)
    snapshots.io.allocate(k) := VecInit(here).asUInt.orR
    val state = snapshots.io.state(k)
    for ((_, c) <- classes) {
      state.registers(c).map := Mux1H(here, tables(c).io.after)
      state.registers(c).freeHead := Mux1H(here, (1 to dw).map(i => classes(c)._1.freeRing.add(freeLists(c).io.head, before(i)(allocates(c)))))
    }
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

  for (i <- 0 until dw) {
    val uop = io.out(i).bits
    val op = ops(i)
    io.out(i).valid := take(i)
    uop.robPtr := p.robRing.add(io.robTail, i.U)
    uop.queues := op.queues
    uop.fuType := op.fuType
    uop.fn := op.fn
    uop.word := op.word
    uop.useImm := op.useImm
    uop.usePc := op.usePc
    uop.imm := op.imm
    for (s <- 0 until p.backend.sources) {
      uop.psrc(s).regClass := op.lrs(s).regClass
      uop.psrc(s).index := ByClass.among(op.lrs(s).regClass, p.backend.sourceClasses(s).map(k => k -> tables(k).io.psrc(i)(s)))
    }
    uop.dest.writes := op.dest.writes && !op.isMove
    uop.dest.regClass := op.dest.regClass
    uop.dest.index := ByClass(op.dest.regClass, pdst.map(_(i)))
    uop.waitForStores := op.waitForStores
    uop.lqPtr := lqPtr(i)
    uop.sqPtr := sqPtr(i)
    uop.reqPtr := io.reqTail
    uop.finPtr := io.finPtr
    uop.finTaken := takes(i)
    uop.snapshot := snapshots.io.next(Mux(before(i)(_.isCfi) === 0.U, 0.U, 1.U)(0))
    io.decoded(i) := op
    io.pold(i) := ByClass(op.dest.regClass, tables.map(_.io.pold(i)))
  }
}
