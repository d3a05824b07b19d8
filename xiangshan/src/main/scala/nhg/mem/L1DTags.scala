// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import common.TreePlru
import nhg._

class TagLookup(p: NhgParams) extends Bundle {
  val lineAddr = Input(UInt(p.lineAddrBits.W))
  val hit = Output(Bool())
  val way = Output(UInt(log2Ceil(p.l1d.ways).W))
}

/** Tags, valid and dirty bits and replacement state of the L1D; all reads combinational.
  *
  * Ports: one lookup per load pipe and one for the line side (store pipe, refill, probe: one of them a cycle).
  * At most one of fill/invalidate and at most one of fill/markDirty a cycle.
  */
class L1DTags(p: NhgParams) extends Module {
  private val sets = p.l1d.sets
  private val ways = p.l1d.ways
  private val setBits = log2Ceil(sets)
  private val wayBits = log2Ceil(ways)
  private val tagBits = p.lineAddrBits - setBits

  val io = IO(new Bundle {
    val load = Vec(p.lsu.loadPipes, new TagLookup(p))
    val line = new TagLookup(p)
    val lineDirty = Output(Bool()) // of the line that hits
    /** Replacement victim of the set of `line.lineAddr`. */
    val victimWay = Output(UInt(wayBits.W))
    val victimDirty = Output(Bool()) // valid and dirty
    val victimValid = Output(Bool())
    val victimLine = Output(UInt(p.lineAddrBits.W))
    val fill = Input(Valid(new Bundle {
      val lineAddr = UInt(p.lineAddrBits.W)
      val way = UInt(wayBits.W)
      val dirty = Bool()
    }))
    val invalidate = Input(Valid(new Bundle {
      val set = UInt(setBits.W)
      val way = UInt(wayBits.W)
    }))
    val markDirty = Input(Valid(new Bundle {
      val set = UInt(setBits.W)
      val way = UInt(wayBits.W)
    }))
    /** Accesses that count for replacement; the first valid one is taken (pseudo-LRU tolerates the loss of others). */
    val touch = Vec(p.lsu.loadPipes + 1, Input(Valid(new Bundle {
      val set = UInt(setBits.W)
      val way = UInt(wayBits.W)
    })))
  })

  private val tags = Seq.fill(ways)(Mem(sets, UInt(tagBits.W)))
  private val valid = RegInit(VecInit(Seq.fill(sets)(0.U(ways.W))))
  private val dirty = Mem(sets, UInt(ways.W))
  private val plru = Mem(sets, UInt(TreePlru.stateBits(ways).W))

  private def setOf(line: UInt): UInt = line(setBits - 1, 0)
  private def tagOf(line: UInt): UInt = line >> setBits

  private def lookup(port: TagLookup): UInt = {
    val set = setOf(port.lineAddr)
    val present = valid(set)
    val hits = VecInit(tags.zipWithIndex.map { case (t, w) => present(w) && t(set) === tagOf(port.lineAddr) }).asUInt
    port.hit := hits.orR
    port.way := OHToUInt(hits)
    assert(PopCount(hits) <= 1.U, "L1D: a line is in two ways")
    hits
  }

  io.load.foreach(lookup)
  private val lineHits = lookup(io.line)
  private val lineSet = setOf(io.line.lineAddr)
  private val lineDirtyBits = dirty(lineSet)
  io.lineDirty := (lineHits & lineDirtyBits).orR

  private val lineValid = valid(lineSet)
  io.victimWay := Mux(lineValid.andR, TreePlru.victim(plru(lineSet), ways), PriorityEncoder(~lineValid))
  io.victimValid := lineValid(io.victimWay)
  io.victimDirty := io.victimValid && lineDirtyBits(io.victimWay)
  io.victimLine := Cat(VecInit(tags.map(_(lineSet)))(io.victimWay), lineSet)

  // valid bits: a fill sets, an invalidation clears
  assert(!(io.fill.valid && io.invalidate.valid), "L1D: fill and invalidation in one cycle")
  private val fillSet = setOf(io.fill.bits.lineAddr)
  private val validSet = Mux(io.fill.valid, fillSet, io.invalidate.bits.set)
  private val validBit = UIntToOH(Mux(io.fill.valid, io.fill.bits.way, io.invalidate.bits.way), ways)
  when(io.fill.valid || io.invalidate.valid) {
    valid(validSet) := Mux(io.fill.valid, valid(validSet) | validBit, valid(validSet) & ~validBit)
  }
  for (w <- 0 until ways) {
    when(io.fill.valid && io.fill.bits.way === w.U) { tags(w)(fillSet) := tagOf(io.fill.bits.lineAddr) }
  }

  assert(!(io.fill.valid && io.markDirty.valid), "L1D: fill and store in one cycle")
  private val dirtySet = Mux(io.fill.valid, fillSet, io.markDirty.bits.set)
  private val dirtyBit = UIntToOH(Mux(io.fill.valid, io.fill.bits.way, io.markDirty.bits.way), ways)
  private val setsDirty = !io.fill.valid || io.fill.bits.dirty
  when(io.fill.valid || io.markDirty.valid) {
    dirty(dirtySet) := Mux(setsDirty, dirty(dirtySet) | dirtyBit, dirty(dirtySet) & ~dirtyBit)
  }

  private val touched = io.touch.map(_.valid).reduce(_ || _) || io.fill.valid
  private val touchPort = PriorityMux(io.touch.map(t => t.valid -> t.bits))
  private val touchSet = Mux(io.fill.valid, fillSet, touchPort.set)
  private val touchWay = Mux(io.fill.valid, io.fill.bits.way, touchPort.way)
  when(touched) { plru(touchSet) := TreePlru.touch(plru(touchSet), touchWay, ways) }
}
