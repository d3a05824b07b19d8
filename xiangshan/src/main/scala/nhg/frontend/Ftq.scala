// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** What the instruction buffer's reader needs about a block. */
class BlockAddresses(p: NhgParams) extends Bundle {
  val window = UInt((p.pcBits - FetchWindow.offsetBits(p)).W)
  val target = UInt(p.pcBits.W) // where fetch went on after the taken instruction
  val pages = new FetchedPages(p) // of an instruction that began before the window and ends in it; `last` is that of all others
}

/** Fetch Target Queue: one entry per fetch block from F0 until the block of the ROB head has passed it. Holds the predictor
  * state before the block (for redirects and training) and the block's addresses (for the instructions handed to decode).
  * `ftqEntries` - 1 blocks fit.
  */
class Ftq(p: NhgParams) extends Module {
  private val idxBits = p.ftqIdxBits
  val io = IO(new Bundle {
    val full = Output(Bool())
    val tail = Output(UInt(idxBits.W)) // index of the next block
    val allocate = Input(Valid(new PredictorState(p)))
    val addresses = Input(Valid(new Bundle {
      val idx = UInt(idxBits.W)
      val block = new BlockAddresses(p)
    }))
    val redirect = Input(Valid(UInt(idxBits.W)))
    val redirectState = Output(new PredictorState(p))
    val trainIdx = Input(UInt(idxBits.W))
    val trainHistory = Output(UInt(p.frontend.historyBits.W))
    val commit = Input(Valid(UInt(idxBits.W)))
    val readIdx = Input(Vec(p.backend.decodeWidth, UInt(idxBits.W)))
    val readBlock = Output(Vec(p.backend.decodeWidth, new BlockAddresses(p)))
  })

  private val histories = new AsyncTable(UInt(p.frontend.historyBits.W), p.frontend.ftqEntries)
  private val ras = new AsyncTable(new RasState(p), p.frontend.ftqEntries)
  private val blocks = new AsyncTable(new BlockAddresses(p), p.frontend.ftqEntries)
  private val head = RegInit(0.U(idxBits.W))
  private val tail = RegInit(0.U(idxBits.W))

  io.full := tail + 1.U === head
  io.tail := tail
  histories.write(io.allocate.valid, tail, io.allocate.bits.history)
  ras.write(io.allocate.valid, tail, io.allocate.bits.ras)
  blocks.write(io.addresses.valid, io.addresses.bits.idx, io.addresses.bits.block)
  when(io.allocate.valid) { tail := tail + 1.U }
  when(io.commit.valid) { head := io.commit.bits }
  when(io.redirect.valid) { tail := io.redirect.bits + 1.U }

  io.redirectState.history := histories.read(io.redirect.bits)
  io.redirectState.ras := ras.read(io.redirect.bits)
  io.trainHistory := histories.read(io.trainIdx)
  for (i <- 0 until p.backend.decodeWidth) {
    io.readBlock(i) := blocks.read(io.readIdx(i))
  }

  private def live(idx: UInt): Bool = (idx - head) < (tail - head)
  assert(!io.allocate.valid || (!io.full && !io.redirect.valid), "FTQ: block allocated without room or in a redirect's cycle")
  assert(!io.redirect.valid || live(io.redirect.bits), "FTQ: redirect by a block that is not in the queue")
  assert(!io.commit.valid || live(io.commit.bits) || io.commit.bits === tail, "FTQ: commit of a block that is not in the queue")
}
