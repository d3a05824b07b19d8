// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._
import common.{AsyncTable, BitPlru, PseudoLru, SyncTable, TreePlru}

/** Directory entry of one way. What a client holds it may have dropped, if clean; it never holds more than is written here. */
class DirectoryEntry(p: SliceParams) extends Bundle {
  val valid = Bool()
  val dirty = Bool()
  val exclusive = Bool() // the one holder may write, so its copy may be newer than the data here
  val holders = UInt(p.clientBits.W)
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
  private val sets = new SyncTable(io.entries, p.sets, Some(0.U.asTypeOf(io.entries)))
  private val policy: PseudoLru = if (isPow2(p.ways)) TreePlru else BitPlru
  private val plru = new AsyncTable(UInt(policy.stateBits(p.ways).W), p.sets, Some(0.U(policy.stateBits(p.ways).W)))
  io.ready := sets.ready

  io.entries := sets.read(io.read.bits, io.read.valid)
  sets.write(io.write.valid, io.shownSet, io.write.bits)
  private val plruState = plru.read(io.shownSet)
  plru.write(io.touch.valid, io.shownSet, policy.touch(plruState, io.touch.bits, p.ways))

  private val last = p.lastWay.U
  private val invalid = io.entries.zipWithIndex.map { case (e, w) => !e.valid && !(io.lastWayTaken && (w == p.lastWay).B) }
  private val plruWay = policy.victim(plruState, p.ways)
  private val oldWay = Mux(plruWay === last && io.lastWayTaken, (p.lastWay - 1).U, plruWay)
  io.victimWay := Mux(VecInit(invalid).asUInt.orR, PriorityEncoder(invalid), oldWay)

  when(io.write.valid) {
    for (e <- io.write.bits) assert(!(e.valid && e.exclusive) || PopCount(e.holders) === 1.U, "directory: exclusive, but not of one client")
  }
}
