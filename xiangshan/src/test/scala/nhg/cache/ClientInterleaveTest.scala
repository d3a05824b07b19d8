// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{LineBusMonitor, LineClientPort, LineParams, Permission}
import chisel3._
import chisel3.util.log2Ceil
import chiseltest._
import common.Simulators
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** The crossbar of a client, whose port is watched as that of one server is. */
class WatchedClient(p: LineParams, acquires: Int, n: Int) extends Module {
  private val idBits = log2Ceil(acquires)
  val io = IO(new Bundle {
    val client = Flipped(new LineClientPort(p, idBits))
    val slices = Vec(n, new LineClientPort(p, idBits))
  })
  private val crossbar = Module(new ClientInterleave(p, idBits, acquires, n))
  crossbar.io.client <> io.client
  io.slices <> crossbar.io.slices
  LineBusMonitor(p, idBits, Seq(io.client))
}

/** A random client over slices that grant and probe at random. Everything passes at once where it can, in the order of its slice and unchanged; a
  * probe comes after the grants that its slice gave before it.
  */
class ClientInterleaveTest extends AnyFlatSpec with ChiselScalatestTester {
  private val line = LineParams()
  private val n = 4
  private val acquires = 6
  private val Seq(shared, exclusive, dirty) = Seq(Permission.shared, Permission.exclusive, Permission.dirty).map(_.litValue.toInt)

  private case class Acquire(line: BigInt, to: Int)
  private case class Grant(id: Int, line: BigInt, cap: Int, data: BigInt, error: Boolean, latest: Int)
  private case class Probe(line: BigInt, cap: Int)

  /** What a slice may do with one client; it has every line. */
  private class ModelSlice(port: LineClientPort, s: Signals, random: Random, reference: Reference, pool: IndexedSeq[BigInt]) {
    private val acquired = mutable.Map[Int, Acquire]()
    private var probe: Option[Probe] = None
    private var taken = false
    private var (takesAcquire, takesRelease) = (false, false)
    val given: mutable.Queue[Grant] = mutable.Queue() // not seen by the client yet
    var passedBy: Int = 0 // probes of others that the client took while this one's waited
    def idle: Boolean = acquired.isEmpty && given.isEmpty && probe.isEmpty
    def offered: Option[Probe] = probe.filter(_ => !taken)

    def drive(now: Int, quiet: Boolean): Unit = {
      if (probe.isEmpty && !quiet && random.nextInt(4) == 0) {
        probe = Some(Probe(pool(random.nextInt(pool.size)), random.nextInt(2)))
        taken = false
        passedBy = 0
      }
      s.set(port.probe.valid, offered.isDefined)
      for (p <- offered) {
        s.set(port.probe.bits.lineAddr, p.line)
        s.set(port.probe.bits.cap, p.cap)
      }
      val grantable = acquired.filter { case (_, a) => !probe.exists(_.line == a.line) }.toIndexedSeq.sortBy(_._1)
      val grants = grantable.nonEmpty && random.nextInt(3) == 0
      s.set(port.grant.valid, grants)
      if (grants) {
        val (id, a) = grantable(random.nextInt(grantable.size))
        val grant = Grant(id, a.line, if (random.nextBoolean()) exclusive else a.to, reference(a.line), error = false, now + n * (given.size + 1) - 1)
        acquired -= id
        given.enqueue(grant)
        s.set(port.grant.bits.id, grant.id)
        s.set(port.grant.bits.cap, grant.cap)
        s.set(port.grant.bits.data, grant.data)
        s.set(port.grant.bits.error, grant.error)
      }
      takesAcquire = random.nextInt(3) != 0
      takesRelease = random.nextInt(3) != 0
      s.set(port.acquire.ready, takesAcquire)
      s.set(port.release.ready, takesRelease)
    }

