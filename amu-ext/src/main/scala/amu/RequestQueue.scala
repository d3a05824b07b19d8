// SPDX-License-Identifier: Apache-2.0
package amu

import bus.BoundedWait
import chisel3._
import chisel3.util._
import platform.{AddressWord, AmiOperation, AmuLimits}

/** A committed `aload`/`astore`: up to 4 KiB inside one page. */
class CoarseRequest(p: AmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val isStore = Bool()
  val addr = UInt(p.paddrBits.W) // bytes
  val size = UInt(13.W) // bytes
  val spmAddr = UInt(p.spmAddrBits.W) // bytes
}

/** What an AMI instruction does to the ID tables and the configuration at commit. */
class AmiCommit(p: AmuParams) extends Bundle {
  val op = UInt(AmiOp.width.W)
  val id = UInt(p.idBits.W)
  val count = UInt(6.W) // aset
  val lines = UInt(7.W) // aload, astore
  val target = UInt(p.targetBits.W)
  val register = UInt(3.W) // aconfig
  val value = UInt(p.pcBits.W)
}

/** Request queue (Table I: 16 entries): AMI requests from rename until the engine takes them.
  *
  * Three pointers go round: tail (rename), commit (checked at the ROB head by RequestCheck) and head (handed to the splitter, in
  * order, when the hart's older stores have been performed). An address is translated when it comes; one that misses the TLB is translated again when a walk of
  * page tables has ended, the oldest first, and does not commit before. Instructions without memory access act at commit and only pass through.
  * Squashes touch uncommitted entries only.
  */
