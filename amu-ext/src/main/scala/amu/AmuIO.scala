// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._

/** AMI operation, the instruction's funct3 (docs/ami.md). */
object AmiOp {
  val aload = 0.U(3.W)
  val astore = 1.U(3.W)
  val getfin = 2.U(3.W)
  val bafin = 3.U(3.W)
  val aset = 4.U(3.W)
  val aconfig = 5.U(3.W)
  val await = 6.U(3.W)
  val asignal = 7.U(3.W)
}

/** Request-queue side of the core. The six AMI instructions without a result (all but getfin/bafin) hold a
  * request-queue entry from rename on; operands arrive from an issue port in any order; the ROB offers the entry when the
  * instruction is at its head, the AMU checks rule 9 in that cycle and either lets it commit or raises cause 24.
  */
class AmuRequestIO(p: AmuParams) extends Bundle {
  /** Rename: entries taken this cycle (0 … 1), tail before this cycle, entries free. */
  val allocate = Input(Bool())
  val allocateOp = Input(UInt(3.W))
  /** SQ tail of the instruction: every store older than it is below this pointer. */
  val allocateSqPtr = Input(UInt(p.sqPtrBits.W))
  val tail = Output(UInt(p.reqPtrBits.W))
  val full = Output(Bool())
  /** Execute: operand words for an allocated entry. */
  val operands = Input(Valid(new Bundle {
    val ptr = UInt(p.reqPtrBits.W)
    val rs1 = UInt(64.W)
    val rs2 = UInt(64.W)
  }))
  /** Commit: the oldest uncommitted entry is at the ROB head and has its operands. `commitReady` without `commitException`
    * lets it commit in this very cycle; low means stall. With `commitException` (then `commitReady` is high) nothing changes
    * in the AMU. The instruction is the oldest of the commit group, so a `commitTake` in the same cycle is younger: the check
    * sees the state before it.
    */
  val commitValid = Input(Bool())
  val commitReady = Output(Bool())
  val commitException = Output(Bool())
  val commitCause = Output(UInt(5.W)) // 24 AMU error, 5 / 7 access fault of aload / astore
  val commitTval = Output(UInt(64.W))
  /** Squash: uncommitted entries at and after this tail disappear. */
  val restore = Input(Valid(UInt(p.reqPtrBits.W)))
  /** Every uncommitted entry disappears (exception or replay at the ROB head). */
  val flush = Input(Bool())
}

/** What a finish-queue entry tells the core. */
class FinishedGroup(p: AmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val taskWord = UInt(64.W)
  val target = UInt(p.pcBits.W) // target_base + 2 * target offset
}

/** Finish-queue side of the core. getfin/bafin are given an entry at rename, in program order; it leaves the queue when the
  * instruction commits. A FinPtr counts takers; `restore` makes the entries from that pointer on available again.
  */
class AmuFinishIO(p: AmuParams) extends Bundle {
  val available = Output(Bool()) // rename may take an entry
  val renamePtr = Output(UInt(p.finPtrBits.W)) // the next taker's pointer
  val take = Input(Bool())
  val readPtr = Input(UInt(p.finPtrBits.W)) // execute: read a taken entry
  val read = Output(new FinishedGroup(p))
  val commitTake = Input(Bool()) // the oldest taker commits
  val restore = Input(Valid(UInt(p.finPtrBits.W)))
  val flush = Input(Bool()) // renamePtr goes back to the commit pointer
}

/** Finish queue to the frontend's Bafin Target Queue (paper IV-A): entries in order, resent from the restore pointer
  * after a back-end redirect.
  */
class BtqEntry(p: AmuParams) extends Bundle {
  val finPtr = UInt(p.finPtrBits.W)
  val target = UInt(p.pcBits.W)
}

/** Configuration and status as CSRs see them. */
class AmuCsrIO(p: AmuParams) extends Bundle {
  val amucap = Output(UInt(64.W))
  val amustat = Output(UInt(64.W))
  val amucfg = Output(Vec(5, UInt(64.W)))
}

/** One line request from the AMU to L2's coherence lookup. At most one response a cycle, in request order.
  * For a load, `hit` returns the newest data of the line. For a store that hits, L2 merges the bytes (after taking back
  * L1D's copy) and the request is complete. On a miss no cache holds the line, no write-back of it is under way, and
  * the AMU goes to memory itself; for a store L2 holds back demand misses on the line until `storeDone`.
  */
class AmuLineRequest(p: AmuParams) extends Bundle {
  val lineAddr = UInt((p.paddrBits - log2Ceil(p.lineBytes)).W)
  val isStore = Bool()
  val data = UInt(p.lineBits.W)
  val mask = UInt(p.lineBytes.W)
}

class AmuLineResponse(p: AmuParams) extends Bundle {
  val hit = Bool()
  val data = UInt(p.lineBits.W)
}

class AmuCacheIO(p: AmuParams) extends Bundle {
  val req = Decoupled(new AmuLineRequest(p))
  val resp = Flipped(Valid(new AmuLineResponse(p)))
  /** A store that missed has reached memory (AXI B received). */
  val storeDone = Valid(UInt((p.paddrBits - log2Ceil(p.lineBytes)).W))
}

/** SPM RAM port of the AMU: one line (64 B) a cycle, byte mask on writes, read data one cycle after the request. */
class SpmLinePort(p: AmuParams) extends Bundle {
  val read = Decoupled(UInt((p.spmAddrBits - log2Ceil(p.lineBytes)).W))
  val readData = Input(UInt(p.lineBits.W))
  val write = Decoupled(new SpmLineWrite(p))
}

class SpmLineWrite(p: AmuParams) extends Bundle {
  val line = UInt((p.spmAddrBits - log2Ceil(p.lineBytes)).W)
  val data = UInt(p.lineBits.W)
  val mask = UInt(p.lineBytes.W)
}

/** Order against the hart's own older stores: a request leaves the request queue when the stores before it have been
  * performed (SQ dequeue pointer) and no L1D MSHR works on its line.
  */
class AmuOrderIO(p: AmuParams) extends Bundle {
  val sqDeqPtr = Input(UInt(p.sqPtrBits.W))
  val queryLine = Output(UInt((p.paddrBits - log2Ceil(p.lineBytes)).W))
  val queryBusy = Input(Bool()) // combinational
}