    def sample(): Unit = {
      if (s.is(port.acquire.valid) && takesAcquire) {
        val line = s.get(port.acquire.bits.lineAddr)
        assert(pool.contains(line), "an acquire of another slice's line")
        acquired(s.get(port.acquire.bits.id).toInt) = Acquire(line, s.get(port.acquire.bits.grow.to).toInt)
      }
      if (s.is(port.release.valid) && takesRelease) {
        val line = s.get(port.release.bits.lineAddr)
        assert(pool.contains(line), "a release of another slice's line")
        if (s.get(port.release.bits.shrink.from) == dirty) assert(s.get(port.release.bits.data) == reference(line))
        if (s.is(port.release.bits.isProbeAck)) {
          assert(taken && probe.exists(_.line == line), "an answer to no probe of this slice")
          probe = None
        }
      }
      if (offered.isDefined && s.is(port.probe.ready)) taken = true
    }
  }

  "ClientInterleave" should "keep the rules of the line bus at the client" in {
    test(new WatchedClient(line, acquires, n)).withAnnotations(Simulators.verilator) { dut =>
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      val reference = new Reference
      val pool = for (k <- 0 until 3; slice <- 0 until n) yield BigInt(0x100 * k + slice)
      val client = new RandomClient(io.client, s, random, reference, pool, acquires, ClientStyle(acquire = 0.9, answer = 0.6), Set(), counts)
      val slices = io.slices.zipWithIndex.map { case (port, k) => new ModelSlice(port, s, random, reference, pool.filter(_ % n == k)) }

      for (now <- 0 until 20000) {
        val quiet = now >= 19700
        val waited = slices.map(_.given.nonEmpty)
        client.drive(quiet)
        slices.foreach(_.drive(now, quiet))

        for ((from, to) <- Seq(io.client.acquire -> io.slices.map(_.acquire), io.client.release -> io.slices.map(_.release))) {
          assert(to.count(port => s.is(port.valid)) == (if (s.is(from.valid)) 1 else 0))
          for (port <- to if s.is(port.valid)) assert(s.is(from.ready) == s.is(port.ready), "a message waits though its slice takes it, or is lost")
        }
        for (k <- 0 until n; p <- slices(k).offered if s.is(io.client.probe.valid) && s.get(io.client.probe.bits.lineAddr) == p.line) {
          assert(s.get(io.client.probe.bits.cap) == p.cap)
          assert(!waited(k), "a probe before a grant")
        }
        for (k <- 0 until n; p <- slices(k).offered) {
          if (waited(k)) counts("probe behind a grant") += 1
          val isTaken = s.is(io.client.probe.valid) && s.is(io.client.probe.ready)
          if (isTaken && s.is(io.slices(k).probe.ready)) assert(s.get(io.client.probe.bits.lineAddr) == p.line)
          slices(k).passedBy = if (waited(k)) 0 else slices(k).passedBy + (if (isTaken && !s.is(io.slices(k).probe.ready)) 1 else 0)
          assert(slices(k).passedBy < n, "a probe has no turn")
        }
        val given = slices.filter(_.given.nonEmpty)
        assert(s.is(io.client.grant.valid) == given.nonEmpty, "a grant waits for nothing, or comes from nowhere")
        if (given.nonEmpty) {
          val slice = given.find(_.given.head.id == s.get(io.client.grant.bits.id).toInt)
          assert(slice.isDefined, "grants of a slice out of order")
          val grant = slice.get.given.dequeue()
          assert(s.get(io.client.grant.bits.cap) == grant.cap && s.get(io.client.grant.bits.data) == grant.data)
          assert(s.is(io.client.grant.bits.error) == grant.error)
          assert(now <= grant.latest, "a grant has no turn")
          if (given.size > 1) counts("grants meet") += 1
        }
        slices.foreach(_.sample())
        client.sample()
        dut.clock.step()
      }
      assert(client.idle && slices.forall(_.idle), "something never finished")
      println(s"client interleave: ${counts.toSeq.sorted.mkString(", ")}")
      val reached =
        Seq("acquire exclusive", "upgrade", "write", "release", "probe of dirty", "probe of acquired", "probe behind a grant", "grants meet", "grant shared")
      for (kind <- reached) assert(counts(kind) > 50, s"$kind: ${counts(kind)}")
    }
  }
}
