// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec
import platform.{PlicLimits, PlicRegisters, Regions}
import scala.util.Random

/** What the PLIC should be, access by access; bit and index i are source i. */
private class PlicModel {
  import PlicLimits.sources
  val priority = Array.fill(sources + 1)(0)
  val enable, threshold = Array(0, 0)
  var pending, claimed, lines = 0

  private val enables = Seq(PlicRegisters.enableMachine, PlicRegisters.enableSupervisor)
  private val thresholds = Seq(PlicRegisters.thresholdMachine, PlicRegisters.thresholdSupervisor)
  private val claims = Seq(PlicRegisters.claimMachine, PlicRegisters.claimSupervisor)

  private def ready(context: Int) = (1 to sources).filter(s => ((pending & enable(context)) >> s & 1) == 1 && priority(s) > 0)
  def best(context: Int): Int = ready(context).sortBy(s => (-priority(s), s)).headOption.getOrElse(0)
  def interrupts(context: Int): Boolean = ready(context).exists(priority(_) > threshold(context))

  def exists(offset: Int): Boolean =
    offset <= 4 * sources || offset == PlicRegisters.pending || (enables ++ thresholds ++ claims).contains(offset)

  def read(offset: Int): Int =
    if (offset == PlicRegisters.pending) pending
    else if (enables.contains(offset)) enable(enables.indexOf(offset))
    else if (thresholds.contains(offset)) threshold(thresholds.indexOf(offset))
    else if (claims.contains(offset)) {
      val source = best(claims.indexOf(offset))
      if (source > 0) {
        pending &= ~(1 << source)
        claimed |= 1 << source
      }
      source
    } else priority(offset / 4)

  def write(offset: Int, value: Long, lanes: Long): Unit = {
    def merge(old: Int, mask: Int) = ((old & ~lanes | value & lanes) & mask).toInt
    val all = (2 << sources) - 2
    if (offset > 0 && offset <= 4 * sources) priority(offset / 4) = merge(priority(offset / 4), PlicLimits.priorityMax)
    for (c <- 0 until 2) {
      if (offset == enables(c)) enable(c) = merge(enable(c), all)
      if (offset == thresholds(c)) threshold(c) = merge(threshold(c), PlicLimits.priorityMax)
      val completed = value & lanes
      if (offset == claims(c) && completed <= sources) claimed &= ~(1 << completed.toInt & enable(c))
    }
  }
}

/** Random accesses of each size in and around the PLIC, and lines that come and go, against the model. */
class PlicTest extends AnyFlatSpec with ChiselScalatestTester {
  "Plic" should "let through, claim and complete as its registers say" in {
    test(new Plic(NhgParams())).withAnnotations(Simulators.verilatorOf("Plic")) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(1)
      val base = Regions.plic.base
      val driver = new RegionDriver(Regions.plic, dut.io.core, dut.io.devices, random)
      val model = new PlicModel
      val counts = scala.collection.mutable.Map[String, Int]().withDefaultValue(0)
      def step(access: => Unit = ()): Unit = {
        if (random.nextInt(4) == 0) model.lines ^= 2 << random.nextInt(PlicLimits.sources)
        dut.io.lines.poke((model.lines >> 1).U)
        dut.io.machine.expect(model.interrupts(0).B)
        dut.io.supervisor.expect(model.interrupts(1).B)
        for (c <- 0 until 2) if (model.interrupts(c)) counts(s"interrupts $c") += 1
        dut.clock.step()
        val claimedBefore = model.claimed
        access
        model.pending |= model.lines & ~(claimedBefore | model.claimed)
      }
      val plain = 0 to 4 * PlicLimits.sources by 4
      import PlicRegisters.{pending => _, _}
      val others = Seq(PlicRegisters.pending, enableMachine, enableSupervisor, thresholdMachine, thresholdSupervisor)
      val claims = Seq(claimMachine, claimSupervisor)
      for (_ <- 0 until 20000) {
        val from: Long = random.nextInt(10) match {
          case 0 => random.nextInt(0x2200)
          case 1 => others(random.nextInt(others.size)) + 0x1000
          case 2 => Regions.host.base - base
          case 3 => plain(random.nextInt(plain.size))
          case 4 | 5 => others(random.nextInt(others.size)) + random.nextInt(4)
          case _ => claims(random.nextInt(2))
        }
        val size = if (random.nextInt(3) == 0) random.nextInt(4) else 2
        val address = base + from >> size << size
        val write = random.nextInt(2) == 0
        val data = random.nextInt(3) match {
          case 0 => BigInt(64, random)
          case 1 => BigInt(random.nextInt(PlicLimits.sources + 2)) * ((BigInt(1) << 32) + 1)
          case _ => (BigInt(1) << 64) - 1
        }
        val isHere = driver.isHere(address)
        val lanes = driver.offer(address, write, size, data)
        val offset = (address - base).toInt
        val words = if (!isHere) Nil else if (size == 3) Seq(offset, offset + 4) else Seq(offset / 4 * 4)
        val there = words.filter(model.exists)
        var expected = BigInt(0)
        step {
          for (word <- there) {
            val shift = 8 * (word & 4)
            if (write) model.write(word, ((data >> shift) & 0xffffffffL).toLong, ((lanes >> shift) & 0xffffffffL).toLong)
            else {
              val value = model.read(word)
              if (claims.contains(word) && value > 0) counts(s"claim $value") += 1
              expected |= BigInt(value) << shift
            }
          }
        }
        dut.io.core.req.valid.poke(false.B)
        val answer = dut.io.core.resp
        if (isHere) {
          answer.valid.expect(true.B)
          answer.bits.error.expect(there.isEmpty.B)
          if (there.nonEmpty && !write) answer.bits.data.expect(expected.U)
          if (there.isEmpty) counts("refused") += 1
          dut.io.core.req.ready.expect(false.B)
          step()
        } else {
          counts("elsewhere") += 1
          driver.answerFromBehind(step())
        }
        answer.valid.expect(false.B)
      }
      val wanted = Seq("interrupts 0", "interrupts 1", "refused", "elsewhere") ++ (1 to PlicLimits.sources).map(s => s"claim $s")
      for (what <- wanted) assert(counts(what) > 40, s"$what: $counts")
    }
  }
}
