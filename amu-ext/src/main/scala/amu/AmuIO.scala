// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import platform.{AmiOperation, AmuConfigNumber, Csrs}

/** An AMI operation, one of platform.AmiOperation, as the core hands it to the AMU. */
object AmiOp {
  val width: Int = AmiOperation.bits
  def apply(number: Int): UInt = number.U(width.W)
}

/** Request-queue side of the core. The six AMI instructions without a result (all but getfin/bafin) hold a
  * request-queue entry from rename on; operands arrive from an issue port in any order; the ROB offers the entry when the
  * instruction is at its head, the AMU checks rule 9 in that cycle and either lets it commit or raises an AMU error.
  */
class AmuRequestIO(p: AmuParams) extends Bundle {
  /** Rename: entries taken this cycle (0 … 1), tail before this cycle, entries free. */
  val allocate = Input(Bool())
  val allocateOp = Input(UInt(AmiOp.width.W))
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
  val commitCause = Output(UInt(5.W)) // AMU error, or of aload / astore access fault (5 / 7) or page fault (13 / 15)
  val commitTval = Output(UInt(64.W))
  val commitAddress = Output(Valid(UInt(p.paddrBits.W))) // physical, of an aload or astore that commits: for the commit trace
  /** Squash: uncommitted entries at and after this tail disappear. */
  val restore = Input(Valid(UInt(p.reqPtrBits.W)))
  /** Every uncommitted entry disappears (exception or replay at the ROB head). */
  val flush = Input(Bool())
}

/** Addresses of requests to the data TLB of the core's stores, answered in the same cycle. */
class AmuTranslationIO extends Bundle {
  val address = Output(UInt(64.W))
  val isStore = Output(Bool())
  val walks = Output(Bool()) // if it misses, and there is one
  val physical = Input(UInt(64.W))
  val pageFault = Input(Bool())
  val miss = Input(Bool()) // then the others say nothing
  val waits = Input(Bool()) // for `woken`: else it may try again at once
  val denied = Input(Bool()) // by memory protection
  val woken = Input(Bool())
}

/** What a finish-queue entry tells the core. */
class FinishedGroup(p: AmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val taskWord = UInt(64.W)
  val target = UInt(p.pcBits.W) // target_base + 2 * target offset, which stands for the address by its sign
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
  val amucfg = Output(Vec(AmuConfigNumber.count, UInt(64.W)))
  val amuhits = Output(UInt(64.W))
  val amureuse = Output(UInt(64.W))
  val amuid = Output(UInt(64.W))
  val amustate = Output(UInt(64.W))
  val select = Input(Valid(UInt(64.W))) // a write of amuid
  val forget = Input(Bool()) // a write of amustate, after all requests
  val readOutBusy = Output(Bool()) // nothing younger than those writes may begin

  /** By CSR number. */
  def values: Seq[(Int, UInt)] = Seq(
    Csrs.amucap -> amucap,
    Csrs.amustat -> amustat,
    Csrs.amuhits -> amuhits,
    Csrs.amureuse -> amureuse,
    Csrs.amuid -> amuid,
    Csrs.amustate -> amustate
  ) ++ amucfg.zipWithIndex.map { case (register, number) => (Csrs.amucfg0 + number) -> register }
}

/** Lines of the core's store buffer, a bit each. */
class StoreBufferState(p: AmuParams) extends Bundle {
  val used = UInt(p.storeBufferLines.W)
  val freed = UInt(p.storeBufferLines.W) // performed, not used from the next cycle on
}

/** Order against the hart's own older stores: a request leaves the request queue when the stores before it have left the store queue (SQ dequeue
  * pointer), the lines that were in the store buffer then have been performed, and no L1D MSHR works on its line.
  */
class AmuOrderIO(p: AmuParams) extends Bundle {
  val sqDeqPtr = Input(UInt(p.sqPtrBits.W))
  val storeBuffer = Input(new StoreBufferState(p))
  val queryLine = Output(UInt(p.lineAddrBits.W))
  val queryBusy = Input(Bool()) // combinational
}
