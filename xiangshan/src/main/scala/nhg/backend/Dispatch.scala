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

/** Dispatch queues (integer, load/store) and the way from them into the issue queues: each queue's oldest micro-ops, in order, up to the
  * first one whose issue queue is full. A store goes to the address queue and the data queue at once.
  */
class Dispatch(p: NhgParams) extends Module {
  private val w = p.backend.decodeWidth
  val io = IO(new Bundle {
    val in = Input(Vec(w, Valid(new MicroOp(p))))
    val intFree = Output(UInt(log2Ceil(p.backend.dispatchQueue + 1).W))
    val lsFree = Output(UInt(log2Ceil(p.backend.dispatchQueue + 1).W))
    val kill = Input(new Kill(p))
    val alu = new DispatchPort(p)
    val bru = new DispatchPort(p)
    val mdu = new DispatchPort(p)
    val load = new DispatchPort(p)
    val storeAddress = new DispatchPort(p)
    val storeData = new DispatchPort(p)
  })
  private val intQueue = Module(new DispatchQueue(p))
  private val lsQueue = Module(new DispatchQueue(p))
  for (i <- 0 until w) {
    val fu = io.in(i).bits.fuType
    intQueue.io.in(i).bits := io.in(i).bits
    intQueue.io.in(i).valid := io.in(i).valid && fu <= FuType.mdu
    lsQueue.io.in(i).bits := io.in(i).bits
    lsQueue.io.in(i).valid := io.in(i).valid && fu >= FuType.load && fu <= FuType.ami
  }
  io.intFree := intQueue.io.free
  io.lsFree := lsQueue.io.free
  intQueue.io.kill := io.kill
  lsQueue.io.kill := io.kill

  /** Sends the queue's micro-ops to the ports whose test they meet (all of them at once). */
  private def route(queue: DispatchQueue, ports: Seq[(DispatchPort, MicroOp => Bool)]): Unit = {
    var go = true.B
    val leaves = (0 until w).map { i =>
      val lane = queue.io.out(i)
      val room = ports.map { case (port, test) =>
        val before = CountBefore(queue.io.out.take(i).map(o => test(o.bits)), log2Ceil(w + 1))
        !test(lane.bits) || before < port.free
      }
      go = go && lane.valid && room.reduce(_ && _)
      for ((port, test) <- ports) {
        port.uop(i).valid := go && test(lane.bits)
        port.uop(i).bits := lane.bits
      }
      go
    }
    queue.io.leave := PopCount(leaves)
  }
  private def to(fu: UInt)(uop: MicroOp): Bool = uop.fuType === fu
  route(intQueue, Seq(io.alu -> to(FuType.alu) _, io.bru -> to(FuType.bru) _, io.mdu -> to(FuType.mdu) _))
  route(lsQueue, Seq(
    io.load -> to(FuType.load) _,
    io.storeAddress -> ((u: MicroOp) => u.fuType === FuType.store || u.fuType === FuType.ami),
    io.storeData -> to(FuType.store) _
  ))
  // The address part of a store waits for its base only, the data part for its data only.
  for (i <- 0 until w) {
    val uop = lsQueue.io.out(i).bits
    when(uop.fuType === FuType.store) { io.storeAddress.uop(i).bits.psrc2 := 0.U }
    io.storeData.uop(i).bits.psrc1 := uop.psrc2
    io.storeData.uop(i).bits.psrc2 := 0.U
  }
}
