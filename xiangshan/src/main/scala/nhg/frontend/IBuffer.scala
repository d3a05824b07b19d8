// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** An instruction in the buffer; addresses are those of its block (FTQ). */
class BufferedInst(p: NhgParams) extends Bundle {
  val raw = UInt(32.W)
  val end = UInt(FetchWindow.endBits(p).W)
  val isRvc = Bool()
  val exception = new ExceptionCause
  val predTaken = Bool()
  val bafinPredicted = Bool()
  val ftqIdx = UInt(p.ftqIdxBits.W)
}

/** Instruction buffer: `ibufEntries` instructions, up to eight in and `decodeWidth` out a cycle. Eight banks with one write and one
  * read port each hold consecutive instructions.
  */
class IBuffer(p: NhgParams) extends Module {
  private val banks = IBuffer.width
  private val entries = p.frontend.ibufEntries
  private val outs = p.backend.decodeWidth
  private val bankBits = log2Ceil(banks)
  private val idxBits = log2Ceil(entries)
  require(isPow2(entries) && entries >= 2 * banks && outs <= banks)

  val io = IO(new Bundle {
    val ready = Output(Bool()) // room for eight
    val count = Input(UInt((bankBits + 1).W)) // instructions written this cycle
    val in = Input(Vec(banks, new BufferedInst(p)))
    val valid = Output(Vec(outs, Bool()))
    val out = Output(Vec(outs, new BufferedInst(p)))
    val take = Input(Bool()) // all valid ones leave
    val flush = Input(Bool())
  })

  private val memories = Seq.fill(banks)(new AsyncTable(new BufferedInst(p), entries / banks))
  private val head = RegInit(0.U(idxBits.W))
  private val tail = RegInit(0.U(idxBits.W))
  private val held = RegInit(0.U((idxBits + 1).W))

  private def row(pointer: UInt, bank: Int): UInt =
    (pointer >> bankBits)(idxBits - bankBits - 1, 0) + (bank.U < pointer(bankBits - 1, 0))

  io.ready := held <= (entries - banks).U
  for (b <- 0 until banks) {
    val position = (b.U - tail)(bankBits - 1, 0)
    memories(b).write(position < io.count, row(tail, b), io.in(position))
  }

  private val read = VecInit((0 until banks).map(b => memories(b).read(row(head, b))))
  for (i <- 0 until outs) {
    io.valid(i) := held > i.U
    io.out(i) := read((head + i.U)(bankBits - 1, 0))
  }

  private val taken = Mux(io.take, Mux(held > outs.U, outs.U, held), 0.U)
  head := head + taken
  tail := tail + io.count
  held := held + io.count - taken
  when(io.flush) {
    head := 0.U
    tail := 0.U
    held := 0.U
  }
  assert(io.count === 0.U || io.ready, "instruction buffer: overflow")
}

object IBuffer {
  val width = 8
}
