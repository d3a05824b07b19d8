// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.FinishedGroup
import chisel3._
import chisel3.util._
import nhg._
import nhg.mem.{LoadIssue, LsuWriteback, StoreAddressIssue, StoreDataIssue}
import scala.collection.mutable

/** What an operation leaves at its execution port. */
class PortResult(p: NhgParams) extends Bundle {
  val robPtr = UInt(p.robRing.bits.W)
  val dest = new PhysicalDestination(p)
  val data = UInt(64.W)
}

/** Exception flags that a floating-point operation raises, as in fflags. */
class FpFlags(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val flags = UInt(5.W)
}

/** A resolved control-flow instruction. */
class Resolution(p: NhgParams) extends Bundle {
  val snapshot = UInt(log2Ceil(p.backend.branchSnapshots).W)
  val robPtr = UInt(p.robRing.bits.W)
  val pc = UInt(p.pcBits.W)
  val info = new BranchInfo(p)
  val taken = Bool()
  val target = UInt(p.pcBits.W)
  val wideTarget = UInt(64.W)
  val next = UInt(p.pcBits.W)
  val mispredicted = Bool()
}

/** Issue queues, register read and execution at the ports of the port table. Select, register read, execute are one cycle each; one-cycle
  * operations wake their dependents at select, those of pipelined units two cycles before their result, divisions and loads with it. What a
  * port's function units do is written here by the port's name; register writes, wake-ups and completions follow from the table.
  */
class Execute(p: NhgParams) extends Module {
  private val b = p.backend
  private val loads = b.portsOf("load")
  val io = IO(new Bundle {
    val kill = Input(new Kill(p))
    val renamed = Input(Vec(b.decodeWidth, Valid(new PhysicalDestination(p)))) // destinations to be waited for
    val issue = Flipped(new ByName(b.issueQueues.map(_.name), new DispatchPort(p)))
    val robHead = Input(UInt(p.robRing.bits.W))
    // read beside the registers: program counters and the branch's prediction
    val pcIdx = Output(new ByName(Rob.pcReaders(p), UInt(p.robIdxBits.W)))
    val pcRead = Input(new ByName(Rob.pcReaders(p), UInt(p.pcBits.W)))
    val infoIdx = Output(UInt(log2Ceil(b.branchSnapshots).W))
    val infoRead = Input(new BranchInfo(p))
    // BRU
    val finPtr = Output(UInt(p.amu.finPtrBits.W))
    val finished = Input(new FinishedGroup(p.amu))
    val csr = Output(Valid(new MicroOp(p)))
    val csrOperand = Output(UInt(64.W))
    val csrData = Input(UInt(64.W))
    val resolution = Output(Valid(new Resolution(p)))
    val finResult = Output(Valid(new PortResult(p))) // getfin/bafin, for the commit trace
    // memory side
    val lsuLoad = Vec(p.lsu.loadPipes, Decoupled(new LoadIssue(p)))
    val lsuStoreAddress = Vec(p.lsu.storePipes, Decoupled(new StoreAddressIssue(p)))
    val lsuStoreData = Vec(p.lsu.storePipes, Decoupled(new StoreDataIssue(p)))
    val writeback = Input(Vec(p.lsu.loadPipes, Valid(new LsuWriteback(p))))
    val amiOperands = Output(Valid(new IssuedOp(p)))
    val fpFlags = Output(new ByName(FpUnits.ports, Valid(new FpFlags(p))))
    val issued = Output(new ByName(b.ports.map(_.name), Valid(UInt(p.robIdxBits.W)))) // for observation
    /** Instructions done; those of the store ports, except AMI requests, are reported by the LSU. */
    val done = Output(new ByName(b.ports.map(_.name), Valid(UInt(p.robIdxBits.W))))
    val traceAddr = Input(Vec(b.commitWidth, new PhysicalRegister(p)))
    val traceData = Output(Vec(b.commitWidth, UInt(64.W)))
  })
  private val classes = b.registerClasses.zipWithIndex
  private def portsTo(c: RegisterClass) = b.ports.filter(_.writes(c.name))

  // issue
  private val queues = b.issueQueues.map { params =>
    val ports = b.portsOf(params.name)
    val atHead = Option.when(params.name == "bru")((uop: MicroOp) => BruFn.isCsr(uop.fn))
    val queue = Module(new IssueQueue(p, params.entries, ports.length, ports.head.reads, atHead)).suggestName(s"${params.name}Queue")
    queue.io.in := io.issue(params.name).uop
    io.issue(params.name).free := queue.io.free
    queue.io.kill := io.kill
    queue.io.robHead := io.robHead
    params.name -> queue
  }.toMap
  private val selected: Map[String, DecoupledIO[MicroOp]] =
    b.issueQueues.flatMap(q => b.portsOf(q.name).map(_.name).zip(queues(q.name).io.out)).toMap

