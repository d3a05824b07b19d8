// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Random operations, stalls and squashes against two optional operations: one reading registers, one waiting for the unit. */
class ReadStageTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private case class Issued(robPtr: Int, src1: BigInt = 0, src2: BigInt = 0)

  private def run(seesSquash: Boolean): Unit = test(new ReadStage(p, seesSquash)).withAnnotations(Simulators.verilator) { dut =>
    val random = new Random(11)
    val s = new Signals
    val io = dut.io
    var reading, waiting: Option[Issued] = None
    var taken, killed = 0
    for (_ <- 0 until 1500) {
      val flush = random.nextInt(25) == 0
      val squash = !flush && random.nextInt(5) == 0
      val survivor = random.nextInt(p.backend.robEntries)
      def dies(op: Issued): Boolean = flush || squash && op.robPtr > survivor
      s.set(io.kill.flush, flush)
      s.set(io.kill.squash, squash)
      s.set(io.kill.robPtr, survivor)
      val offered = if (random.nextInt(4) != 0) Some(Issued(random.nextInt(p.backend.robEntries))) else None
      s.set(io.in.valid, offered.isDefined)
      offered.foreach(op => s.set(io.in.bits.robPtr, op.robPtr))
      val unitReady = random.nextInt(3) != 0
      s.set(io.out.ready, unitReady)
      val (src1, src2) = (BigInt(64, random), BigInt(64, random)) // of the operation that reads in this cycle
      s.set(io.r_src(0), src1)
      s.set(io.r_src(1), src2)

      val advances = waiting.isEmpty || unitReady
      val accepts = reading.isEmpty || advances
      assert(s.is(io.in.ready) == accepts, "ready for the next operation")
      assert(s.is(io.r_valid) == reading.isDefined, "an operation reads registers")
      reading.foreach(op => assert(s.get(io.r_uop.robPtr) == op.robPtr, "the operation that reads registers"))
      val offers = waiting.filterNot(op => if (seesSquash) dies(op) else flush)
      assert(s.is(io.out.valid) == offers.isDefined, "an operation for the unit")
      offers.foreach { op =>
        assert(s.get(io.out.bits.uop.robPtr) == op.robPtr, "the operation for the unit")
        assert(s.get(io.out.bits.src(0)) == op.src1 && s.get(io.out.bits.src(1)) == op.src2, "its operands")
      }
      if (offers.isDefined && unitReady) taken += 1
      killed += (waiting ++ reading).count(dies)

      dut.clock.step()
      waiting = (if (advances) reading.map(_.copy(src1 = src1, src2 = src2)) else waiting).filterNot(dies)
      reading = (if (accepts) offered else reading).filterNot(dies)
    }
    assert(taken > 400 && killed > 150, s"too little: $taken taken, $killed killed")
  }

  behavior of "ReadStage"
  it should "carry operations in order and let none die late" in run(seesSquash = true)
  it should "not make its output depend on a squash where it makes squashes itself" in run(seesSquash = false)
}
