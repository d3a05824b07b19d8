// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import chiseltest.simulator.VerilatorFlags
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** The whole frontend against the architectural path of test programs; the mock back end checks every instruction it is given. */
class FrontendTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val entry = 0x80000000L

  /** One Verilator model serves every case: each case starts with a reset; tables without reset keep what they learnt. */
  private def start(dut: FrontendHarness, program: TestProgram, resumeTargets: Seq[Long], config: MockConfig,
      seed: Int): MockCore = {
    Seq(dut.io.redirect.valid, dut.io.update.valid, dut.io.commitFtqIdx.valid, dut.io.btqValid, dut.io.l2Resp.valid,
      dut.io.fetchReady, dut.io.l2Ready).foreach(_.poke(false.B))
    dut.io.resetPc.poke(program.entry.U)
    dut.reset.poke(true.B)
    dut.clock.step(3)
    dut.reset.poke(false.B)
    new MockCore(dut, p, program, resumeTargets, config, seed)
  }
  private def plain(n: Int): Seq[(Long, Int, Flow)] = Seq.fill(n)((Encode.addi, 4, Plain))
  private def compressed(n: Int): Seq[(Long, Int, Flow)] = Seq.fill(n)((Encode.cAddi, 2, Plain))

  /** Instructions a cycle in the steady state. */
  private def throughput(core: MockCore, warmUp: Int, cycles: Int): Double = {
    (0 until warmUp).foreach(_ => core.step())
    (0 until cycles).map(_ => core.step()).sum.toDouble / cycles
  }

  behavior of "Frontend"

  it should "follow the architectural path and keep loops fed" in {
    test(new FrontendHarness(p)).withAnnotations(Seq(VerilatorBackendAnnotation, VerilatorFlags(Seq("--output-split", "0")))) { dut =>
      dut.clock.setTimeout(0)

      // Loops that end with a jump: a block a cycle, whatever the alignment
      val loops = Seq((entry, plain(3)), (entry + 0x14, plain(3)), (entry + 2, compressed(6) ++ plain(2)), (entry, plain(7)), (entry + 6, plain(5)))
      for ((at, body) <- loops) {
        val length = body.map(_._2).sum
        val program = TestProgram.of(at, body :+ ((Encode.jal(-length, 0), 4, Jump(at, call = false))))
        val core = start(dut, program, Nil, MockConfig(), 1)
        val rate = throughput(core, 200, 240)
        val windows = (at + length + 2) / 32 - at / 32 + 1
        val best = math.min(p.backend.decodeWidth.toDouble, (body.size + 1).toDouble / windows)
        println(f"  loop of ${body.size + 1} instructions at $at%x: $rate%.2f instructions a cycle, ${core.mispredicts} mispredicted")
        assert(math.abs(rate - best) < 0.05)
        assert(core.mispredicts == 0, "predecode knows jumps")
      }

      // A loop of two windows with three branches in them, the inner ones never taken
      val two = plain(2) ++ Seq((Encode.branch(8), 4, Branch(entry + 16, 1))) ++ plain(2) ++ Seq((Encode.branch(8), 4, Branch(entry + 28, 1))) ++
        plain(5) :+ ((Encode.branch(-44), 4, Branch(entry, 0)))
      val core = start(dut, TestProgram.of(entry, two), Nil, MockConfig(), 1)
      val rate = throughput(core, 300, 300)
      println(f"  loop of 12 instructions with 3 branches: $rate%.2f instructions a cycle, ${core.mispredicts} mispredicted")
      assert(rate == 4.0 && core.mispredicts <= 2)

      for (seed <- 1 to 4) {
        val (program, main) = TestProgram.random(new Random(seed), entry + 0x40, 250 * seed, 6 * seed, bafins = true, getfins = seed % 2 == 0)
        val config = MockConfig(ready = 75, jitter = true, flush = 1, wrongPathRedirect = 10, fenceI = 10, finishGapCycles = 15 * seed)
        val core = start(dut, program, main, config, seed)
        core.run(10000, 100000)
        println(s"  random program $seed: ${core.summary}")
        assert(seed % 2 == 0 || core.bafinsWrong == 0, "a bafin foretold by the BTQ went elsewhere")
      }
    }
  }
}
