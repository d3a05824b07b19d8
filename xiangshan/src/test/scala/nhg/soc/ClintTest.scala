// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import chisel3._
import chiseltest._
import common.Simulators
import nhg.NhgParams
import org.scalatest.flatspec.AnyFlatSpec
import platform.{ClintRegisters, Regions, Timebase}
import scala.util.Random

/** Random accesses of each size in and around the CLINT against a model, and the time that passes meanwhile. */
class ClintTest extends AnyFlatSpec with ChiselScalatestTester {
  "Clint" should "answer as its registers say and tell what is pending" in {
    test(new Clint(NhgParams())).withAnnotations(Simulators.verilatorOf("Clint")) { dut =>
      dut.clock.setTimeout(0)
      val random = new Random(1)
      val base = Regions.clint.base
      val driver = new RegionDriver(Regions.clint, dut.io.core, dut.io.devices, random)
      val all = (BigInt(1) << 64) - 1
      var time, cycles, msip = BigInt(0)
      var mtimecmp = all
      var elsewhere, refused, timers = 0
      def step(written: Option[BigInt] = None): Unit = {
        dut.io.time.expect(time.U)
        dut.io.machineSoftware.expect((msip == 1).B)
        dut.io.machineTimer.expect((time >= mtimecmp).B)
        if (time >= mtimecmp) timers += 1
        dut.clock.step()
        cycles += 1
        time = written.getOrElse(if (cycles % Timebase.tickCycles == 0) (time + 1) & all else time)
      }
      for (_ <- 0 until 20000) {
        val register = base + Seq(ClintRegisters.msip, ClintRegisters.mtimecmp, ClintRegisters.mtime)(random.nextInt(3))
        val size = random.nextInt(4)
        val place = random.nextInt(12) match {
          case 0 => base + random.nextInt(Regions.clint.bytes.toInt)
          case 1 => Regions.host.base
          case 2 => register + 8
          case _ => register + random.nextInt(8)
        }
        val address = place >> size << size
        val write = random.nextInt(3) == 0
        val data = random.nextInt(3) match {
          case 0 => BigInt(64, random)
          case 1 => time + random.nextInt(3) - 1 & all
          case _ => all
        }
        val isHere = driver.isHere(address)
        val lanes = driver.offer(address, write, size, data)
        val word = (address - base) / 8
        def is(offset: Int) = isHere && word == offset / 8
        def merge(old: BigInt) = old &~ lanes | data & lanes
        val newTime = Some(merge(time)).filter(_ => write && is(ClintRegisters.mtime))
        step(newTime)
        if (write && is(ClintRegisters.msip)) msip = merge(msip) & 1
        if (write && is(ClintRegisters.mtimecmp)) mtimecmp = merge(mtimecmp)
        dut.io.core.req.valid.poke(false.B)
        val answer = dut.io.core.resp
        if (isHere) {
          answer.valid.expect(true.B)
          val value = Seq(ClintRegisters.msip -> msip, ClintRegisters.mtimecmp -> mtimecmp, ClintRegisters.mtime -> time).collectFirst {
            case (offset, value) if is(offset) => value
          }
          answer.bits.error.expect(value.isEmpty.B)
          if (!write) value.foreach(v => answer.bits.data.expect(v.U))
          if (value.isEmpty) refused += 1
          dut.io.core.req.ready.expect(false.B)
          step()
        } else {
          elsewhere += 1
          driver.answerFromBehind(step())
        }
        answer.valid.expect(false.B)
        for (_ <- 0 until random.nextInt(3)) step()
      }
      assert(elsewhere > 100 && refused > 100 && timers > 100)
    }
  }
}