  // register read
  private val regFiles = classes.map { case (c, _) =>
    Module(new RegFile(p, c, b.ports.flatMap(_.reads).count(_(c.name)), portsTo(c).length)).suggestName(s"${c.name}RegFile")
  }
  private val readPorts = regFiles.map(file => file.io.readAddr.zip(file.io.readData).iterator)
  private val stages: Map[String, ReadStage] = b.ports.map { port =>
    val stage = Module(new ReadStage(p, seesSquash = port.queue != "bru")).suggestName(s"${port.name}Read")
    stage.io.in <> selected(port.name)
    stage.io.kill := io.kill
    stage.io.r_src.foreach(_ := 0.U)
    for ((classesRead, k) <- port.reads.zipWithIndex) {
      val register = stage.io.r_uop.psrc(k)
      stage.io.r_src(k) := ByClass.among(
        register.regClass,
        classes.filter { case (c, _) => classesRead(c.name) }.map { case (_, n) =>
          val (addr, data) = readPorts(n).next()
          addr := register.index
          n -> data
        }
      )
    }
    port.name -> stage
  }.toMap

  // what the function units say, by port
  private val results = Wire(new ByName(b.ports.map(_.name), Valid(new PortResult(p))))
  private val wakes = mutable.Map[String, Seq[Valid[PhysicalDestination]]]()
  private def result(port: String, valid: Bool, uop: MicroOp, data: UInt): Unit = {
    results(port).valid := valid
    results(port).bits.robPtr := uop.robPtr
    results(port).bits.dest := uop.dest
    results(port).bits.data := data
  }
  private def wake(valid: Bool, dest: PhysicalDestination): Valid[PhysicalDestination] = {
    val w = Wire(Valid(new PhysicalDestination(p)))
    w.valid := valid
    w.bits := dest
    w
  }

  // ALUs
  for (port <- b.portsOf("alu").map(_.name)) {
    val s = stages(port)
    io.pcIdx(port) := p.robRing.index(s.io.r_uop.robPtr)
    when(s.io.r_uop.usePc) { s.io.r_src(0) := Pc.address(io.pcRead(port)) }
    when(s.io.r_uop.useImm) { s.io.r_src(1) := s.io.r_uop.imm64 }
    val alu = Module(new Alu).suggestName(s"${port}Unit")
    val x = s.io.out.bits
    s.io.out.ready := true.B
    val bitManip = Module(new BitManip).suggestName(s"${port}BitManip")
    for (unit <- Seq(alu.io, bitManip.io)) {
      unit.fn := x.uop.fn
      unit.word := x.uop.word
      unit.a := x.src(0)
      unit.b := x.src(1)
    }
    result(port, s.io.out.valid, x.uop, Mux(x.uop.fuType === FuType.bitManip, bitManip.io.out, alu.io.out))
  }

  // BRU
  private val bru = stages("bru")
  private val branchUnit = Module(new BranchUnit(p))
  private val x_bru = bru.io.out.bits
  io.pcIdx("bru") := p.robRing.index(bru.io.r_uop.robPtr)
  io.infoIdx := bru.io.r_uop.snapshot
  bru.io.out.ready := true.B
  branchUnit.io.op := x_bru
  branchUnit.io.pc := RegEnable(io.pcRead("bru"), bru.io.r_valid)
  branchUnit.io.info := RegEnable(io.infoRead, bru.io.r_valid)
  branchUnit.io.finished := io.finished
  branchUnit.io.csrData := io.csrData
  io.finPtr := x_bru.uop.finPtr
  io.csr.valid := bru.io.out.valid && BruFn.isCsr(x_bru.uop.fn)
  io.csr.bits := x_bru.uop
  io.csrOperand := x_bru.src(0)
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
  result("bru", bru.io.out.valid, x_bru.uop, branchUnit.io.result)
  io.finResult.valid := bru.io.out.valid && (x_bru.uop.fn === BruFn.getfin || x_bru.uop.fn === BruFn.bafin)
  io.finResult.bits := results("bru").bits

  // MDU: the multiplier's result has a fixed time, the divider's waits for a free cycle
  private val mdu = stages("mdu")
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
  results("mdu").valid := multiplier.io.out.valid || divider.io.out.valid
  results("mdu").bits := Mux(multiplier.io.out.valid, multiplier.io.out.bits, divider.io.out.bits)
  wakes("mdu") = Seq(multiplier.io.s1_wake, wake(divider.io.out.fire, divider.io.out.bits.dest))

  // floating point
  private val fpUnits = Module(new FpUnits(p))
  fpUnits.io.kill := io.kill
  for (port <- FpUnits.ports) {
    val result = fpUnits.io.result(port)
    fpUnits.io.in(port) <> stages(port).io.out
    results(port).valid := result.valid
    results(port).bits := result.bits.atPort
    io.fpFlags(port).valid := result.valid
    io.fpFlags(port).bits.robIdx := p.robRing.index(result.bits.atPort.robPtr)
    io.fpFlags(port).bits.flags := result.bits.flags
  }
  fpUnits.io.nextMisc.valid := stages("fpMisc").io.r_leaves
  fpUnits.io.nextMisc.bits := stages("fpMisc").io.r_uop
  wakes("fma") = Seq(fpUnits.io.fmaWake)
  wakes("fpMisc") = Seq(fpUnits.io.miscWake, fpUnits.io.divSqrtWake)

