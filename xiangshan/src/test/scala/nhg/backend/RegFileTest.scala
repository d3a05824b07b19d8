// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Random reads and writes at all ports against an array: every port sees the newest value, also one that is written in the same cycle, and the
  * trace ports those of earlier cycles. As many ports as the core's files have, and numbers that are no powers of two.
  */
class RegFileTest extends AnyFlatSpec with ChiselScalatestTester {
  behavior of "RegFile"
  private val p = NhgParams()
  private val (int, fp) = (p.backend.registerClasses(0), p.backend.registerClasses(1))
  private val cycles = 2000

  for (
    (what, c, reads, writes) <- Seq(
      ("the integer registers", int, 17, 7),
      ("the floating-point registers", fp, 7, 4),
      ("twice as many registers with three write ports", int.copy(physical = 128), 3, 3),
      ("48 registers with one write port", fp.copy(physical = 48), 2, 1)
    ).take(if (Simulators.everySize) 4 else 2)
  ) {
    it should s"read the newest values of $what" in {
      test(new RegFile(p, c, reads, writes)).withAnnotations(Simulators.verilator) { dut =>
        val random = new Random(writes)
        val values = Array.fill(c.physical)(BigInt(0))
        var bypassed = 0
        for (cycle <- 0 until cycles) {
          // few registers for a while, so that ports follow each other on one
          val among = if (cycle / 100 % 2 == 0) c.physical else 2 * writes
          val first = if (c.fixedZero) 1 else 0
          val written = random.shuffle((first until among).toList).take(writes).map(_ -> BigInt(64, random)).zipWithIndex
            .filter(_ => random.nextInt(3) != 0)
          dut.io.write.foreach(_.valid.poke(false.B))
          for (((register, value), port) <- written) {
            dut.io.write(port).valid.poke(true.B)
            dut.io.write(port).bits.addr.poke(register.U)
            dut.io.write(port).bits.data.poke(value.U)
          }
          for (((register, value), _) <- written) values(register) = value
          for ((address, data) <- dut.io.readAddr.zip(dut.io.readData) ++ dut.io.traceAddr.zip(dut.io.traceData)) {
            val register = random.nextInt(among)
            if (written.exists(_._1._1 == register)) bypassed += 1
            address.poke(register.U)
            data.expect(values(register).U, s"register $register in cycle $cycle")
          }
          dut.clock.step()
        }
        assert(bypassed > cycles / 20, "too few reads of a register that is written in the cycle")
      }
    }
  }

  private def refuses(what: String, registers: Int*): Unit =
    it should s"refuse $what" in {
      assertThrows[ChiselAssertionError] {
        test(new RegFile(p, int, 1, 3)) { dut =>
          for ((register, w) <- registers.zip(dut.io.write)) {
            w.valid.poke(true.B)
            w.bits.addr.poke(register.U)
          }
          dut.clock.step()
        }
      }
    }
  refuses("two writes to one register", 5, 7, 5)
  refuses("a write to the register fixed to zero", 1, 0)
}
