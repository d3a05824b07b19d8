// SPDX-License-Identifier: Apache-2.0
package nhg

import chisel3._
import chisel3.util._

/** Memory operation of an LSU micro-op. */
object MemOp {
  val width = 2
  val load = 0.U(width.W) // plain load; a prefetch is a load with isPrefetch
  val store = 1.U(width.W)
  val amo = 2.U(width.W) // AMO, LR and SC: performed at the ROB head
}

object AmoOp { // funct5 of the A extension
  val lr = "b00010".U(5.W)
  val sc = "b00011".U(5.W)
}

/** Load issued to a load pipe, operands read. */
class LoadIssue(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val lqPtr = UInt(p.lqPtrBits.W)
  val sqPtr = UInt(p.sqPtrBits.W) // SQ tail of the load: stores below it are older
  val pdst = UInt(p.pregBits.W) // 0: no destination
  val base = UInt(64.W)
  val imm = UInt(12.W) // sign-extended by the LSU
  val size = UInt(2.W) // log2 bytes
  val unsigned = Bool()
  val isPrefetch = Bool() // Zicbop: starts a miss, no data, no exception, dropped when no MSHR is free
  val prefetchWrite = Bool()
  val waitForStores = Bool() // predicted to collide: wait until all older store addresses are known
}

/** Store address (also AMO/LR/SC address) issued. */
class StoreAddressIssue(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val sqPtr = UInt(p.sqPtrBits.W) // own entry
  val lqPtr = UInt(p.lqPtrBits.W) // LQ tail of the store: loads from here on are younger
  val op = UInt(MemOp.width.W) // store or amo
  val amoOp = UInt(5.W)
  val pdst = UInt(p.pregBits.W) // amo result
  val base = UInt(64.W)
  val imm = UInt(12.W) // 0 for amo
  val size = UInt(2.W)
}

class StoreDataIssue(p: NhgParams) extends Bundle {
  val sqPtr = UInt(p.sqPtrBits.W)
  val data = UInt(64.W)
}

/** A finished LSU micro-op. Loads and AMOs write `pdst`; `exception` reports cause 4-7 with `tval` instead. */
class LsuWriteback(p: NhgParams) extends Bundle {
  val robIdx = UInt(p.robIdxBits.W)
  val pdst = UInt(p.pregBits.W)
  val writes = Bool() // pdst gets data
  val data = UInt(64.W)
  val exception = Bool()
  val cause = UInt(5.W)
  val tval = UInt(64.W)
  /** For the commit trace: physical address, and whether it was a device (value injected into the reference). */
  val paddr = UInt(p.paddrBits.W)
  val isMmio = Bool()
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
  val storeAddress = Flipped(Decoupled(new StoreAddressIssue(p)))
  val storeData = Flipped(Decoupled(new StoreDataIssue(p)))

  /** Results; also the wake-up (a dependent issued in the cycle after `valid` reads the register file). */
  val writeback = Output(Vec(p.lsu.loadPipes, Valid(new LsuWriteback(p))))
  /** Store address done (exception or not): the store may commit when its data has come too; `storeDataDone` tells of that. */
  val storeDone = Output(Valid(new LsuWriteback(p)))
  val storeDataDone = Output(Valid(UInt(p.robIdxBits.W)))
  /** A load that read too early (an older store to its bytes came later): replay from it at the ROB head. */
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
  /** Every committed store has been performed: later loads and AMU requests of the hart see it (fence). */
  val storesDrained = Output(Bool())
  /** Beyond that none of them waits in an MSHR for its line: L2 knows where the newest bytes are (fence.i). */
  val storesInLines = Output(Bool())
}

/** L1D to L2, whole lines, one beat. L2 is inclusive of L1D; single core, so a line in L1D is always writable. */
class L1DToL2IO(p: NhgParams) extends Bundle {
  private val idBits = log2Ceil(p.l1d.mshrs)
  /** A: fetch a line. */
  val acquire = Decoupled(new Bundle {
    val lineAddr = UInt(p.lineAddrBits.W)
    val id = UInt(idBits.W)
    val isPrefetch = Bool()
  })
  /** D: the line. Never refused. `error`: the address has no memory (L1D must not allocate). */
  val grant = Flipped(Valid(new Bundle {
    val id = UInt(idBits.W)
    val data = UInt(p.lineBits.W)
    val error = Bool()
  }))
  /** B: give the line back (L2 eviction or AMU); one outstanding at a time. */
  val probe = Flipped(Decoupled(UInt(p.lineAddrBits.W)))
  /** C: dirty line written back (`isProbeAck` low), or the answer to a probe (hasData only when dirty). In order. L1D drops clean lines
    * silently. A probe is answered only after every release of the same line has been accepted, and after a fill of that
    * line under way has been completed including the stores that wait in its MSHR. L1D never acquires a line whose release or probe answer has not been accepted.
    */
  val release = Decoupled(new Bundle {
    val lineAddr = UInt(p.lineAddrBits.W)
    val isProbeAck = Bool()
    val hasData = Bool()
    val data = UInt(p.lineBits.W)
  })
}

/** Device port: one request at a time; `size` log2 bytes; data in place (byte lane = address bits 2:0). */
class MmioIO(p: NhgParams) extends Bundle {
  val req = Decoupled(new Bundle {
    val addr = UInt(p.paddrBits.W)
    val write = Bool()
    val size = UInt(2.W)
    val data = UInt(64.W)
    val mask = UInt(8.W)
  })
  val resp = Flipped(Valid(new Bundle {
    val data = UInt(64.W)
    val error = Bool()
  }))
}

/** SPM window as the LSU sees it: pipelined, 64-bit words, responses in request order a fixed number of cycles later. */
class SpmWordIO(p: NhgParams) extends Bundle {
  private val wordBits = log2Ceil(p.map.spm.bytes) - 3
  val read = Decoupled(UInt(wordBits.W))
  val readData = Flipped(Valid(UInt(64.W)))
  val write = Decoupled(new Bundle {
    val word = UInt(wordBits.W)
    val data = UInt(64.W)
    val mask = UInt(8.W)
  })
  val present = Input(Bool()) // the SPM way is taken from L2; low: accesses fault
}

/** One retired (or trapped) instruction for the commit trace and the lock-step comparison. */
class CommitRecord(p: NhgParams) extends Bundle {
  val valid = Bool()
  val pc = UInt(64.W)
  val inst = UInt(32.W) // raw
  val writes = Bool()
  val rd = UInt(5.W)
  val rdValue = UInt(64.W)
  val trap = Bool() // trapped instead of retiring
  val cause = UInt(64.W)
  val tval = UInt(64.W)
  val memValid = Bool()
  val memAddr = UInt(64.W)
  val memIsMmio = Bool()
}
