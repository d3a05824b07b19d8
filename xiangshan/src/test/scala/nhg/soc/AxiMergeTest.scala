// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.{Axi4Address, Axi4Params, Axi4Port}
import chisel3._
import chisel3.util._
import chiseltest._
import common.Simulators
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** Random reads and writes of both managers through the merge to a subordinate that answers in any order of IDs. */
class AxiMergeTest extends AnyFlatSpec with ChiselScalatestTester {
  private val params = Axi4Params(addrBits = 20, dataBits = 32, idBits = 3)
  private case class Burst(id: Int, addr: Int, beats: Int, tag: Int)

  /** Data of a beat: unique per burst and beat. */
  private def beatData(tag: Int, beat: Int): BigInt = BigInt(tag) << 4 | beat

  private class Manager(side: Int, port: Axi4Port, random: Random, quiet: () => Boolean) {
    private var tags = side << 20
    private def draw(): Burst = {
      tags += 1
      Burst(random.nextInt(8), random.nextInt(1 << 18) * 4, 1 + random.nextInt(4), tags)
    }
    private var reading, writing: Option[Burst] = None
    val readsOpen: mutable.ArrayBuffer[Burst] = mutable.ArrayBuffer()
    val writesOpen: mutable.ArrayBuffer[Burst] = mutable.ArrayBuffer()
    private val toSend = mutable.Queue[(BigInt, Boolean)]()
    private val readBeat = mutable.Map[Int, Int]().withDefaultValue(0)
    var readsDone, writesDone = 0
    def idle: Boolean = reading.isEmpty && writing.isEmpty && readsOpen.isEmpty && writesOpen.isEmpty && toSend.isEmpty

    private def address(channel: DecoupledIO[Axi4Address], burst: Option[Burst]): Unit = {
      channel.valid.poke(burst.isDefined.B)
      burst.foreach { b =>
        channel.bits.id.poke(b.id.U)
        channel.bits.addr.poke(b.addr.U)
        channel.bits.len.poke((b.beats - 1).U)
        channel.bits.size.poke(2.U)
      }
    }
    private var sendsW = false
    def drive(): Unit = {
      if (reading.isEmpty && !quiet() && readsOpen.length < 8 && random.nextInt(3) != 0) reading = Some(draw())
      if (writing.isEmpty && !quiet() && writesOpen.length < 8 && random.nextInt(3) != 0) {
        writing = Some(draw())
        writing.foreach(w => for (k <- 0 until w.beats) toSend.enqueue((beatData(w.tag, k), k == w.beats - 1)))
      }
      address(port.ar, reading)
      address(port.aw, writing)
      sendsW = toSend.nonEmpty && (sendsW || random.nextInt(4) != 0) // valid stays until ready
      port.w.valid.poke(sendsW.B)
      toSend.headOption.foreach { case (data, last) =>
        port.w.bits.data.poke(data.U)
        port.w.bits.last.poke(last.B)
      }
      port.r.ready.poke((random.nextInt(4) != 0).B)
      port.b.ready.poke((random.nextInt(4) != 0).B)
    }
    def sample(): Unit = {
      def fires(channel: ReadyValidIO[Data]) = channel.valid.peek().litToBoolean && channel.ready.peek().litToBoolean
      if (fires(port.ar)) { readsOpen += reading.get; reading = None }
      if (fires(port.aw)) { writesOpen += writing.get; writing = None }
      if (fires(port.w)) { toSend.dequeue(); sendsW = false }
      if (fires(port.r)) {
        val id = port.r.bits.id.peek().litValue.toInt & 7
        val burst = readsOpen.find(_.id == id).getOrElse(fail(s"side $side has no read with ID $id"))
        assert(port.r.bits.data.peek().litValue == BigInt(burst.addr + readBeat(id)), s"read data of side $side, ID $id")
        readBeat(id) += 1
        assert(port.r.bits.last.peek().litToBoolean == (readBeat(id) == burst.beats))
        if (readBeat(id) == burst.beats) { readsOpen -= burst; readBeat(id) = 0; readsDone += 1 }
      }
      if (fires(port.b)) {
        val id = port.b.bits.id.peek().litValue.toInt & 7
        val burst = writesOpen.find(_.id == id).getOrElse(fail(s"side $side has no write with ID $id"))
        writesOpen -= burst
        writesDone += 1
      }
    }
  }

  /** Checks that a waiting address does not change, and that what arrives was sent. */
  private class Subordinate(port: Axi4Port, managers: Seq[Manager], random: Random) {
    private val reads = mutable.ArrayBuffer[(Int, Int, Int)]() // outer ID, address, beats
    private val writeOrder = mutable.Queue[(Int, Int)]() // outer ID, beats
    private val responses = mutable.ArrayBuffer[Int]()
    private var current: Option[(Int, Int, Int)] = None
    private var beat = 0
    private var answer: Option[Int] = None
    private var arrived = 0
    private val waiting = mutable.Map[String, BigInt]()
    private val expectedData = Seq.fill(2)(mutable.Queue[Burst]())
    private val seenWrites = mutable.Set[Int]()

