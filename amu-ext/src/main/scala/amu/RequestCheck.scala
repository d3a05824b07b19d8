// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import platform.AmiOperation._
import platform.{AddressWord, AmuConfigNumber, AmuErrorCode, AmuLimits, RequestWord, Tval}

/** Exception causes the AMU raises. */
object AmuCause {
  val loadAccessFault = 5.U(5.W)
  val storeAccessFault = 7.U(5.W)
  val loadPageFault = 13.U(5.W)
  val storePageFault = 15.U(5.W)
  val amuError = AmuLimits.cause.U(5.W)
}

/** Operand words of an AMI instruction: address word and request word, or ID/value and count/register number. */
class AmiOperands extends Bundle {
  val op = UInt(AmiOp.width.W)
  val rs1 = UInt(64.W)
  val rs2 = UInt(64.W)

  def is(operations: Int*): Bool = operations.map(op === AmiOp(_)).reduce(_ || _)
  def isMemory: Bool = is(aload, astore)
  /** Virtual, of 64 bits. */
  def address: UInt = {
    val field = rs1(AddressWord.address.msb, AddressWord.address.lsb)
    Cat(Fill(64 - AddressWord.address.bits, field.head(1)), field)
  }
  def target: UInt = rs1(AddressWord.target.msb, AddressWord.target.lsb)
  def sizeLog: UInt = rs1(AddressWord.size.msb, AddressWord.size.lsb)
  def size: UInt = (1.U << sizeLog)(AmuLimits.sizeLog2Max, 0) // bytes; 0 for a size field above the largest
  def offset: UInt = rs2(RequestWord.offset.msb, RequestWord.offset.lsb)
  /** `aset` and `asignal` name the ID in the whole of rs1, the others in request word [15:0]. */
  def idInRs1: Bool = is(aset, asignal)
  def idOperand: UInt = Mux(idInRs1, rs1, rs2(RequestWord.id.msb, RequestWord.id.lsb))
}

/** Where the address of a request lies. */
class TranslatedPage(p: AmuParams) extends Bundle {
  val page = UInt((p.paddrBits - log2Ceil(AmuLimits.pageBytes)).W)
  val outside = Bool() // beyond physical addresses
  val pageFault = Bool()
  val denied = Bool() // by memory protection
}

/** Commit-time state of one ID. */
class IdState extends Bundle {
  val outstanding = Bool()
  val asetOpen = Bool()
}

/** The check of rule 9 and of the memory side, combinational: an AMI request at the ROB head against the state of its ID.
  * AMU errors come first (tval = {code, ID}), then the SPM that is not there (access fault, tval = address), page faults and access faults.
  */
class RequestCheck(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val in = Input(new AmiOperands)
    val state = Input(new IdState)
    val spmSlot = Input(UInt(13.W))
    val spmWayTaken = Input(Bool())
    val where = Input(new TranslatedPage(p))
    val exception = Output(Bool())
    val cause = Output(UInt(5.W))
    val tval = Output(UInt(64.W))
    /** For a request without exception. */
    val spmAddr = Output(UInt(p.spmAddrBits.W))
    val lines = Output(UInt(7.W))
  })

  private val in = io.in
  private val hasId = in.op =/= AmiOp(aconfig)
  private val id = in.idOperand
  private val registerNumber = in.rs2
  private val value = in.rs1

  /** min(size, 8) - 1 */
  private val alignMask = Mux(in.sizeLog >= 3.U, 7.U, (in.size - 1.U)(2, 0))
  private val slotEnd = in.offset +& in.size
  private val slotBase = (id(p.idBits - 1, 0) << OHToUInt(io.spmSlot)).asUInt
  private val badBase = value(63, AddressWord.address.msb).orR && !value(63, AddressWord.address.msb).andR
  private val badSlot = PopCount(value) =/= 1.U || value < AmuLimits.slotBytesMin.U || value > AmuLimits.slotBytesMax.U
  private val pageEnd = in.address(11, 0) +& in.size
  private val physical = Cat(io.where.page, in.address(11, 0))
  private val inMemory = !io.where.outside && Seq(p.localMemory, p.farMemory)
    .map(r => physical >= r.base.U && physical < r.end.U)
    .reduce(_ || _)

  private val errors = Seq(
    AmuErrorCode.badId -> (hasId && (id === 0.U || id > p.maxId.U)),
    AmuErrorCode.badCount -> (in.is(aset) && (in.rs2 === 0.U || in.rs2 > AmuLimits.groupRequestsMax.U)),
    AmuErrorCode.idBusy -> Mux(
      in.isMemory,
      io.state.outstanding && !io.state.asetOpen,
      (in.is(aset) && io.state.outstanding) || (in.is(await) && (io.state.outstanding || io.state.asetOpen))
    ),
    AmuErrorCode.badSize -> (in.isMemory && in.sizeLog > AmuLimits.sizeLog2Max.U),
    AmuErrorCode.misalignedAddress -> (in.isMemory && (in.address(2, 0) & alignMask).orR),
    AmuErrorCode.misalignedOffset -> (in.isMemory && (in.offset(2, 0) & alignMask).orR),
    AmuErrorCode.slotOverrun -> (in.isMemory && (slotEnd > io.spmSlot || slotBase +& slotEnd > p.spmBytes.U)),
    AmuErrorCode.pageCrossing -> (in.isMemory && pageEnd > AmuLimits.pageBytes.U),
    AmuErrorCode.badConfigRegister -> (in.is(aconfig) && registerNumber >= AmuConfigNumber.count.U),
    AmuErrorCode.badConfigValue -> (in.is(aconfig) && MuxLookup(
      registerNumber(2, 0),
      badBase,
      Seq(
        AmuConfigNumber.handlerSize.U -> (value > AmuLimits.handlerBytesMax.U),
        AmuConfigNumber.spmSlot.U -> badSlot,
        AmuConfigNumber.targetBase.U -> (badBase || value(0)),
        AmuConfigNumber.pollWait.U -> (value > AmuLimits.pollWaitMax.U)
      )
    )),
    AmuErrorCode.reservedBits -> (in.isMemory && in.rs2(63, 32).orR)
  )
  private val error = errors.map(_._2).reduce(_ || _)
  private val code = PriorityMux(errors.map { case (code, raised) => raised -> code.U(8.W) })
  private val fault = in.isMemory && (!io.spmWayTaken || io.where.pageFault || !inMemory || io.where.denied)
  private val isPageFault = io.spmWayTaken && io.where.pageFault
  private val isLoad = in.is(aload)

  io.exception := error || fault
  io.cause := Mux(
    error,
    AmuCause.amuError,
    MuxCase(
      AmuCause.storeAccessFault,
      Seq(
        (isPageFault && isLoad) -> AmuCause.loadPageFault,
        isPageFault -> AmuCause.storePageFault,
        isLoad -> AmuCause.loadAccessFault
      )
    )
  )
  io.tval := Mux(error, Cat(code, 0.U((Tval.code.lsb - Tval.id.bits).W), Mux(hasId, id(Tval.id.msb, 0), 0.U(Tval.id.bits.W))), in.address)
  io.spmAddr := slotBase + in.offset
  io.lines := ((in.address(p.lineOffsetBits - 1, 0) +& (in.size - 1.U)) >> p.lineOffsetBits) + 1.U
}
