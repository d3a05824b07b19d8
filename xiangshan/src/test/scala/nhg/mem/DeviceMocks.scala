// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{DevicePort, SpmWordPort}
import nhg._
import scala.util.Random

/** SPM behind `SpmWordPort`: fixed latency in cycles, reads see the writes accepted in earlier cycles. */
class SpmMock(io: SpmWordPort, s: Signals, random: Random, base: Long, latency: Int, stall: Double) {
  val memory = new WordMemory
  private var answers = Vector[(Long, BigInt)]()
  private var cycle = 0L

  def drive(): Unit = {
    s.set(io.read.ready, random.nextDouble() >= stall)
    s.set(io.write.ready, random.nextDouble() >= stall)
    val due = answers.headOption.filter(_._1 == cycle)
    s.set(io.readData.valid, due.nonEmpty)
    due.foreach { d => s.set(io.readData.bits, d._2); answers = answers.tail }
  }

  def sample(): Unit = {
    if (s.is(io.read.valid) && s.is(io.read.ready))
      answers :+= ((cycle + latency, memory((base >> 3) + s.get(io.read.bits))))
    if (s.is(io.write.valid) && s.is(io.write.ready)) {
      val word = base + (s.get(io.write.bits.word) << 3)
      for (b <- 0 until 8 if s.get(io.write.bits.mask).testBit(b))
        memory.write(word + b, 1, (s.get(io.write.bits.data) >> (8 * b)) & 0xff)
    }
    cycle += 1
  }
}

case class DeviceAccess(addr: BigInt, write: Boolean, data: BigInt, size: Int, error: Boolean)

/** Devices: each read gives a new random value; addresses with bit 11 set answer with an error. */
class MmioMock(io: DevicePort, s: Signals, random: Random) {
  var log = Vector[DeviceAccess]()
  private var pending: Option[(Long, DeviceAccess)] = None
  private var cycle = 0L

  def drive(): Unit = {
    s.set(io.req.ready, pending.isEmpty && random.nextBoolean())
    val due = pending.filter(_._1 <= cycle)
    s.set(io.resp.valid, due.nonEmpty)
    due.foreach { case (_, a) =>
      s.set(io.resp.bits.data, a.data)
      s.set(io.resp.bits.error, a.error)
      pending = None
    }
  }

  def sample(): Unit = {
    if (s.is(io.req.valid) && s.is(io.req.ready)) {
      val addr = s.get(io.req.bits.addr)
      val write = s.is(io.req.bits.write)
      val data = if (write) s.get(io.req.bits.data) else BigInt(64, random)
      val access = DeviceAccess(addr, write, data, s.get(io.req.bits.size).toInt, addr.testBit(11))
      log :+= access
      pending = Some((cycle + 1 + random.nextInt(6), access))
    }
    cycle += 1
  }
}
