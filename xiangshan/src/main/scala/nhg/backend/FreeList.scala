// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Free physical registers of one class as a ring of (physical - logical) slots. The committed mappings and the ring together always
  * hold every register once: slots [commitHead, head) belong to instructions in flight and keep their register's number, the others are
  * free. So a squash only moves `head` back, and each commit overwrites its own slot with the register it frees, which can be handed out
  * at once.
  * Pointers are those of `c.freeRing`.
  */
class FreeList(p: NhgParams, c: RegisterClass) extends Module {
  private val ring = c.freeRing
  private val slots = ring.entries
  require(slots >= 2 * p.backend.decodeWidth, s"FreeList: $slots spare registers of class ${c.name}, fewer than two rename groups need")
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  val io = IO(new Bundle {
    val head = Output(UInt(ring.bits.W))
    val free = Output(UInt(ring.bits.W))
    /** The next registers to be handed out. */
    val next = Output(Vec(dw, UInt(c.physicalBits.W)))
    val allocate = Input(UInt(log2Ceil(dw + 1).W))
    /** Commit: registers that become free, a prefix of `commitCount`. */
    val commitCount = Input(UInt(log2Ceil(cw + 1).W))
    val commitFreed = Input(Vec(cw, UInt(c.physicalBits.W)))
    val restore = Input(Valid(UInt(ring.bits.W)))
    val flush = Input(Bool())
  })
  private val registers = RegInit(VecInit((0 until slots).map(i => (c.logical + i).U(c.physicalBits.W))))
  private val head = RegInit(0.U(ring.bits.W))
  private val commitHead = RegInit(0.U(ring.bits.W))

  private val kept = slots.U - ring.distance(head, commitHead)
  io.head := head
  io.free := kept + io.commitCount
  for (i <- 0 until dw) {
    val freed = (0 to i).filter(i - _ < cw).map(n => n.U -> io.commitFreed(i - n)) // by the number kept
    io.next(i) := Mux(i.U < kept, registers(ring.index(ring.add(head, i.U))), MuxLookup(kept, io.commitFreed(0), freed))
  }

  for (i <- 0 until cw) {
    when(i.U < io.commitCount) {
      registers(ring.index(ring.add(commitHead, i.U))) := io.commitFreed(i)
      if (c.fixedZero) assert(io.commitFreed(i) =/= 0.U, "the register that is fixed to zero becomes free")
    }
  }
  private val nextCommitHead = ring.add(commitHead, io.commitCount)
  commitHead := nextCommitHead
  head := MuxCase(ring.add(head, io.allocate), Seq(io.flush -> nextCommitHead, io.restore.valid -> io.restore.bits))

  assert(io.allocate <= io.free, "more registers allocated than free")
  assert(io.commitCount <= ring.distance(head, commitHead), "more registers committed than allocated")
  assert(!(io.restore.valid || io.flush) || io.allocate === 0.U, "allocation while the free list is restored")
}