  // memory
  for (((name, port), writeback) <- loads.map(_.name).zip(io.lsuLoad).zip(io.writeback)) {
    val s = stages(name)
    val x = s.io.out.bits
    port.valid := s.io.out.valid
    s.io.out.ready := port.ready
    port.bits.robIdx := p.robRing.index(x.uop.robPtr)
    port.bits.lqPtr := x.uop.lqPtr
    port.bits.sqPtr := x.uop.sqPtr
    port.bits.dest := x.uop.dest
    port.bits.base := x.src(0)
    port.bits.imm := x.uop.imm(11, 0)
    port.bits.size := MemFn.size(x.uop.fn)
    port.bits.unsigned := MemFn.unsigned(x.uop.fn)
    port.bits.isPrefetch := MemFn.isPrefetch(x.uop.fn)
    port.bits.waitForStores := x.uop.waitForStores
    results(name).valid := writeback.valid
    results(name).bits.robPtr := writeback.bits.robIdx // done needs the index alone
    results(name).bits.dest := writeback.bits.dest
    results(name).bits.data := writeback.bits.data
    wakes(name) = Seq(wake(writeback.valid, writeback.bits.dest))
  }
  private val storeAddresses = b.portsOf("storeAddress").map(port => port.name -> stages(port.name).io.out)
  private def isAmi(x: IssuedOp): Bool = x.uop.fuType === FuType.ami
  for ((((name, out), to), i) <- storeAddresses.zip(io.lsuStoreAddress).zipWithIndex) {
    val x = out.bits
    val isAmo = MemFn.isAmo(x.uop.fn)
    to.valid := out.valid && !isAmi(x)
    to.bits.robIdx := p.robRing.index(x.uop.robPtr)
    to.bits.sqPtr := x.uop.sqPtr
    to.bits.lqPtr := x.uop.lqPtr
    to.bits.isAmo := isAmo
    to.bits.amoOp := x.uop.imm(4, 0)
    to.bits.dest := x.uop.dest
    to.bits.base := x.src(0)
    to.bits.imm := Mux(isAmo, 0.U, x.uop.imm(11, 0))
    to.bits.size := MemFn.size(x.uop.fn)
    // the AMU takes the operands of one request a cycle, from the first port that has one
    val amuTaken = storeAddresses.take(i).map { case (_, o) => o.valid && isAmi(o.bits) }.foldLeft(false.B)(_ || _)
    out.ready := Mux(isAmi(x), !amuTaken, to.ready)
    result(name, out.fire && isAmi(x), x.uop, 0.U)
  }
  private val amiPorts = storeAddresses.map { case (_, out) => out.valid && isAmi(out.bits) }
  io.amiOperands.valid := VecInit(amiPorts).asUInt.orR
  io.amiOperands.bits := PriorityMux(amiPorts, storeAddresses.map(_._2.bits))
  for ((name, to) <- b.portsOf("storeData").map(_.name).zip(io.lsuStoreData)) {
    val out = stages(name).io.out
    to.valid := out.valid
    out.ready := to.ready
    to.bits.sqPtr := out.bits.uop.sqPtr
    to.bits.data := out.bits.src(0)
    result(name, false.B, out.bits.uop, 0.U)
  }

  // what follows from the results: completions, register writes, wake-ups
  for (port <- b.ports) {
    io.issued(port.name).valid := selected(port.name).fire
    io.issued(port.name).bits := p.robRing.index(selected(port.name).bits.robPtr)
    io.done(port.name).valid := results(port.name).valid
    io.done(port.name).bits := p.robRing.index(results(port.name).bits.robPtr)
    if (port.wakesAtIssue) wakes(port.name) = Seq(wake(selected(port.name).fire, selected(port.name).bits.dest))
    require(port.writes.isEmpty || wakes.contains(port.name), s"nothing wakes the dependents of port ${port.name}")
  }
  for (((c, k), file) <- classes.zip(regFiles)) {
    for ((port, write) <- portsTo(c).map(_.name).zip(file.io.write)) {
      write.valid := results(port).valid && results(port).bits.dest.writesTo(k)
      write.bits.addr := results(port).bits.dest.index
      write.bits.data := results(port).bits.data
    }
    val clearing = portsTo(c).flatMap(port => wakes(port.name))
    val table = Module(new BusyTable(p, c, clearing.length)).suggestName(s"${c.name}Busy")
    for ((to, from) <- (table.io.wake ++ table.io.renamed).zip(clearing ++ io.renamed)) {
      to.valid := from.valid && from.bits.writesTo(k)
      to.bits := from.bits.index
    }
    queues.values.foreach(_.io.busy(k) := table.io.busy)
    for ((addr, from) <- file.io.traceAddr.zip(io.traceAddr)) { addr := from.index }
  }
  for ((data, i) <- io.traceData.zipWithIndex) { data := ByClass(io.traceAddr(i).regClass, regFiles.map(_.io.traceData(i))) }
}
