// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random arrivals, wake-ups, port stalls and squashes: exactly the oldest ready micro-ops leave, oldest at the lowest free port; those that must be
  * the oldest of all when they are.
  */
class IssueQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private case class Op(robPtr: Int, atHead: Boolean, sources: Seq[(Int, Int)]) // class, register

  private def run(p: NhgParams, entries: Int, ports: Int, reads: Seq[Set[String]]): Unit = test(
    new IssueQueue(p, entries, ports, reads, atHead = Some(_.word))
  ).withAnnotations(Simulators.verilator) { dut =>
    val random = new Random(entries)
    val n = p.backend.robEntries
    def pointer(sequence: Int): Int = (sequence / n % 2) * 128 + sequence % n // {flag, index}
    val waiting = mutable.ArrayBuffer[(Int, Op)]()
    var next = 0
    var issued = 0
    var issuedAtHead = 0
    for (_ <- 0 until 400) {
      dut.io.free.expect((entries - waiting.length).U)
      val busy = p.backend.registerClasses.map { c =>
        BigInt(c.physical, random) & BigInt(c.physical, random) & (if (c.fixedZero) ~BigInt(1) else BigInt(-1))
      }
      for ((port, value) <- dut.io.busy.zip(busy)) port.poke(value.U)
      val ready = Seq.fill(ports)(random.nextInt(5) != 0)
      for ((r, port) <- ready.zip(dut.io.out)) port.ready.poke(r.B)

      val head = waiting.headOption.fold(0)(_._2.robPtr) // what is older need not be in this queue
      val headIsHere = random.nextBoolean()
      dut.io.robHead.poke((if (headIsHere) head else (head + 255) % 256).U)
      def isReady(op: Op) = op.sources.forall { case (k, register) => !busy(k).testBit(register) } && (!op.atHead || headIsHere && op.robPtr == head)
      val candidates = waiting.filter { case (_, op) => isReady(op) }
      val leaving = mutable.ArrayBuffer[(Int, Op)]()
      for ((r, port) <- ready.zip(dut.io.out)) {
        val expected = candidates.lift(leaving.length)
        port.valid.expect(expected.isDefined.B)
        expected.foreach { case (sequence, op) =>
          port.bits.robPtr.expect(pointer(sequence).U)
          for ((port, (k, register)) <- port.bits.psrc.zip(op.sources)) {
            port.regClass.expect(k.U)
            port.index.expect(register.U)
          }
          if (r) leaving += ((sequence, op))
        }
      }
      waiting --= leaving
      issued += leaving.length
      issuedAtHead += leaving.count(_._2.atHead)

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
            val op = Op(
              pointer(next),
              atHead = random.nextInt(8) == 0,
              reads.zipWithIndex.map { case (names, k) =>
                val regClass = p.backend.classIndex(names.toSeq(random.nextInt(names.size)))
                if (k > 0 && random.nextBoolean()) (0, 0) else (regClass, random.nextInt(p.backend.registerClasses(regClass).physical))
              }
            )
            port.valid.poke(true.B)
            port.bits.robPtr.poke(op.robPtr.U)
            port.bits.word.poke(op.atHead.B)
            for ((port, (k, register)) <- port.bits.psrc.zip(op.sources)) {
              port.regClass.poke(k.U)
              port.index.poke(register.U)
            }
            waiting += ((next, op))
            entering += 1
            next += 1
          }
        }
      }
      dut.clock.step()
    }
    assert(issued > 100 && issuedAtHead > 10, s"only $issued micro-ops were issued, $issuedAtHead of them because they were the oldest")
  }

  private val integer = Set("int")
  "IssueQueue" should "issue the oldest ready micro-op from one port" in run(NhgParams(), 8, ports = 1, Seq(integer, integer))
  it should "issue the two oldest from two ports" in run(NhgParams(), 16, ports = 2, Seq(integer, integer))
  private val floating = Set("fp")
  it should "not wait for operands that are not used" in run(NhgParams(), 8, ports = 1, Seq(floating, floating, floating))
  it should "wait for registers of several classes" in run(TwoClasses.params, 12, ports = 1, Seq(integer, Set("int", "fp")))
}
