// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chisel3.util._
import common.AsyncTable

/** Best-offset prefetcher (Michaud, HPCA 2016).
  *
  * @param offsets       candidates in lines, in the order in which they are tried: of several that are equally good the first is taken
  * @param firstOffset   with which it is on after reset, as in NANHU's sources
  * @param recentEntries of the table of recent requests
  * @param testsAtATime  candidates that an access tests: a phase of learning is so much shorter
  * @param scoreMax      a phase of learning ends with the round in which an offset reaches it
  * @param roundMax      ... or after so many rounds
  * @param badScore      the prefetcher is off while no offset has a better score. The paper has 1 or 10; random accesses to a table of
  *                      recentEntries × 64 lines reach 1 by chance, and must not cost their memory bandwidth.
  * @param rampDivisors  fractions of the offset at which the first lines of a page are prefetched, see `BestOffset`
  * @param pageBytes     prefetches stay in the page of their cause
  */
case class BestOffsetParams(
    offsets: Seq[Int] = BestOffsetParams.upTo(30) ++ BestOffsetParams.upTo(32).map(-_), // 37, as in NANHU
    firstOffset: Int = 2,
    recentEntries: Int = 256,
    recentTagBits: Int = 12,
    testsAtATime: Int = 4,
    scoreMax: Int = 31,
    roundMax: Int = 50,
    badScore: Int = 10,
    rampDivisors: Seq[Int] = Seq(4, 2),
    triggers: Int = 8,
    pageBytes: Int = 4096
) {
  require(isPow2(recentEntries) && isPow2(pageBytes) && badScore < scoreMax && scoreMax <= roundMax)
  require(offsets.size >= 2 && !offsets.contains(0) && offsets.distinct == offsets && offsets.contains(firstOffset))
  require(testsAtATime >= 1 && testsAtATime < offsets.size)
}

object BestOffsetParams {
  /** Products of 2, 3 and 5. */
  def upTo(most: Int): Seq[Int] = (1 to most).filter(n => BigInt(30).pow(n) % n == 0)
}

/** A line that the prefetcher hears of. */
class PrefetchEvent(p: LineParams) extends Bundle {
  val lineAddr = UInt(p.addrBits.W)
  val wasPrefetch = Bool() // a prefetch brings it, or has brought it
}

/** A cache and its prefetcher, seen from the prefetcher. */
class PrefetchPort(p: LineParams) extends Bundle {
  /** A client misses a line, also one that a prefetch is fetching, or (`wasPrefetch`) is the first that asks for a line that a prefetch has brought. */
  val access = Flipped(Valid(new PrefetchEvent(p)))
  /** A line has come, of a prefetch also if a client has asked for it meanwhile. */
  val fetched = Flipped(Valid(new PrefetchEvent(p)))
  /** A hint: the cache may drop it, and does so with lines that it has. */
  val prefetch = Decoupled(UInt(p.addrBits.W))
}

/** On an access to line X fetches X + offset, with the offset that would have been in time most often.
  *
  * Learning: the recent requests are lines X whose line X + offset has arrived (with the prefetcher off: lines that have arrived). Each access to Y
  * tests some candidates d: if Y - d is a recent request of Y's page, a prefetch with offset d would have come in time, and d scores. At the end
  * of a phase the best candidate becomes the offset, or, with a bad score, the prefetcher is off until a later phase finds a better one. Then it
  * goes on with the offset that it had, if that is good: accesses without prefetches are too far apart to show how long an offset must be.
  *
  * The ramp of a page, its first |offset| lines, has no access before it in its page that could prefetch it (Michaud's offsets lose little by that
  * in large pages). An access there prefetches at fractions of the offset, too; so a page costs a fraction of the ramp in unhidden misses.
  */
class BestOffset(p: BestOffsetParams, line: LineParams) extends Module {
  private val indexBits = log2Ceil(p.pageBytes / line.bytes) // a line in its page
  require(p.offsets.forall(_.abs < (1 << indexBits)), "an offset leaves the page")
  private val n = p.offsets.size
  private val recentBits = log2Ceil(p.recentEntries)
  require(2 * recentBits <= line.addrBits && recentBits + p.recentTagBits <= line.addrBits)
  val io = IO(new PrefetchPort(line))
  val cause = IO(Output(UInt(line.addrBits.W))) // the line whose access wants `io.prefetch`

