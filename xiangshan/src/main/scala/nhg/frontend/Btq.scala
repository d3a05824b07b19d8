// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import amu.BtqEntry
import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Bafin Target Queue (paper IV-A): resume targets of finished groups, in finish-queue order, on their way to the BPT.
  *
  * An entry popped by a predicted bafin stays until predecode has confirmed the bafin; `rollBack` (pre-decode redirect) makes the
  * unconfirmed ones unused again. `flush` (back-end redirect) empties the queue; the finish queue then resends from `flush.bits`.
  *
  * Pointers of entries follow one another. The one exception: when the queue was full and `getfin` meanwhile took the entries it
  * had no room for, the finish queue goes on with a later one. What is held then is older than every group still to be taken, and is dropped.
  */
class Btq(p: NhgParams) extends Module {
  private val entries = p.frontend.btqEntries
  require(entries < (1 << p.amu.finPtrBits))
  private val ring = Ring(entries)

  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new BtqEntry(p.amu)))
    val headValid = Output(Bool())
    val headTarget = Output(UInt(p.pcBits.W))
    val pop = Input(Bool())
    val confirm = Input(Bool())
    val rollBack = Input(Bool())
    val flush = Input(Valid(UInt(p.amu.finPtrBits.W)))
  })

  private val targets = Mem(entries, UInt(p.pcBits.W))
  private val tail = RegInit(0.U(ring.bits.W))
  private val next = RegInit(0.U(ring.bits.W)) // next to pop
  private val head = RegInit(0.U(ring.bits.W)) // oldest not confirmed
  private val expected = RegInit(0.U(p.amu.finPtrBits.W))
  private val wasFull = RegInit(false.B)

  private val full = ring.distance(tail, head) === entries.U
  private val skips = io.in.bits.finPtr =/= expected
  io.in.ready := !io.flush.valid && Mux(skips, head === next && !io.pop, !full)
  io.headValid := next =/= tail
  io.headTarget := targets.read(ring.index(next))

  private val gap = io.in.fire && skips
  when(io.in.fire) {
    targets.write(ring.index(tail), Pc.ofSv39(io.in.bits.target, p))
    tail := ring.add(tail, 1.U)
    expected := io.in.bits.finPtr + 1.U
  }
  when(io.pop) { next := ring.add(next, 1.U) }
  when(io.confirm) { head := ring.add(head, 1.U) }
  when(io.rollBack) { next := ring.add(head, io.confirm) }
  when(gap) {
    next := tail
    head := tail
  }
  when(full) { wasFull := true.B }
  when(io.flush.valid) {
    tail := 0.U
    next := 0.U
    head := 0.U
    expected := io.flush.bits
    wasFull := false.B
  }

  assert(!io.pop || io.headValid, "BTQ: pop of an empty queue")
  assert(!io.confirm || head =/= next, "BTQ: confirmation of an entry not popped")
  assert(!(io.pop && io.rollBack), "BTQ: pop in the cycle of a roll-back")
  assert(!gap || wasFull, "BTQ: finish-queue pointers are not consecutive")
}
