// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu._
import chisel3._
import chisel3.util._
import nhg._
import nhg.priv.InterruptState

/** What the ROB knows of an instruction from rename on. */
class RobEntry(p: NhgParams) extends Bundle {
  val register = new CommittedRegister(p)
  val ftqIdx = UInt(p.ftqIdxBits.W)
  val isRvc = Bool()
  val isLoad = Bool()
  val isPrefetch = Bool()
  val isStore = Bool()
  val isAmo = Bool()
  val isAmi = Bool()
  val isFin = Bool()
  val finTaken = Bool()
  val isCfi = Bool()
  val isFp = Bool() // raises flags
  val alone = Bool() // retires by itself
  val flushAfter = Bool()
  val isMret = Bool()
  val isSret = Bool()
  val isWfi = Bool()
  val isFenceI = Bool()
  val isSfence = Bool()
}

/** A flush that starts at the ROB head, one cycle after the head was found to need it. */
class RobFlush(p: NhgParams) extends Bundle {
  val isTrap = Bool()
  val isReplay = Bool()
  val isWithdrawn = Bool() // an interrupt that something older has ended: the same instruction again
  val isMret = Bool()
  val isSret = Bool()
  val isFenceI = Bool()
  val isSfence = Bool()
  val pc = UInt(p.pcBits.W)
  val ftqIdx = UInt(p.ftqIdxBits.W)
  val isRvc = Bool()
}

object Rob {
  /** Ports whose operations read their program counter. */
  def pcReaders(p: NhgParams): Seq[String] = (p.backend.portsOf("alu") ++ p.backend.portsOf("bru")).map(_.name)
}

/** Reorder buffer: in-order allocation and retirement, up to `commitWidth` a cycle. AMI requests retire at slot 0, instructions that flush
  * alone, wfi when an interrupt is pending. Stores need their address and their data, AMOs their result and their data. What comes from a port
  * that `retiresAtOnce` retires in the cycle of its completion if it can: the registers are free sooner.
  */
class Rob(p: NhgParams) extends Module {
  private val n = p.backend.robEntries
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  private val ptrBits = p.robRing.bits
  val io = IO(new Bundle {
    val in = Input(Vec(dw, Valid(new RobEntry(p)))) // a prefix
    val inComplete = Input(Vec(dw, Bool())) // nothing to execute
    val inPc = Input(Vec(dw, UInt(p.pcBits.W)))
    val tail = Output(UInt(ptrBits.W))
    val head = Output(UInt(ptrBits.W))
    val free = Output(UInt(log2Ceil(n + 1).W))
    val empty = Output(Bool())
    val pcIdx = Input(new ByName(Rob.pcReaders(p), UInt(p.robIdxBits.W)))
    val pcRead = Output(new ByName(Rob.pcReaders(p), UInt(p.pcBits.W)))
    val done = Input(new ByName(p.backend.ports.map(_.name), Valid(UInt(p.robIdxBits.W))))
    val storeDone = Input(Vec(p.lsu.storePipes, Valid(UInt(p.robIdxBits.W))))
    val storeDataDone = Input(Vec(p.lsu.storePipes, Valid(UInt(p.robIdxBits.W))))
    val fpFlags = Input(new ByName(FpUnits.ports, Valid(new FpFlags(p))))
    val exception = Input(Valid(new RobException(p)))
    val interrupts = Input(new InterruptState)
    val kill = Input(new Kill(p))
    // retirement
    val commit = Output(Vec(cw, Valid(new RobEntry(p))))
    val commitPc = Output(Vec(cw, UInt(p.pcBits.W)))
    val fpRetired = Output(new FpRetired)
    val headEntry = Output(new RobEntry(p))
    val ami = new Bundle {
      val valid = Output(Bool())
      val ready = Input(Bool())
      val exception = Input(new ExceptionInfo)
    }
    val trap = Output(new Trap)
    val headStuck = Output(Bool()) // the head will not retire (trap or replay)
    val flush = Output(Valid(new RobFlush(p)))
  })
  private val entries = new GroupMem(new RobEntry(p), n, dw max cw)
  private val pcs = new GroupMem(UInt(p.pcBits.W), n, dw max cw)
  private val head = RegInit(0.U(ptrBits.W))
  private val tail = RegInit(0.U(ptrBits.W))
  private val count = RegInit(0.U(log2Ceil(n + 1).W))
  private val done = RegInit(0.U(n.W))
  private val addressDone = RegInit(0.U(n.W))
  private val dataDone = RegInit(0.U(n.W))
  private def idx(ptr: UInt) = p.robRing.index(ptr)

