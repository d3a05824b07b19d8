// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** Free physical registers as a ring of (physical - 32) slots. The 31 committed mappings and the ring together always hold every
  * register but p0: slots [commitHead, head) belong to instructions in flight and keep their register's number, the others are
  * free. So a squash only moves `head` back, and each commit overwrites its own slot with the register it frees.
  * Pointers carry one wrap bit.
  */
class FreeList(p: NhgParams) extends Module {
  private val slots = p.backend.intPhysRegs - 32
  require(isPow2(slots) && slots >= 2 * p.backend.decodeWidth)
  private val ptrBits = log2Ceil(slots) + 1
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  val io = IO(new Bundle {
    val head = Output(UInt(ptrBits.W))
    val free = Output(UInt(ptrBits.W))
    /** The next registers to be handed out. */
    val next = Output(Vec(dw, UInt(p.pregBits.W)))
    val allocate = Input(UInt(log2Ceil(dw + 1).W))
    /** Commit: registers that become free, a prefix of `commitCount`. */
    val commitCount = Input(UInt(log2Ceil(cw + 1).W))
    val commitFreed = Input(Vec(cw, UInt(p.pregBits.W)))
    val restore = Input(Valid(UInt(ptrBits.W)))
    val flush = Input(Bool())
  })
  private val ring = RegInit(VecInit((0 until slots).map(i => (32 + i).U(p.pregBits.W))))
  private val head = RegInit(0.U(ptrBits.W))
  private val commitHead = RegInit(0.U(ptrBits.W))
  private def slot(ptr: UInt) = ptr(ptrBits - 2, 0)

  io.head := head
  io.free := slots.U - (head - commitHead)
  for (i <- 0 until dw) { io.next(i) := ring(slot(head + i.U)) }

  for (i <- 0 until cw) {
    when(i.U < io.commitCount) {
      ring(slot(commitHead + i.U)) := io.commitFreed(i)
      assert(io.commitFreed(i) =/= 0.U, "the register of x0 becomes free")
    }
  }
  private val nextCommitHead = commitHead + io.commitCount
  commitHead := nextCommitHead
  head := MuxCase(head + io.allocate, Seq(io.flush -> nextCommitHead, io.restore.valid -> io.restore.bits))

  assert(io.allocate <= io.free, "more registers allocated than free")
  assert(io.commitCount <= head - commitHead, "more registers committed than allocated")
  assert(!(io.restore.valid || io.flush) || io.allocate === 0.U, "allocation while the free list is restored")
}
