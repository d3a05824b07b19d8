// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.SpmWordPort
import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Loads from the SPM window: keeps what each outstanding read is for, in order, and its data until a write-back slot is free.
  * A squashed load keeps its place until its data has come and is then dropped.
  */
class SpmUnit(p: NhgParams, entries: Int = 16) extends Module {
  private val ring = Ring(entries)

  val io = IO(new Bundle {
    val load = Vec(p.lsu.loadPipes, Flipped(Decoupled(new LoadOp(p)))) // pipe 0 has priority
    val squash = Input(new Squash(p))
    val read = new SpmWordPort(p.amu.spm).read.cloneType
    val readData = Flipped(Valid(UInt(64.W)))
    val result = Decoupled(new LsuWriteback(p))
    val resultIdx = Output(UInt((p.lqPtrBits - 1).W))
  })

  private val head = RegInit(0.U(ring.bits.W))
  private val answer = RegInit(0.U(ring.bits.W)) // next to get its data
  private val tail = RegInit(0.U(ring.bits.W))
  private val ops = Mem(entries, new LoadOp(p))
  private val lqPtr = Reg(Vec(entries, UInt(p.lqPtrBits.W)))
  private val killed = Reg(Vec(entries, Bool()))
  private val data = Mem(entries, UInt(64.W))
  private def idx(ptr: UInt): UInt = ring.index(ptr)

  // request
  private val full = ring.distance(tail, head) === entries.U
  private val grants = io.load.indices.map(i => !io.load.take(i).map(_.valid).foldLeft(false.B)(_ || _))
  private val op = PriorityMux(io.load.map(_.valid), io.load.map(_.bits))
  io.read.valid := io.load.map(_.valid).reduce(_ || _) && !full
  io.read.bits := op.addr(log2Ceil(p.map.spm.bytes) - 1, 3)
  for ((l, g) <- io.load.zip(grants)) { l.ready := g && io.read.ready && !full }
  for (i <- 0 until entries) {
    when(io.squash.killsLoad(lqPtr(i))) { killed(i) := true.B }
  }
  when(io.read.fire) {
    ops(idx(tail)) := op
    lqPtr(idx(tail)) := op.lqPtr
    killed(idx(tail)) := false.B
    tail := ring.add(tail, 1.U)
  }

  // answer
  when(io.readData.valid) {
    data(idx(answer)) := io.readData.bits
    answer := ring.add(answer, 1.U)
    assert(answer =/= tail, "SPM: data without a read")
  }

  private val headOp = ops(idx(head))
  private val arriving = io.readData.valid && answer === head
  private val ready = answer =/= head || arriving
  private val dead = killed(idx(head)) || io.squash.killsLoad(headOp.lqPtr)
  io.result.valid := ready && !dead
  io.result.bits := headOp.result(p, headOp.extract(Mux(arriving, io.readData.bits, data(idx(head)))))
  io.resultIdx := p.loadRing.index(headOp.lqPtr)
  when(ready && (dead || io.result.ready)) { head := ring.add(head, 1.U) }
}