  // allocation
  entries.write(idx(tail), io.in.map(_.valid), io.in.map(_.bits))
  pcs.write(idx(tail), io.in.map(_.valid), io.inPc)
  private val arriving = PopCount(io.in.map(_.valid))
  io.tail := tail
  io.head := head
  io.free := n.U - count
  io.empty := count === 0.U
  for (port <- Rob.pcReaders(p)) { io.pcRead(port) := pcs.read(io.pcIdx(port)) }

  // completion
  private def mask(v: Valid[UInt]): UInt = Mux(v.valid, UIntToOH(v.bits, n), 0.U)
  private val laneMask = (0 until dw).map(i => UIntToOH(idx(p.robRing.add(tail, i.U)), n))
  private def arrivals(f: Int => Bool): UInt = (0 until dw).map(i => Mux(f(i), laneMask(i), 0.U)).reduce(_ | _)
  private val allocated = arrivals(i => io.in(i).valid)
  private val complete = arrivals(i => io.in(i).valid && io.inComplete(i))
  done := ((done | io.done.values.map(mask).reduce(_ | _)) & ~allocated) | complete
  addressDone := (addressDone | io.storeDone.map(mask).reduce(_ | _)) & ~allocated
  dataDone := (dataDone | io.storeDataDone.map(mask).reduce(_ | _)) & ~allocated

  // retirement
  private val atOnce = p.backend.ports.filter(_.retiresAtOnce).map(_.name)
  private def isDone(where: UInt): Bool = done(where) || VecInit(atOnce.map(io.done(_)).map(now => now.valid && now.bits === where)).asUInt.orR
  private val flush = RegInit(false.B)
  private val flushInfo = Reg(new RobFlush(p))
  private val at = (0 until cw).map(i => p.robRing.add(head, i.U))
  private val candidates = entries.readGroup(idx(head))
  private val pc = pcs.readGroup(idx(head))
  private val ready = (0 until cw).map { i =>
    val e = candidates(i)
    val where = idx(at(i))
    val executed = Mux(e.isStore && !e.isAmo, addressDone(where), isDone(where)) && (!e.isStore || dataDone(where))
    val excepted = io.exception.valid && io.exception.bits.robPtr === at(i)
    i.U < count && !flush && executed && !excepted
  }
  private val headExcepted = count =/= 0.U && !flush && io.exception.valid && io.exception.bits.robPtr === head
  private val first = candidates(0)
  io.ami.valid := ready(0) && first.isAmi
  private val amiFault = io.ami.valid && io.ami.exception.valid
  private val amiStall = first.isAmi && (!io.ami.ready || io.ami.exception.valid)

