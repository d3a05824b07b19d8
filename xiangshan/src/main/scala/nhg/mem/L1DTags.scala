// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chisel3.util._
import common.{AsyncTable, TreePlru}
import nhg._

/** Lookup of a load: s0 reads the tags of a set, s1 (the next cycle) compares them with a physical tag. */
class TagRead(p: NhgParams) extends Bundle {
  private val setBits = log2Ceil(p.l1d.sets)
  val s0_valid = Input(Bool())
  val s0_set = Input(UInt(setBits.W))
  val s1_tag = Input(UInt((p.lineAddrBits - setBits).W))
  val s1_hit = Output(Bool())
  val s1_way = Output(UInt(log2Ceil(p.l1d.ways).W))
}

/** Lookup of a physical line, answered in the same cycle. */
class TagLookup(p: NhgParams) extends Bundle {
  val lineAddr = Input(UInt(p.lineAddrBits.W))
  val hit = Output(Bool())
  val way = Output(UInt(log2Ceil(p.l1d.ways).W))
}

/** Tags, valid and dirty bits and replacement state of the L1D.
  *
  * Ports: a lookup in two stages per load pipe, which sees the state at the start of s0, and one for the line side (store pipe, refill, probe: one
  * of them a cycle). At most one of fill/invalidate and at most one of fill/markDirty a cycle.
  */
class L1DTags(p: NhgParams) extends Module {
  private val sets = p.l1d.sets
  private val ways = p.l1d.ways
  private val setBits = log2Ceil(sets)
  private val wayBits = log2Ceil(ways)
  private val tagBits = p.lineAddrBits - setBits

  val io = IO(new Bundle {
    val load = Vec(p.lsu.loadPipes, new TagRead(p))
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
    val touch = Vec(
      p.lsu.loadPipes + 1,
      Input(Valid(new Bundle {
        val set = UInt(setBits.W)
        val way = UInt(wayBits.W)
      }))
    )
  })

  private val tags = Seq.fill(ways)(new AsyncTable(UInt(tagBits.W), sets))
  private val valid = RegInit(VecInit(Seq.fill(sets)(0.U(ways.W))))
  private val dirty = new AsyncTable(UInt(ways.W), sets)
  private val plru = new AsyncTable(UInt(TreePlru.stateBits(ways).W), sets)

  private def setOf(line: UInt): UInt = line(setBits - 1, 0)
  private def tagOf(line: UInt): UInt = line >> setBits
  private def hitsOf(present: UInt, tagsOfSet: Seq[UInt], tag: UInt): UInt =
    VecInit(tagsOfSet.zipWithIndex.map { case (t, w) => present(w) && t === tag }).asUInt

  for (port <- io.load) {
    val s1_tags = tags.map(t => RegEnable(t.read(port.s0_set), port.s0_valid))
    val s1_present = RegEnable(valid(port.s0_set), port.s0_valid)
    val hits = hitsOf(s1_present, s1_tags, port.s1_tag)
    port.s1_hit := hits.orR
    port.s1_way := OHToUInt(hits)
  }

  private val lineSet = setOf(io.line.lineAddr)
  private val lineTags = tags.map(_.read(lineSet))
  private val lineValid = valid(lineSet)
  private val lineHits = hitsOf(lineValid, lineTags, tagOf(io.line.lineAddr))
  private val lineDirtyBits = dirty.read(lineSet)
  io.line.hit := lineHits.orR
  io.line.way := OHToUInt(lineHits)
  io.lineDirty := (lineHits & lineDirtyBits).orR
  assert(PopCount(lineHits) <= 1.U, "L1D: a line is in two ways")

  io.victimWay := Mux(lineValid.andR, TreePlru.victim(plru.read(lineSet), ways), PriorityEncoder(~lineValid))
  io.victimValid := lineValid(io.victimWay)
  io.victimDirty := io.victimValid && lineDirtyBits(io.victimWay)
  io.victimLine := Cat(VecInit(lineTags)(io.victimWay), lineSet)

  // valid bits: a fill sets, an invalidation clears
  assert(!(io.fill.valid && io.invalidate.valid), "L1D: fill and invalidation in one cycle")
  private val fillSet = setOf(io.fill.bits.lineAddr)
  private val validSet = Mux(io.fill.valid, fillSet, io.invalidate.bits.set)
  private val validBit = UIntToOH(Mux(io.fill.valid, io.fill.bits.way, io.invalidate.bits.way), ways)
  when(io.fill.valid || io.invalidate.valid) {
    valid(validSet) := Mux(io.fill.valid, valid(validSet) | validBit, valid(validSet) & ~validBit)
  }
  for ((t, w) <- tags.zipWithIndex) { t.write(io.fill.valid && io.fill.bits.way === w.U, fillSet, tagOf(io.fill.bits.lineAddr)) }

  assert(!(io.fill.valid && io.markDirty.valid), "L1D: fill and store in one cycle")
  private val dirtySet = Mux(io.fill.valid, fillSet, io.markDirty.bits.set)
  private val dirtyBit = UIntToOH(Mux(io.fill.valid, io.fill.bits.way, io.markDirty.bits.way), ways)
  private val setsDirty = !io.fill.valid || io.fill.bits.dirty
  private val dirtyBefore = dirty.read(dirtySet)
  dirty.write(io.fill.valid || io.markDirty.valid, dirtySet, Mux(setsDirty, dirtyBefore | dirtyBit, dirtyBefore & ~dirtyBit))

  private val touched = io.touch.map(_.valid).reduce(_ || _) || io.fill.valid
  private val touchPort = PriorityMux(io.touch.map(t => t.valid -> t.bits))
  private val touchSet = Mux(io.fill.valid, fillSet, touchPort.set)
  private val touchWay = Mux(io.fill.valid, io.fill.bits.way, touchPort.way)
  plru.write(touched, touchSet, TreePlru.touch(plru.read(touchSet), touchWay, ways))
}
