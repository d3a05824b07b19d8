// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import nhg._
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

/** Store address pipe. a0: address, alignment and region; the store queue takes the result at the end of a0. a1: younger loads
  * are checked, plain stores report their address done. Device stores and AMOs report later, from the ROB head.
  */
class StoreAddressPipe(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val issue = Flipped(Decoupled(new StoreAddressIssue(p)))
    val squash = Input(new Squash(p))
    val spmPresent = Input(Bool())
    val pmp = Input(new PmpState(p))
    val triggers = Input(new TriggerState)
    val resolved = Valid(new StoreOp(p)) // a0
    val check = Valid(new OrderCheck(p)) // a1
    val done = Valid(new LsuWriteback(p)) // a1
  })

  // a0
  io.issue.ready := true.B
  private val issue = io.issue.bits
  private val addr = issue.base + Cat(Fill(52, issue.imm(11)), issue.imm)
  private val where = AddressClass(p, addr, io.spmPresent)
  private val op = Wire(new StoreOp(p))
  private val misaligned = ByteLanes.misaligned(addr(2, 0), issue.size)
  private val denied = io.pmp.denies(addr, Mux(op.isLr, io.pmp.read, io.pmp.write))
  private val legal = !denied && (where.memory || (!op.isAmo && (where.spm || where.mmio)))
  op.robIdx := issue.robIdx
  op.sqPtr := issue.sqPtr
  op.lqPtr := issue.lqPtr
  op.dest := issue.dest
  op.addr := addr(p.paddrBits - 1, 0)
  op.size := issue.size
  op.isAmo := issue.isAmo
  op.amoOp := issue.amoOp
  op.isSpm := where.spm
  op.isMmio := where.mmio
  // Triggers come first, but in the order of Spike: AMOs and SC check alignment and protection before
  private val readsMemory = op.isAmo && !op.isSc
  private val writesMemory = !op.isLr
  private val watched = io.triggers.fires(t => t.load && readsMemory || t.store && writesMemory, addr, ByteLanes.bytes(issue.size))
  private val beforeTriggers = op.isAmo && writesMemory && (misaligned || denied || op.isSc && !where.memory)
  op.exception.valid := watched || misaligned || !legal
  op.exception.cause := MuxCase(
    Mux(op.isLr, Cause.loadAccess, Cause.storeAccess),
    Seq(
      (watched && !beforeTriggers) -> Cause.breakpoint,
      misaligned -> Mux(op.isLr, Cause.loadMisaligned, Cause.storeMisaligned)
    )
  )
  op.exception.tval := addr

  private val a0_valid = io.issue.valid && !io.squash.killsStore(issue.sqPtr)
  io.resolved.valid := a0_valid
  io.resolved.bits := op

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