    private def open(manager: Int) = managers(manager)
    private def stable(name: String, channel: DecoupledIO[Axi4Address]): Unit = {
      val bits = channel.bits.id.peek().litValue << 32 | channel.bits.addr.peek().litValue
      waiting.get(name).foreach(old => assert(channel.valid.peek().litToBoolean && bits == old, s"$name changed while it waited"))
      if (channel.valid.peek().litToBoolean && !channel.ready.peek().litToBoolean) waiting(name) = bits else waiting.remove(name)
    }
    def drive(): Unit = {
      port.ar.ready.poke((random.nextInt(3) != 0).B)
      port.aw.ready.poke((random.nextInt(3) != 0).B)
      port.w.ready.poke((writeOrder.nonEmpty && random.nextInt(4) != 0).B)
      if (current.isEmpty) {
        // the first read of each ID may answer
        val firsts = reads.groupBy(_._1).values.map(_.head).toSeq
        if (firsts.nonEmpty && random.nextInt(2) == 0) { current = Some(firsts(random.nextInt(firsts.length))); beat = 0 }
      }
      port.r.valid.poke(current.isDefined.B)
      current.foreach { case (id, addr, beats) =>
        port.r.bits.id.poke(id.U)
        port.r.bits.data.poke((addr + beat).U)
        port.r.bits.last.poke((beat == beats - 1).B)
      }
      if (answer.isEmpty && responses.nonEmpty && random.nextInt(2) == 0) answer = Some(responses(random.nextInt(responses.length)))
      port.b.valid.poke(answer.isDefined.B)
      answer.foreach(id => port.b.bits.id.poke(id.U))
    }
    def sample(): Unit = {
      stable("AR", port.ar)
      stable("AW", port.aw)
      def fires(channel: ReadyValidIO[Data]) = channel.valid.peek().litToBoolean && channel.ready.peek().litToBoolean
      if (fires(port.r)) {
        beat += 1
        if (beat == current.get._3) { reads -= current.get; current = None }
      }
      if (fires(port.b)) { responses -= answer.get; answer = None }
      if (fires(port.ar)) {
        val (id, addr) = (port.ar.bits.id.peek().litValue.toInt, port.ar.bits.addr.peek().litValue.toInt)
        val beats = port.ar.bits.len.peek().litValue.toInt + 1
        assert(open(id >> 3).readsOpen.exists(b => b.id == (id & 7) && b.addr == addr && b.beats == beats), s"read nobody asked for: ID $id")
        reads += ((id, addr, beats))
      }
      if (fires(port.w)) {
        val (id, beats) = writeOrder.head
        val data = port.w.bits.data.peek().litValue
        val burst = expectedData(id >> 3).head
        assert(data == beatData(burst.tag, arrived), f"write data $data%x for ID $id beat $arrived")
        arrived += 1
        assert(port.w.bits.last.peek().litToBoolean == (arrived == beats), "last beat")
        if (arrived == beats) {
          writeOrder.dequeue()
          expectedData(id >> 3).dequeue()
          responses += id
          arrived = 0
        }
      }
      if (fires(port.aw)) {
        val (id, addr) = (port.aw.bits.id.peek().litValue.toInt, port.aw.bits.addr.peek().litValue.toInt)
        val burst = open(id >> 3).writesOpen.find(b => b.id == (id & 7) && b.addr == addr && !seenWrites(b.tag))
          .getOrElse(fail(s"write nobody asked for: ID $id"))
        seenWrites += burst.tag
        writeOrder.enqueue((id, burst.beats))
        expectedData(id >> 3).enqueue(burst)
      }
    }
  }

  "AxiMerge" should "bring every request to memory once and every answer back to its manager" in {
    test(new AxiMerge(params, writesAhead = 4)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(1)
      var quiet = false
      val managers = Seq(dut.io.a, dut.io.b).zipWithIndex.map { case (port, side) => new Manager(side, port, random, () => quiet) }
      val memory = new Subordinate(dut.io.out, managers, random)
      def step(): Unit = {
        managers.foreach(_.drive())
        memory.drive()
        managers.foreach(_.sample())
        memory.sample()
        dut.clock.step()
      }
      for (_ <- 0 until 1500) step()
      quiet = true
      for (_ <- 0 until 2000 if managers.exists(!_.idle)) step()
      assert(managers.forall(_.idle), "something never finished")
      for (m <- managers) assert(m.readsDone > 100 && m.writesDone > 100, s"${m.readsDone} reads, ${m.writesDone} writes")
      val (fewer, more) = (managers.map(_.readsDone).min, managers.map(_.readsDone).max)
      assert(fewer > 0.8 * more, s"one manager starves: $fewer reads against $more")
    }
  }
}
