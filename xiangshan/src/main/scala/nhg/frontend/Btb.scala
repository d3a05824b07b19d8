// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._
import common.AsyncTable
import nhg._

/** One control-flow instruction of the window that F0 looks up. */
class BtbSlot(p: NhgParams) extends Bundle {
  val hit = Bool()
  val end = UInt(FetchWindow.endBits(p).W)
  val cfiType = UInt(3.W)
  val target = UInt(p.pcBits.W)
}

/** Branch target buffer: `btbEntries` entries in sets of four, each entry one control-flow instruction that was taken once. The set is
  * chosen by the fetch window, so one asynchronous read gives up to four control-flow instructions of the window, in no
  * particular order. Tags are partial, and after reset entries hold anything: predecode checks every prediction and has entries forgotten that name
  * an instruction that is not there. A bafin never enters (paper IV-A: the BPT has it).
  */
class Btb(p: NhgParams) extends Module {
  private val ways = Btb.ways
  private val sets = p.frontend.btbEntries / ways
  private val setBits = log2Ceil(sets)
  private val tagBits = 16
  require(isPow2(sets) && p.pcBits - FetchWindow.offsetBits(p) >= setBits + tagBits)

  val io = IO(new Bundle {
    val window = Input(UInt((p.pcBits - FetchWindow.offsetBits(p)).W))
    val slots = Output(Vec(ways, new BtbSlot(p)))
    val train = Input(Valid(new Training(p)))
    /** Last halfword of what is no control-flow instruction of the kind that the entry says; lost in a cycle of training. */
    val forget = Input(Valid(UInt(p.pcBits.W)))
  })

  private class Entry extends Bundle {
    val tag = UInt(tagBits.W)
    val end = UInt(FetchWindow.endBits(p).W)
    val cfiType = UInt(3.W)
    val target = UInt(StoredTarget.bits(p).W)
  }
  private val arrays = Seq.fill(ways)(new AsyncTable(new Entry, sets))

  private def set(window: UInt) = window(setBits - 1, 0)
  private def tag(window: UInt) = window(setBits + tagBits - 1, setBits)
  private def read(window: UInt) = arrays.map(_.read(set(window)))

  for ((slot, entry) <- io.slots.zip(read(io.window))) {
    slot.hit := entry.tag === tag(io.window) && entry.cfiType =/= CfiType.bafin
    slot.end := entry.end
    slot.cfiType := entry.cfiType
    slot.target := StoredTarget.pc(entry.target)
  }

  private val trained = io.train.bits
  private val lastHalf = Mux(io.train.valid, trained.lastHalf, io.forget.bits)
  private val window = FetchWindow.of(lastHalf, p)
  private val end = FetchWindow.endOf(lastHalf, p)
  // What has been forgotten is known when it is trained again.
  private val present = read(window).map(e => e.tag === tag(window) && e.end === end && (io.train.valid || e.cfiType =/= CfiType.bafin))
  private val writes = io.train.valid && trained.taken && trained.cfiType =/= CfiType.bafin
  private val victim = RegInit(0.U(log2Ceil(ways).W))
  private val known = present.reduce(_ || _)
  when(writes && !known) { victim := victim + 1.U }

  private val forgets = io.forget.valid && !io.train.valid && known
  private val entry = Wire(new Entry)
  entry.tag := tag(window)
  entry.end := end
  entry.cfiType := Mux(forgets, CfiType.bafin, trained.cfiType) // which never hits
  entry.target := StoredTarget.of(trained.target, p)
  private val way = Mux(known, PriorityEncoder(present), victim)
  for (w <- 0 until ways) { arrays(w).write((writes || forgets) && way === w.U, set(window), entry) }
}

object Btb {
  val ways = 4
}
