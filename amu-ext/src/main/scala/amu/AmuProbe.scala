// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import common.Count

/** Causes of the stall counters: cycles in which something waits for … */
object AmuStall {
  val requestQueueFull = 0 // … a request-queue entry (the queue is full)
  val signal = 1 // … the completed-ID FIFO to take the ID of an earlier await/asignal
  val storeOrder = 2 // … older stores of the hart
  val mshr = 3 // … an L1D MSHR that works on the line
  val lineTag = 4 // … a line tag
  val lookupBuffer = 5 // … a place in the lookup buffer
  val cache = 6 // … L2's coherence lookup
  val memory = 7 // … the AXI port
  val count = 8
}

/** Counters since reset, for records and tests; programs see the answers of the caches as amuhits. */
class AmuProbe(p: AmuParams) extends Bundle {
  val requests = UInt(64.W) // aload, astore committed
  val lines = UInt(64.W) // line requests started
  val cacheHits = UInt(64.W) // line requests that a cache had
  val cacheMisses = UInt(64.W) // line requests that went to memory
  val reused = UInt(64.W) // ... and that another coroutine had asked for
  val finished = UInt(64.W) // groups taken
  val linesInFlight = UInt((p.lineTagBits + 1).W) // now
  val inFlightPeak = UInt((p.lineTagBits + 1).W)
  val inFlightIntegral = UInt(64.W) // line-cycles
  val busyCycles = UInt(64.W) // with a line in flight
  val stallCycles = Vec(AmuStall.count, UInt(64.W)) // by AmuStall
}

class AmuProbeCounters(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val request = Input(Bool())
    val line = Input(Bool())
    val cacheHit = Input(Bool())
    val cacheMiss = Input(Bool())
    val reused = Input(Bool())
    val finished = Input(Bool())
    val linesInFlight = Input(UInt((p.lineTagBits + 1).W))
    val stall = Input(Vec(AmuStall.count, Bool()))
    val probe = Output(new AmuProbe(p))
  })
  private val peak = RegInit(0.U((p.lineTagBits + 1).W))
  when(io.linesInFlight > peak) { peak := io.linesInFlight }

  io.probe.requests := Count.events(io.request)
  io.probe.lines := Count.events(io.line)
  io.probe.cacheHits := Count.events(io.cacheHit)
  io.probe.cacheMisses := Count.events(io.cacheMiss)
  private val beforeAnswer = io.probe.lines - io.probe.cacheHits - io.probe.cacheMisses
  assert(beforeAnswer <= p.lookups.U, "a line request has two answers of the caches, or none")
  io.probe.reused := Count.events(io.reused)
  io.probe.finished := Count.events(io.finished)
  io.probe.linesInFlight := io.linesInFlight
  io.probe.inFlightPeak := peak
  io.probe.inFlightIntegral := Count.events(io.linesInFlight)
  io.probe.busyCycles := Count.events(io.linesInFlight.orR)
  io.probe.stallCycles := VecInit(io.stall.map(Count.events(_)))
}
