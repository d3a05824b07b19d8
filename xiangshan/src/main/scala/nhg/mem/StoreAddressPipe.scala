// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import nhg._
import nhg.mmu.TlbLookup
import nhg.priv.{PmpState, TriggerState}

/** A store, AMO, LR or SC whose address is known. */
class StoreOp(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val sqPtr = UInt(p.sqPtrBits.W)
  val lqPtr = UInt(p.lqPtrBits.W)
  val dest = new PhysicalDestination(p)
  val addr = UInt(p.paddrBits.W)
  val size = UInt(2.W)
  val isAmo = Bool()
  val amoOp = UInt(5.W)
  val isSpm = Bool()
  val isMmio = Bool()
  val exception = new ExceptionInfo

  def isLr: Bool = isAmo && amoOp === AmoOp.lr
  def isSc: Bool = isAmo && amoOp === AmoOp.sc
  def offset: UInt = addr(2, 0)
  def mask: UInt = ByteLanes.mask(offset, size)
  def word: UInt = addr >> 3
  def lineAddr(p: NhgParams): UInt = addr >> log2Ceil(p.lineBytes)
  def wordInLine(p: NhgParams): UInt = addr(log2Ceil(p.lineBytes) - 1, 3)
  /** Its bytes may change. */
  def writes: Bool = !exception.valid && !isLr

  /** How it ends without writing a register. */
  def finished(p: NhgParams): LsuWriteback = {
    val w = Wire(new LsuWriteback(p))
    w.robIdx := robIdx
    w.dest := dest
    w.dest.writes := false.B
    w.data := 0.U
    w.exception := exception
    w.paddr := addr
    w.isMmio := isMmio
    w
  }
}

/** A store, AMO, LR or SC that has missed the TLB: its virtual address is `op.exception.tval`. */
class MissedStore(p: NhgParams) extends Bundle {
  val op = new StoreOp(p)
  val waits = Bool() // for the end of a walk
}

/** Store address pipe. a0: address, translation, alignment and region; the store queue takes the result at the end of a0, or, if the TLB has
  * missed, the virtual address, which comes back as a replay. a1: younger loads are checked, plain stores report their address done. Device stores and
  * AMOs report later, from the ROB head.
  */
class StoreAddressPipe(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val issue = Flipped(Decoupled(new StoreAddressIssue(p)))
    val replay = Flipped(Valid(new StoreOp(p)))
    val squash = Input(new Squash(p))
    val spmPresent = Input(Bool())
    val tlb = Flipped(new TlbLookup)
    val pmp = Input(new PmpState(p))
    val triggers = Input(new TriggerState)
    val resolved = Valid(new StoreOp(p)) // a0
    val missed = Valid(new MissedStore(p)) // a0
    val check = Valid(new OrderCheck(p)) // a1
    val done = Valid(new LsuWriteback(p)) // a1
  })

  // a0
  io.issue.ready := !io.replay.valid
  private val issue = io.issue.bits
  private val fresh = Wire(new StoreOp(p))
  private val op = WireDefault(Mux(io.replay.valid, io.replay.bits, fresh))
  private val addr = op.exception.tval
  io.tlb.address := addr
  io.tlb.isStore := !op.isLr
  private val where = AddressClass(p, io.tlb.physical, io.spmPresent)
  private val misaligned = ByteLanes.misaligned(addr(2, 0), op.size)
  private val denied = io.tlb.pageFault || io.pmp.denies(io.tlb.physical, Mux(op.isLr, io.pmp.read, io.pmp.write))
  private val legal = !denied && (where.memory || (!op.isAmo && (where.spm || where.mmio)))
  for (known <- Seq(fresh.addr, fresh.isSpm, fresh.isMmio, fresh.exception.valid, fresh.exception.cause)) { known := DontCare } // below
  fresh.robIdx := issue.robIdx
  fresh.sqPtr := issue.sqPtr
  fresh.lqPtr := issue.lqPtr
  fresh.dest := issue.dest
  fresh.size := issue.size
  fresh.isAmo := issue.isAmo
  fresh.amoOp := issue.amoOp
  fresh.exception.tval := issue.base + Cat(Fill(52, issue.imm(11)), issue.imm)
  op.addr := io.tlb.physical
  op.isSpm := where.spm
  op.isMmio := where.mmio
  // Triggers come first, but in the order of Spike: AMOs and SC check alignment and protection before
  private val readsMemory = op.isAmo && !op.isSc
  private val writesMemory = !op.isLr
  private val watched = io.triggers.fires(t => t.load && readsMemory || t.store && writesMemory, addr, ByteLanes.bytes(op.size))
  private val checksFirst = op.isAmo && writesMemory
  private val beforeTriggers = checksFirst && (misaligned || denied || op.isSc && !where.memory)
  op.exception.valid := watched || misaligned || !legal
  op.exception.cause := MuxCase(
    Mux(op.isLr, Cause.loadAccess, Cause.storeAccess),
    Seq(
      (watched && !beforeTriggers) -> Cause.breakpoint,
      misaligned -> Mux(op.isLr, Cause.loadMisaligned, Cause.storeMisaligned),
      io.tlb.pageFault -> Mux(op.isLr, Cause.loadPage, Cause.storePage)
    )
  )

  private val a0_alive = (io.issue.valid || io.replay.valid) && !io.squash.killsStore(op.sqPtr)
  private val missing = io.tlb.miss && !misaligned && (checksFirst || !watched)
  private val a0_valid = a0_alive && !missing
  io.resolved.valid := a0_valid
  io.resolved.bits := op
  io.tlb.walks := a0_alive && missing
  io.missed.valid := a0_alive && missing
  io.missed.bits.op := op
  io.missed.bits.waits := io.tlb.waits

  // a1
  private val a1_alive = RegNext(a0_valid, false.B)
  private val a1_op = RegEnable(op, a0_valid)
  private val a1_valid = a1_alive && !io.squash.killsStore(a1_op.sqPtr)
  io.check.valid := a1_valid && a1_op.writes
  io.check.bits.sqPtr := a1_op.sqPtr
  io.check.bits.lqPtr := a1_op.lqPtr
  io.check.bits.word := a1_op.word
  io.check.bits.mask := a1_op.mask
  io.done.valid := a1_valid && !a1_op.isAmo && (a1_op.exception.valid || !a1_op.isMmio)
  io.done.bits := a1_op.finished(p)
}
