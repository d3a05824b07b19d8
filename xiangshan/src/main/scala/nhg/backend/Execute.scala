// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.FinishedGroup
import chisel3._
import chisel3.util._
import nhg._

/** A resolved control-flow instruction. */
class Resolution(p: NhgParams) extends Bundle {
  val snapshot = UInt(log2Ceil(p.backend.branchSnapshots).W)
  val robPtr = UInt(RobPtr.bits(p).W)
  val pc = UInt(p.pcBits.W)
  val info = new BranchInfo(p)
  val taken = Bool()
  val target = UInt(p.pcBits.W)
  val wideTarget = UInt(64.W)
  val next = UInt(p.pcBits.W)
  val mispredicted = Bool()
}

/** Issue queues, register read and execution: 8 issue ports (ALU0, ALU1, BRU, MDU, LD0, LD1, STA, STD). Select, register read, execute
  * are one cycle each; one-cycle operations wake their dependents at select, multiplications two cycles before their result,
  * divisions and loads with it.
  */
class Execute(p: NhgParams) extends Module {
  private val b = p.backend
  private val loads = p.lsu.loadPipes
  val io = IO(new Bundle {
    val kill = Input(new Kill(p))
    val renamed = Input(Vec(b.decodeWidth, Valid(UInt(p.pregBits.W)))) // destinations to be waited for
    val alu = Flipped(new DispatchPort(p))
    val bru = Flipped(new DispatchPort(p))
    val mdu = Flipped(new DispatchPort(p))
    val load = Flipped(new DispatchPort(p))
    val storeAddress = Flipped(new DispatchPort(p))
    val storeData = Flipped(new DispatchPort(p))
    // read beside the registers: program counters (ALU0, ALU1, BRU) and the branch's prediction
    val pcIdx = Output(Vec(3, UInt(p.robIdxBits.W)))
    val pcRead = Input(Vec(3, UInt(p.pcBits.W)))
    val infoIdx = Output(UInt(log2Ceil(b.branchSnapshots).W))
    val infoRead = Input(new BranchInfo(p))
    // BRU
    val finPtr = Output(UInt(p.amu.finPtrBits.W))
    val finished = Input(new FinishedGroup(p.amu))
    val csr = Output(Valid(new MicroOp(p)))
    val csrOperand = Output(UInt(64.W))
    val csrData = Input(UInt(64.W))
    val resolution = Output(Valid(new Resolution(p)))
    val finResult = Output(Valid(new MduResult(p))) // getfin/bafin, for the commit trace
    // memory side
    val lsuLoad = Vec(loads, Decoupled(new LoadIssue(p)))
    val lsuStoreAddress = Decoupled(new StoreAddressIssue(p))
    val lsuStoreData = Decoupled(new StoreDataIssue(p))
    val writeback = Input(Vec(loads, Valid(new LsuWriteback(p))))
    val amiOperands = Output(Valid(new IssuedOp(p)))
    /** Instructions done: ALU0, ALU1, BRU, MDU, AMI operands. */
    val done = Output(Vec(Execute.donePorts, Valid(UInt(p.robIdxBits.W))))
    val traceAddr = Input(Vec(b.commitWidth, UInt(p.pregBits.W)))
    val traceData = Output(Vec(b.commitWidth, UInt(64.W)))
  })
  private val busy = RegInit(0.U(b.intPhysRegs.W))

  private def queue(entries: Int, ports: Int, in: DispatchPort) = {
    val q = Module(new IssueQueue(p, entries, ports))
    q.io.in := in.uop
    in.free := q.io.free
    q.io.busy := busy
    q.io.kill := io.kill
    q
  }
  private val aluQueue = queue(b.issueAlu, 2, io.alu)
  private val bruQueue = queue(b.issueBru, 1, io.bru)
  private val mduQueue = queue(b.issueMdu, 1, io.mdu)
  private val loadQueue = queue(b.issueLoad, loads, io.load)
  private val staQueue = queue(b.issueStoreAddress, 1, io.storeAddress)
  private val stdQueue = queue(b.issueStoreData, 1, io.storeData)

