// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{LineParams, SpmParams}
import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.util.Random

/** Slices of two sets and two ways under random clients, readers and AMU lookups that all want the same few lines, against a sequential
  * memory; in each cycle a line has one writer or any number of readers. The slice's own monitor checks the protocol.
  */
class CacheSliceTest extends AnyFlatSpec with ChiselScalatestTester {
  private val map = NhgParams().map
  private val line = LineParams()
  private val filter = StoreFilterParams(stores = 16, farBase = map.far.base, counters = 16)
  private val tiny =
    SliceParams(line, sets = 2, ways = 2, mshrs = 5, clients = Seq(3), readers = Seq(2, 3), writebacks = 2, lookups = 16, filter = Some(filter))

  private def stress(
      p: SliceParams,
      seed: Int,
      cycles: Int,
      maxLatencyCycles: Int,
      reached: Seq[String],
      style: ClientStyle = ClientStyle(),
      slice: Int = 0,
      allSlices: Boolean = false,
      errors: Boolean = false,
      overtaken: Boolean = false
  ): Unit =
    test(if (allSlices) new SlicesWithMemory(p) else new SliceWithMemory(p, slice)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(seed)
      val s = new Signals
      val memory = new AxiMemoryModel(dut.io.mem, random, maxLatencyCycles)
      val pool = for (k <- 0 until 5; set <- 0 until 2; number <- if (allSlices) 0 until p.slices else Seq(slice)) yield {
        val base = BigInt(if (k % 2 == 0) map.local.base else map.far.base) >> line.offsetBits
        base + ((p.sets * k + set) * p.slices + number)
      }
      if (errors) memory.fail(pool.takeRight(pool.size / 5))
      val late = (ids: Int) => if (allSlices) ids - 1 else 0
      val traffic = new RandomTraffic(dut, p, s, random, memory, pool, style, late, if (allSlices) 1 else 8)
      import traffic.{clients, counts}

      for (now <- 0 until cycles) {
        if (p.spm.isDefined) s.set(dut.io.takeSpmWay, now / 500 % 2 == 0)
        traffic.step(quiet = now > cycles - 2000) // let everything drain
        for (l <- pool if clients.exists(_.mayWrite(l))) assert(clients.count(_.permission(l) > 0) == 1, f"line $l%x has a writer and a second holder")
        dut.clock.step()
      }
      assert(traffic.idle, "something never finished")
      println(s"slice, seed $seed: ${counts.toSeq.sorted.mkString(", ")}, ${memory.readsSeen} fetches, ${memory.writesSeen} write-backs")
      for (kind <- reached) assert(counts(kind) > 20, s"$kind: ${counts(kind)}")
      assert(memory.readsSeen > 100 && memory.writesSeen > 50)
      if (overtaken) traffic.checkOvertaken()
      assert(!errors || Seq("bus error", "bus error of a reader").forall(counts(_) > 20), s"too few bus errors: $counts")
    }

  private val one =
    Seq("acquire exclusive", "write", "release", "probe of dirty", "probe to none", "AMU load hit", "AMU load miss", "AMU store hit", "AMU store miss", "read")
  private val two = one ++ Seq("grant shared", "upgrade", "probe to shared", "probe of acquired")

  "CacheSlice" should "keep one client, a reader, the AMU and memory coherent, and pass bus errors on" in
    stress(tiny, 1, 12000, 40, one, errors = true)

  it should "move shared, exclusive and dirty lines between two clients" in
    stress(tiny.copy(clients = Seq(3, 2), mshrs = 7), 2, 16000, 40, two)

  it should "work as one of four interleaved slices that hands its last way to the SPM" in
    stress(tiny.copy(clients = Seq(2, 2), mshrs = 6, slices = 4, spm = Some(SpmParams(2 * line.bytes, line))), 3, 16000, 40, two, slice = 2)

  private val prefetched = Seq("prefetched", "wanted", "fetched", "access for the prefetcher")
  if (Simulators.everySize)
    it should "stay coherent while lines are prefetched" in
      stress(tiny.copy(mshrs = 8, prefetches = 3), 6, 16000, 60, one ++ prefetched, errors = true, overtaken = true)

  it should "stay coherent while lines of two clients are prefetched and its last way goes to the SPM" in
    stress(tiny.copy(clients = Seq(3, 2), mshrs = 11, prefetches = 4, ways = 4, spm = Some(SpmParams(2 * line.bytes, line))), 7, 24000, 40, two ++ prefetched)

  it should "let lookups overtake a fetch that only the AMU wanted, and keep no line that a store overtook" in
    test(new SliceWithMemory(tiny.copy(prefetches = 1), 0)).withAnnotations(Simulators.verilator)(new LateFetch(_, map.far.base >> line.offsetBits).run())

  it should "let nobody wait for ever where all want the same lines at once and memory answers soon" in
    stress(tiny.copy(clients = Seq(2, 2, 2), mshrs = 8), 4, 12000, 4, two, ClientStyle(acquire = 0.9, write = 0.9, drop = 0.05, answer = 0.9))

  if (Simulators.everySize)
    it should "serve clients without a reader, an AMU or an SPM" in
      stress(
        tiny.copy(ways = 4, clients = Seq(2, 2), readers = Nil, mshrs = 4, lookups = 0, filter = None),
        5,
        10000,
        100,
        Seq("grant shared", "upgrade", "probe to shared", "probe of dirty")
      )

  if (Simulators.everySize)
    it should "keep one client, a reader and the AMU coherent as two slices with few MSHRs" in
      stress(tiny.copy(mshrs = 2, slices = 2), 8, 16000, 40, one, allSlices = true)

  it should "keep two clients coherent as four slices that are prefetched into and hand their last way to the SPM" in
    stress(
      tiny.copy(clients = Seq(4, 3), mshrs = 4, slices = 4, prefetches = 2, spm = Some(SpmParams(2 * line.bytes, line))),
      9,
      Simulators.cycles(15000),
      40,
      two.filterNot(_ == "upgrade") ++ prefetched,
      allSlices = true,
      overtaken = true
    )

  it should "let nobody wait for ever in two slices where memory answers soon" in
    stress(
      tiny.copy(clients = Seq(3, 3), mshrs = 3, slices = 2, prefetches = 1),
      10,
      Simulators.cycles(10000),
      4,
      two ++ prefetched,
      ClientStyle(acquire = 0.9, write = 0.9, drop = 0.05, answer = 0.9),
      allSlices = true
    )

  it should "refuse parameters that cannot work" in {
    assertThrows[IllegalArgumentException](tiny.copy(mshrs = 1))
    assertThrows[IllegalArgumentException](tiny.copy(prefetches = 5))
    assertThrows[IllegalArgumentException](tiny.copy(slices = 3))
    assertThrows[IllegalArgumentException](tiny.copy(spm = Some(SpmParams(32 * 1024, line))))
  }
}
