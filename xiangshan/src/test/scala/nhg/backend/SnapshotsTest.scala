// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random branches against a queue in Scala: allocated in order, resolved in any order, squashed, flushed; a snapshot reads back as written
  * for as long as its branch lives, and no place is lost.
  */
class SnapshotsTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams(backend = BackendParams(branchSnapshots = 6))
  private case class Branch(idx: Int, target: Int, register: Int, freeHead: Int, var done: Boolean = false)

  "Snapshots" should "keep each branch's state until it is resolved and nothing older remains" in {
    test(new Snapshots(p)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(1)
      val n = p.backend.branchSnapshots
      var live = Vector[Branch]()
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      var tail = 0
      for (_ <- 0 until 3000) {
        dut.io.free.expect((n - live.length).U)
        for (k <- 0 until Snapshots.perCycle) dut.io.next(k).expect(((tail + k) % n).U)
        for (b <- if (live.isEmpty) None else Some(live(random.nextInt(live.length)))) {
          dut.io.infoIdx.poke(b.idx.U)
          dut.io.infoRead.predTarget.expect(b.target.U)
        }
        val open = live.filterNot(_.done)
        val resolved = if (open.nonEmpty && random.nextInt(3) != 0) Some(open(random.nextInt(open.length))) else None
        val squash = resolved.isDefined && random.nextInt(6) == 0
        val flush = !squash && random.nextInt(40) == 0
        dut.io.resolved.valid.poke(resolved.isDefined.B)
        dut.io.squash.poke(squash.B)
        dut.io.flush.poke(flush.B)
        for (b <- resolved) {
          dut.io.resolved.bits.poke(b.idx.U)
          dut.io.stateRead.registers(0).map(7).expect(b.register.U)
          dut.io.stateRead.registers(0).freeHead.expect(b.freeHead.U)
        }
        val allocated = if (squash || flush) 0 else random.nextInt(1 + Snapshots.perCycle.min(n - live.length))
        val arriving = (0 until Snapshots.perCycle).map { k =>
          val b = Branch((tail + k) % n, random.nextInt(1 << 30), random.nextInt(64), random.nextInt(64))
          dut.io.allocate(k).poke((k < allocated).B)
          dut.io.info(k).predTarget.poke(b.target.U)
          dut.io.state(k).registers(0).map(7).poke(b.register.U)
          dut.io.state(k).registers(0).freeHead.poke(b.freeHead.U)
          b
        }.take(allocated)
        val leaving = live.take(2).takeWhile(_.done).length
        resolved.foreach(_.done = true)
        if (flush) {
          counts("flush") += 1
          tail = live.headOption.fold(tail)(_.idx)
          live = Vector()
        } else if (squash) {
          counts("squash") += 1
          live = live.takeWhile(_ ne resolved.get)
          tail = resolved.get.idx
        } else {
          counts("allocate") += allocated
          if (leaving == 2) counts("two leave") += 1
          live = live.drop(leaving) ++ arriving
          tail = (tail + allocated) % n
          if (live.length == n) counts("full") += 1
        }
        dut.clock.step()
      }
      assert(Seq("flush", "squash", "allocate", "two leave", "full").forall(counts(_) > 20), s"the test did too little: $counts")
    }
  }
}
