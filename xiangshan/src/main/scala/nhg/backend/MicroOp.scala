// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._
import nhg.frontend.FetchedInst

/** The function unit of a micro-op. */
object FuType {
  val width = 4
  val alu = 0.U(width.W)
  val bru = 1.U(width.W) // branches, jumps, CSR, getfin, bafin
  val mdu = 2.U(width.W)
  val load = 3.U(width.W)
  val store = 4.U(width.W) // stores and AMO/LR/SC
  val ami = 5.U(width.W) // AMI requests: operands through the store-address port
  val none = 6.U(width.W) // complete at rename
  val fma = 7.U(width.W) // fn: FpuOp, as for fpMisc; `word`: single precision; imm: the rounding mode, resolved
  val fpMisc = 8.U(width.W) // and divisions, square roots
  val bitManip = 9.U(width.W) // at the ports of the ALUs
  def isFp(unit: UInt): Bool = unit === fma || unit === fpMisc
}

/** ALU operation; `word` selects the 32-bit form. */
object AluFn {
  val add = 0.U(5.W)
  val sub = 1.U(5.W)
  val sll = 2.U(5.W)
  val slt = 3.U(5.W)
  val sltu = 4.U(5.W)
  val xor = 5.U(5.W)
  val srl = 6.U(5.W)
  val sra = 7.U(5.W)
  val or = 8.U(5.W)
  val and = 9.U(5.W)
  val copyB = 10.U(5.W)
}

/** BRU operation: 0-7 conditional branches by funct3, 16 + funct3 CSR accesses. */
object BruFn {
  val jal = 8.U(5.W)
  val jalr = 9.U(5.W)
  val getfin = 10.U(5.W)
  val bafin = 11.U(5.W)
  def isBranch(fn: UInt): Bool = fn(4, 3) === 0.U
  def isCsr(fn: UInt): Bool = fn(4)
}

/** Load fn: [1:0] log2 bytes, [2] zero-extended, [3] prefetch. Store fn: [1:0] log2 bytes, [2] AMO. */
object MemFn {
  def size(fn: UInt): UInt = fn(1, 0)
  def unsigned(fn: UInt): Bool = fn(2)
  def isPrefetch(fn: UInt): Bool = fn(3)
  def isAmo(fn: UInt): Bool = fn(2)
}

/** What dies this cycle: everything (`flush`), or everything younger than `robPtr` (`squash`, after a mispredict). */
class Kill(p: NhgParams) extends Bundle {
  val flush = Bool()
  val squash = Bool()
  val robPtr = UInt(p.robRing.bits.W)
  def apply(p: NhgParams, ptr: UInt): Bool = flush || squash && p.robRing.isBefore(robPtr, ptr)
}

/** Decoder output: control of one instruction, architectural registers. */
class DecodedOp(p: NhgParams) extends Bundle {
  val fetched = new FetchedInst(p)
  val queues = UInt(p.backend.issueQueues.length.W) // issue queues it goes to; none: complete at rename
  val fuType = UInt(FuType.width.W)
  val fn = UInt(5.W)
  val word = Bool()
  val useImm = Bool()
  val usePc = Bool()
  /** Sign-extended when used. CSR: [11:0] address, [16:12] zimm. AMO: [4:0] funct5. FuType.fma, fpMisc: [2:0] rounding mode. */
  val imm = UInt(32.W)
  val lrs = Vec(p.backend.sources, new LogicalRegister(p))
  val dest = new LogicalDestination(p)
  val isMove = Bool() // dest becomes what lrs(0) is; it does not execute
  val isCfi = Bool()
  val cfiType = UInt(3.W)
  val isLoad = Bool() // takes an LQ entry
  val isStore = Bool() // takes an SQ entry (AMO too)
  val isAmo = Bool()
  val isAmi = Bool() // AMI request
  val isFin = Bool() // getfin or bafin
  val serial = Bool() // alone in the ROB
  val drainStores = Bool() // and only after every store has been performed
  val drainRequests = Bool() // and only after every request of the AMU has been
  val flushAfter = Bool() // refetch what follows
  val isMret = Bool()
  val isSret = Bool()
  val isWfi = Bool()
  val isFenceI = Bool()
  val isSfence = Bool() // sfence.vma
  val waitForStores = Bool()
  val exception = new ExceptionInfo
  val isInterrupted = Bool() // is not executed: an interrupt is to be taken in its place, and `exception` only valid
}

/** A renamed micro-op as the queues and issue ports carry it. */
class MicroOp(p: NhgParams) extends Bundle {
  val robPtr = UInt(p.robRing.bits.W)
  val queues = UInt(p.backend.issueQueues.length.W)
  val fuType = UInt(FuType.width.W)
  val fn = UInt(5.W)
  val word = Bool()
  val useImm = Bool()
  val usePc = Bool()
  val imm = UInt(32.W)
  val psrc = Vec(p.backend.sources, new PhysicalRegister(p))
  val dest = new PhysicalDestination(p)
  val waitForStores = Bool()
  val lqPtr = UInt(p.lqPtrBits.W)
  val sqPtr = UInt(p.sqPtrBits.W)
  val reqPtr = UInt(p.amu.reqPtrBits.W)
  val finPtr = UInt(p.amu.finPtrBits.W)
  val finTaken = Bool()
  val snapshot = UInt(log2Ceil(p.backend.branchSnapshots).W)
  def imm64: UInt = Cat(Fill(32, imm(31)), imm)
}

/** A micro-op with its operands read. */
class IssuedOp(p: NhgParams) extends Bundle {
  val uop = new MicroOp(p)
  val src = Vec(p.backend.sources, UInt(64.W))
}

/** What the BRU must know of a control-flow instruction's prediction; kept per snapshot. */
class BranchInfo(p: NhgParams) extends Bundle {
  val ftqIdx = UInt(p.ftqIdxBits.W)
  val cfiType = UInt(3.W)
  val predTaken = Bool()
  val predTarget = UInt(p.pcBits.W)
  val isRvc = Bool()
}

/** Registers of one class just after a control-flow instruction: where they are, and the free list's head. */
class RegisterSnapshot(c: RegisterClass) extends Bundle {
  val map = Vec(c.logical, UInt(c.physicalBits.W))
  val freeHead = UInt(c.freeRing.bits.W)
}

/** Back-end state just after a control-flow instruction, to return to when it was mispredicted. */
class BranchSnapshot(p: NhgParams) extends Bundle {
  val registers = MixedVec(p.backend.registerClasses.map(new RegisterSnapshot(_)))
  val lqTail = UInt(p.lqPtrBits.W)
  val sqTail = UInt(p.sqPtrBits.W)
  val reqTail = UInt(p.amu.reqPtrBits.W)
  val finPtr = UInt(p.amu.finPtrBits.W)
}
