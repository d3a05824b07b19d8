// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.FinishedGroup
import chisel3._
import chisel3.util._
import nhg._

/** Resolves control flow, and passes getfin/bafin and CSR results on. Combinational, one operation a cycle.
  * A taken `bafin` has its finish-queue entry since rename (docs/ami.md rule 3); jalr clears bit 0 of its target.
  */
class BranchUnit(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val op = Input(new IssuedOp(p))
    val pc = Input(UInt(p.pcBits.W))
    val info = Input(new BranchInfo(p))
    val finished = Input(new FinishedGroup(p.amu))
    val csrData = Input(UInt(64.W))
    val result = Output(UInt(64.W))
    val isCfi = Output(Bool())
    val taken = Output(Bool())
    val target = Output(UInt(p.pcBits.W)) // where a taken one goes
    val wideTarget = Output(UInt(64.W)) // before it is made a program counter
    val next = Output(UInt(p.pcBits.W)) // where execution goes on
    val mispredicted = Output(Bool())
  })
  private val uop = io.op.uop
  private val fn = uop.fn
  private val a = io.op.src(0)
  private val b = io.op.src(1)
  private val less = Mux(fn(1), a < b, a.asSInt < b.asSInt)
  private val condition = Mux(fn(2), less, a === b) ^ fn(0)
  private val isBranch = BruFn.isBranch(fn)
  private val isJalr = fn === BruFn.jalr
  private val isJump = fn === BruFn.jal || isJalr
  private val isBafin = fn === BruFn.bafin

  private val pc = Pc.address(io.pc)
  private val link = pc + Mux(io.info.isRvc, 2.U, 4.U)
  private val sum = Mux(isJalr, a, pc) + uop.imm64
  io.isCfi := isBranch || isJump || isBafin
  io.taken := Mux(isBranch, condition, Mux(isBafin, uop.finTaken, true.B))
  io.target := Mux(isBafin, Pc.ofSv39(io.finished.target, p), Pc.of(sum, p))
  io.wideTarget := sum
  io.next := Mux(io.taken, io.target, link(p.pcBits - 1, 0))
  private val wrongTarget = io.target =/= io.info.predTarget || io.target === Pc.beyond(p) // which no predictor knows
  io.mispredicted := io.isCfi && (io.taken =/= io.info.predTaken || io.taken && wrongTarget)

  private val finResult = Mux(uop.finTaken, Mux(isBafin, io.finished.taskWord, io.finished.id), 0.U)
  io.result := MuxCase(link, Seq(BruFn.isCsr(fn) -> io.csrData, (isBafin || fn === BruFn.getfin) -> finResult))
}
