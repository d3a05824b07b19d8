// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._
import nhg.fpu.FpuOp
import nhg.frontend.{CfiType, FetchedInst}
import nhg.priv.{Allowed, CsrMap, Mode, TriggerState}
import platform.{AmiFunct3, Csrs, Regions}

/** Decodes one (expanded) instruction, combinationally. Instructions that can only trap, and HINTs, come out with fuType none.
  * What the CSRs allow and `frm` may be used directly: an instruction that changes them makes everything younger be fetched again.
  */
class Decoder(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val in = Input(new FetchedInst(p))
    val address = Input(UInt(64.W)) // of in.pc
    val allowed = Input(new Allowed)
    val triggers = Input(new TriggerState)
    val frm = Input(UInt(3.W)) // the dynamic rounding mode
    val interrupted = Input(Bool()) // an interrupt comes first
    val out = Output(new DecodedOp(p))
  })
  private val inst = io.in.inst
  private val control = DecodeTable.lookup(p, inst)
  private val rd = inst(11, 7)
  private val rs1 = inst(19, 15)
  private val rs2 = inst(24, 20)
  private val funct3 = inst(14, 12)
  private val opcode = inst(6, 0)

  private val isSystem = opcode === "b1110011".U
  private val isCsr = isSystem && funct3 =/= 0.U
  private val isAmiOpcode = opcode === platform.Ami.opcode.U
  private val isFence = opcode === "b0001111".U
  private val isDret = isSystem && inst(31, 7) === "hf64000".U
  private val isMret = isDret || isSystem && inst(31, 7) === "h604000".U // as which dret retires
  private val isSret = isSystem && inst(31, 7) === "h204000".U
  private val isWfi = isSystem && inst(31, 7) === "h20a000".U
  private val isSfenceVma = isSystem && !isCsr && inst(31, 25) === "b0001001".U
  private val isEcall = isSystem && inst(31, 7) === 0.U
  private val isEbreak = isSystem && inst(31, 7) === "h002000".U
  private val csrWrites = funct3(1, 0) === 1.U || rs1 =/= 0.U
  private val inBootRom = io.in.pc >= Regions.bootRom.base.U && io.in.pc < Regions.bootRom.end.U
  private val csrLegal = CsrMap.legal(inst(31, 20), csrWrites, io.allowed, inBootRom)
  private val isFp = // each of them names such a register
    VecInit(Seq(control.rs1, control.rs2, control.rs3, control.rd).map(o => o.used && o.regClass === p.backend.fpClass.U)).asUInt.orR
  private val roundingMode = Mux(funct3 === 7.U, io.frm, funct3)
  private val fpLegal = io.allowed.fp && (control.imm =/= ImmSel.rm || roundingMode <= 4.U)
  private val mretLegal = io.allowed.mode === Mode.machine && io.allowed.debug === isDret
  private val modeLegal = (!isMret || mretLegal) && (!isSret || io.allowed.sret) && (!isWfi || io.allowed.wfi) && (!isSfenceVma || io.allowed.translation)
  private val legal = control.legal && modeLegal && (!isCsr || csrLegal) && (!isAmiOpcode || io.allowed.amu) && (!isFp || fpLegal)

  private val pc = io.address
  private val parcelBytes = 2.U
  private val firstWatched = io.triggers.fires(_.execute, pc, parcelBytes)
  private val watched = firstWatched || !io.in.isRvc && io.triggers.fires(_.execute, pc + parcelBytes, parcelBytes)
  private val fault = io.in.exception.valid
  private val exception = watched || fault || !legal || isEcall || isEbreak || io.interrupted
  private val isHint = (control.fuType === FuType.alu || control.fuType === FuType.mdu) && rd === 0.U

  private def sext(v: UInt): UInt = Cat(Fill(32 - v.getWidth, v(v.getWidth - 1)), v)
  private val imm = MuxLookup(
    control.imm,
    sext(inst(31, 20)),
    Seq(
      ImmSel.s -> sext(Cat(inst(31, 25), inst(11, 7))),
      ImmSel.b -> sext(Cat(inst(31), inst(7), inst(30, 25), inst(11, 8), 0.U(1.W))),
      ImmSel.u -> Cat(inst(31, 12), 0.U(12.W)),
      ImmSel.j -> sext(Cat(inst(31), inst(19, 12), inst(20), inst(30, 21), 0.U(1.W))),
      ImmSel.csr -> Cat(0.U(15.W), rs1, inst(31, 20)),
      ImmSel.amo -> inst(31, 27),
      ImmSel.prefetch -> sext(Cat(inst(31, 25), 0.U(5.W))),
      ImmSel.rm -> roundingMode
    )
  )

  private val executes = !exception && !isHint
  private val fuType = Mux(executes, control.fuType, FuType.none)
  private def goes(fu: UInt): Bool = fuType === fu
  private def isLink(r: UInt) = r === 1.U || r === 5.U

  private val op = io.out
  op.fetched := io.in
  op.queues := Mux(executes && !op.isMove, control.queues, 0.U)
  op.fuType := fuType
  op.fn := control.fn
  op.word := control.word
  op.useImm := control.useImm
  op.usePc := control.usePc
  op.imm := imm
  op.lrs := 0.U.asTypeOf(op.lrs)
  for ((lrs, (operand, field)) <- op.lrs.zip(Seq(control.rs1 -> rs1, control.rs2 -> rs2, control.rs3 -> inst(31, 27)))) {
    when(operand.used && executes) {
      lrs.regClass := operand.regClass
      lrs.index := field
    }
  }
  private val isFixed = ByClass(control.rd.regClass, p.backend.registerClasses.map(_.fixedZero.B)) && rd === 0.U
  op.dest.writes := control.rd.used && executes && !isFixed
  op.dest.regClass := control.rd.regClass
  op.dest.index := rd
  // An addition of zero, by a register or an immediate, and FSGNJ.D of one register (FSGNJ.S may have to box)
  private val isAdd = goes(FuType.alu) && control.fn === AluFn.add && !control.word && !control.usePc
  private val isIntMove = isAdd && Mux(control.useImm, inst(31, 20) === 0.U, rs1 === 0.U || rs2 === 0.U)
  private val isFpMove = goes(FuType.fpMisc) && control.fn === FpuOp.fsgnj && !control.word && rs1 === rs2
  op.isMove := isIntMove || isFpMove
  when(isIntMove && !control.useImm) { op.lrs(0).index := rs1 | rs2 }
  private val isBafin = control.fn === BruFn.bafin
  private val isJump = control.fn === BruFn.jal || control.fn === BruFn.jalr
  op.isCfi := goes(FuType.bru) && (BruFn.isBranch(control.fn) || isJump || isBafin)
  op.cfiType := MuxCase(
    CfiType.jalr,
    Seq(
      BruFn.isBranch(control.fn) -> CfiType.branch,
      isBafin -> CfiType.bafin,
      isLink(rd) -> CfiType.call,
      (control.fn === BruFn.jal) -> CfiType.jal,
      isLink(rs1) -> CfiType.ret
    )
  )
  op.isLoad := goes(FuType.load)
  op.isStore := goes(FuType.store)
  op.isAmo := goes(FuType.store) && MemFn.isAmo(control.fn)
  op.isAmi := goes(FuType.ami)
  op.isFin := goes(FuType.bru) && (control.fn === BruFn.getfin || isBafin)
  op.serial := control.serial && !exception && !(isCsr && !csrWrites) // the issue queue holds reads of CSRs until they are the oldest
  private val writesAmuctl = isCsr && csrWrites && inst(31, 20) === Csrs.amuctl.U
  private val changesDecoding = isCsr && csrWrites && VecInit(CsrMap.decodingDependsOn.map(inst(31, 20) === _.U)).asUInt.orR
  op.drainStores := isFence || isSfenceVma || writesAmuctl // stores to the SPM window must reach it before the way goes away
  private val selectsId = isCsr && csrWrites && inst(31, 20) === Csrs.amuid.U
  private val forgetsId = isCsr && csrWrites && inst(31, 20) === Csrs.amustate.U
  op.drainRequests := isSfenceVma || forgetsId
  op.isMret := isMret && !exception
  op.isSret := isSret && !exception
  op.isWfi := isWfi && !exception
  op.isFenceI := isFence && funct3 === 1.U && !exception
  op.isSfence := isSfenceVma && !exception
  op.flushAfter := !exception && (isMret || isSret || isSfenceVma || isFence && funct3 === 1.U || changesDecoding || selectsId || forgetsId ||
    goes(FuType.ami) && funct3 === AmiFunct3.aconfig.U(3.W))
  op.waitForStores := false.B
  op.exception.valid := exception
  op.isInterrupted := io.interrupted
  op.exception.cause := MuxCase(
    Cause.illegal,
    Seq(
      watched -> Cause.breakpoint,
      fault -> io.in.exception.cause,
      !legal -> Cause.illegal,
      isEcall -> Cause.call(io.allowed.mode),
      isEbreak -> Cause.breakpoint
    )
  )
  op.exception.tval := MuxCase(
    io.in.raw,
    Seq(
      watched -> Mux(firstWatched, pc, pc + parcelBytes),
      fault -> Mux(io.in.isRvc, pc, pc + 2.U), // the frontend marks a missing second parcel as a 32-bit instruction
      !legal -> io.in.raw,
      isEcall -> 0.U,
      isEbreak -> pc
    )
  )
}
