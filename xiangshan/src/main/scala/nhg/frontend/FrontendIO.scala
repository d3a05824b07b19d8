// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import nhg.priv.Pmp
import nhg.{ExceptionCause, NhgParams}

/** Physical pages of an instruction's first and last halfword: for the commit trace. */
class FetchedPages(p: NhgParams) extends Bundle {
  val first = UInt((p.paddrBits - Pmp.grainBits).W)
  val last = UInt((p.paddrBits - Pmp.grainBits).W)
}

/** One instruction as the frontend hands it to decode. */
class FetchedInst(p: NhgParams) extends Bundle {
  val pc = UInt(p.pcBits.W)
  val inst = UInt(32.W) // RVC already expanded
  val raw = UInt(32.W) // as fetched (upper half 0 for RVC): commit trace and mtval
  val isRvc = Bool()
  /** The fetch failed. With isRvc the missing address is pc, without it pc + 2 (the first halfword was there). */
  val exception = new ExceptionCause
  val predTaken = Bool() // the frontend continued at predTarget after this instruction
  val predTarget = UInt(p.pcBits.W)
  /** bafin only: the BPT knew it and asked the BTQ. With predTaken low this says "nothing had finished". */
  val bafinPredicted = Bool()
  val ftqIdx = UInt(p.ftqIdxBits.W)
  val pages = new FetchedPages(p)
}

/** Up to decodeWidth instructions in program order; `valid` is a prefix. The backend takes all or none. */
class FetchPort(p: NhgParams) extends Bundle {
  val valid = Output(Vec(p.backend.decodeWidth, Bool()))
  val inst = Output(Vec(p.backend.decodeWidth, new FetchedInst(p)))
  val ready = Input(Bool())
}

/** Why the frontend restarts. */
object CfiType {
  val branch = 0.U(3.W) // conditional
  val jal = 1.U(3.W)
  val call = 2.U(3.W) // jal/jalr with a link register rd
  val ret = 3.U(3.W) // jalr whose rs1 is a link register and differs from rd
  val jalr = 4.U(3.W) // other indirect jump
  val bafin = 5.U(3.W)
}

/** Back end tells the frontend to fetch elsewhere: after a mispredicted control-flow instruction (`isCfi`), or a flush at commit
  * (exception, mret, fence.i, memory-order replay, CSR/aconfig serialisation).
  */
class Redirect(p: NhgParams) extends Bundle {
  val target = UInt(p.pcBits.W)
  val ftqIdx = UInt(p.ftqIdxBits.W) // block of the instruction that redirects
  val isCfi = Bool() // false: history and RAS return to their state before the block of ftqIdx
  val pc = UInt(p.pcBits.W) // of the redirecting instruction
  val taken = Bool()
  val cfiType = UInt(3.W)
  val isRvc = Bool()
  /** Next finish-queue entry in program order after the redirect: the BTQ refills from here. */
  val finPtr = UInt(p.amu.finPtrBits.W)
}

/** Every executed control-flow instruction trains the predictors (one a cycle, possibly out of order or on a wrong path). */
class BranchUpdate(p: NhgParams) extends Bundle {
  val pc = UInt(p.pcBits.W)
  val ftqIdx = UInt(p.ftqIdxBits.W)
  val cfiType = UInt(3.W)
  val taken = Bool()
  val target = UInt(p.pcBits.W)
  val mispredicted = Bool()
  val isRvc = Bool()
}

/** Frontend to back end. */
class FrontendIO(p: NhgParams) extends Bundle {
  val fetch = new FetchPort(p)
  /** F0 held a bafin for a group that has not finished, in the cycle before. */
  val waitsForGroup = Output(Bool())
  val redirect = Input(Valid(new Redirect(p)))
  val update = Input(Valid(new BranchUpdate(p)))
  /** FTQ entries older than this block are free (the block of the ROB head; all blocks when `robEmpty` follows a flush). */
  val commitFtqIdx = Input(Valid(UInt(p.ftqIdxBits.W)))
  /** An interrupt waits for the next instruction: no bafin is held for a group. */
  val interrupted = Input(Bool())
  /** fence.i: forget the instruction cache's content; fetches in flight are dropped. Comes with or before a redirect. */
  val invalidateICache = Input(Bool())
}
