// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.AmuCsrIO
import chisel3._
import chisel3.util._
import nhg._
import nhg.mmu.TranslationState
import nhg.priv.{Allowed, CsrMap, InterruptLines, InterruptState, PmpState, Privileged, PrivilegedTrace, TriggerState, Triggers}
import platform.{AmuLimits, Amuctl, Csrs, Isa}

/** What retiring instructions do to the floating-point state: flags raised, and whether the state is another one than before. */
class FpRetired extends Bundle {
  val flags = UInt(5.W)
  val dirty = Bool()
}

/** The CSRs: those of M and S mode are in `Privileged`; here are counters, floating point, and the AMU's. An access happens when its instruction is the
  * oldest in the ROB, and alone there if it writes; so reads and writes take effect at once, and a counter is read when all before it is done. A
  * trap, mret or sret comes from the ROB head. Debug mode stops the counters.
  */
class Csr(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val hartId = Input(UInt(64.W))
    val access = Input(Valid(new Bundle {
      val funct3 = UInt(3.W)
      val addr = UInt(12.W)
      val rs1Field = UInt(5.W) // zimm, or the number of rs1: 0 stops csrrs/csrrc from writing
      val rs1 = UInt(64.W)
    }))
    val readData = Output(UInt(64.W))
    val trap = Input(new Trap)
    val mret = Input(Bool()) // in debug mode: dret
    val sret = Input(Bool())
    val retired = Input(UInt(log2Ceil(p.backend.commitWidth + 1).W))
    val fpRetired = Input(new FpRetired)
    val lines = Input(new InterruptLines)
    val amu = Flipped(new AmuCsrIO(p.amu))
    val trapVector = Output(UInt(64.W)) // of the mode that the last trap entered
    val mepc = Output(UInt(64.W))
    val sepc = Output(UInt(64.W))
    val amuctl = Output(UInt(2.W))
    val allowed = Output(new Allowed)
    val interrupts = Output(new InterruptState)
    val pmp = Output(new PmpState(p))
    val translation = Output(new TranslationState(p))
    val triggers = Output(new TriggerState)
    val frm = Output(UInt(3.W))
    val cycles = Output(UInt(64.W))
    val trace = Output(new PrivilegedTrace)
  })
  private val privileged = Module(new Privileged(p))
  private val amuctl = if (p.hasAmu) RegInit(AmuLimits.amuctlReset.U(2.W)) else WireDefault(0.U(2.W))
  private val fflags = RegInit(0.U(5.W))
  private val frm = RegInit(0.U(3.W))
  private val mcycle = RegInit(0.U(64.W))
  private val minstret = RegInit(0.U(64.W))

  private val stopped = privileged.io.allowed.debug
  when(!stopped) {
    mcycle := mcycle + 1.U
    minstret := minstret + io.retired
  }
  fflags := fflags | io.fpRetired.flags

  private val isa = Isa.string.stripPrefix("rv64").split('_')
  private val bitManip = if (Seq("zba", "zbb", "zbs").forall(isa.contains(_))) "b" else "" // together they are B
  private val modes = "su"
  private val misaValue = (isa.head + bitManip + modes).map(letter => BigInt(1) << (letter - 'a')).foldLeft(BigInt(2) << 62)(_ | _)
  private val addr = io.access.bits.addr
  import CsrMap._
  private val readable: Seq[(Int, UInt)] = Seq(
    CsrMap.fflags -> fflags,
    CsrMap.frm -> frm,
    fcsr -> Cat(frm, fflags),
    misa -> misaValue.U(64.W),
    mhartid -> io.hartId,
    tinfo -> Triggers.info.U,
    Csrs.amuctl -> amuctl,
    CsrMap.mcycle -> mcycle,
    CsrMap.minstret -> minstret,
    cycle -> mcycle,
    time -> Mux(io.access.valid, io.lines.time, 0.U), // registers of the design shall not follow it: a jump through time sets it
    instret -> minstret
  ) ++ io.amu.values
  private val old = MuxLookup(addr, privileged.io.readData, readable.map { case (a, v) => a.U -> v })
  private val held = old & ~privileged.io.pinned
  io.readData := old

  private val funct3 = io.access.bits.funct3
  private val operand = Mux(funct3(2), io.access.bits.rs1Field, io.access.bits.rs1)
  private val next = MuxLookup(funct3(1, 0), operand, Seq(2.U -> (held | operand), 3.U -> (held & ~operand)))
  private val writes = io.access.valid && (funct3(1, 0) === 1.U || io.access.bits.rs1Field =/= 0.U)
  when(writes) {
    switch(addr) {
      is(CsrMap.fflags.U) { fflags := next(4, 0) }
      is(CsrMap.frm.U) { frm := next(2, 0) }
      is(fcsr.U) { frm := next(7, 5); fflags := next(4, 0) }
      is(Csrs.amuctl.U) { if (p.hasAmu) amuctl := next(1, 0) }
      is(CsrMap.mcycle.U) { mcycle := next }
      is(CsrMap.minstret.U) { minstret := Mux(stopped, next, next - 1.U) } // its own retirement still counts
    }
  }
  io.amu.select.valid := writes && addr === Csrs.amuid.U
  io.amu.select.bits := next
  io.amu.forget := writes && addr === Csrs.amustate.U
  private val writesFp = writes && addr >= CsrMap.fflags.U && addr <= fcsr.U

  privileged.io.addr := addr
  privileged.io.write.valid := writes
  privileged.io.write.bits := next
  privileged.io.trap := io.trap
  privileged.io.mret := io.mret
  privileged.io.sret := io.sret
  privileged.io.fpDirty := io.fpRetired.dirty || writesFp
  privileged.io.lines := io.lines
  privileged.io.amuOn := amuctl(Amuctl.on.lsb)
  io.trapVector := privileged.io.trapVector
  io.mepc := privileged.io.mepc
  io.sepc := privileged.io.sepc
  io.allowed := privileged.io.allowed
  io.interrupts := privileged.io.interrupts
  io.pmp := privileged.io.pmp
  io.translation := privileged.io.translation
  io.triggers := privileged.io.triggers
  io.trace := privileged.io.trace
  io.amuctl := amuctl
  io.frm := frm
  io.cycles := mcycle
  assert(!(io.access.valid && io.trap.valid), "CSR access while a trap is taken")
}
