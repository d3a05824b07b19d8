// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{BoundedWait, LineProbe, Permission}
import chisel3._
import chisel3.util._

/** Why and whom to probe. */
class ProbeStart(p: SliceParams) extends Bundle {
  val lineAddr = UInt(p.line.addrBits.W)
  val cap = UInt(Permission.bits.W)
  val clients = UInt(p.clientBits.W)
  val cause = UInt(new SliceSource(p).bits.W) // whose request needs it
  val way = UInt(p.wayBits.W) // where the line is
}

/** Takes one line at a time from clients, all of them at once.
  *
  * Who had a line taken goes next (`turn`, from the last answer on): otherwise a client may have it back before, and both would try for ever.
  */
class Prober(p: SliceParams) extends Module {
  private val n = p.clients.size
  private val source = new SliceSource(p)
  val io = IO(new Bundle {
    val start = Input(Valid(new ProbeStart(p))) // only when not busy
    val probe = Vec(n, Decoupled(new LineProbe(p.line)))
    /** Clients whose answers are in the pipeline's decision stage, one-hot. */
    val answer = Input(UInt(p.clientBits.W))
    val answerLine = Input(UInt(p.line.addrBits.W))
    /** The request in the decision stage. */
    val decided = Input(Valid(UInt(source.bits.W)))
    /** No hand-over of the last way goes on. */
    val noHandOver = Input(Bool())

    val busy = Output(Bool())
    val current = Output(new ProbeStart(p))
    /** The line is taken and its cause not yet decided again. */
    val causeNext = Output(Bool())
    /** Only the cause may enter the pipeline (beside releases). */
    val turn = Output(Bool())
  })

  private val unsent = RegInit(0.U(p.clientBits.W))
  private val unanswered = RegInit(0.U(p.clientBits.W))
  private val current = Reg(new ProbeStart(p))
  private val causeNext = RegInit(false.B)
  private val remaining = unanswered & ~io.answer
  private val lastAnswer = io.answer.orR && !remaining.orR
  io.busy := unanswered.orR
  io.current := current
  io.causeNext := causeNext
  io.turn := causeNext || lastAnswer

  private val taken = Cat(io.probe.reverse.map(_.fire))
  unsent := unsent & ~taken
  unanswered := remaining
  for ((probe, c) <- io.probe.zipWithIndex) {
    probe.valid := unsent(c)
    probe.bits.lineAddr := current.lineAddr
    probe.bits.cap := current.cap
  }

  when((io.decided.valid && io.decided.bits === current.cause) || (current.cause === source.handOver && io.noHandOver)) { causeNext := false.B }
  when(io.answer.orR) {
    assert((unanswered & ~unsent & io.answer) === io.answer && io.answerLine === current.lineAddr, "probe answer without a probe")
    when(lastAnswer) { causeNext := true.B }
  }
  when(io.start.valid) {
    assert(!io.busy && io.start.bits.clients.orR, "a probe of nobody, or two at a time")
    unsent := io.start.bits.clients
    unanswered := io.start.bits.clients
    current := io.start.bits
  }
  BoundedWait.memory(io.busy, "a probe")
  BoundedWait.onChip(causeNext, "the request that a probe was for")
}
