// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util.Valid
import chiseltest._
import common.Simulators
import nhg.MemoryMap
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.util.Random

/** Slices of L2 with L3 below them, and the AMU's lookups through both, as in the SoC. */
class CachesWithMemory(l2: SliceParams, l3: SliceParams) extends CacheWithMemory(l2) {
  val near = IO(Valid(new LineLookupResponse(l2.line)))
  private val cache = Module(new SlicedCache(l2))
  private val below = Module(new L3Cache(l3, l2.lowerIdBits, axi))
  private val levels = Module(new LookupLevels(l2.line, l2.lookups))
  levels.io.near <> cache.io.lookup.get
  near := cache.io.lookup.get.resp
  levels.io.far <> below.io.lookup
  below.io.upper <> cache.io.lower
  io.mem <> below.io.mem
  connect(cache.io.clients, cache.io.readers, Some(levels.io.amu), cache.io.prefetcher, cache.io.wanted, Nil, cache.io.spm.toSeq.flatten)
}

/** Clients, a reader, prefetches and the AMU on few lines through two levels of tiny caches, against a sequential memory. */
class L3CacheTest extends AnyFlatSpec with ChiselScalatestTester {
  private val map = MemoryMap()
  private val line = LineParams()
  private val filter = StoreFilterParams(stores = 16, farBase = map.far.base, counters = 16)
  private val l2 = SliceParams(
    line,
    sets = 2,
    ways = 2,
    mshrs = 4,
    clients = Seq(4, 3),
    readers = Seq(2),
    writebacks = 2,
    lookups = 8,
    filter = Some(filter),
    prefetches = 2,
    slices = 2
  )
  private val l3 = SliceParams(line, sets = 2, ways = 3, mshrs = 4, clients = Nil, readers = Seq(4), writebacks = 2, lookups = 8, slices = 2)

  private def stress(
      l2: SliceParams,
      l3: SliceParams,
      seed: Int,
      cycles: Int,
      maxLatencyCycles: Int,
      style: ClientStyle = ClientStyle(),
      errors: Boolean = false,
      overtaken: Boolean = false
  ): Unit =
    test(new CachesWithMemory(l2, l3)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(seed)
      val s = new Signals
      val memory = new AxiMemoryModel(dut.io.mem, random, maxLatencyCycles)
      val pool = for (k <- 0 until 5; number <- 0 until 2 * l2.slices) yield {
        val base = BigInt(if (k % 2 == 0) map.local.base else map.far.base) >> line.offsetBits
        base + 2 * l2.slices * k + number
      }
      if (errors) memory.fail(pool.takeRight(pool.size / 5))
      val traffic = new RandomTraffic(dut, l2, s, random, memory, pool, style, _ - 1, 1, Some(dut.near))
      import traffic.counts
      for (now <- 0 until cycles) {
        traffic.step(quiet = now > cycles - 2000) // let everything drain
        dut.clock.step()
      }
      assert(traffic.idle, "something never finished")
      println(s"L3, seed $seed: ${counts.toSeq.sorted.mkString(", ")}, ${memory.readsSeen} fetches, ${memory.writesSeen} write-backs")
      val kinds = Seq("acquire exclusive", "write", "release", "probe of dirty", "AMU load hit", "AMU load miss", "AMU store hit", "AMU store miss", "read")
      for (kind <- kinds) assert(counts(kind) > 20, s"$kind: ${counts(kind)}")
      assert(memory.readsSeen > 100 && memory.writesSeen > 50)
      if (overtaken) traffic.checkOvertaken()
      assert(!errors || Seq("bus error", "bus error of a reader").forall(counts(_) > 20), s"too few bus errors: $counts")
    }

  "L3Cache" should "keep clients, a reader, prefetches, the AMU and memory coherent below L2, and pass bus errors on" in
    stress(l2, l3, 1, Simulators.cycles(15000), 80, errors = true, overtaken = true)
  if (Simulators.everySize)
    it should "do so with less room than L2" in stress(l2.copy(ways = 4), l3.copy(ways = 2), 2, Simulators.cycles(6000), 40)
  it should "let nobody wait for ever where memory answers soon" in
    stress(l2.copy(mshrs = 3, prefetches = 1), l3.copy(mshrs = 3, readers = Seq(3)), 3, Simulators.cycles(10000), 4, ClientStyle(0.9, 0.9, 0.3, 0.9))
  it should "let lookups overtake a fetch that only the AMU wanted, and keep no line that a store overtook" in
    test(new CachesWithMemory(l2, l3)).withAnnotations(Simulators.verilator)(new LateFetch(_, map.far.base >> line.offsetBits).run())
  it should "refuse to be above a slice of another size" in {
    assertThrows[IllegalArgumentException](l3.copy(readers = Nil))
    assertThrows[IllegalArgumentException](l3.copy(lookups = 0, filter = Some(filter)))
  }
}
