// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._

/** A lane bundle into an issue queue, and its free entries. */
class DispatchPort(p: NhgParams) extends Bundle {
  val uop = Output(Vec(p.backend.decodeWidth, Valid(new MicroOp(p))))
  val free = Input(UInt(8.W))
}

object Dispatch {
  /** The issue queues of `queues` that a dispatch queue fills. */
  def fills(p: NhgParams, queue: DispatchQueueParams, queues: UInt): UInt =
    VecInit(p.backend.issueQueues.zipWithIndex.filter(_._1.dispatch == queue.name).map { case (_, k) => queues(k) }).asUInt
}

/** Dispatch queues and the way from them into the issue queues: each queue's oldest micro-ops, in order, up to the first one that finds
  * one of its issue queues full. A micro-op that goes to several (a store) enters them at once.
  */
class Dispatch(p: NhgParams) extends Module {
  private val b = p.backend
  private val w = b.decodeWidth
  val io = IO(new Bundle {
    val in = Input(Vec(w, Valid(new MicroOp(p))))
    val free = Output(new ByName(b.dispatchQueues.map(_.name), UInt(8.W)))
    val kill = Input(new Kill(p))
    val issue = new ByName(b.issueQueues.map(_.name), new DispatchPort(p))
  })

  for (params <- b.dispatchQueues) {
    val queue = Module(new DispatchQueue(p, params.entries)).suggestName(s"${params.name}Queue")
    for ((in, uop) <- queue.io.in.zip(io.in)) {
      in.bits := uop.bits
      in.valid := uop.valid && Dispatch.fills(p, params, uop.bits.queues).orR
    }
    io.free(params.name) := queue.io.free
    queue.io.kill := io.kill

    val fed = b.issueQueues.zipWithIndex.filter(_._1.dispatch == params.name).map { case (q, k) => (q, k, io.issue(q.name)) }
    var go = true.B
    val leaves = (0 until w).map { i =>
      val lane = queue.io.out(i)
      val room = fed.map { case (_, k, port) =>
        val before = CountBefore(queue.io.out.take(i).map(_.bits.queues(k)), log2Ceil(w + 1))
        !lane.bits.queues(k) || before < port.free
      }
      go = go && lane.valid && room.reduce(_ && _)
      for ((q, k, port) <- fed) {
        port.uop(i).valid := go && lane.bits.queues(k)
        port.uop(i).bits := lane.bits
        port.uop(i).bits.psrc := operandsFor(q, lane.bits)
      }
      go
    }
    queue.io.leave := PopCount(leaves)
  }

  /** The operands that a micro-op waits for in this queue. */
  private def operandsFor(queue: IssueQueueParams, uop: MicroOp): Vec[PhysicalRegister] = {
    val none = 0.U.asTypeOf(new PhysicalRegister(p))
    VecInit((0 until b.sources).map { k =>
      if (queue.only.nonEmpty) queue.only.lift(k).fold(none)(uop.psrc(_))
      else {
        val elsewhere = b.issueQueues.zipWithIndex.collect { case (q, n) if q.only.contains(k) => uop.queues(n) }
        Mux(elsewhere.foldLeft(false.B)(_ || _), none, uop.psrc(k))
      }
    })
  }
}
