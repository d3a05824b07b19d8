// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{LineRelease, PermissionChange}
import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Release channel of the L1D in order: dirty victims and probe answers, whole lines.
  * `pending` tells whether something about a line waits here; such a line must not be acquired.
  */
class WritebackQueue(p: NhgParams, entries: Int = 8) extends Module {
  private val ring = Ring(entries)

  val io = IO(new Bundle {
    val enqueue = Flipped(Decoupled(new LineRelease(p.line)))
    val release = Decoupled(new LineRelease(p.line))
    val queryLine = Input(UInt(p.lineAddrBits.W))
    val pending = Output(Bool())
  })

  private val line = Reg(Vec(entries, UInt(p.lineAddrBits.W)))
  private val isProbeAck = Reg(UInt(entries.W))
  private val shrink = Reg(Vec(entries, new PermissionChange))
  private val valid = RegInit(0.U(entries.W))
  private val data = Mem(entries, UInt(p.lineBits.W))
  private val head = RegInit(0.U(ring.bits.W))
  private val tail = RegInit(0.U(ring.bits.W))
  private val headIdx = ring.index(head)
  private val tailIdx = ring.index(tail)

  io.enqueue.ready := ring.distance(tail, head) =/= entries.U
  when(io.enqueue.fire) {
    line(tailIdx) := io.enqueue.bits.lineAddr
    isProbeAck := isProbeAck.bitSet(tailIdx, io.enqueue.bits.isProbeAck)
    shrink(tailIdx) := io.enqueue.bits.shrink
    data(tailIdx) := io.enqueue.bits.data
    tail := ring.add(tail, 1.U)
  }
  io.release.valid := head =/= tail
  io.release.bits.lineAddr := line(headIdx)
  io.release.bits.isProbeAck := isProbeAck(headIdx)
  io.release.bits.shrink := shrink(headIdx)
  io.release.bits.data := data(headIdx)
  when(io.release.fire) { head := ring.add(head, 1.U) }

  private val set = Mux(io.enqueue.fire, UIntToOH(tailIdx, entries), 0.U)
  private val clear = Mux(io.release.fire, UIntToOH(headIdx, entries), 0.U)
  valid := (valid & ~clear) | set
  io.pending := (valid & VecInit(line.map(_ === io.queryLine)).asUInt).orR
}