  private var open = ready(0) && !amiStall && (!first.isWfi || io.interrupts.wakes)
  private var taker = first.finTaken
  private val retire = Wire(Vec(cw, Bool()))
  retire(0) := open
  for (i <- 1 until cw) {
    val first = candidates(i).alone || candidates(i).isAmi // of its group
    open = open && ready(i) && !candidates(i - 1).alone && !first && !(taker && candidates(i).finTaken)
    taker = taker || candidates(i).finTaken
    retire(i) := open
  }
  for (i <- 0 until cw) {
    io.commit(i).valid := retire(i)
    io.commit(i).bits := candidates(i)
    io.commitPc(i) := pc(i)
  }
  private val fpFlags = Mem(n, UInt(5.W))
  for (raised <- io.fpFlags.values) { when(raised.valid) { fpFlags.write(raised.bits.robIdx, raised.bits.flags) } }
  private def flagsOf(where: UInt): UInt = atOnce.filter(FpUnits.ports.contains).map(io.fpFlags(_)).foldLeft(fpFlags.read(where)) { (before, now) =>
    Mux(now.valid && now.bits.robIdx === where, now.bits.flags, before)
  }
  io.fpRetired.flags := (0 until cw).map(i => Mux(retire(i) && candidates(i).isFp, flagsOf(idx(at(i))), 0.U)).reduce(_ | _)
  private val writesFp = (0 until cw).map(i => retire(i) && candidates(i).register.writesTo(p.backend.fpClass))
  io.fpRetired.dirty := VecInit(writesFp).asUInt.orR || io.fpRetired.flags.orR
  private val retired = PopCount(retire)
  io.headEntry := first
  io.headStuck := flush || headExcepted

  io.trap.pc := Pc.address(pc(0))
  private val headInterrupted = headExcepted && io.exception.bits.isInterrupt
  private val taken = headInterrupted && io.interrupts.letIn
  io.trap.isInterrupt := taken
  io.trap.exception := Mux(amiFault, io.ami.exception, io.exception.bits.exception)
  io.trap.exception.valid := headExcepted && !io.exception.bits.replay && !io.exception.bits.isInterrupt || amiFault || taken
  when(taken) {
    io.trap.exception.cause := io.interrupts.cause
    io.trap.exception.tval := 0.U
  }

  // What may let an interrupt in, such as the write of a CSR, retires alone: the interrupt comes before the next instruction.
  private val letsIn = first.alone && io.interrupts.letIn
  private val flushNow = headExcepted || amiFault || retire(0) && (first.flushAfter || letsIn)
  flush := flushNow
  when(flushNow) {
    flushInfo.isTrap := io.trap.valid
    flushInfo.isReplay := headExcepted && io.exception.bits.replay
    flushInfo.isWithdrawn := headInterrupted && !taken
    flushInfo.isMret := retire(0) && first.isMret
    flushInfo.isSret := retire(0) && first.isSret
    flushInfo.isFenceI := retire(0) && first.isFenceI
    flushInfo.isSfence := retire(0) && first.isSfence
    flushInfo.pc := pc(0)
    flushInfo.ftqIdx := first.ftqIdx
    flushInfo.isRvc := first.isRvc
  }
  io.flush.valid := flush
  io.flush.bits := flushInfo

  // pointers
  private val newHead = p.robRing.add(head, retired)
  head := newHead
  private val afterSquash = p.robRing.add(io.kill.robPtr, 1.U)
  when(io.kill.flush) {
    tail := head
    count := 0.U
  }.elsewhen(io.kill.squash) {
    tail := afterSquash
    count := p.robRing.distance(afterSquash, newHead)
  }.otherwise {
    tail := p.robRing.add(tail, arriving)
    count := count + arriving - retired
  }
  assert(arriving <= io.free, "ROB overflow")
  assert(count === 0.U || count === n.U || count === p.robRing.distance(tail, head), "ROB count and pointers disagree")
  assert(!(io.kill.flush || io.kill.squash) || arriving === 0.U, "rename during a squash")
  assert(!io.kill.flush || retired === 0.U && !io.trap.valid, "an instruction retires or traps in a flush cycle")
  private def isLive(index: UInt): Bool = p.robRing.distance(p.robRing.fromIndex(index, head), head) < count
  for (d <- io.done.values ++ io.storeDone ++ io.storeDataDone) {
    assert(!d.valid || io.kill.flush || isLive(d.bits), "an instruction that is not in the ROB completes")
  }
  assert(!io.exception.valid || p.robRing.distance(io.exception.bits.robPtr, head) < count, "exception of an instruction that is not in the ROB")
}
