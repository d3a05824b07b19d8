// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chiseltest._
import common.Simulators
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** The MSHRs by themselves: random misses, merges, fetched halves and installations (some tried twice) against a model. */
class SliceMissQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = SliceParams(LineParams(), sets = 2, ways = 2, mshrs = 7, clients = Seq(3, 2), readers = Seq(2))
  private case class Waiters(client: BigInt, clientId: BigInt, reader: BigInt, readerId: BigInt)
  private class Entry(val line: BigInt, var waiters: Waiters, val isPrefetch: Boolean, val forAmu: Boolean, val data: BigInt, val failing: Int) {
    var dropped = false
    var halves = 0 // that have come; `failing` are those with a bus error
    def error: Boolean = failing != 0
    def isUnasked: Boolean = isPrefetch && waiters.client == 0
  }

  "SliceMissQueue" should "fetch in order of misses, install in order of arrival, and lose no waiter" in {
    test(new SliceMissQueue(p)).withAnnotations(Simulators.verilator) { dut =>
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      val half = p.line.bits / 2
      val mask = (BigInt(1) << half) - 1
      val pool = (0 until 12).map(k => BigInt(0x2000000) + k)
      val entries = mutable.Map[Int, Entry]()
      val toFetch, arrived = mutable.Queue[Int]()
      val fetched = mutable.ArrayBuffer[Int]()
      var started: Option[Int] = None
      val counts = mutable.Map[String, Int]().withDefaultValue(0)

      def same(w: SliceWaiters, expected: Waiters): Unit = {
        assert(s.get(w.client) == expected.client && s.get(w.reader) == expected.reader)
        if (expected.client != 0) assert(s.get(w.clientId) == expected.clientId)
        if (expected.reader != 0) assert(s.get(w.readerId) == expected.readerId)
      }

      for (cycle <- 0 until 6000) {
        val draining = cycle >= 5500
        // an arrived line is read, and in the next cycle installed or not
        val done = started.isDefined && random.nextInt(3) != 0
        s.set(io.started.done, done)
        for (idx <- started) {
          s.set(io.started.idx, idx)
          same(io.started.waiters, entries(idx).waiters)
          assert(s.is(io.started.isPrefetch) == entries(idx).isPrefetch && s.is(io.started.forAmu) == entries(idx).forAmu)
          assert(s.is(io.started.dropped) == entries(idx).dropped)
          assert(s.is(io.started.error) == entries(idx).error)
          if (!entries(idx).error) assert(s.get(io.installData) == entries(idx).data, s"MSHR $idx kept other data than it was sent")
          counts(if (done) "installed" else "tried again") += 1
        }
        assert(s.is(io.install.valid) == arrived.nonEmpty)
        for (idx <- arrived.headOption) {
          assert(s.get(io.install.idx) == idx && s.get(io.install.lineAddr) == entries(idx).line, "not the line that came first")
        }
        val reads = started.isEmpty && arrived.nonEmpty && random.nextBoolean()
        s.set(io.installRead, reads)

        // lookup, then a miss or a merge
        val line = pool(random.nextInt(pool.size))
        s.set(io.lookup.lineAddr, line)
        val found = entries.find(_._2.line == line)
        assert(s.is(io.lookup.hit) == found.isDefined, f"line $line%x")
        for ((idx, e) <- found) {
          assert(s.get(io.lookup.idx) == idx)
          same(io.lookup.waiters, e.waiters)
          assert(s.is(io.lookup.isPrefetch) == e.isUnasked && s.is(io.lookup.forAmu) == e.forAmu && s.is(io.lookup.dropped) == e.dropped)
        }
        assert(s.is(io.full) == (entries.size == p.mshrs))
        assert(s.get(io.occupied) == entries.size)
        assert(s.get(io.prefetches) == entries.values.count(_.isPrefetch))
        val wanted = !draining && !done && random.nextInt(3) != 0
        val allocates = wanted && found.isEmpty && entries.size < p.mshrs
        val merges = wanted && found.exists(e => e._2.waiters.client == 0 && !e._2.dropped) && random.nextBoolean()
        val drops = !merges && found.exists(_._2.isUnasked) && random.nextInt(4) == 0
        val byClient = merges || random.nextInt(3) != 0
        val prefetches = !merges && random.nextInt(4) == 0
        val forAmu = prefetches && random.nextBoolean()
        val waiters =
          if (prefetches) Waiters(0, 0, random.nextInt(2), random.nextInt(2))
          else Waiters(if (byClient) 1 << random.nextInt(2) else 0, random.nextInt(3), if (byClient) 0 else 1, random.nextInt(2))
        s.set(io.allocate.valid, allocates)
        s.set(io.allocate.bits.lineAddr, line)
        s.set(io.allocate.bits.waiters.client, waiters.client)
        s.set(io.allocate.bits.waiters.clientId, waiters.clientId)
        s.set(io.allocate.bits.waiters.reader, waiters.reader)
        s.set(io.allocate.bits.waiters.readerId, waiters.readerId)
        s.set(io.allocate.bits.isPrefetch, prefetches)
        s.set(io.allocate.bits.forAmu, forAmu)
        s.set(io.drop, drops)
        s.set(io.merge.valid, merges)
        s.set(io.merge.bits.client, waiters.client)
        s.set(io.merge.bits.id, waiters.clientId)

        // the level below
        val takes = random.nextInt(3) == 0
        s.set(io.fetch.ready, takes)
        assert(s.is(io.fetch.valid) == toFetch.nonEmpty)
        for (idx <- toFetch.headOption) {
          assert(s.get(io.fetch.bits.id) == idx && s.get(io.fetch.bits.lineAddr) == entries(idx).line, "not the miss that came first")
          assert(s.is(io.fetch.bits.isPrefetch) == entries(idx).isPrefetch)
        }
        val sender = if (fetched.nonEmpty && random.nextInt(3) == 0) Some(fetched(random.nextInt(fetched.size))) else None
        s.set(io.fetched.valid, sender.isDefined)
        val halves = sender.map { idx =>
          val now = entries(idx).halves match {
            case 0 => 1 + random.nextInt(3)
            case come => 3 - come
          }
          val hide = (0 until 2).filterNot(h => (now >> h & 1) == 1).map(h => mask << (h * half)).sum
          s.set(io.fetched.bits.id, idx)
          s.set(io.fetched.bits.halves, now)
          s.set(io.fetched.bits.data, entries(idx).data ^ hide) // what does not count is wrong
          s.set(io.fetched.bits.error, (entries(idx).failing & now) != 0)
          s.set(io.fetched.bits.last, (now | entries(idx).halves) == 3)
          now
        }

        // what the clock edge does
        val freeIdx = (0 until p.mshrs).find(!entries.contains(_))
        if (takes && toFetch.nonEmpty) fetched += toFetch.dequeue()
        for ((idx, now) <- sender.zip(halves)) {
          entries(idx).halves |= now
          if (entries(idx).halves == 3) {
            fetched -= idx
            arrived.enqueue(idx)
          }
        }
        if (done) entries -= arrived.dequeue()
        if (merges) {
          val e = found.get._2
          e.waiters = e.waiters.copy(client = waiters.client, clientId = waiters.clientId)
          counts("merged") += 1
        }
        if (drops) {
          found.get._2.dropped = true
          counts("dropped") += 1
        }
        if (allocates) {
          entries(freeIdx.get) =
            new Entry(line, waiters, prefetches, forAmu, BigInt(p.line.bits, random), Seq(1, 2, 3).lift(random.nextInt(12)).getOrElse(0))
          toFetch.enqueue(freeIdx.get)
          counts(if (prefetches) "prefetched" else "allocated") += 1
          if (entries.size == p.mshrs) counts("full") += 1
        }
        started = if (reads) Some(s.get(io.install.idx).toInt) else None
        dut.clock.step()
      }
      assert(entries.isEmpty, "an MSHR never finished")
      for (kind <- Seq("allocated", "prefetched", "merged", "dropped", "installed", "tried again", "full")) assert(counts(kind) > 20, s"$kind: ${counts(kind)}")
    }
  }
}
