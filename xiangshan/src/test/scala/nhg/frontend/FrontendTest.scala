// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import chiseltest.simulator.VerilatorFlags
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

class FrontendTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val entry = 0x80000000L

  private def simulate(program: TestProgram, resumeTargets: Seq[Long], config: MockConfig, seed: Int)(body: MockCore => Unit): Unit =
    test(new Frontend(p)).withAnnotations(Seq(VerilatorBackendAnnotation, VerilatorFlags(Seq("--output-split", "0")))) { dut =>
      dut.clock.setTimeout(0)
      dut.io.resetPc.poke(program.entry.U)
      dut.reset.poke(true.B)
      dut.clock.step(3)
      dut.reset.poke(false.B)
      val core = new MockCore(dut, p, program, resumeTargets, config, seed)
      body(core)
      println(s"  ${core.summary}")
    }

  behavior of "Frontend"

  it should "deliver the architectural stream of random programs" in {
    val (program, main) = TestProgram.random(new Random(1), entry + 0x40, 300, 12, bafins = true, getfins = false)
    val config = MockConfig(ready = 80, jitter = true, flush = 1, wrongPathRedirect = 10, fenceI = 10, finishGapCycles = 60)
    simulate(program, main, config, seed = 1) { core =>
      core.run(20000, 200000)
      assert(core.bafinsWrong == 0, "a bafin foretold by the BTQ went elsewhere")
    }
  }
}
