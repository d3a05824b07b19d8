// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.AmuCsrIO
import chisel3._
import chisel3.util._
import nhg._
import platform.{AmuConfigNumber, AmuLimits, Csrs, Isa, Timebase}

/** CSR addresses that exist and whether an access to one is legal. */
object CsrMap {
  val fflags = 0x001
  val frm = 0x002
  val fcsr = 0x003
  val mstatus = 0x300
  val misa = 0x301
  val mie = 0x304
  val mtvec = 0x305
  val mcountinhibit = 0x320
  val mscratch = 0x340
  val mepc = 0x341
  val mcause = 0x342
  val mtval = 0x343
  val mip = 0x344
  val amuctl = Csrs.amuctl
  val mcycle = 0xb00
  val minstret = 0xb02
  val cycle = 0xc00
  val time = 0xc01
  val instret = 0xc02
  val amucap = Csrs.amucap
  val amustat = Csrs.amustat
  val amucfg0 = Csrs.amucfg0
  val amuhits = Csrs.amuhits
  val amureuse = Csrs.amureuse
  require(amuhits == amucfg0 + AmuConfigNumber.count && amureuse == amuhits + 1, "the AMU's CSRs follow one another")

  private val single = Seq(mstatus, misa, mie, mtvec, mcountinhibit, mscratch, mepc, mcause, mtval, mip, amuctl, mcycle, minstret, cycle, time, instret)
  private val ranges = Seq(0x323 -> 0x33f, 0xb03 -> 0xb1f, 0xf11 -> 0xf15) // events, counters (all zero), identity (all zero)

  def legal(addr: UInt, writes: Bool, amuOn: Bool, fpOn: Bool): Bool = {
    val exists = single.map(a => addr === a.U) ++ ranges.map { case (first, last) =>
      addr >= first.U && addr <= last.U
    } :+
      (fpOn && addr >= fflags.U && addr <= fcsr.U) :+
      (amuOn && addr >= amucap.U && addr <= amureuse.U)
    VecInit(exists).asUInt.orR && !(writes && addr(11, 10) === 3.U)
  }
}

/** What retiring instructions do to the floating-point state: flags raised, and whether the state is another one than before. */
class FpRetired extends Bundle {
  val flags = UInt(5.W)
  val dirty = Bool()
}

/** An exception taken at the ROB head. */
class Trap(p: NhgParams) extends Bundle {
  val pc = UInt(64.W)
  val exception = new ExceptionInfo
  def valid: Bool = exception.valid
}

/** Machine-mode CSR file. An access happens when its instruction is the oldest in the ROB, and alone there if it writes; so reads and writes take
  * effect at once, and a counter is read when all before it is done. A trap or mret comes from the ROB head. Exceptions always enter at mtvec
  * without its mode bit.
  */
