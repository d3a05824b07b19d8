// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._

/** The rules of `LineClientPort` as assertions over all clients of one server; no outputs, so synthesis leaves it out.
  *
  * What a client was granted is followed for the line it was granted last at each of `tracked` indices, as the upper bound that
  * the server's directory must know: a clean line may have been dropped. A server that is one of several interleaved `slices` has its share of the
  * indices: these registers cost much of the simulation's speed.
  */
class LineBusMonitor(p: LineParams, clients: Int, idBits: Int, tracked: Int = 256, slices: Int = 1) extends Module {
  val io = IO(new Bundle {
    val ports = Input(Vec(clients, new LineBusEvents(p, idBits)))
  })
  private val entries = tracked / slices
  private def index(line: UInt): UInt = line(log2Ceil(tracked) - 1, log2Ceil(slices))

  /** The line that a client was granted last at an index, and its permission since. */
  private class Granted {
    private val valid = RegInit(VecInit(Seq.fill(entries)(false.B)))
    private val line = Mem(entries, UInt(p.addrBits.W))
    private val permission = Mem(entries, UInt(Permission.bits.W))
    def knows(asked: UInt): Bool = valid(index(asked)) && line(index(asked)) === asked
    /** Upper bound if it is known, `otherwise` if not. */
    def of(asked: UInt, otherwise: UInt): UInt = Mux(knows(asked), permission(index(asked)), otherwise)
    def set(at: UInt, now: UInt): Unit = {
      valid(index(at)) := true.B
      line(index(at)) := at
      permission(index(at)) := now
    }
  }
  private val granted = Seq.fill(clients)(new Granted)

  for ((port, c) <- io.ports.zipWithIndex) {
    def rule(when: Bool, holds: Bool, what: String): Unit = assert(!when || holds, s"line bus, client $c: $what")
    val ids = 1 << idBits
    val inFlight = RegInit(VecInit(Seq.fill(ids)(false.B)))
    val lines = Reg(Vec(ids, UInt(p.addrBits.W)))
    val asked = Reg(Vec(ids, UInt(Permission.bits.W)))
    val probed = RegInit(false.B) // taken, not answered
    val probe = Reg(new LineProbe(p))
    def acquiring(line: UInt): Bool = VecInit(inFlight.zip(lines).map { case (v, l) => v && l === line }).asUInt.orR
    def probing(line: UInt): Bool = (probed && probe.lineAddr === line) || (port.probe.valid && port.probe.bits.lineAddr === line)

    val acquire = port.acquire.bits
    rule(port.acquire.valid, acquire.grow.from < acquire.grow.to && acquire.grow.to <= Permission.exclusive, "an acquire that does not grow")
    rule(port.acquire.valid, !inFlight(acquire.id), "an ID acquires twice")
    rule(port.acquire.valid, !acquiring(acquire.lineAddr), "a line acquired twice")
    rule(port.acquire.valid, !(probed && probe.lineAddr === acquire.lineAddr), "an acquire between probe and answer")
    rule(port.acquire.valid, acquire.grow.from <= granted(c).of(acquire.lineAddr, Permission.shared), "an upgrade of a line it does not hold")
    when(port.acquire.valid) {
      inFlight(acquire.id) := true.B
      lines(acquire.id) := acquire.lineAddr
      asked(acquire.id) := acquire.grow.to
    }

    val release = port.release.bits
    val answers = port.release.valid && release.isProbeAck
    rule(port.release.valid, release.shrink.to <= Permission.shared && release.shrink.to <= release.shrink.from, "a release that does not shrink")
    rule(answers, probed && probe.lineAddr === release.lineAddr, "an answer without a probe")
    rule(answers, release.shrink.to <= probe.cap, "it keeps more than a probe allows")
    rule(port.release.valid && !answers, release.shrink.from === Permission.dirty, "a clean line is dropped silently")
    rule(port.release.valid && !answers, !acquiring(release.lineAddr), "a release of a line it acquires")
    val writable = release.shrink.from >= Permission.exclusive
    val bound = granted(c).of(release.lineAddr, Permission.exclusive)
    rule(port.release.valid, Mux(writable, bound === Permission.exclusive, release.shrink.from <= bound), "it had more than it was granted")
    when(port.release.valid && granted(c).knows(release.lineAddr)) { granted(c).set(release.lineAddr, release.shrink.to) }

    rule(port.probe.valid, port.probe.bits.cap <= Permission.shared, "a probe that takes nothing")
    rule(port.probeTaken, !probed || answers, "two probes at a time")
    when(answers) { probed := false.B }
    when(port.probeTaken) {
      probed := true.B
      probe := port.probe.bits
    }

    val grant = port.grant.bits
    val line = lines(grant.id)
    rule(port.grant.valid, inFlight(grant.id), "a grant without an acquire")
    rule(port.grant.valid, grant.cap <= Permission.exclusive && grant.cap >= asked(grant.id), "a grant of less than was asked for")
    rule(port.grant.valid, !probing(line), "a grant of a line under probe")
    for ((other, k) <- granted.zipWithIndex if k != c) {
      val held = other.of(line, Permission.none)
      val alone = Mux(grant.cap === Permission.shared, held <= Permission.shared, held === Permission.none)
      rule(port.grant.valid && !grant.error, alone, s"a grant against the copy of client $k")
    }
    when(port.grant.valid) {
      inFlight(grant.id) := false.B
      when(!grant.error) { granted(c).set(line, grant.cap) }
    }
  }
}

/** What happens at a client's port in a cycle. */
class LineBusEvents(p: LineParams, idBits: Int) extends Bundle {
  val acquire = Valid(new LineAcquire(p, idBits))
  val grant = Valid(new LineGrant(p, idBits))
  val probe = Valid(new LineProbe(p)) // offered
  val probeTaken = Bool()
  val release = Valid(new LineRelease(p))
}

object LineBusMonitor {
  /** Watches the ports of all clients of a server. */
  def apply(p: LineParams, idBits: Int, ports: Seq[LineClientPort], slices: Int = 1): Unit = {
    val monitor = Module(new LineBusMonitor(p, ports.size, idBits, slices = slices))
    for ((events, port) <- monitor.io.ports.zip(ports)) {
      events.acquire.valid := port.acquire.fire
      events.acquire.bits := port.acquire.bits
      events.grant := port.grant
      events.probe.valid := port.probe.valid
      events.probe.bits := port.probe.bits
      events.probeTaken := port.probe.fire
      events.release.valid := port.release.fire
      events.release.bits := port.release.bits
    }
  }
}
