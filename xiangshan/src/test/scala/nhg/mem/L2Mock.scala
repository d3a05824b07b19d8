// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{LineClientPort, Permission}
import nhg._
import scala.collection.mutable
import scala.util.Random

/** L2 side of `LineClientPort`: random latency, back-pressure and probes, and a check of the protocol rules.
  *
  * @param latency      least cycles from acquire to grant
  * @param jitter       random cycles on top
  * @param stall        probability of refusing an acquire or release in a cycle
  * @param probeChance  probability of starting a probe in a cycle, of a line out of `probeLines`
  */
class L2Mock(
    io: LineClientPort,
    s: Signals,
    random: Random,
    latency: Int,
    jitter: Int,
    stall: Double,
    var probeChance: Double,
    probeLines: IndexedSeq[BigInt]
) {
  val memory = new WordMemory
  private case class Fill(line: BigInt, id: Int, ready: Long)
  private var fills = Vector[Fill]()
  private var probe: Option[BigInt] = None
  private var probeTaken = false
  private var cycle = 0L
  private val forced = mutable.Queue[BigInt]()
  var acquires = 0
  var probes = 0
  var dirtyProbes = 0
  var probesOfAcquired = 0 // answered while an acquire of the line was outstanding
  var releases = 0
  /** Called when a line has left L1D by a probe: other agents may now change it. */
  var afterProbe: BigInt => Unit = _ => ()

  def outstanding: Int = fills.size
  def probing: Boolean = probe.nonEmpty || forced.nonEmpty
  def forceProbe(line: BigInt): Unit = forced.enqueue(line)

  private var granting: Option[Fill] = None

  /** Inputs of the cache for this cycle. */
  def drive(): Unit = {
    s.set(io.acquire.ready, random.nextDouble() >= stall)
    s.set(io.release.ready, random.nextDouble() >= stall)
    if (probe.isEmpty) {
      if (forced.nonEmpty) probe = Some(forced.dequeue())
      else if (random.nextDouble() < probeChance) probe = Some(probeLines(random.nextInt(probeLines.size)))
      probeTaken = false
    }
    s.set(io.probe.valid, probe.nonEmpty && !probeTaken)
    probe.foreach(s.set(io.probe.bits.lineAddr, _))
    s.set(io.probe.bits.cap, random.nextInt(2)) // L1D gives the line up in any case
    val ready = fills.filter(f => f.ready <= cycle && !probe.contains(f.line))
    granting = if (ready.isEmpty) None else Some(ready(random.nextInt(ready.size)))
    s.set(io.grant.valid, granting.nonEmpty)
    granting.foreach { g =>
      s.set(io.grant.bits.id, g.id)
      s.set(io.grant.bits.cap, Permission.exclusive.litValue)
      s.set(io.grant.bits.data, memory.line(g.line))
      s.set(io.grant.bits.error, false)
    }
  }

  /** Outputs of the cache in this cycle. */
  def sample(): Unit = {
    granting.foreach(g => fills = fills.filterNot(_ eq g))
    if (s.is(io.release.valid) && s.is(io.release.ready)) {
      val line = s.get(io.release.bits.lineAddr)
      val isDirty = s.get(io.release.bits.shrink.from) == Permission.dirty.litValue
      val acquiring = fills.exists(_.line == line)
      if (acquiring) {
        assert(s.is(io.release.bits.isProbeAck), f"release of line $line%x while its acquire is outstanding")
        assert(s.get(io.release.bits.shrink.from) == Permission.none.litValue, f"line $line%x was held while its acquire was outstanding")
        probesOfAcquired += 1
      }
      assert(s.get(io.release.bits.shrink.to) == Permission.none.litValue, "L1D keeps a line that it gives back")
      if (isDirty) memory.writeLine(line, s.get(io.release.bits.data))
      if (s.is(io.release.bits.isProbeAck)) {
        assert(probeTaken && probe.contains(line), f"answer to no probe, line $line%x")
        probe = None
        probes += 1
        if (isDirty) dirtyProbes += 1
        afterProbe(line)
      } else {
        assert(isDirty, "release without data")
        releases += 1
      }
    }
    if (probe.nonEmpty && !probeTaken && s.is(io.probe.ready)) probeTaken = true
    if (s.is(io.acquire.valid) && s.is(io.acquire.ready)) {
      val line = s.get(io.acquire.bits.lineAddr)
      assert(!fills.exists(_.line == line), f"line $line%x acquired twice")
      assert(!(probeTaken && probe.contains(line)), f"acquire of line $line%x between probe and answer")
      fills :+= Fill(line, s.get(io.acquire.bits.id).toInt, cycle + latency + random.nextInt(jitter + 1))
      acquires += 1
    }
    cycle += 1
  }
}
