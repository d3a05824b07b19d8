// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** The privileged state with one unit that asks whether it may access an address. */
class PmpHarness(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val csr = Input(UInt(12.W))
    val write = Input(Valid(UInt(64.W)))
    val trap = Input(Bool())
    val mret = Input(Bool())
    val address = Input(UInt(p.paddrBits.W))
    val readData = Output(UInt(64.W))
    val denied = Output(UInt(3.W)) // execute, write, read
  })
  private val privileged = PrivilegedUnderTest(p, io.csr, io.write, io.trap, io.mret)
  io.readData := privileged.io.readData
  private val pmp = privileged.io.pmp
  io.denied := Cat(Seq(pmp.fetch, pmp.write, pmp.read).map(pmp.denies(io.address, _)))
}

/** Random regions, locks, modes and MPRV; after each change addresses at the edges of regions and anywhere, against the model. */
class PmpTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val mstatus = 0x300

  "Pmp" should "allow what the model allows, in every mode" in {
    test(new PmpHarness(p)).withAnnotations(Simulators.verilatorOf("PmpHarness")) { dut =>
      val random = new Random(3)
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      for (locks <- Seq.fill(40)(random.nextInt(3))) { // a reset ends all locks
        dut.reset.poke(true.B)
        dut.clock.step()
        dut.reset.poke(false.B)
        val model = new PmpModel
        var (mode, mpp, mprv) = (3, 0, false)

        def write(csr: Int, value: BigInt): Unit = {
          dut.io.csr.poke(csr.U)
          dut.io.write.valid.poke(true.B)
          dut.io.write.bits.poke(value.U)
          dut.clock.step()
          dut.io.write.valid.poke(false.B)
          if (csr != mstatus) {
            model.write(csr, value)
            assert(dut.io.readData.peek().litValue == model(csr), f"CSR $csr%x after a write of $value%x")
          }
        }
        def step(signal: Bool): Unit = {
          signal.poke(true.B)
          dut.clock.step()
          signal.poke(false.B)
        }
        def address(): BigInt = random.nextInt(4) match {
          case 0 => BigInt(p.paddrBits, random)
          case _ =>
            val edge = model.edges(random.nextInt(model.edges.size)) + Seq(-4096, -8, -1, 0, 8, 4096)(random.nextInt(6))
            edge.max(0).min((BigInt(1) << p.paddrBits) - 1)
        }
        for (_ <- 0 until 60) {
          if (mode == 3 && random.nextInt(4) != 0) {
            if (random.nextInt(4) == 0) {
              mpp = Seq(0, 1, 3)(random.nextInt(3))
              mprv = random.nextBoolean()
              write(mstatus, BigInt(mpp) << 11 | (if (mprv) BigInt(1) << 17 else 0))
            } else if (random.nextBoolean()) {
              val unlocked = if (random.nextInt(12) < locks) BigInt("8080808080808080", 16) & BigInt(64, random) else BigInt(0)
              write(0x3a0 + 2 * random.nextInt(2), BigInt(64, random) & BigInt("1f1f1f1f1f1f1f1f", 16) | unlocked)
            } else {
              val near = BigInt(1 << 20) + random.nextInt(1 << 14) // where several regions meet
              val ones = (BigInt(1) << (9 + random.nextInt(24))) - 1
              write(0x3b0 + random.nextInt(16), if (random.nextInt(3) == 0) BigInt(64, random) | ones else near << 8 | (ones & 0xffff))
            }
          } else if (mode == 3) {
            step(dut.io.mret)
            mode = mpp
            mpp = 0
            mprv = mprv && mode == 3
          } else {
            step(dut.io.trap)
            mpp = mode
            mode = 3
          }
          dut.clock.step()
          val dataMode = if (mprv) mpp else mode
          for (_ <- 0 until 6) {
            val at = address()
            dut.io.address.poke(at.U)
            val denied = dut.io.denied.peek().litValue
            for ((by, bit) <- Seq(dataMode, dataMode, mode).zipWithIndex) {
              val expected = model.denies(at, by, bit)
              assert(denied.testBit(bit) == expected, f"right $bit in mode $by at $at%x")
              counts(s"$by $bit $expected") += 1
            }
          }
        }
      }
      for (mode <- Seq(0, 1, 3); bit <- 0 to 2; denied <- Seq(true, false)) assert(counts(s"$mode $bit $denied") > 20, s"$mode $bit $denied: $counts")
    }
  }
}