  private val regFile = Module(new RegFile(p, reads = 2 * 5 + loads + 1, writes = 4 + loads))
  private val readPorts = regFile.io.readAddr.zip(regFile.io.readData).iterator
  private def stage(from: DecoupledIO[MicroOp], sources: Int, seesSquash: Boolean = true) = {
    val s = Module(new ReadStage(p, seesSquash))
    s.io.in <> from
    s.io.kill := io.kill
    val data = Seq(s.io.r_uop.psrc1, s.io.r_uop.psrc2).take(sources).map { src =>
      val (addr, read) = readPorts.next()
      addr := src
      read
    }
    s.io.r_src1 := data.head
    s.io.r_src2 := data.lift(1).getOrElse(0.U)
    s
  }
  private val alus = aluQueue.io.out.map(stage(_, 2))
  private val bru = stage(bruQueue.io.out(0), 2, seesSquash = false)
  private val mdu = stage(mduQueue.io.out(0), 2)
  private val lds = loadQueue.io.out.map(stage(_, 1))
  private val sta = stage(staQueue.io.out(0), 2)
  private val std = stage(stdQueue.io.out(0), 1)
  require(!readPorts.hasNext, "register file has a port nobody uses")

  private def write(port: Int, valid: Bool, pdst: UInt, data: UInt): Unit = {
    regFile.io.write(port).valid := valid && pdst =/= 0.U
    regFile.io.write(port).bits.addr := pdst
    regFile.io.write(port).bits.data := data
  }
  private def finish(port: Int, valid: Bool, robPtr: UInt): Unit = {
    io.done(port).valid := valid
    io.done(port).bits := RobPtr.idx(p, robPtr)
  }

  // ALUs
  for ((s, i) <- alus.zipWithIndex) {
    io.pcIdx(i) := RobPtr.idx(p, s.io.r_uop.robPtr)
    when(s.io.r_uop.usePc) { s.io.r_src1 := io.pcRead(i) }
    when(s.io.r_uop.useImm) { s.io.r_src2 := s.io.r_uop.imm64 }
    val alu = Module(new Alu)
    val x = s.io.out.bits
    s.io.out.ready := true.B
    alu.io.fn := x.uop.fn
    alu.io.word := x.uop.word
    alu.io.a := x.src1
    alu.io.b := x.src2
    write(i, s.io.out.valid, x.uop.pdst, alu.io.out)
    finish(i, s.io.out.valid, x.uop.robPtr)
  }

  // BRU
  private val branchUnit = Module(new BranchUnit(p))
  private val x_bru = bru.io.out.bits
  io.pcIdx(2) := RobPtr.idx(p, bru.io.r_uop.robPtr)
  io.infoIdx := bru.io.r_uop.snapshot
  bru.io.out.ready := true.B
  branchUnit.io.op := x_bru
  branchUnit.io.pc := RegEnable(io.pcRead(2), bru.io.r_valid)
  branchUnit.io.info := RegEnable(io.infoRead, bru.io.r_valid)
  branchUnit.io.finished := io.finished
  branchUnit.io.csrData := io.csrData
  io.finPtr := x_bru.uop.finPtr
  io.csr.valid := bru.io.out.valid && BruFn.isCsr(x_bru.uop.fn)
  io.csr.bits := x_bru.uop
  io.csrOperand := x_bru.src1
  io.resolution.valid := bru.io.out.valid && branchUnit.io.isCfi
  io.resolution.bits.snapshot := x_bru.uop.snapshot
  io.resolution.bits.robPtr := x_bru.uop.robPtr
  io.resolution.bits.pc := branchUnit.io.pc
  io.resolution.bits.info := branchUnit.io.info
  io.resolution.bits.taken := branchUnit.io.taken
  io.resolution.bits.target := branchUnit.io.target
  io.resolution.bits.wideTarget := branchUnit.io.wideTarget
  io.resolution.bits.next := branchUnit.io.next
  io.resolution.bits.mispredicted := branchUnit.io.mispredicted
  io.finResult.valid := bru.io.out.valid && (x_bru.uop.fn === BruFn.getfin || x_bru.uop.fn === BruFn.bafin)
  io.finResult.bits.robPtr := x_bru.uop.robPtr
  io.finResult.bits.pdst := x_bru.uop.pdst
  io.finResult.bits.data := branchUnit.io.result
  write(2, bru.io.out.valid, x_bru.uop.pdst, branchUnit.io.result)
  finish(2, bru.io.out.valid, x_bru.uop.robPtr)

