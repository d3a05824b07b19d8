// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import nhg._

/** New memory value of an AMO (A extension), right-aligned operands of 4 or 8 bytes. */
object AmoAlu {
  def apply(op: UInt, isWord: Bool, memory: UInt, operand: UInt): UInt = {
    def compared(x: UInt): UInt = Mux(isWord, Cat(x(31, 0), 0.U(32.W)), x) // the value in the upper bits, sign first
    val less = compared(memory).asSInt < compared(operand).asSInt
    val lessUnsigned = compared(memory) < compared(operand)
    MuxLookup(
      op,
      operand,
      Seq( // default: AMOSWAP and SC
        "b00000".U -> (memory + operand),
        "b00100".U -> (memory ^ operand),
        "b01100".U -> (memory & operand),
        "b01000".U -> (memory | operand),
        "b10000".U -> Mux(less, memory, operand),
        "b10100".U -> Mux(less, operand, memory),
        "b11000".U -> Mux(lessUnsigned, memory, operand),
        "b11100".U -> Mux(lessUnsigned, operand, memory)
      )
    )
  }
}

/** Performs AMO, LR and SC at the ROB head when every older store has drained. The access goes through the cache's store
  * pipe, again and again until its line is there; the read and the write are then one cycle (st1), which probes cannot split.
  * One reservation: the line of the last LR, ended by any SC and by the line leaving the L1D.
  */
class AtomicUnit(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val start = Input(Bool()) // the head store is an AMO, at the ROB head, operands known, older stores drained
    val head = Input(new HeadStore(p))
    val active = Output(Bool()) // owns the store pipe
    val cache = Flipped(new L1DStorePort(p))
    val refilled = Flipped(Valid(new Refilled(p)))
    val awaited = Valid(UInt(p.lineAddrBits.W)) // the line of the access
    val lost = Flipped(Valid(UInt(p.lineAddrBits.W)))
    val result = Decoupled(new LsuWriteback(p))
  })

  private val idle :: access :: wait1 :: finish :: Nil = Enum(4)
  private val state = RegInit(idle)
  private val op = io.head.op
  private val line = op.lineAddr(p)
  private val isWord = op.size === 2.U

  private val reservation = RegInit(false.B)
  private val reservedLine = Reg(UInt(p.lineAddrBits.W))
  private val reserved = reservation && reservedLine === line

  private val value = Reg(UInt(64.W))
  private val busError = Reg(Bool())

  private val memory = ByteLanes.extract(io.cache.s1_word, op.offset, op.size, false.B)
  private val updated = AmoAlu(op.amoOp, isWord, memory, io.head.data)
  io.cache.s0.valid := state === access
  io.cache.s0.bits.lineAddr := line
  io.cache.s0.bits.mask := op.mask << Cat(op.wordInLine(p), 0.U(3.W))
  io.cache.s0.bits.data := 0.U.asTypeOf(io.cache.s0.bits.data)
  io.cache.s0.bits.isAmo := true.B
  io.cache.amoWord := ByteLanes.merge(io.cache.s1_word, ByteLanes.place(updated, op.offset), op.mask)
  io.cache.amoWrites := !op.isLr && (!op.isSc || reserved)

  io.active := state =/= idle
  io.awaited.valid := state === access || state === wait1
  io.awaited.bits := line
  io.result.valid := state === finish
  io.result.bits := op.finished(p)
  io.result.bits.data := value
  io.result.bits.dest.writes := op.dest.writes && !op.exception.valid && !busError
  when(busError && !op.exception.valid) {
    io.result.bits.exception.valid := true.B
    io.result.bits.exception.cause := Mux(op.isLr, Cause.loadAccess, Cause.storeAccess)
  }

  private val lineFails = state =/= idle && io.refilled.valid && io.refilled.bits.error && io.refilled.bits.lineAddr === line
  switch(state) {
    is(idle) {
      busError := false.B
      value := 1.U // a failing SC
      when(io.start) { state := Mux(op.exception.valid || (op.isSc && !reserved), finish, access) }
    }
    is(access) {
      when(lineFails) { busError := true.B; state := finish }
        .elsewhen(io.cache.s0.fire) { state := wait1 }
    }
    is(wait1) {
      when(io.cache.s1_done) {
        value := Mux(op.isSc, !reserved, memory)
        state := finish
      }.elsewhen(lineFails) {
        busError := true.B
        state := finish
      }.otherwise { state := access }
    }
    is(finish) { when(io.result.fire) { state := idle } }
  }

  when(state === wait1 && io.cache.s1_done && op.isLr) {
    reservation := true.B
    reservedLine := line
  }.elsewhen((io.result.fire && op.isSc && !op.exception.valid) || (io.lost.valid && io.lost.bits === reservedLine)) {
    reservation := false.B
  }
}
