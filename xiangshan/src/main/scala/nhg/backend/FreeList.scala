// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Free physical registers of one class as a ring. The committed map and the slots [commitHead, tail) together always hold every register
  * once: slots [commitHead, head) belong to instructions in flight and keep their register's number, [head, tail) are free. So a squash
  * only moves `head` back. A register that a commit frees can be handed out in the next cycle: a path from retirement to rename and on
  * to the issue queues would be the longest of the core by far.
  * Pointers are those of `c.freeRing`.
  */
class FreeList(p: NhgParams, c: RegisterClass) extends Module {
  private val ring = c.freeRing
  private val spare = c.physical - c.logical
  require(spare >= 2 * p.backend.decodeWidth, s"FreeList: $spare spare registers of class ${c.name}, fewer than two rename groups need")
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  val io = IO(new Bundle {
    val head = Output(UInt(ring.bits.W))
    val free = Output(UInt(ring.bits.W))
    /** The next registers to be handed out. */
    val next = Output(Vec(dw, UInt(c.physicalBits.W)))
    val allocate = Input(UInt(log2Ceil(dw + 1).W))
    /** Commit: how many allocated registers are in use for good. */
    val commitCount = Input(UInt(log2Ceil(cw + 1).W))
    /** Commit: registers that become free, a prefix of `freedCount`. */
    val freedCount = Input(UInt(log2Ceil(cw + 1).W))
    val freed = Input(Vec(cw, UInt(c.physicalBits.W)))
    val restore = Input(Valid(UInt(ring.bits.W)))
    val flush = Input(Bool())
  })
  private val registers = RegInit(VecInit((0 until c.physical).map(i => ((c.logical + i) % c.physical).U(c.physicalBits.W))))
  private val head = RegInit(0.U(ring.bits.W))
  private val commitHead = RegInit(0.U(ring.bits.W))
  private val tail = RegInit(spare.U(ring.bits.W))

  io.head := head
  io.free := ring.distance(tail, head)
  for (i <- 0 until dw) { io.next(i) := registers(ring.index(ring.add(head, i.U))) }

  for (i <- 0 until cw) {
    when(i.U < io.freedCount) {
      registers(ring.index(ring.add(tail, i.U))) := io.freed(i)
      if (c.fixedZero) assert(io.freed(i) =/= 0.U, "the register that is fixed to zero becomes free")
    }
  }
  private val nextCommitHead = ring.add(commitHead, io.commitCount)
  commitHead := nextCommitHead
  tail := ring.add(tail, io.freedCount)
  head := MuxCase(ring.add(head, io.allocate), Seq(io.flush -> nextCommitHead, io.restore.valid -> io.restore.bits))

  assert(io.allocate <= io.free, "more registers allocated than free")
  assert(io.commitCount <= ring.distance(head, commitHead), "more registers committed than allocated")
  assert(ring.distance(tail, commitHead) +& io.freedCount < c.physical.U + io.commitCount, "a register becomes free twice")
  assert(!(io.restore.valid || io.flush) || io.allocate === 0.U, "allocation while the free list is restored")
}
