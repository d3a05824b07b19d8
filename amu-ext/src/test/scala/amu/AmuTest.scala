// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chiseltest._
import common.Simulators
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec

/** The whole AMU between a mock core and a mock memory system: random programs against the reference, limits and throughput. */
class AmuTest extends AnyFlatSpec with ChiselScalatestTester {
  private def run(p: AmuParams)(body: (Amu, Pins) => Unit): Unit =
    test(new Amu(p)).withAnnotations(Simulators.verilator).runPeekPoke(dut => new PeekPokeTester(dut) { body(dut, new Pins(this)) })

  private def randomRun(dut: Amu, pins: Pins, p: AmuParams, name: String, seed: Int, cycles: Int, timing: MockTiming, mix: ProgramMix): Unit = {
    val bench = new AmuBench(dut, pins, p, seed, timing, mix)
    for (_ <- 0 until cycles) bench.step()
    val readOut = bench.readOut()
    bench.finish(20000)
    val core = bench.core
    info(s"$name: ${bench.cycle} cycles, ${core.committed} commits, ${core.taken} groups taken, ${core.exceptions} exceptions, ${core.squashes} squashes, " +
      s"${bench.system.hits} cache hits, ${pins(dut.io.csr.amureuse)} reused lines, peak ${pins(dut.io.probe.inFlightPeak)} lines, $readOut IDs read out")
    assert(core.taken > cycles / 100)
  }

  "Amu" should "run random programs like the reference" in {
    val p = AmuParams()
    run(p) { (dut, pins) =>
      randomRun(dut, pins, p, "mixed sizes", 1, 4000, MockTiming(), ProgramMix())
      randomRun(dut, pins, p, "small requests, many IDs", 2, 4000, MockTiming(memoryMaxCycles = 1000), ProgramMix(maxSizeLog = 3))
      randomRun(dut, pins, p, "few IDs", 3, 4000, MockTiming(hitPercent = 70, memoryMaxCycles = 20), ProgramMix(ids = 5))
      val signals = ProgramMix(ids = 40, asetPercent = 20, maxGroup = 20, awaitPercent = 20, asignalPercent = 25)
      randomRun(dut, pins, p, "signals and groups", 4, 4000, MockTiming(), signals)
      fillsTheLineTable(dut, pins, p)
      streams(dut, pins, p)
    }
  }

  it should "work with tiny queues and never let the finish queue block responses" in {
    val p = AmuParams(finishQueue = 2, requestQueue = 4, lookups = 4, lines = 8)
    run(p) { (dut, pins) =>
      randomRun(dut, pins, p, "tiny queues", 5, 4000, MockTiming(), ProgramMix())
      finishesWithoutTakers(dut, pins, p)
    }
  }

  /** Rule 8: 500 groups complete while nobody takes any; the finish queue (2 entries) is full nearly all the time. */
  private def finishesWithoutTakers(dut: Amu, pins: Pins, p: AmuParams): Unit = {
    val loads = ProgramMix(ids = 500, maxSizeLog = 3, asetPercent = 0, awaitPercent = 0, asignalPercent = 0, aconfigPercent = 0, illegalPercent = 0)
    val bench = new AmuBench(dut, pins, p, 6, MockTiming(), loads)
    bench.core.takePercent = 0
    bench.core.squashPercent = 0
    bench.core.storePercent = 0
    while (!(bench.reference.outstanding == 500 && bench.system.idle && pins(dut.io.probe.linesInFlight) == 0)) {
      assert(bench.cycle < 40000, s"only ${bench.reference.outstanding} groups committed, ${pins(dut.io.probe.linesInFlight)} lines in flight")
      bench.step()
    }
    for (_ <- 0 until 10) bench.step()
    assert(pins(dut.io.csr.amustat) == ((500 << 16) | 500), "all groups have finished and none is taken")
    bench.finish(20000)
    assert(bench.core.taken == 500)
  }

  private val ideal = MockTiming(hitPercent = 0, readyPercent = 100, mshrBusyPercent = 0, memoryMinCycles = 3000, memoryMaxCycles = 3000)

  /** 8-byte loads of as many IDs as there are, and one that needs two lines, against a memory of 3000 cycles latency. */
  private def fillsTheLineTable(dut: Amu, pins: Pins, p: AmuParams): Unit = {
    val driver = new StreamDriver(dut, pins, p, ideal)
    val base = p.farMemory.base
    driver.run(AmiRequest.memory(false, 1, base + 56, 4, 0, 0) +: (2 to p.maxId).map(id => AmiRequest.memory(false, id, base + 64 * (id + 1), 3, 0, 0)))
    assert(pins(dut.io.probe.inFlightPeak) == p.lines)
    info(s"peak ${pins(dut.io.probe.inFlightPeak)} lines in flight")
  }

  /** Cycles per request when nothing stalls. */
  private def streams(dut: Amu, pins: Pins, p: AmuParams): Unit = {
    val base = p.farMemory.base
    val fast = ideal.copy(memoryMinCycles = 100, memoryMaxCycles = 100)
    def measure(name: String, requests: Seq[AmiRequest], timing: MockTiming, most: Double): Unit = {
      val cycles = new StreamDriver(dut, pins, p, timing).run(requests)
      val each = cycles.toDouble / requests.size
      info(f"$name: $each%.2f cycles each")
      assert(each <= most, name)
    }
    val ids = 1 to p.maxId
    measure("8-byte aload that misses", ids.map(id => AmiRequest.memory(false, id, base + 64 * id, 3, 0, 0)), fast, 1.1)
    measure("8-byte astore that misses", ids.map(id => AmiRequest.memory(true, id, base + 64 * id, 3, 8, 0)), fast, 1.1)
    measure("8-byte aload that hits", ids.map(id => AmiRequest.memory(false, id, base + 64 * id, 3, 0, 0)), fast.copy(hitPercent = 100), 1.1)
    measure("64-byte aload that misses", ids.map(id => AmiRequest.memory(false, id, base + 64 * id, 6, 0, 0)), fast, 1.1)
  }
}