  // MDU: the multiplier's result has a fixed time, the divider's waits for a free cycle
  private val multiplier = Module(new Multiplier(p))
  private val divider = Module(new Divider(p))
  private val isDivide = mdu.io.out.bits.uop.fn(2)
  multiplier.io.in.valid := mdu.io.out.valid && !isDivide
  multiplier.io.in.bits := mdu.io.out.bits
  multiplier.io.kill := io.kill
  divider.io.in.valid := mdu.io.out.valid && isDivide
  divider.io.in.bits := mdu.io.out.bits
  divider.io.kill := io.kill
  mdu.io.out.ready := !isDivide || divider.io.in.ready
  divider.io.out.ready := !multiplier.io.out.valid
  private val x_mdu = Mux(multiplier.io.out.valid, multiplier.io.out.bits, divider.io.out.bits)
  private val mduValid = multiplier.io.out.valid || divider.io.out.valid
  write(3, mduValid, x_mdu.pdst, x_mdu.data)
  finish(3, mduValid, x_mdu.robPtr)

  // memory
  for ((s, port) <- lds.zip(io.lsuLoad)) {
    val x = s.io.out.bits
    port.valid := s.io.out.valid
    s.io.out.ready := port.ready
    port.bits.robIdx := RobPtr.idx(p, x.uop.robPtr)
    port.bits.lqPtr := x.uop.lqPtr
    port.bits.sqPtr := x.uop.sqPtr
    port.bits.pdst := x.uop.pdst
    port.bits.base := x.src1
    port.bits.imm := x.uop.imm(11, 0)
    port.bits.size := MemFn.size(x.uop.fn)
    port.bits.unsigned := MemFn.unsigned(x.uop.fn)
    port.bits.isPrefetch := MemFn.isPrefetch(x.uop.fn)
    port.bits.waitForStores := x.uop.waitForStores
  }
  private val x_sta = sta.io.out.bits
  private val isAmi = x_sta.uop.fuType === FuType.ami
  private val isAmo = MemFn.isAmo(x_sta.uop.fn)
  io.lsuStoreAddress.valid := sta.io.out.valid && !isAmi
  sta.io.out.ready := isAmi || io.lsuStoreAddress.ready
  private val address = io.lsuStoreAddress.bits
  address.robIdx := RobPtr.idx(p, x_sta.uop.robPtr)
  address.sqPtr := x_sta.uop.sqPtr
  address.lqPtr := x_sta.uop.lqPtr
  address.isAmo := isAmo
  address.amoOp := x_sta.uop.imm(4, 0)
  address.pdst := x_sta.uop.pdst
  address.base := x_sta.src1
  address.imm := Mux(isAmo, 0.U, x_sta.uop.imm(11, 0))
  address.size := MemFn.size(x_sta.uop.fn)
  io.amiOperands.valid := sta.io.out.valid && isAmi
  io.amiOperands.bits := x_sta
  finish(4, io.amiOperands.valid, x_sta.uop.robPtr)
  io.lsuStoreData.valid := std.io.out.valid
  std.io.out.ready := io.lsuStoreData.ready
  io.lsuStoreData.bits.sqPtr := std.io.out.bits.uop.sqPtr
  io.lsuStoreData.bits.data := std.io.out.bits.src1
  for ((wb, i) <- io.writeback.zipWithIndex) write(4 + i, wb.valid && wb.bits.writes, wb.bits.pdst, wb.bits.data)

  // wake-up
  private def bit(valid: Bool, pdst: UInt): UInt = Mux(valid, UIntToOH(pdst, b.intPhysRegs), 0.U)
  private val wakes =
    (aluQueue.io.out ++ bruQueue.io.out).map(o => bit(o.fire, o.bits.pdst)) ++ io.writeback.map(wb => bit(wb.valid && wb.bits.writes, wb.bits.pdst)) ++ Seq(
      bit(multiplier.io.s1_wake.valid, multiplier.io.s1_wake.bits),
      bit(divider.io.out.fire, divider.io.out.bits.pdst)
    )
  private val waits = io.renamed.map(r => bit(r.valid, r.bits)).reduce(_ | _)
  busy := ((busy & ~wakes.reduce(_ | _)) | waits) & ~1.U(b.intPhysRegs.W)

  regFile.io.traceAddr := io.traceAddr
  io.traceData := regFile.io.traceData
}

object Execute {
  val donePorts = 5
}
