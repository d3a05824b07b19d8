// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import platform.TaskWord

/** Finish queue (Table I: 16 entries; paper IV-A): finished groups that `getfin`/`bafin` may take.
  *
  * Free-running pointers, modulo 64: commit ≤ rename ≤ tail and commit ≤ send ≤ tail. An entry is taken at rename, leaves at commit of its taker,
  * and is available again after a squash (`restore`, `flush`). The send pointer feeds the frontend's BTQ, skips entries taken
  * before they were sent, and goes back with the rename pointer. Task word and target are formed from the configuration at the time of reading.
  */
class FinishQueue(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new CompletedGroup(p)))
    val config = Input(new AmuConfig(p))
    val core = new AmuFinishIO(p)
    val btq = Decoupled(new BtqEntry(p))
    val taken = Valid(UInt(p.idBits.W))
    val entries = Output(UInt(p.finPtrBits.W))
  })
  private val n = p.finishQueue
  private val core = io.core
  private val ring = p.finishRing
  private def index(ptr: UInt): UInt = ptr(log2Ceil(n) - 1, 0)

  private val queue = Mem(n, new CompletedGroup(p))
  private val commitPtr = RegInit(0.U(p.finPtrBits.W))
  private val renamePtr = RegInit(0.U(p.finPtrBits.W))
  private val sendPtr = RegInit(0.U(p.finPtrBits.W))
  private val tail = RegInit(0.U(p.finPtrBits.W))

  private def target(group: CompletedGroup): UInt = {
    val offset = Cat(group.target, 0.U(1.W)).asSInt
    (io.config.targetBase + offset.pad(p.pcBits).asUInt)(p.pcBits - 1, 0)
  }

  // Fill
  io.in.ready := ring.distance(tail, commitPtr) =/= n.U
  when(io.in.fire) {
    queue.write(index(tail), io.in.bits)
    tail := ring.add(tail, 1.U)
  }

  // Take
  core.available := renamePtr =/= tail
  core.renamePtr := renamePtr
  assert(!core.take || core.available, "finish-queue entry taken that is not there")

  private val entry = queue.read(index(core.readPtr))
  private val slotOffset = (entry.id << OHToUInt(io.config.spmSlot)).pad(TaskWord.slot.bits)(TaskWord.slot.bits - 1, 0)
  private val handler = (io.config.handlerBase + entry.id * io.config.handlerSize)(p.pcBits - 1, 0)
  core.read.id := entry.id
  core.read.taskWord := Cat(slotOffset, handler)
  core.read.target := target(entry)

  // Commit
  assert(!core.commitTake || commitPtr =/= renamePtr, "commit of a finish-queue entry that nobody took")
  private val commitNext = ring.add(commitPtr, core.commitTake)
  commitPtr := commitNext
  io.taken.valid := core.commitTake
  io.taken.bits := queue.read(index(commitPtr)).id

  // Squash
  private val restores = core.flush || core.restore.valid
  private val restorePtr = Mux(core.flush, commitNext, core.restore.bits)
  private val renameNext = Mux(restores, restorePtr, ring.add(renamePtr, core.take))
  renamePtr := renameNext
  assert(!restores || ring.distance(restorePtr, commitNext) <= ring.distance(renamePtr, commitNext), "restore beyond the taken entries")

  // Send to the BTQ
  private val behind = ring.distance(sendPtr, commitPtr) < ring.distance(renamePtr, commitPtr)
  io.btq.valid := sendPtr =/= tail && !behind && !restores
  io.btq.bits.finPtr := sendPtr
  io.btq.bits.target := target(queue.read(index(sendPtr)))
  when(restores) {
    sendPtr := restorePtr
  }.elsewhen(behind) {
    sendPtr := renamePtr
  }.elsewhen(io.btq.fire) {
    sendPtr := ring.add(sendPtr, 1.U)
  }

  assert(ring.distance(renamePtr, commitPtr) <= ring.distance(tail, commitPtr), "finish-queue pointers out of order")
  io.entries := ring.distance(tail, commitPtr)
}
