// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import nhg._
import platform.AmiFunct3

/** First halfword of an instruction whose rest lies in the next window. */
class CarriedHalf extends Bundle {
  val valid = Bool()
  val half = UInt(16.W)
}

/** Instructions of a block, indexed by the halfword where they end. */
class PredecodedBlock(p: NhgParams) extends Bundle {
  private val halves = FetchWindow.halves(p)
  val ends = UInt(halves.W) // an instruction of the block ends here
  val rvc = UInt(halves.W)
  val raw = Vec(halves, UInt(32.W))
  val bafin = UInt(halves.W)
  val amuRequest = UInt(halves.W) // aload, astore, await or asignal: after it a group may finish that could not before
  val carry = new CarriedHalf
  /** The control-flow instruction with which the block ends, as far as predecode can tell. */
  val taken = Bool()
  val end = UInt(FetchWindow.endBits(p).W)
  val cfiType = UInt(3.W)
  val target = UInt(p.pcBits.W)
  /** F0 went on elsewhere than at `target` (or the next window if not `taken`). */
  val mispredicted = Bool()
  /** No instruction of the predicted kind ends where F0 took one, other than a bafin. */
  val phantom = Bool()
}

/** Predecode (combinational): finds instruction boundaries in the halfwords from `start` on, the first control-flow instruction that
  * is taken, and checks F0's prediction. Jumps are always taken and returns go to the return stack if F0 did not know them; a
  * branch, another indirect jump or a bafin is taken only if F0 said so, and at the right place.
  */
class Predecode(p: NhgParams) extends Module {
  private val halves = FetchWindow.halves(p)
  private val endBits = FetchWindow.endBits(p)
  val io = IO(new Bundle {
    val window = Input(UInt((p.pcBits - FetchWindow.offsetBits(p)).W))
    val data = Input(UInt((p.frontend.fetchBytes * 8).W))
    val start = Input(UInt(endBits.W))
    val carry = Input(new CarriedHalf)
    val prediction = Input(new Prediction(p))
    val rasTop = Input(UInt(p.pcBits.W))
    val block = Output(new PredecodedBlock(p))
  })

  private val half = (0 until halves).map(i => io.data(16 * i + 15, 16 * i))
  private val short = half.map(_(1, 0) =/= 3.U)

  /** An instruction begins at halfword i. */
  private val begins = Wire(Vec(halves, Bool()))
  for (i <- 0 until halves) {
    val follows = if (i == 0) true.B else !begins(i - 1) || short(i - 1)
    begins(i) := Mux(io.start === i.U, !io.carry.valid, follows)
  }
  private val end = (0 until halves).map(i => i.U >= io.start && (!begins(i) || short(i)))
  private val rvc = (0 until halves).map(i => begins(i) && short(i))
  private val raw = (0 until halves).map { i =>
    val before = if (i == 0) io.carry.half else half(i - 1)
    Mux(rvc(i), Cat(0.U(16.W), half(i)), Cat(half(i), before))
  }

  private def isLink(register: UInt) = register === 1.U || register === 5.U
  private val kind = (0 until halves).map(i =>
    new {
      private val word = raw(i)
      private val op = word(6, 0)
      private val top = Cat(word(15, 13), word(1, 0))
      private val jumpRegister = rvc(i) && top === "b10010".U && word(6, 2) === 0.U && word(11, 7) =/= 0.U
      private val jalr = !rvc(i) && op === "b1100111".U && word(14, 12) === 0.U
      val jal = (!rvc(i) && op === "b1101111".U) || (rvc(i) && top === "b10101".U)
      val branch = (!rvc(i) && op === "b1100011".U) || (rvc(i) && word(15, 14) === 3.U && word(1, 0) === 1.U)
      val indirect = jalr || jumpRegister
      private def isAmi(funct3: Int*) = !rvc(i) && op === platform.Ami.opcode.U && funct3.map(word(14, 12) === _.U(3.W)).reduce(_ || _)
      val bafin = isAmi(AmiFunct3.bafin)
      val amuRequest = isAmi(AmiFunct3.aload, AmiFunct3.astore, AmiFunct3.await, AmiFunct3.asignal)
      val call = (jal && !rvc(i) && isLink(word(11, 7))) || (jalr && isLink(word(11, 7))) || (jumpRegister && word(12))
      val ret = !call && ((jalr && isLink(word(19, 15))) || (jumpRegister && isLink(word(11, 7))))
    }
  )

