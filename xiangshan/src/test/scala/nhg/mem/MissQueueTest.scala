// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** L1D's MSHRs between two load pipes and a store pipe that miss on few lines, an L2 that grants in any order, and a refill engine that takes its
  * time, against a map from line to MSHR.
  */
class MissQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(l1d = CacheParams(sets = 4, ways = 2, mshrs = 4))
  private val mshrs = p.l1d.mshrs
  private val bytes = p.lineBytes

  private class Mshr(val line: BigInt) {
    var id: Option[Int] = None // known when a load is told or the acquire says it
    var sent, error = false
    var granted: Option[Array[Byte]] = None
    val stored: mutable.Map[Int, Byte] = mutable.Map.empty // byte of the line -> value
    def content: Array[Byte] = granted.get.zipWithIndex.map { case (b, i) => stored.getOrElse(i, b) }
  }
  private case class StoreMiss(line: BigInt, hasData: Boolean, data: Array[Byte], mask: BigInt)
  private def number(data: Array[Byte]): BigInt = BigInt(1, data.reverse)

  private class Bench(dut: MissQueue, random: Random) {
    private val s = new Signals
    private val io = dut.io
    private val byLine = mutable.Map.empty[BigInt, Mshr]
    private val toAcquire, toRefill = mutable.Queue.empty[Mshr]
    private val atL2 = mutable.ArrayBuffer.empty[Mshr]
    private var store: Option[StoreMiss] = None // tries until it is accepted
    private var storeRefused = false
    private var blockedLine: Option[BigInt] = None // its release waits
    var stopping = false
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    def idle: Boolean = byLine.isEmpty && store.isEmpty

    private def learnId(m: Mshr, id: Int): Unit = {
      assert(m.id.getOrElse(id) == id, f"line ${m.line}%x is in MSHR ${m.id}, not $id")
      assert(!byLine.values.exists(o => o.line != m.line && o.id.contains(id)), s"MSHR $id has two lines")
      m.id = Some(id)
    }
    private def anyMask(): BigInt = if (random.nextInt(3) == 0) BigInt(bytes, random).setBit(0) else BigInt(1 + random.nextInt(255)) << (8 * random.nextInt(8))
    private def anyLine(): BigInt = BigInt(p.map.local.base / bytes) + random.nextInt(6)

    def step(): Unit = {
      val finishes = toRefill.nonEmpty && random.nextInt(3) == 0
      val finishing = if (finishes) toRefill.headOption else None
      s.set(io.finish, finishes)
      assert(s.get(io.occupancy) == byLine.size && s.is(io.anyFree) == byLine.size < mshrs, "MSHRs in use")
      if (byLine.size == mshrs) counts("full") += 1
      checkRefill()

      // demands of this cycle
      val loads = io.load.map { port =>
        val line = if (stopping || random.nextBoolean()) None else Some(anyLine())
        s.set(port.valid, line.nonEmpty)
        line.foreach(s.set(port.lineAddr, _))
        s.set(port.isPrefetch, random.nextInt(4) == 0)
        checkStored(port)
        line
      }
      if (store.isEmpty && !stopping && random.nextInt(3) != 0)
        store = Some(StoreMiss(anyLine(), random.nextInt(6) != 0, Array.fill(bytes)(random.nextInt(256).toByte), anyMask()))
      val tries = store.filter(_ => random.nextInt(4) != 0)
      s.set(io.store.valid, tries.nonEmpty)
      s.set(io.store.pending, store.nonEmpty)
      tries.foreach { t =>
        s.set(io.store.lineAddr, t.line)
        s.set(io.store.hasData, t.hasData)
        s.set(io.store.mask, t.mask)
        for ((word, bytes) <- io.store.data.zip(t.data.grouped(8).toSeq)) s.set(word, number(bytes))
      }

      // one new MSHR a cycle: load 0, load 1, store; no new one for a load while a store was refused
      val wanting = (if (storeRefused) Nil else loads.flatten) ++ tries.map(_.line)
      val allocated = wanting.find(!byLine.contains(_)).filter(_ => byLine.size < mshrs)
      val loadAllocates = allocated.exists(line => !storeRefused && loads.flatten.contains(line))
      val ids = for ((port, Some(line)) <- io.load.zip(loads)) yield { // lines that loads are promised, with their MSHR
        val known = byLine.get(line)
        val accepted = known.exists(!finishing.contains(_)) || (known.isEmpty && !storeRefused && allocated.contains(line))
        assert(s.is(port.accepted) == accepted, f"load of line $line%x accepted")
        if (known.exists(finishing.contains(_))) counts("load in the cycle of the refill") += 1
        if (known.nonEmpty && accepted) counts("load merged") += 1
        if (accepted) Some(line -> s.get(port.id).toInt) else None
      }
      val storeKnown = tries.flatMap(t => byLine.get(t.line))
      val storeAccepted = tries.nonEmpty &&
        (storeKnown.exists(!finishing.contains(_)) || (storeKnown.isEmpty && !loadAllocates && allocated == tries.map(_.line)))
      assert(s.is(io.store.accepted) == storeAccepted, s"store accepted: $tries")
      if (storeKnown.exists(finishing.contains(_))) counts("store in the cycle of the refill") += 1
      if (storeRefused && loads.flatten.exists(!byLine.contains(_))) counts("load behind a refused store") += 1

      // L2
      blockedLine = if (random.nextInt(3) == 0) Some(anyLine()) else None
      val blocked = toAcquire.headOption.exists(m => blockedLine.contains(m.line))
      toAcquire.headOption.foreach(m => assert(s.get(io.acquireLine) == m.line, "line of the next acquire"))
      s.set(io.acquireBlocked, blocked)
      s.set(io.acquire.ready, random.nextBoolean())
      assert(s.is(io.acquire.valid) == (toAcquire.nonEmpty && !blocked), "acquire")
      val sends = s.is(io.acquire.valid) && s.is(io.acquire.ready)
      if (sends) {
        val m = toAcquire.head
        assert(s.get(io.acquire.bits.lineAddr) == m.line, "acquires leave in order of their MSHRs")
        learnId(m, s.get(io.acquire.bits.id).toInt)
      }
      val granted = if (atL2.isEmpty || random.nextInt(3) == 0) None else Some(atL2(random.nextInt(atL2.size)))
      val data = Array.fill(bytes)(random.nextInt(256).toByte)
      val error = random.nextInt(10) == 0
      s.set(io.grant.valid, granted.nonEmpty)
      granted.foreach { m =>
        s.set(io.grant.bits.id, m.id.get)
        s.set(io.grant.bits.data, number(data))
        s.set(io.grant.bits.error, error)
      }

      checkQueries(finishing)
      dut.clock.step()

      // after this cycle
      if (sends) { val m = toAcquire.dequeue(); m.sent = true; atL2 += m }
      granted.foreach { m =>
        atL2 -= m
        m.granted = Some(data)
        m.error = error
        toRefill.enqueue(m)
      }
      finishing.foreach { m => toRefill.dequeue(); byLine -= m.line; counts(if (m.stored.isEmpty) "refilled" else "refilled with stores") += 1 }
      allocated.foreach { line =>
        byLine(line) = new Mshr(line)
        toAcquire.enqueue(byLine(line))
      }
      for ((line, id) <- ids.flatten) learnId(byLine(line), id)
      if (storeAccepted) {
        val t = tries.get
        val m = byLine(t.line)
        if (storeKnown.nonEmpty) counts("store merged") += 1
        if (t.hasData) for (b <- 0 until bytes if t.mask.testBit(b)) m.stored(b) = t.data(b)
        store = None
      }
      storeRefused = if (tries.nonEmpty) !storeAccepted else storeRefused && store.nonEmpty
    }

    /** Any load, also one that does not miss, is shown what stores left of its word. */
    private def checkStored(port: MissPort): Unit = {
      val (line, word) = (anyLine(), random.nextInt(bytes / 8))
      if (!s.is(port.valid)) s.set(port.lineAddr, line)
      s.set(port.word, word)
      val stored = byLine.get(s.get(port.lineAddr)).fold(Map.empty[Int, Byte])(_.stored.toMap)
      val expected = (0 until 8).map(b => stored.get(8 * word + b))
      val mask = s.get(port.storeMask)
      assert((0 until 8).forall(b => mask.testBit(b) == expected(b).nonEmpty), f"bytes of stores to word $word: $mask%x, not $expected")
      for ((Some(value), b) <- expected.zipWithIndex)
        assert((s.get(port.storeData) >> (8 * b) & 255) == (value & 255), s"byte $b of word $word")
      if (mask != 0) counts("load of stored bytes") += 1
    }

    private def checkRefill(): Unit = {
      assert(s.is(io.refill.valid) == toRefill.nonEmpty, "a granted line is offered")
      toRefill.headOption.foreach { m =>
        val bits = io.refill.bits
        assert(s.get(bits.lineAddr) == m.line && s.get(bits.id) == m.id.get && s.is(bits.error) == m.error, "the line granted first")
        assert(s.is(bits.hasStores) == m.stored.nonEmpty, "stores wait for it")
        val words = m.content.grouped(8).map(number).toSeq
        for ((word, expected) <- bits.data.zip(words)) assert(s.get(word) == expected, f"line ${m.line}%x with its stores")
      }
    }

    private def checkQueries(finishing: Option[Mshr]): Unit = {
      val (probed, asked) = (anyLine(), anyLine())
      s.set(io.probe.lineAddr, probed)
      s.set(io.queryLine, asked)
      assert(s.is(io.probeBusy) == byLine.get(probed).exists(_.granted.nonEmpty), f"a probe of line $probed%x must wait")
      assert(s.is(io.queryBusy) == byLine.contains(asked), f"an MSHR works on line $asked%x")
      assert(s.is(io.holdsStores) == byLine.values.exists(_.stored.nonEmpty), "bytes of stores wait")
      if (finishing.exists(_.line == probed)) counts("probe in the cycle of the refill") += 1
    }
  }

  "MissQueue" should "keep one MSHR a line and every byte that stores leave in it" in {
    test(new MissQueue(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(dut, new Random(1))
      for (_ <- 0 until 6000) bench.step()
      bench.stopping = true
      for (_ <- 0 until 500 if !bench.idle) bench.step()
      assert(bench.idle, "an MSHR is never free again")
      println(s"MissQueue: ${bench.counts.toSeq.sorted.mkString(", ")}")
      val reached = Seq(
        "full",
        "load merged",
        "load of stored bytes",
        "store merged",
        "load in the cycle of the refill",
        "store in the cycle of the refill",
        "probe in the cycle of the refill",
        "load behind a refused store",
        "refilled",
        "refilled with stores"
      )
      for (what <- reached) assert(bench.counts(what) > 20, s"too little: $what")
    }
  }
}
