// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import common.{AsyncTable, Count}

/** Line requests in flight, one entry a tag (the tag is the AXI ID). This is the paper's Request Table at line granularity:
  * an entry holds where the bytes belong; the group they count for is found through the ID.
  * Two asynchronous read ports (R and B responses), one write port; tags circulate through a FIFO.
  */
class LineTable(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    /** A tag is free; `allocate` takes it and writes `line`. */
    val available = Output(Bool())
    val tag = Output(UInt(p.lineTagBits.W))
    val allocate = Input(Bool())
    val line = Input(new LineRequest(p))
    val readTag = Input(Vec(2, UInt(p.lineTagBits.W)))
    val read = Output(Vec(2, new LineRequest(p)))
    val free = Flipped(Valid(UInt(p.lineTagBits.W)))
    val inFlight = Output(UInt((p.lineTagBits + 1).W))
  })
  private val n = p.lines

  private val table = new AsyncTable(new LineRequest(p), n)
  private val freeTags = new AsyncTable(UInt(p.lineTagBits.W), n)
  /** Counts the tags handed out for the first time; from then on they come from the FIFO. */
  private val fresh = RegInit(0.U((p.lineTagBits + 1).W))
  private val enqPtr = RegInit(0.U(p.lineTagBits.W))
  private val deqPtr = RegInit(0.U(p.lineTagBits.W))
  private val inFlight = Count.held(n, io.allocate, io.free.valid)
  private val busy = RegInit(0.U(n.W)) // by tag; only the assertions read it

  private val useFresh = fresh =/= n.U
  io.available := inFlight =/= n.U
  io.tag := Mux(useFresh, fresh, freeTags.read(deqPtr))
  io.inFlight := inFlight

  private def bit(valid: Bool, tag: UInt): UInt = Mux(valid, UIntToOH(tag, n), 0.U)
  when(io.allocate || io.free.valid) {
    busy := (busy & (~bit(io.free.valid, io.free.bits)).asUInt) | bit(io.allocate, io.tag)
  }

  when(io.allocate) {
    assert(io.available && !busy(io.tag), "line tag allocated while none is free")
    when(useFresh) { fresh := fresh + 1.U }.otherwise { deqPtr := deqPtr + 1.U }
  }
  when(io.free.valid) {
    assert(busy(io.free.bits), "line tag freed twice")
    enqPtr := enqPtr + 1.U
  }
  table.write(io.allocate, io.tag, io.line)
  freeTags.write(io.free.valid, enqPtr, io.free.bits)
  for (i <- 0 until 2) io.read(i) := table.read(io.readTag(i))
}