class RequestQueue(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val core = new AmuRequestIO(p)
    val translation = new AmuTranslationIO
    val sqDeqPtr = Input(UInt(p.sqPtrBits.W))
    val storeBuffer = Input(new StoreBufferState(p))
    /** The oldest uncommitted entry's ID and its state. */
    val commitId = Output(UInt(p.idBits.W))
    val idState = Input(new IdState)
    /** Another ID that `commitId` is to be, while no entry commits. */
    val asked = Flipped(Valid(UInt(p.idBits.W)))
    val spmSlot = Input(UInt(13.W))
    val spmWayTaken = Input(Bool())
    val amuOn = Input(Bool())
    /** Room for the ID that an await or asignal may finish. */
    val signalReady = Input(Bool())
    val commit = Valid(new AmiCommit(p))
    val out = Decoupled(new CoarseRequest(p))
    val stallStoreOrder = Output(Bool())
    val stallSignal = Output(Bool())
  })
  private val n = p.requestQueue
  private val core = io.core
  private val ring = p.requestRing

  private val head = RegInit(0.U(p.reqPtrBits.W))
  private val commitPtr = RegInit(0.U(p.reqPtrBits.W))
  private val tail = RegInit(0.U(p.reqPtrBits.W))

  private val op = Reg(Vec(n, UInt(AmiOp.width.W)))
  private val sqPtr = Reg(Vec(n, UInt(p.sqPtrBits.W)))
  private val passed = Reg(Vec(n, Bool())) // all older stores have left the store queue
  private val behind = Reg(Vec(n, UInt(p.storeBufferLines.W))) // from then on: lines of the store buffer that may hold some of them
  private val where = Mem(n, new TranslatedPage(p))
  private val untranslated = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val asleep = Reg(Vec(n, Bool())) // and waits for a walk
  private val hasOperands = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val rs1 = Mem(n, UInt(64.W))
  private val rs2 = Mem(n, UInt(64.W))
  private val spmAddr = Mem(n, UInt(p.spmAddrBits.W)) // from commit on: spm_slot may change later

  // Rename
  core.tail := tail
  core.full := ring.distance(tail, head) === n.U
  for (i <- 0 until n) {
    val passes = !passed(i) && !p.storeRing.isBefore(io.sqDeqPtr, sqPtr(i))
    behind(i) := Mux(passes, io.storeBuffer.used, behind(i)) & ~io.storeBuffer.freed
    when(passes) { passed(i) := true.B }
  }
  private def ordered(ptr: UInt): Bool = passed(ring.index(ptr)) && behind(ring.index(ptr)) === 0.U
  when(core.allocate) {
    assert(!core.full, "request queue overflow")
    op(ring.index(tail)) := core.allocateOp
    sqPtr(ring.index(tail)) := core.allocateSqPtr
    passed(ring.index(tail)) := false.B
    hasOperands(ring.index(tail)) := false.B
    untranslated(ring.index(tail)) := false.B
  }

  // Execute
  when(core.operands.valid) {
    rs1.write(ring.index(core.operands.bits.ptr), core.operands.bits.rs1)
    rs2.write(ring.index(core.operands.bits.ptr), core.operands.bits.rs2)
    hasOperands(ring.index(core.operands.bits.ptr)) := true.B
  }

  // Translation
  private val t = io.translation
  private val arrives = core.operands.valid
  private val again = ring.rotate(VecInit(untranslated.zip(asleep).map { case (u, a) => u && !a }).asUInt, commitPtr)
  private val looked = Mux(arrives, ring.index(core.operands.bits.ptr), (ring.index(commitPtr) + PriorityEncoder(again))(ring.indexBits - 1, 0))
  private val asked = Wire(new AmiOperands)
  asked.op := op(looked)
  asked.rs1 := Mux(arrives, core.operands.bits.rs1, rs1.read(looked))
  asked.rs2 := DontCare
  private val looks = (arrives || again.orR) && asked.isMemory
  t.address := asked.address
  t.isStore := asked.is(AmiOperation.astore)
  t.walks := looks
  private val found = Wire(new TranslatedPage(p))
  found.page := t.physical(p.paddrBits - 1, 12)
  found.outside := t.physical(63, p.paddrBits).orR
  found.pageFault := t.pageFault
  found.denied := t.denied
  when(t.woken) { asleep.foreach(_ := false.B) }
  when(looks) { where.write(looked, found) }
  when(looks || arrives) {
    untranslated(looked) := looks && t.miss
    asleep(looked) := t.waits
  }

  // Commit
  private val check = Module(new RequestCheck(p))
  private val oldest = check.io.in
  oldest.op := op(ring.index(commitPtr))
  oldest.rs1 := rs1.read(ring.index(commitPtr))
  oldest.rs2 := rs2.read(ring.index(commitPtr))
  check.io.state := io.idState
  check.io.spmSlot := io.spmSlot
  check.io.spmWayTaken := io.spmWayTaken
  check.io.where := where.read(ring.index(commitPtr))
  private val translated = !untranslated(ring.index(commitPtr))
  BoundedWait.memory(core.commitValid && !translated, "a request of the AMU for its translation")
  io.commitId := Mux(io.asked.valid, io.asked.bits, oldest.idOperand)

  private val needsSignal = oldest.op === AmiOp(AmiOperation.await) || oldest.op === AmiOp(AmiOperation.asignal)
  core.commitException := translated && check.io.exception
  core.commitReady := translated && (check.io.exception || !needsSignal || io.signalReady)
  core.commitCause := check.io.cause
  core.commitTval := check.io.tval
  private val commits = core.commitValid && core.commitReady && !core.commitException
  core.commitAddress.valid := commits && oldest.isMemory
  core.commitAddress.bits := Cat(check.io.where.page, oldest.address(11, 0))
  io.commit.valid := commits
  io.commit.bits.op := oldest.op
  io.commit.bits.id := io.commitId
  io.commit.bits.count := oldest.rs2
  io.commit.bits.lines := check.io.lines
  io.commit.bits.target := oldest.target
  io.commit.bits.register := oldest.rs2
  io.commit.bits.value := oldest.rs1
  when(commits) { spmAddr.write(ring.index(commitPtr), check.io.spmAddr) }
  when(core.commitValid) {
    assert(commitPtr =/= tail && hasOperands(ring.index(commitPtr)), "commit of an AMI request that is not there or has no operands")
    assert(io.amuOn, "AMI request while the AMU is off")
    assert(!io.asked.valid, "AMI request at the ROB head while IDs are read out")
    assert(oldest.op =/= AmiOp(AmiOperation.getfin) && oldest.op =/= AmiOp(AmiOperation.bafin), "getfin and bafin have no request-queue entry")
  }
  private val commitNext = ring.add(commitPtr, commits)
  commitPtr := commitNext

  // Squash
  when(core.flush) {
    tail := commitNext
  }.elsewhen(core.restore.valid) {
    tail := core.restore.bits
    assert(ring.distance(core.restore.bits, commitNext) <= ring.distance(tail, commitNext), "restore beyond the uncommitted entries")
  }.elsewhen(core.allocate) {
    tail := ring.add(tail, 1.U)
  }

  // Hand over
  private val headOp = op(ring.index(head))
  private val headIsMemory = headOp === AmiOp(AmiOperation.aload) || headOp === AmiOp(AmiOperation.astore)
  private val headRs1 = rs1.read(ring.index(head))
  private val committed = head =/= commitPtr
  io.out.valid := committed && headIsMemory && ordered(head)
  io.out.bits.id := rs2.read(ring.index(head))
  io.out.bits.isStore := headOp === AmiOp(AmiOperation.astore)
  io.out.bits.addr := Cat(where.read(ring.index(head)).page, headRs1(11, 0))
  io.out.bits.size := (1.U << headRs1(AddressWord.size.msb, AddressWord.size.lsb))(AmuLimits.sizeLog2Max, 0)
  io.out.bits.spmAddr := spmAddr.read(ring.index(head))
  when(committed && (io.out.fire || !headIsMemory)) { head := ring.add(head, 1.U) }

  assert(ring.distance(commitPtr, head) <= ring.distance(tail, head) && ring.distance(tail, head) <= n.U, "request queue pointers out of order")
  BoundedWait.memory(committed && headIsMemory && !io.out.fire, "the oldest committed request of the AMU")
  BoundedWait.memory(core.commitValid && !core.commitReady, "an await or asignal at the ROB head")
  io.stallStoreOrder := committed && headIsMemory && !ordered(head)
  io.stallSignal := core.commitValid && !core.commitReady
}
