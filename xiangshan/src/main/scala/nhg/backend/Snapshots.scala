// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Snapshots of the back-end state, one per control-flow instruction in flight, with its prediction. A ring in program order: up to
  * `Snapshots.perCycle` allocated a cycle, freed at the old end once resolved, and at the young end by a squash.
  */
object Snapshots {
  val perCycle = 2
}

class Snapshots(p: NhgParams) extends Module {
  import Snapshots.perCycle
  private val n = p.backend.branchSnapshots
  private val ring = Ring(n)
  private val bits = ring.indexBits
  val io = IO(new Bundle {
    val free = Output(UInt(log2Ceil(n + 1).W))
    val next = Output(Vec(perCycle, UInt(bits.W)))
    val allocate = Input(Vec(perCycle, Bool())) // a prefix
    val state = Input(Vec(perCycle, new BranchSnapshot(p)))
    val info = Input(Vec(perCycle, new BranchInfo(p)))
    val infoIdx = Input(UInt(bits.W))
    val infoRead = Output(new BranchInfo(p))
    /** A branch has been resolved; with `squash` its snapshot is read and it and all younger ones are freed. */
    val resolved = Input(Valid(UInt(bits.W)))
    val squash = Input(Bool())
    val stateRead = Output(new BranchSnapshot(p))
    val flush = Input(Bool())
  })
  private val states = new GroupMem(new BranchSnapshot(p), n, perCycle)
  private val infos = new GroupMem(new BranchInfo(p), n, perCycle)
  private val head = RegInit(0.U(ring.bits.W))
  private val tail = RegInit(0.U(ring.bits.W))
  private val count = RegInit(0.U(log2Ceil(n + 1).W))
  private val done = RegInit(0.U(n.W))

  io.free := n.U - count
  io.next := VecInit((0 until perCycle).map(i => ring.index(ring.add(tail, i.U))))
  states.write(ring.index(tail), io.allocate, io.state)
  infos.write(ring.index(tail), io.allocate, io.info)
  io.infoRead := infos.read(io.infoIdx)
  io.stateRead := states.read(io.resolved.bits)

  private val allocated = PopCount(io.allocate)
  private val pop0 = count =/= 0.U && done(ring.index(head))
  private val pop1 = pop0 && count > 1.U && done(ring.index(ring.add(head, 1.U)))
  private val popped = PopCount(Seq(pop0, pop1))
  private val s = io.resolved.bits
  private val resolvedPtr = ring.fromIndex(s, head)
  private val position = ring.distance(resolvedPtr, head)
  when(io.flush) {
    tail := head
    count := 0.U
  }.elsewhen(io.squash) {
    tail := resolvedPtr
    count := position
  }.otherwise {
    tail := ring.add(tail, allocated)
    head := ring.add(head, popped)
    count := count + allocated - popped
  }
  private val setMask = Mux(io.resolved.valid, UIntToOH(s, n), 0.U)
  private val clearMask = (0 until perCycle).map(i => Mux(io.allocate(i), UIntToOH(io.next(i), n), 0.U)).reduce(_ | _)
  done := (done | setMask) & ~clearMask

  assert(allocated <= io.free, "more snapshots allocated than free")
  assert(!io.squash || io.resolved.valid, "squash without a resolved branch")
  assert(!io.resolved.valid || position < count && !done(s), "a branch resolves that has no snapshot, or twice")
  assert(!(io.squash || io.flush) || allocated === 0.U, "snapshot allocated during a squash")
}
