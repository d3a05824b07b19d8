// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._
import common.TreePlru

/** Directory entry of one way. What a client holds it may have dropped, if clean; it never holds more than is written here. */
class DirectoryEntry(p: SliceParams) extends Bundle {
  val valid = Bool()
  val dirty = Bool()
  val exclusive = Bool() // the one holder may write, so its copy may be newer than the data here
  val holders = UInt(p.clients.size.W)
  val prefetched = Bool() // and no client has asked for it yet
  val tag = UInt(p.tagBits.W)
}

/** Tags, permissions of the clients and replacement state of a slice.
  *
  * One set is read a cycle and shown in the next, with the write of the cycle in between. `write`, `touch` and the victim belong to the
  * set shown. After reset the sets are cleared one a cycle until `ready`.
  */
class Directory(p: SliceParams) extends Module {
  private val entry = new DirectoryEntry(p)
  val io = IO(new Bundle {
    val ready = Output(Bool())
    val read = Input(Valid(UInt(p.setBits.W)))
    val shownSet = Input(UInt(p.setBits.W)) // the set read last
    val entries = Output(Vec(p.ways, entry))
    /** A way to put a line into: an invalid one, else by pseudo-LRU; not the last one while that is the SPM's. */
    val victimWay = Output(UInt(p.wayBits.W))
    val lastWayTaken = Input(Bool())
    val write = Input(Valid(Vec(p.ways, entry)))
    val touch = Input(Valid(UInt(p.wayBits.W)))
  })
  private val width = entry.getWidth
  private val sets = SyncReadMem(p.sets, Vec(p.ways, UInt(width.W)))
  private val plru = Mem(p.sets, UInt((p.ways - 1).W))

  private val clearSet = RegInit(0.U((p.setBits + 1).W))
  io.ready := clearSet(p.setBits)
  when(!io.ready) { clearSet := clearSet + 1.U }

  private val read = sets.read(io.read.bits, io.read.valid)
  private val written = VecInit(io.write.bits.map(_.asUInt))
  private val lastWrite = RegNext(written)
  private val lastWriteHits = RegNext(io.write.valid && io.read.bits === io.shownSet, false.B)
  io.entries := VecInit(Mux(lastWriteHits, lastWrite, read).map(_.asTypeOf(entry)))

  // One write port each, so that the directory fits a block RAM.
  private val cleared = VecInit(Seq.fill(p.ways)(0.U(width.W)))
  private val writtenSet = Mux(io.ready, io.shownSet, clearSet(p.setBits - 1, 0))
  when(!io.ready || io.write.valid) { sets.write(writtenSet, Mux(io.ready, written, cleared)) }
  private val plruState = plru(io.shownSet)
  when(!io.ready || io.touch.valid) {
    plru(writtenSet) := Mux(io.ready, TreePlru.touch(plruState, io.touch.bits, p.ways), 0.U)
  }

  private val last = p.lastWay.U
  private val invalid = io.entries.zipWithIndex.map { case (e, w) => !e.valid && !(io.lastWayTaken && (w == p.lastWay).B) }
  private val plruWay = TreePlru.victim(plruState, p.ways)
  private val oldWay = Mux(plruWay === last && io.lastWayTaken, (p.lastWay - 1).U, plruWay)
  io.victimWay := Mux(VecInit(invalid).asUInt.orR, PriorityEncoder(invalid), oldWay)

  when(io.write.valid) {
    for (e <- io.write.bits) assert(!(e.valid && e.exclusive) || PopCount(e.holders) === 1.U, "directory: exclusive, but not of one client")
  }
}
