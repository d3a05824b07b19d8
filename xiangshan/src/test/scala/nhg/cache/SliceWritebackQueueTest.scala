// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chiseltest._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Random evictions, a level below that takes lines at once or late and has them written in any order, against a list. */
class SliceWritebackQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = SliceParams(LineParams(), sets = 2, ways = 2, mshrs = 5, clients = Seq(3), readers = Seq(2), writebacks = 4)

  "SliceWritebackQueue" should "give every line once, in order and whole, and know it until it is written" in {
    test(new SliceWritebackQueue(p)) { dut =>
      dut.clock.setTimeout(0)
      val io = dut.io
      val s = new Signals
      val random = new Random(1)
      val pool = (0 until 6).map(BigInt(0x2000000) + _)
      class Entry(val line: BigInt, val data: BigInt) { var id: Option[Int] = None }
      val leaving = mutable.Queue.empty[Entry] // not taken below
      val below = mutable.ArrayBuffer.empty[Entry] // taken, not written
      var arrived: Option[Entry] = None // evicted in the last cycle: its data are there now
      val counts = mutable.Map.empty[String, Int].withDefaultValue(0)
      var idle = 0
      for (now <- 0 until 4000) {
        val known = (leaving ++ below).map(_.line)
        val line = pool(random.nextInt(pool.size))
        s.set(io.lookup.lineAddr, line)
        assert(s.is(io.lookup.hit) == known.contains(line), f"line $line%x waits here")
        assert(s.is(io.full) == (known.size == p.writebacks), "room")
        val evicts = known.size < p.writebacks && !known.contains(line) && random.nextBoolean()
        s.set(io.allocate.valid, evicts)
        s.set(io.allocate.bits, line)
        s.set(io.data, arrived.fold(BigInt(p.line.bits, random))(_.data))

        val ready = random.nextInt(if (now / 100 % 2 == 0) 1 else 6) == 0
        s.set(io.writeback.ready, ready)
        val offers = s.is(io.writeback.valid)
        assert(!offers || leaving.nonEmpty, "a line that was not evicted")
        for (oldest <- leaving.headOption if offers) {
          val bits = io.writeback.bits
          assert(s.get(bits.lineAddr) == oldest.line && s.get(bits.data) == oldest.data, f"write-back of line ${oldest.line}%x")
          val id = s.get(bits.id).toInt
          assert(oldest.id.forall(_ == id) && !below.exists(_.id.contains(id)), s"ID $id")
          oldest.id = Some(id)
        }
        idle = if (offers || leaving.isEmpty) 0 else idle + 1
        assert(idle < 5, "a line is not offered")
        val written = if (below.nonEmpty && random.nextInt(4) == 0) Some(below(random.nextInt(below.size))) else None
        s.set(io.written.valid, written.isDefined)
        written.foreach(e => s.set(io.written.bits, e.id.get))

        dut.clock.step()
        written.foreach(below -= _)
        if (offers && ready) {
          below += leaving.dequeue()
          counts("written back") += 1
        } else if (offers) counts("refused") += 1
        arrived = if (evicts) Some(new Entry(line, BigInt(p.line.bits, random))) else None
        leaving ++= arrived
        if (leaving.size + below.size == p.writebacks) counts("full") += 1
      }
      assert(Seq("written back", "refused", "full").forall(counts(_) > 200), s"too little: $counts")
    }
  }
}
