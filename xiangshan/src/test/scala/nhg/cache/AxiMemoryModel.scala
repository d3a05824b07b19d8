// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.Axi4Port
import chisel3._
import chiseltest._

import scala.collection.mutable
import scala.util.Random

/** AXI4 subordinate for tests: 32 B beats, random latency, responses in random order between IDs. Call `step` once a cycle
  * before the clock edge; `lines` holds what memory contains (64 B lines, absent lines read as their number).
  */
class AxiMemoryModel(port: Axi4Port, random: Random, maxLatencyCycles: Int) {
  val lines: mutable.Map[BigInt, BigInt] = mutable.Map()
  /** Lines whose reads err, with a bit for each beat that does. */
  var failing: Map[BigInt, Int] = Map()
  /** Of these lines the first, the second or both. */
  def fail(lines: Seq[BigInt]): Unit = failing = lines.zipWithIndex.map { case (line, k) => line -> (1 + k % 3) }.toMap
  def line(addr: BigInt): BigInt = lines.getOrElse(addr >> 6, addr >> 6)
  def isReading(line: BigInt): Boolean = (reads ++ current).exists(_.addr >> 6 == line)

  private case class Read(id: BigInt, addr: BigInt, var due: Int, var beat: Int)
  private case class Write(id: BigInt, addr: BigInt, var beat: Int)
  private val reads = mutable.ArrayBuffer[Read]()
  private val writes = mutable.Queue[Write]()
  private val responses = mutable.ArrayBuffer[(BigInt, Int)]()
  private var current: Option[Read] = None
  private var now = 0
  var readsSeen = 0
  var writesSeen = 0

  private val beatMask = (BigInt(1) << 256) - 1

  def writeBytes(addr: BigInt, data: BigInt, strobe: BigInt, bytes: Int): Unit = {
    val shift = ((addr & 63) / bytes * bytes).toInt * 8
    val mask = (0 until bytes).filter(strobe.testBit).map(k => BigInt(255) << (8 * k)).foldLeft(BigInt(0))(_ | _)
    lines(addr >> 6) = (line(addr) & ~(mask << shift)) | ((data & mask) << shift)
  }

  def step(): Unit = {
    now += 1
    val arReady = random.nextInt(4) != 0
    port.ar.ready.poke(arReady.B)
    if (arReady && port.ar.valid.peek().litToBoolean) {
      readsSeen += 1
      reads += Read(port.ar.bits.id.peek().litValue, port.ar.bits.addr.peek().litValue, now + 1 + random.nextInt(maxLatencyCycles), 0)
    }
    val awReady = random.nextInt(4) != 0
    port.aw.ready.poke(awReady.B)
    if (awReady && port.aw.valid.peek().litToBoolean) {
      writesSeen += 1
      writes.enqueue(Write(port.aw.bits.id.peek().litValue, port.aw.bits.addr.peek().litValue, 0))
    }
    val wReady = writes.nonEmpty && random.nextInt(4) != 0
    port.w.ready.poke(wReady.B)
    if (wReady && port.w.valid.peek().litToBoolean) {
      val w = writes.head
      writeBytes(w.addr + 32 * w.beat, port.w.bits.data.peek().litValue, port.w.bits.strb.peek().litValue, 32)
      w.beat += 1
      if (port.w.bits.last.peek().litToBoolean) responses += ((writes.dequeue().id, now + 1 + random.nextInt(maxLatencyCycles)))
    }
    if (current.isEmpty) {
      val due = reads.filter(_.due <= now)
      if (due.nonEmpty) {
        current = Some(due(random.nextInt(due.size)))
        reads -= current.get
      }
    }
    port.r.valid.poke(current.isDefined.B)
    current.foreach { r =>
      port.r.bits.id.poke(r.id.U)
      port.r.bits.data.poke(((line(r.addr) >> (256 * r.beat)) & beatMask).U)
      port.r.bits.resp.poke((if ((failing.getOrElse(r.addr >> 6, 0) >> r.beat & 1) == 1) 2 else 0).U)
      port.r.bits.last.poke((r.beat == 1).B)
      if (port.r.ready.peek().litToBoolean) {
        r.beat += 1
        if (r.beat == 2) current = None
      }
    }
    val ready = responses.filter(_._2 <= now)
    port.b.valid.poke(ready.nonEmpty.B)
    ready.headOption.foreach { b =>
      port.b.bits.id.poke(b._1.U)
      port.b.bits.resp.poke(0.U)
      if (port.b.ready.peek().litToBoolean) responses -= b
    }
  }
}