  private val predicted = io.prediction
  private val sort = predicted.cfiType
  private val predictedIndirect = sort === CfiType.jalr || sort === CfiType.call || sort === CfiType.ret
  private val predictedJump = sort === CfiType.jal || sort === CfiType.call

  /** The instruction that F0 took ends at halfword i and is of the predicted kind, a jump aside. */
  private val foreseen = (0 until halves).map { i =>
    predicted.taken && predicted.end === i.U && ((kind(i).branch && sort === CfiType.branch) || (kind(i).indirect && predictedIndirect) ||
      (kind(i).bafin && sort === CfiType.bafin))
  }
  private val taken = (0 until halves).map(i => end(i) && (kind(i).jal || kind(i).ret || foreseen(i)))
  private val isThere = (0 until halves).map(i => end(i) && (foreseen(i) || (predicted.end === i.U && kind(i).jal && predictedJump))).reduce(_ || _)
  io.block.phantom := predicted.taken && sort =/= CfiType.bafin && !isThere
  private val any = taken.reduce(_ || _)
  private val last = PriorityEncoder(taken)
  private val lastOH = PriorityEncoderOH(taken)
  private val word = Mux1H(lastOH, raw)
  private val lastRvc = Mux1H(lastOH, rvc)
  private def lastIs(f: Int => Bool) = Mux1H(lastOH, (0 until halves).map(f))
  private val lastJal = lastIs(kind(_).jal)
  private val lastBranch = lastIs(kind(_).branch)

  private val immediate = Mux(
    lastRvc,
    Mux(
      lastJal,
      Cat(Fill(p.pcBits - 11, word(12)), word(8), word(10, 9), word(6), word(7), word(2), word(11), word(5, 3), 0.U(1.W)),
      Cat(Fill(p.pcBits - 8, word(12)), word(6, 5), word(2), word(11, 10), word(4, 3), 0.U(1.W))
    ),
    Mux(
      lastJal,
      Cat(Fill(p.pcBits - 20, word(31)), word(19, 12), word(20), word(30, 21), 0.U(1.W)),
      Cat(Fill(p.pcBits - 12, word(31)), word(7), word(30, 25), word(11, 8), 0.U(1.W))
    )
  )
  private val lastHalf = FetchWindow.lastHalfAt(io.window, last)
  private val direct = Mux(lastRvc, lastHalf, lastHalf - 2.U) + immediate
  private val foretold = predicted.taken && predicted.end === last
  private val isRet = lastIs(kind(_).ret)
  private val useRas = isRet && !(foretold && predicted.cfiType === CfiType.ret)

  private val cfiType = MuxCase(
    CfiType.jalr,
    Seq(
      lastBranch -> CfiType.branch,
      lastIs(kind(_).call) -> CfiType.call,
      lastJal -> CfiType.jal,
      lastIs(kind(_).bafin) -> CfiType.bafin,
      isRet -> CfiType.ret
    )
  )
  private val target = Mux(lastJal || lastBranch, direct, Mux(useRas, io.rasTop, predicted.target))

  io.block.ends := VecInit(end).asUInt & Mux(any, Cat((0 until halves).reverse.map(i => last >= i.U)), Fill(halves, 1.U))
  io.block.rvc := VecInit(rvc).asUInt
  io.block.raw := raw
  io.block.bafin := VecInit(kind.map(_.bafin)).asUInt
  io.block.amuRequest := VecInit(kind.map(_.amuRequest)).asUInt
  io.block.carry.valid := !any && begins(halves - 1) && !short(halves - 1)
  io.block.carry.half := half(halves - 1)
  io.block.taken := any
  io.block.end := last
  io.block.cfiType := cfiType
  io.block.target := target
  io.block.mispredicted := any =/= predicted.taken ||
    (any && (!foretold || target =/= predicted.target || cfiType =/= predicted.cfiType))
}
