// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** In-order queue between rename and the issue queues; takes any subset of a rename group, offers its oldest micro-ops, those that
  * arrive in this cycle behind those it holds. So a micro-op spends no cycle here unless an issue queue is full. Nothing leaves in a cycle
  * with a squash.
  */
class DispatchQueue(p: NhgParams, entries: Int) extends Module {
  private val n = entries
  private val w = p.backend.decodeWidth
  private val ring = Ring(n)
  val io = IO(new Bundle {
    val in = Input(Vec(w, Valid(new MicroOp(p))))
    val free = Output(UInt(log2Ceil(n + 1).W))
    val out = Output(Vec(w, Valid(new MicroOp(p)))) // valid is a prefix
    val leave = Input(UInt(log2Ceil(w + 1).W))
    val kill = Input(new Kill(p))
  })
  private val queue = new GroupMem(new MicroOp(p), n, w)
  private val robPtr = Reg(Vec(n, UInt(p.robRing.bits.W)))
  private val head = RegInit(0.U(ring.bits.W))
  private val count = RegInit(0.U(log2Ceil(n + 1).W))
  private val tail = ring.add(head, count)

  private val arriving = PopCount(io.in.map(_.valid))
  private val compacted = (0 until w).map { k =>
    Mux1H((0 until w).map(i => (io.in(i).valid && CountBefore(io.in.take(i).map(_.valid), ring.indexBits) === k.U) -> io.in(i).bits))
  }
  queue.write(ring.index(tail), (0 until w).map(_.U < arriving), compacted)
  for (k <- 0 until w) {
    when(k.U < arriving) { robPtr(ring.index(ring.add(tail, k.U))) := compacted(k).robPtr }
  }

  private val words = queue.readGroup(ring.index(head))
  private val kill = io.kill.flush || io.kill.squash
  for (k <- 0 until w) {
    val arrived = (0 to k).map(held => held.U -> compacted(k - held)) // by the number of those held
    io.out(k).valid := k.U < count +& arriving && !kill
    io.out(k).bits := Mux(k.U < count, words(k), MuxLookup(count, compacted(0), arrived))
  }
  io.free := n.U - count

  private val survives = (0 until n).map { i =>
    val position = ring.distance(ring.fromIndex(i.U, head), head)
    position < count && !p.robRing.isBefore(io.kill.robPtr, robPtr(i))
  }
  when(io.kill.flush) {
    count := 0.U
  }.elsewhen(io.kill.squash) {
    count := PopCount(survives)
  }.otherwise {
    head := ring.add(head, io.leave)
    count := count + arriving - io.leave
  }
  assert(arriving <= io.free, "dispatch queue overflow")
  assert(io.leave <= PopCount(io.out.map(_.valid)), "dispatch queue underflow")
  assert(!kill || arriving === 0.U, "micro-op renamed during a squash")
}
