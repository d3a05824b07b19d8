// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random micro-ops, room in the issue queues and squashes, against two lists: from each, those that arrive in the cycle among them, the
  * oldest leave in order, up to the first one that finds no room.
  */
class DispatchTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val lanes = p.backend.decodeWidth
  private val capacity = 12
  private val (alu, bru, mdu, load, store, ami, none) = (0, 1, 2, 3, 4, 5, 6) // FuType
  private case class Op(sequence: Int, fu: Int, src1: Int, src2: Int) {
    def pointer: Int = sequence / p.backend.robEntries % 2 * 128 + sequence % p.backend.robEntries // {flag, index}
  }

  "Dispatch" should "send the oldest micro-ops to their issue queues, in order" in {
    test(new Dispatch(p)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(7)
      val s = new Signals
      val io = dut.io
      val queues = Seq.fill(2)(mutable.ArrayBuffer[Op]()) // integer, load/store
      val freeOf = Seq("int", "mem").map(io.free(_))
      // what a micro-op that goes to a port carries as its sources
      val ports: Seq[(DispatchPort, Set[Int], Op => (Int, Int))] = Seq(
        (io.issue("alu"), Set(alu), op => (op.src1, op.src2)),
        (io.issue("bru"), Set(bru), op => (op.src1, op.src2)),
        (io.issue("mdu"), Set(mdu), op => (op.src1, op.src2)),
        (io.issue("load"), Set(load), op => (op.src1, op.src2)),
        (io.issue("storeAddress"), Set(store, ami), op => if (op.fu == store) (op.src1, 0) else (op.src1, op.src2)),
        (io.issue("storeData"), Set(store), op => (op.src2, 0))
      )
      def queueOf(fu: Int): Option[Int] = if (fu <= mdu) Some(0) else if (fu <= ami) Some(1) else None
      var next, left, passed, squashed, waiting = 0

      for (_ <- 0 until 1000) {
        val kind = random.nextInt(30)
        val oldest = queues.flatMap(_.headOption).map(_.sequence).minOption.getOrElse(next)
        val survivor = (oldest - 1 + random.nextInt(next - oldest + 1)).max(0)
        s.set(io.kill.flush, kind == 0)
        s.set(io.kill.squash, kind == 1)
        s.set(io.kill.robPtr, Op(survivor, none, 0, 0).pointer)

        val room = ports.map { case (port, _, _) =>
          val free = if (random.nextInt(3) == 0) 0 else random.nextInt(lanes + 1)
          s.set(port.free, free)
          free
        }
        for ((queue, free) <- queues.zip(freeOf)) assert(s.get(free) == capacity - queue.length, "free entries")
        var places = queues.map(capacity - _.length)
        val entering = (0 until lanes).map { lane =>
          val op = Op(next, random.nextInt(none + 1), random.nextInt(64), random.nextInt(64))
          val fits = queueOf(op.fu).forall(places(_) > 0)
          val enters = kind > 1 && next - oldest < p.backend.robEntries - 1 && fits && random.nextInt(3) != 0
          s.set(io.in(lane).valid, enters)
          s.set(io.in(lane).bits.robPtr, op.pointer)
          s.set(io.in(lane).bits.queues, BigInt(ports.indices.filter(k => ports(k)._2(op.fu)).map(1 << _).sum))
          s.set(io.in(lane).bits.psrc(0).index, op.src1)
          s.set(io.in(lane).bits.psrc(1).index, op.src2)
          if (enters) {
            next += 1
            queueOf(op.fu).foreach(q => places = places.updated(q, places(q) - 1))
          }
          if (enters) Some(op) else None
        }
        val held = queues.zipWithIndex.map { case (queue, q) => queue ++ entering.flatten.filter(op => queueOf(op.fu).contains(q)) }
        val leaving = held.map { queue =>
          val taken = mutable.Map[Int, Int]().withDefaultValue(0)
          queue.take(if (kind < 2) 0 else lanes).takeWhile { op =>
            val wanted = ports.indices.filter(k => ports(k)._2(op.fu))
            val fits = wanted.forall(k => taken(k) < room(k))
            wanted.foreach(taken(_) += 1)
            if (!fits) waiting += 1
            fits
          }.toSeq
        }
        for ((port, accepts, sources) <- ports; lane <- 0 until lanes) {
          val expected = leaving(queueOf(accepts.head).get).lift(lane).filter(op => accepts(op.fu))
          val uop = port.uop(lane)
          assert(s.is(uop.valid) == expected.isDefined, s"lane $lane to ${accepts.head}: $leaving")
          expected.foreach { op =>
            assert(s.get(uop.bits.robPtr) == op.pointer)
            assert((s.get(uop.bits.psrc(0).index).toInt, s.get(uop.bits.psrc(1).index).toInt) == sources(op), s"sources of $op")
          }
        }
        dut.clock.step()
        passed += leaving.zip(queues).map { case (gone, queue) => (gone.length - queue.length).max(0) }.sum
        for (((queue, all), gone) <- queues.zip(held).zip(leaving)) {
          queue.clear()
          queue ++= all.drop(gone.length)
        }
        left += leaving.map(_.length).sum
        if (kind == 0) queues.foreach(_.clear())
        if (kind == 1) {
          squashed += queues.map(_.count(_.sequence > survivor)).sum
          queues.foreach(_.filterInPlace(_.sequence <= survivor))
          next = next.min(survivor + 1)
        }
      }
      val counts = s"$left left, $passed of them at once, $squashed squashed, $waiting waiting"
      assert(left > 700 && passed > 100 && squashed > 50 && waiting > 150, s"too little: $counts")
    }
  }
}
