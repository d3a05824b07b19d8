// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.AmuParams
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** The whole back end between a mock front end that predicts badly, a mock LSU and a mock AMU: every retired instruction and every trap is
  * compared with an instruction-set model.
  */
class BackendTest extends AnyFlatSpec with ChiselScalatestTester {
  /** Small, so that every queue is full now and then. */
  private val small = NhgParams(
    backend = BackendParams(
      robEntries = 24,
      branchSnapshots = 6,
      registerClasses = BackendParams().registerClasses.map(_.copy(physical = 48)),
      dispatchQueues = BackendParams().dispatchQueues.map(_.copy(entries = 8)),
      issueQueues = BackendParams().issueQueues.map(q => q.copy(entries = if (Set("alu", "load")(q.name)) 6 else 4))
    ),
    lsu = LsuParams(loadQueue = 8, storeQueue = 8),
    amu = AmuParams(sqEntries = 8, requestQueue = 4, finishQueue = 4)
  )

  private class Bench(p: NhgParams, dut: Backend, seed: Int) {
    private val random = new Random(seed)
    private val s = new Signals
    private val stream = new ProgramStream(random)
    val lsu = new LsuMock(p, dut.io.lsu, s, random)
    private val amu = new AmuMock(p, dut.io.amuRequest, dut.io.amuFinish, dut.io.amuCsr, s, random)
    val fetch = new FetchMock(p, dut.io.frontend, s, random, stream, () => amu.nextTarget)
    val model = new InstructionSetModel(stream.expand, amu.group, () => amu.error)
    private var idle, wayDelay = 0
    private var wayPresent = false
    var retired, cycles = 0

    def step(): Unit = {
      amu.drive()
      lsu.drive()
      fetch.drive()
      if (random.nextInt(400) == 0) model.lines = random.nextInt(4096) & random.nextInt(4096) & 0x888
      for ((line, n) <- Seq(dut.io.lines.machineSoftware -> 3, dut.io.lines.machineTimer -> 7, dut.io.lines.machineExternal -> 11))
        s.set(line, (model.lines >> n & 1) == 1)
      val takesWay = (s.get(dut.io.amuctl).toInt & 2) != 0
      wayDelay = if (takesWay == wayPresent) 0 else wayDelay + 1
      if (wayDelay > 5) wayPresent = takesWay
      s.set(dut.io.spmPresent, wayPresent)

      fetch.sample(amu.finPtrAfterRedirect)
      amu.sample()
      lsu.sample()
      val records = dut.io.commit.filter(c => s.is(c.valid))
      records.foreach { c =>
        model.commit(Committed(
          s.get(c.pc),
          s.get(c.inst).toLong,
          s.is(c.writes),
          s.get(c.rd).toInt,
          s.get(c.rdValue),
          s.is(c.trap),
          (s.get(c.cause) & 31).toInt,
          s.get(c.tval),
          s.is(c.memValid),
          s.get(c.memAddr),
          s.is(c.memIsMmio),
          s.get(c.cause).testBit(63)
        ))
      }
      retired += records.length
      idle = if (records.nonEmpty) 0 else idle + 1
      assert(idle < 2000, s"no progress after $retired instructions")
      cycles += 1
      dut.clock.step()
    }
  }

  private def run(p: NhgParams): Unit =
    test(new Backend(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val bench = new Bench(p, dut, seed = 2)
      val counts = bench.model.counts
      val kinds = Seq(1, 2, 3, 4, 5, 6, 7, 11, 24).map(cause => s"trap $cause") ++
        Seq(
          "AMO",
          "SC 0",
          "SC 1",
          "AMI request",
          "getfin",
          "bafin",
          "CSR access",
          "mret to 0",
          "sret to 0",
          "trap to 1",
          "trap to 3",
          "device read",
          "interrupt to 3",
          "upper half",
          "beyond every program counter"
        )
      while (bench.retired < 16000 || kinds.exists(counts(_) <= 2) && bench.retired < 40000) bench.step()
      println(s"Backend: ${bench.retired} instructions, ${bench.cycles} cycles, " +
        s"${bench.fetch.redirects} redirects, ${bench.fetch.flushes} flushes, ${bench.lsu.violations} violations, ${counts.toSeq.sorted.mkString(", ")}")
      for (kind <- kinds) assert(counts(kind) > 2, s"too little $kind: $counts")
      val unretired = bench.lsu.deviceReads - counts("device read")
      assert(unretired == 0 || unretired == 1, s"devices were read $unretired times too often")
      assert(bench.lsu.violations > 2 && bench.fetch.redirects - bench.fetch.flushes > 500)
    }

  "Backend" should "execute random programs as the instruction-set model does" in run(small)
  if (Simulators.everySize) it should "do so with half the commit width" in run(small.copy(backend = small.backend.copy(commitWidth = 2)))
}
