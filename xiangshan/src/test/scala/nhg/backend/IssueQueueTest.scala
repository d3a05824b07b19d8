// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import nhg.{NhgParams, Simulators}
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random arrivals, wake-ups, port stalls and squashes: exactly the oldest ready micro-ops leave, oldest at the lowest free port. */
class IssueQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private case class Op(robPtr: Int, src1: Int, src2: Int)

  private def run(entries: Int, ports: Int): Unit = test(new IssueQueue(p, entries, ports)).withAnnotations(Simulators.verilator) { dut =>
    val random = new Random(entries)
    val n = p.backend.robEntries
    def pointer(sequence: Int): Int = (sequence / n % 2) * 128 + sequence % n // {flag, index}
    val waiting = mutable.ArrayBuffer[(Int, Op)]()
    var next = 0
    var issued = 0
    for (_ <- 0 until 400) {
      dut.io.free.expect((entries - waiting.length).U)
      val busy = BigInt(64, random) & BigInt(64, random) & ~BigInt(1)
      dut.io.busy.poke(busy.U)
      val ready = Seq.fill(ports)(random.nextInt(5) != 0)
      for ((r, port) <- ready.zip(dut.io.out)) port.ready.poke(r.B)

      def isReady(op: Op) = !busy.testBit(op.src1) && !busy.testBit(op.src2)
      val candidates = waiting.filter { case (_, op) => isReady(op) }
      val leaving = mutable.ArrayBuffer[(Int, Op)]()
      for ((r, port) <- ready.zip(dut.io.out)) {
        val expected = candidates.lift(leaving.length)
        port.valid.expect(expected.isDefined.B)
        expected.foreach { case (sequence, op) =>
          port.bits.robPtr.expect(pointer(sequence).U)
          port.bits.psrc1.expect(op.src1.U)
          if (r) leaving += ((sequence, op))
        }
      }
      waiting --= leaving
      issued += leaving.length

      val kind = random.nextInt(20)
      dut.io.kill.flush.poke((kind == 0).B)
      dut.io.kill.squash.poke((kind == 1).B)
      dut.io.in.foreach(_.valid.poke(false.B))
      if (kind == 0) waiting.clear()
      else if (kind == 1) {
        // a squash can only name something still in flight, so within one ROB of everything that waits
        val oldest = waiting.headOption.map(_._1).getOrElse(next)
        val survivor = oldest + random.nextInt((next - oldest).max(1))
        dut.io.kill.robPtr.poke(pointer(survivor).U)
        waiting.filterInPlace { case (sequence, _) => sequence <= survivor }
      } else {
        val free = dut.io.free.peek().litValue.toInt
        val oldest = waiting.headOption.map(_._1).getOrElse(next)
        var entering = 0
        for (port <- dut.io.in) {
          if (entering < free && random.nextBoolean() && next - oldest < n - 8) {
            val op = Op(pointer(next), random.nextInt(64), if (random.nextBoolean()) 0 else random.nextInt(64))
            port.valid.poke(true.B)
            port.bits.robPtr.poke(op.robPtr.U)
            port.bits.psrc1.poke(op.src1.U)
            port.bits.psrc2.poke(op.src2.U)
            waiting += ((next, op))
            entering += 1
            next += 1
          }
        }
      }
      dut.clock.step()
    }
    assert(issued > 100, s"only $issued micro-ops were issued")
  }

  "IssueQueue" should "issue the oldest ready micro-op from one port" in run(entries = 8, ports = 1)
  it should "issue the two oldest from two ports" in run(entries = 16, ports = 2)
}
