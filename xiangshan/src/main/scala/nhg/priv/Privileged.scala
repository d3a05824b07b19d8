// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import nhg._
import nhg.mmu.{Sv39, TranslationState}
import platform.{CsrView, PrivilegedCsrs}

/** The privilege mode and the CSRs of M and S mode (tools/platform/csrs.toml): what a trap and a return do to them, and what they let an instruction
  * do. A write, a trap and a return are never in one cycle.
  */
class Privileged(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val addr = Input(UInt(12.W))
    val readData = Output(UInt(64.W)) // 0 if `addr` is none of these
    val pinned = Output(UInt(64.W)) // bits of it that a read-modify-write takes for zero: lines, not fields
    val write = Input(Valid(UInt(64.W)))
    val trap = Input(new Trap)
    val mret = Input(Bool()) // in debug mode: dret
    val sret = Input(Bool())
    val fpDirty = Input(Bool())
    val amuOn = Input(Bool())
    val lines = Input(new InterruptLines)
    val allowed = Output(new Allowed)
    val interrupts = Output(new InterruptState)
    val trapVector = Output(UInt(64.W)) // of the mode that the last trap entered
    val mepc = Output(UInt(64.W)) // in the cycle after a dret dpc
    val sepc = Output(UInt(64.W))
    val pmp = Output(new PmpState(p))
    val translation = Output(new TranslationState(p)) // `clear` and `forgetFaults` come from the back end
    val triggers = Output(new TriggerState)
    val trace = Output(new PrivilegedTrace)
  })
  private val registers = PrivilegedCsrs.registers.map(spec => spec.name -> new FieldCsr(spec))
  private val csr = registers.toMap
  private val view: Map[String, CsrView] = PrivilegedCsrs.views.map(v => v.name -> v).toMap
  private val pmp = new PmpRegisters(p, csr)
  private val triggers = new TriggerRegisters(csr)
  private val debugCsr = PrivilegedCsrs.debug.map(spec => spec.name -> new FieldCsr(spec)).toMap
  private val mode = RegInit(Mode.machine)
  private val debug = RegInit(false.B)
  private val status = csr("mstatus")
  private val fpStateDirty = 3.U(2.W)
  private val isMachine = mode === Mode.machine
  private val isUser = mode === Mode.user
  private def bit(name: String, field: String): Bool = csr(name)(field).asBool

  // pending interrupts: what software sets, and the lines
  private val hasStimecmp = bit("menvcfg", "stce")
  private val software = Mux(hasStimecmp, csr("mip").value(Seq("ssi", "sei")), csr("mip").value())
  import Interrupt._
  private val supervisorLine = FieldCsr.ofBits(Seq(supervisorExternal -> io.lines.supervisorExternal))
  private val pending = software | supervisorLine | FieldCsr.ofBits(
    Seq(
      machineSoftware -> io.lines.machineSoftware,
      supervisorTimer -> (hasStimecmp && io.lines.time >= csr("stimecmp").value()),
      machineTimer -> io.lines.machineTimer,
      machineExternal -> io.lines.machineExternal
    )
  )
  io.pinned := Mux(io.addr === CsrMap.named("mip").U, supervisorLine & ~software, 0.U)
  private val delegatedInterrupts = csr("mideleg").value()
  io.interrupts := InterruptChoice(pending & csr("mie").value(), delegatedInterrupts, mode, bit("mstatus", "mie"), bit("mstatus", "sie"))
  when(debug) { io.interrupts.letIn := false.B }

  // reads
  private val statusDirty = Seq(63 -> (status("fs") === fpStateDirty)) // SD
  private val userStateen = bit("sstateen0", "c") && bit("mstateen0", "c")
  private def read(name: String): UInt = name match {
    case "mstatus" => status.value(derived = statusDirty)
    case "sstatus" => status.value(view(name).fields, statusDirty, view(name).mask & status.spec.fixed)
    case "sie" => csr("mie").value(view(name).fields) & delegatedInterrupts
    case "mip" => pending
    case "sip" => pending & delegatedInterrupts
    case "sstateen0" => userStateen // what mstateen0 hides reads zero
    case s"pmpaddr$index" => pmp.readAddress(index.toInt)
    case "tdata1" | "tdata2" => triggers.read(name)
    case "dcsr" | "dpc" => debugCsr(name).value()
    case _ => csr(name).value()
  }
  private val numbers = (CsrMap.named ++ CsrMap.debug).toSeq.sortBy(_._2)
  io.readData := MuxLookup(io.addr, 0.U(64.W), numbers.map { case (name, number) => number.U -> read(name) })

  // writes
  private val bits = io.write.bits
  private def write(name: String): Unit = name match {
    case "sstatus" => status.write(bits, view(name).fields)
    case "sie" =>
      for (field <- view(name).fields) { when(bit("mideleg", field)) { csr("mie").write(bits, Seq(field)) } }
    case "mip" =>
      csr(name).write(bits, Seq("ssi", "sei"))
      when(!hasStimecmp) { csr(name).write(bits, Seq("sti")) }
    case "sip" => when(bit("mideleg", "ssi")) { csr("mip").write(bits, Seq("ssi")) }
    case "sstateen0" => when(bit("mstateen0", "c")) { csr(name).write(bits) }
    case "satp" => when(Sv39.modes.map(bits(63, 60) === _.U).reduce(_ || _)) { csr(name).write(bits) } // with any other mode nothing changes
    case s"pmpcfg$_" => pmp.writeConfig(name, bits)
    case s"pmpaddr$index" => pmp.writeAddress(index.toInt, bits)
    case "tdata1" | "tdata2" => triggers.write(name, bits)
    case "dpc" => debugCsr(name).write(bits)
    case "dcsr" => debugCsr(name).write(bits); debug := true.B
    case _ => csr(name).write(bits)
  }
  when(io.fpDirty) { status("fs") := fpStateDirty }
  when(io.write.valid) {
    for ((name, number) <- numbers) { when(io.addr === number.U) { write(name) } }
  }

  // traps and returns
  private val cause = io.trap.exception.cause
  private val delegation = Mux(io.trap.isInterrupt, delegatedInterrupts, csr("medeleg").value())
  private val delegated = !isMachine && delegation((1 << Cause.width) - 1, 0)(cause)
  private def enter(epc: FieldCsr, causeCsr: FieldCsr, tval: FieldCsr): Unit = {
    epc("value") := io.trap.pc(63, 1)
    causeCsr("value") := io.trap.code
    tval("value") := io.trap.exception.tval
  }
  when(io.trap.valid && delegated) {
    enter(csr("sepc"), csr("scause"), csr("stval"))
    status("spp") := mode(0)
    status("spie") := status("sie")
    status("sie") := false.B
    mode := Mode.supervisor
  }
  when(io.trap.valid && !delegated) {
    enter(csr("mepc"), csr("mcause"), csr("mtval"))
    status("mpp") := mode
    status("mpie") := status("mie")
    status("mie") := false.B
    mode := Mode.machine
  }
  when(io.mret && !debug) {
    status("mie") := status("mpie")
    status("mpie") := true.B
    status("mpp") := Mode.user
    mode := status("mpp")
    when(status("mpp") =/= Mode.machine) { status("mprv") := false.B }
  }
  when(io.mret && debug) {
    mode := debugCsr("dcsr")("prv")
    debug := false.B
  }
  when(io.sret) {
    status("sie") := status("spie")
    status("spie") := true.B
    status("spp") := 0.U
    mode := Mux(status("spp").asBool, Mode.supervisor, Mode.user)
    status("mprv") := false.B
  }
  private def vector(tvec: FieldCsr, causeCsr: FieldCsr): UInt = { // exceptions are not vectored
    val code = causeCsr("value")
    Cat(tvec("base") + Mux(tvec("vectored").asBool && code(63), code(Cause.width - 1, 0), 0.U), 0.U(2.W))
  }
  io.trapVector := Mux(isMachine, vector(csr("mtvec"), csr("mcause")), vector(csr("stvec"), csr("scause")))
  io.mepc := Mux(RegNext(debug, false.B) && !debug, debugCsr("dpc").value(), csr("mepc").value())
  io.sepc := csr("sepc").value()

  // what instructions may do
  private def visible(name: String): UInt = csr(name).value()(2, 0)
  private def below(trapped: String): Bool = isMachine || mode === Mode.supervisor && !bit("mstatus", trapped)
  io.allowed.mode := mode
  io.allowed.debug := debug
  io.allowed.sret := below("tsr")
  io.allowed.wfi := below("tw")
  io.allowed.translation := below("tvm")
  io.allowed.counters := (visible("mcounteren") | Fill(3, isMachine)) & (visible("scounteren") | Fill(3, !isUser))
  io.allowed.senvcfg := isMachine || bit("mstateen0", "envcfg")
  io.allowed.sstateen0 := isMachine || bit("mstateen0", "se0")
  io.allowed.stimecmp := isMachine || hasStimecmp && bit("mcounteren", "time")
  io.allowed.amu := io.amuOn && (isMachine || Mux(isUser, userStateen, bit("mstateen0", "c")))
  io.allowed.fp := status("fs") =/= 0.U

  private val dataMode = Mux(bit("mstatus", "mprv") && !debug, status("mpp"), mode)
  io.pmp := pmp.state(mode, dataMode)
  private val translation = WireDefault(0.U.asTypeOf(new TranslationState(p)))
  for ((to, by) <- Seq(translation.fetch -> mode, translation.data -> dataMode)) {
    to.on := csr("satp")("mode") === Sv39.mode.U && by =/= Mode.machine
    to.isUser := by === Mode.user
  }
  translation.asid := csr("satp")("asid")
  translation.root := csr("satp")("ppn")
  translation.sum := bit("mstatus", "sum")
  translation.mxr := bit("mstatus", "mxr")
  io.translation := RegNext(translation, 0.U.asTypeOf(translation))
  private val breakpointsToS = csr("medeleg").value()(Cause.breakpoint.litValue.toInt)
  private val mayFire = Mux(isMachine, bit("mstatus", "mie") && !debug, isUser || !breakpointsToS || bit("mstatus", "sie"))
  io.triggers := triggers.state(mode, mayFire)

  io.trace.mode := mode
  io.trace.time := io.lines.time
  io.trace.sleeps := DontCare
  for ((to, (name, _)) <- io.trace.csrs.zip(registers)) to := read(name)

  assert(mode =/= 2.U && status("mpp") =/= 2.U, "there is no mode 2")
  assert(!io.write.valid || mode >= io.addr(9, 8), "a CSR is written from a mode that may not")
  assert(PopCount(Seq(io.write.valid, io.trap.valid, io.mret, io.sret)) <= 1.U, "two of a write, a trap and a return at once")
  assert(!(io.trap.valid && io.trap.isInterrupt) || io.interrupts.letIn, "an interrupt is taken that is not let in")
  assert(!io.mret || isMachine, "mret below machine mode")
  assert(!debug || !io.trap.valid && !io.sret, "a trap or sret in debug mode")
  assert(!io.sret || io.allowed.sret, "sret where it traps")
}