class Csr(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val access = Input(Valid(new Bundle {
      val funct3 = UInt(3.W)
      val addr = UInt(12.W)
      val rs1Field = UInt(5.W) // zimm, or the number of rs1: 0 stops csrrs/csrrc from writing
      val rs1 = UInt(64.W)
    }))
    val readData = Output(UInt(64.W))
    val trap = Input(new Trap(p))
    val mret = Input(Bool())
    val retired = Input(UInt(log2Ceil(p.backend.commitWidth + 1).W))
    val fpRetired = Input(new FpRetired)
    val amu = Flipped(new AmuCsrIO(p.amu))
    val mtvec = Output(UInt(64.W))
    val mepc = Output(UInt(64.W))
    val amuctl = Output(UInt(2.W))
    val fpOn = Output(Bool())
    val frm = Output(UInt(3.W))
    val cycles = Output(UInt(64.W))
  })
  private val dirty = 3.U(2.W)
  private val mie = RegInit(false.B)
  private val mpie = RegInit(false.B)
  private val mieReg = RegInit(0.U(64.W))
  private val mtvec = RegInit(0.U(64.W))
  private val mscratch = RegInit(0.U(64.W))
  private val mepc = RegInit(0.U(64.W))
  private val mcause = RegInit(0.U(64.W))
  private val mtval = RegInit(0.U(64.W))
  private val amuctl = if (p.hasAmu) RegInit(AmuLimits.amuctlReset.U(2.W)) else WireDefault(0.U(2.W))
  private val fs = RegInit(0.U(2.W)) // of mstatus: off, initial, clean, dirty
  private val fflags = RegInit(0.U(5.W))
  private val frm = RegInit(0.U(3.W))
  private val mcycle = RegInit(0.U(64.W))
  private val minstret = RegInit(0.U(64.W))
  private val tickCycles = RegInit(0.U(log2Ceil(Timebase.tickCycles).W)) // since the last tick
  private val ticks = RegInit(0.U(64.W))

  mcycle := mcycle + 1.U
  minstret := minstret + io.retired
  private val tick = tickCycles === (Timebase.tickCycles - 1).U
  tickCycles := Mux(tick, 0.U, tickCycles + 1.U)
  when(tick) { ticks := ticks + 1.U }

  fflags := fflags | io.fpRetired.flags
  when(io.fpRetired.dirty) { fs := dirty }

  private val mstatus = Cat(fs === dirty, 0.U(48.W), fs, 3.U(2.W), 0.U(3.W), mpie, 0.U(3.W), mie, 0.U(3.W))
  private val isa = Isa.string.stripPrefix("rv64").split('_')
  private val bitManip = if (Seq("zba", "zbb", "zbs").forall(isa.contains(_))) "b" else "" // together they are B
  private val misaValue = (isa.head + bitManip).map(letter => BigInt(1) << (letter - 'a')).foldLeft(BigInt(2) << 62)(_ | _)
  private val addr = io.access.bits.addr
  import CsrMap._
  private val amuValues = Seq(io.amu.amucap, io.amu.amustat) ++ io.amu.amucfg :+ io.amu.amuhits :+ io.amu.amureuse
  private val readable: Seq[(Int, UInt)] = Seq(
    CsrMap.fflags -> fflags,
    CsrMap.frm -> frm,
    fcsr -> Cat(frm, fflags),
    CsrMap.mstatus -> mstatus,
    misa -> misaValue.U(64.W),
    CsrMap.mie -> mieReg,
    CsrMap.mtvec -> mtvec,
    CsrMap.mscratch -> mscratch,
    CsrMap.mepc -> mepc,
    CsrMap.mcause -> mcause,
    CsrMap.mtval -> mtval,
    CsrMap.amuctl -> amuctl,
    CsrMap.mcycle -> mcycle,
    CsrMap.minstret -> minstret,
    cycle -> mcycle,
    time -> Mux(io.access.valid, ticks, 0.U), // nothing else follows the ticks, so a jump through time may set them (docs/design/simulation.md)
    instret -> minstret
  ) ++ amuValues.zipWithIndex.map { case (v, i) => (amucap + i) -> v }
  private val old = MuxLookup(addr, 0.U(64.W), readable.map { case (a, v) => a.U -> v })
  io.readData := old

  private val funct3 = io.access.bits.funct3
  private val operand = Mux(funct3(2), io.access.bits.rs1Field, io.access.bits.rs1)
  private val next = MuxLookup(funct3(1, 0), operand, Seq(2.U -> (old | operand), 3.U -> (old & ~operand)))
  when(io.access.valid && (funct3(1, 0) === 1.U || io.access.bits.rs1Field =/= 0.U)) {
    switch(addr) {
      is(CsrMap.fflags.U) { fflags := next(4, 0); fs := dirty }
      is(CsrMap.frm.U) { frm := next(2, 0); fs := dirty }
      is(fcsr.U) { frm := next(7, 5); fflags := next(4, 0); fs := dirty }
      is(CsrMap.mstatus.U) { mie := next(3); mpie := next(7); fs := next(14, 13) }
      is(CsrMap.mie.U) { mieReg := next & 0x888.U }
      is(CsrMap.mtvec.U) { mtvec := Cat(next(63, 2), 0.U(1.W), next(0)) }
      is(CsrMap.mscratch.U) { mscratch := next }
      is(CsrMap.mepc.U) { mepc := Cat(next(63, 1), 0.U(1.W)) }
      is(CsrMap.mcause.U) { mcause := next }
      is(CsrMap.mtval.U) { mtval := next }
      is(CsrMap.amuctl.U) { if (p.hasAmu) amuctl := next(1, 0) }
      is(CsrMap.mcycle.U) { mcycle := next }
      is(CsrMap.minstret.U) { minstret := next - 1.U } // its own retirement still counts
    }
  }
  when(io.trap.valid) {
    mpie := mie
    mie := false.B
    mepc := io.trap.pc
    mcause := io.trap.exception.cause
    mtval := io.trap.exception.tval
  }
  when(io.mret) {
    mie := mpie
    mpie := true.B
  }
  assert(!(io.access.valid && io.trap.valid), "CSR access while a trap is taken")

  io.mtvec := mtvec
  io.mepc := mepc
  io.amuctl := amuctl
  io.fpOn := fs =/= 0.U
  io.frm := frm
  io.cycles := mcycle
}
