// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import nhg.{ExceptionInfo, NhgParams, PhysicalDestination}

object AmoOp { // funct5 of the A extension
  val lr = "b00010".U(5.W)
  val sc = "b00011".U(5.W)
}

/** Load issued to a load pipe, operands read. */
class LoadIssue(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val lqPtr = UInt(p.lqPtrBits.W)
  val sqPtr = UInt(p.sqPtrBits.W) // SQ tail of the load: stores below it are older
  val dest = new PhysicalDestination(p)
  val base = UInt(64.W)
  val imm = UInt(12.W) // sign-extended by the LSU
  val size = UInt(2.W) // log2 bytes
  val unsigned = Bool()
  val isPrefetch = Bool() // Zicbop: starts a miss, no data, no exception, dropped when no MSHR is free
  val waitForStores = Bool() // predicted to collide: wait until all older store addresses are known
}

/** Store address (also AMO/LR/SC address) issued. */
class StoreAddressIssue(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val sqPtr = UInt(p.sqPtrBits.W) // own entry
  val lqPtr = UInt(p.lqPtrBits.W) // LQ tail of the store: loads from here on are younger
  val isAmo = Bool() // AMO, LR or SC: performed at the ROB head
  val amoOp = UInt(5.W)
  val dest = new PhysicalDestination(p) // AMO result
  val base = UInt(64.W)
  val imm = UInt(12.W) // 0 for amo
  val size = UInt(2.W)
}

class StoreDataIssue(p: NhgParams) extends Bundle {
  val sqPtr = UInt(p.sqPtrBits.W)
  val data = UInt(64.W)
}

/** A finished LSU micro-op: `data` for `dest`, or an exception, which writes nothing. */
class LsuWriteback(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val dest = new PhysicalDestination(p)
  val data = UInt(64.W)
  val exception = new ExceptionInfo
  /** For the commit trace: physical address, and whether it was a device (value injected into the reference). */
  val paddr = UInt(p.paddrBits.W)
  val isMmio = Bool()
}

/** An exception of a micro-op of the LSU. */
class LsuFault(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val exception = new ExceptionInfo
}

/** Back end to LSU. */
class LsuIO(p: NhgParams) extends Bundle {
  private val w = p.backend.decodeWidth
  private val cw = p.backend.commitWidth

  /** Rename: number of LQ/SQ entries taken this cycle (AMO/LR/SC take an SQ entry), tails before this cycle. */
  val allocLoads = Input(UInt(log2Ceil(w + 1).W))
  val allocStores = Input(UInt(log2Ceil(w + 1).W))
  val lqTail = Output(UInt(p.lqPtrBits.W))
  val sqTail = Output(UInt(p.sqPtrBits.W))
  val lqFree = Output(UInt(p.lqPtrBits.W)) // entries free
  val sqFree = Output(UInt(p.sqPtrBits.W))

  /** Operations whose operands have been read; a pipe accepts when ready (a load pipe is busy while the LQ replays). */
  val load = Vec(p.lsu.loadPipes, Flipped(Decoupled(new LoadIssue(p))))
  val storeAddress = Vec(p.lsu.storePipes, Flipped(Decoupled(new StoreAddressIssue(p))))
  val storeData = Vec(p.lsu.storePipes, Flipped(Decoupled(new StoreDataIssue(p))))

  /** Results; also the wake-up (a dependent issued in the cycle after `valid` reads the register file). */
  val writeback = Output(Vec(p.lsu.loadPipes, Valid(new LsuWriteback(p))))
  /** Exceptions among these results: each load pipe's, which do not wait for what the store queue says, then that of the last slot's late result. */
  val fault = Output(Vec(p.lsu.loadPipes + 1, Valid(new LsuFault(p))))
  /** Store address done (exception or not): the store may commit when its data has come too; `storeDataDone` tells of that. */
  val storeDone = Output(Vec(p.lsu.storePipes, Valid(new LsuWriteback(p))))
  val storeDataDone = Output(Vec(p.lsu.storePipes, Valid(UInt(p.robIdxBits.W))))
  /** The oldest load that is found in this cycle to have read too early (see `LoadQueue`): replay from it at the ROB head. */
  val violation = Output(Valid(UInt(p.robIdxBits.W)))

  /** Commit, in order: loads leave the LQ, stores become non-speculative. AMOs count as stores. */
  val commitLoads = Input(UInt(log2Ceil(cw + 1).W))
  val commitStores = Input(UInt(log2Ceil(cw + 1).W))
  /** ROB head, valid when the ROB is not empty: device loads and AMOs are performed only here. */
  val robHead = Input(Valid(UInt(p.robIdxBits.W)))

  /** Squash after a mispredict: tails go back; entries at and after them die, also in the pipes. */
  val restore = Input(Valid(new Bundle {
    val lqTail = UInt(p.lqPtrBits.W)
    val sqTail = UInt(p.sqPtrBits.W)
  }))
  /** Everything not committed dies. */
  val flush = Input(Bool())
  /** For observation: the oldest load waits for its line, and that is far memory's. */
  val headWaitsForFar = Output(Bool())
  /** Every committed store has been performed: later loads and AMU requests of the hart see it (fence). */
  val storesDrained = Output(Bool())
  /** Beyond that none of them waits in an MSHR for its line: L2 knows where the newest bytes are (fence.i). */
  val storesInLines = Output(Bool())
}
