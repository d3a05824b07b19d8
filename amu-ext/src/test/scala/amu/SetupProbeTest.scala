package amu
import chisel3._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec
class SetupProbeTest extends AnyFlatSpec with ChiselScalatestTester {
  "probe" should "add one" in { test(new SetupProbe) { c => c.io.a.poke(4.U); c.clock.step(); c.io.q.expect(5.U) } }
  "probe" should "add one in verilator" in { test(new SetupProbe).withAnnotations(Seq(VerilatorBackendAnnotation)) { c => c.io.a.poke(4.U); c.clock.step(); c.io.q.expect(5.U) } }
}
