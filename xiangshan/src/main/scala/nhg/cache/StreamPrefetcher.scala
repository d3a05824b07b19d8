// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chisel3.util._
import common.TreePlru

/** Stream prefetcher.
  *
  * @param streams     followed at a time
  * @param accesses    to consecutive lines that make a stream
  * @param firstWindow lines ahead of its last access that a new stream has fetched
  * @param windowStep  lines by which the window grows with each access that finds its line missing or under way
  * @param mostWindow  lines; one stream alone may fill L2's MSHRs
  * @param reach       lines by which accesses of a stream may come out of order
  */
case class StreamParams(
    streams: Int = 32,
    accesses: Int = 3,
    firstWindow: Int = 4,
    windowStep: Int = 2,
    mostWindow: Int = 56,
    reach: Int = 8
) {
  require(isPow2(streams) && streams >= 2 && accesses >= 2 && reach >= 1)
  require(firstWindow >= 1 && firstWindow <= mostWindow && windowStep >= 1, "a stream's window begins with a line and grows to its most")
}

/** Follows accesses to consecutive lines, upward or downward, and fetches a window of lines ahead of each such stream, across pages.
  *
  * The window is as long as latency and rate of the stream need: while accesses still come too early for their lines it grows, by some lines an access; so
  * it also stays shorter than a small multiple of what the stream has proved to be long.
  */
class StreamPrefetcher(p: StreamParams, line: LineParams) extends Module {
  val io = IO(new Bundle {
    val access = Input(Valid(new PrefetchEvent(line)))
    val covers = Output(Bool()) // the access of this cycle is of a stream
    val prefetch = Decoupled(new PrefetchCandidate(line))
  })
  private val n = p.streams
  private val countBits = log2Ceil(p.accesses + 1)
  private val windowBits = log2Ceil(p.mostWindow + p.reach + 1)

  private class Stream extends Bundle {
    val count = UInt(countBits.W) // accesses that follow each other; 0: no stream
    val down = Bool()
    val last = UInt(line.addrBits.W)
    val ahead = UInt(windowBits.W) // lines behind the last access that have been wanted
    val window = UInt(windowBits.W)
  }
  private val streams = RegInit(VecInit(Seq.fill(n)(0.U.asTypeOf(new Stream))))
  private val used = RegInit(0.U(TreePlru.stateBits(n).W))

  private val at = io.access.bits.lineAddr
  private val distances = streams.map(s => Mux(s.down, s.last - at, at - s.last).asSInt) // along the stream
  private val runs = streams.map(_.count === p.accesses.U)
  private val matches = VecInit(streams.indices.map { k =>
    val (s, d) = (streams(k), distances(k))
    Mux(runs(k), d >= -p.reach.S && d <= (s.ahead +& p.reach.U).zext, s.count =/= 0.U && d >= -1.S && d <= 1.S)
  })
  private val isKnown = matches.asUInt.orR
  private val which = Mux(isKnown, PriorityEncoder(matches), TreePlru.victim(used, n))
  io.covers := isKnown && VecInit(runs)(which)

  // One line of a stream at a time, the streams in turn.
  private val inTurn = Module(new RRArbiter(new PrefetchCandidate(line), n))
  for ((s, k) <- streams.zipWithIndex) {
    val in = inTurn.io.in(k)
    in.valid := runs(k) && s.ahead < s.window
    in.bits.cause := s.last
    in.bits.lineAddr := Mux(s.down, s.last - 1.U - s.ahead, s.last + 1.U + s.ahead)
    when(in.fire) { s.ahead := s.ahead + 1.U }
    assert(s.window <= p.mostWindow.U && s.ahead <= s.window && s.count <= p.accesses.U, "a stream beyond its window")
  }
  io.prefetch <> Queue(inTurn.io.out, 1, pipe = true)

  private val s = streams(which)
  private val distance = VecInit(distances)(which)
  private val wanted = s.ahead + VecInit(inTurn.io.in.map(_.fire))(which)
  when(io.access.valid) {
    used := TreePlru.touch(used, which, n)
    when(!isKnown) {
      s.count := 1.U
      s.down := false.B
      s.last := at
      s.ahead := 0.U
      s.window := p.firstWindow.U
    }.elsewhen(io.covers) {
      when(distance > 0.S) {
        s.last := at
        s.ahead := Mux(wanted.zext > distance, wanted - distance.asUInt, 0.U)
        when(!io.access.bits.wasPrefetch) { s.window := Mux(s.window > (p.mostWindow - p.windowStep).U, p.mostWindow.U, s.window + p.windowStep.U) }
      }
    }.elsewhen(distance =/= 0.S) {
      val turns = distance < 0.S
      s.count := Mux(turns, 2.U, s.count + 1.U)
      s.down := s.down ^ turns
      s.last := at
    }
  }
}