  /** `lineAddr + offset` in the page of `lineAddr`, and whether it is there. */
  private def add(lineAddr: UInt, offset: SInt): Valid[UInt] = {
    val index = lineAddr(indexBits - 1, 0).zext +& offset
    val sum = Wire(Valid(UInt(line.addrBits.W)))
    sum.valid := !index(index.getWidth - 1, indexBits).orR
    sum.bits := Cat(lineAddr >> indexBits, index(indexBits - 1, 0))
    sum
  }
  private def constants(of: Seq[Int], index: UInt): SInt = VecInit(of.map(_.S((indexBits + 1).W)))(index)

  private val on = RegInit(true.B)
  private val current = RegInit(p.offsets.indexOf(p.firstOffset).U(log2Ceil(n).W))
  private val offset = constants(p.offsets, current)

  // Recent requests: direct mapped, with partial tags; the top bit says that the entry counts.
  private val recent = new AsyncTable(UInt((p.recentTagBits + 1).W), p.recentEntries, Some(0.U((p.recentTagBits + 1).W)))
  private def recentIndex(lineAddr: UInt): UInt = lineAddr(recentBits - 1, 0) ^ lineAddr(2 * recentBits - 1, recentBits)
  private def recentTag(lineAddr: UInt): UInt = Cat(true.B, lineAddr(recentBits + p.recentTagBits - 1, recentBits))
  private val base = add(io.fetched.bits.lineAddr, Mux(on, -offset, 0.S))
  recent.write(
    recent.ready && io.fetched.valid && base.valid && (!on || io.fetched.bits.wasPrefetch),
    recentIndex(base.bits),
    recentTag(base.bits)
  )

  // Learning: the candidates in groups, which accesses test in turn.
  private val groups = p.offsets.indices.grouped(p.testsAtATime).toSeq
  private val scoreBits = log2Ceil(p.scoreMax + 1)
  private val scores = RegInit(VecInit(Seq.fill(n)(0.U(scoreBits.W))))
  private val turn = RegInit(0.U(log2Ceil(groups.size).W))
  private val round = RegInit(0.U(log2Ceil(p.roundMax).W))
  private val now = WireDefault(scores) // with this access
  for (k <- 0 until p.testsAtATime) {
    val candidates = groups.flatMap(_.lift(k))
    val tested = add(io.access.bits.lineAddr, -constants(candidates.map(p.offsets), turn))
    val inTime = tested.valid && recent.read(recentIndex(tested.bits)) === recentTag(tested.bits)
    for ((c, g) <- candidates.zipWithIndex) when(inTime && turn === g.U && scores(c) =/= p.scoreMax.U) { now(c) := scores(c) + 1.U }
  }
  private val indexed = now.zipWithIndex.map { case (score, c) => Cat(score, (n - 1 - c).U(log2Ceil(n).W)) } // of equal scores the first is larger
  private val winner = VecInit(indexed).reduceTree((a, b) => Mux(a > b, a, b))
  private val best = (n - 1).U - winner(log2Ceil(n) - 1, 0)
  private val bestScore = winner >> log2Ceil(n)
  private val isGood = bestScore > p.badScore.U
  when(io.access.valid) {
    scores := now
    turn := turn + 1.U
    when(turn === (groups.size - 1).U) {
      turn := 0.U
      round := round + 1.U
      when(bestScore === p.scoreMax.U || round === (p.roundMax - 1).U) {
        round := 0.U
        for (s <- scores) s := 0.U
        on := isGood
        when(isGood && (on || now(current) <= p.badScore.U)) { current := best }
      }
    }
  }

  // Prefetches: in the ramp several of an access, the nearest first. Accesses that find no place are not answered.
  private val triggers = Module(new Queue(UInt(line.addrBits.W), p.triggers))
  triggers.io.enq.valid := io.access.valid && on
  triggers.io.enq.bits := io.access.bits.lineAddr
  private val divisors = p.rampDivisors :+ 1
  private val step = RegInit(0.U(log2Ceil(divisors.size + 1).W))
  private val isLast = step === (divisors.size - 1).U
  private val x = triggers.io.deq.bits
  cause := x
  private val distance = VecInit(divisors.map(d => constants(p.offsets.map(_ / d), current)))(step)
  private val target = add(x, distance)
  private val isRamp = !add(x, -offset).valid
  private val wanted = target.valid && distance =/= 0.S && (isLast || isRamp)
  io.prefetch.valid := triggers.io.deq.valid && wanted
  io.prefetch.bits := target.bits
  private val goesOn = triggers.io.deq.valid && (!wanted || io.prefetch.ready)
  when(goesOn) { step := Mux(isLast, 0.U, step + 1.U) }
  triggers.io.deq.ready := goesOn && isLast
}
