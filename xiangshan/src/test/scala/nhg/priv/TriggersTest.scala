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

/** The privileged state with one unit that asks which triggers fire on an access. */
class TriggersHarness(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val csr = Input(UInt(12.W))
    val write = Input(Valid(UInt(64.W)))
    val trap = Input(Bool())
    val mret = Input(Bool())
    val first = Input(UInt(64.W))
    val bytes = Input(UInt(4.W))
    val fires = Output(UInt(3.W)) // load, store, execute
  })
  private val privileged = PrivilegedUnderTest(p, io.csr, io.write, io.trap, io.mret)
  private val kinds = Seq[Trigger => Bool](_.execute, _.store, _.load)
  io.fires := Cat(kinds.map(privileged.io.triggers.fires(_, io.first, io.bytes)))
}

/** Random triggers and modes; accesses around their addresses against a model that looks at each byte. */
class TriggersTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val (load, store, execute) = (0, 1, 2) // bits of tdata1
  private val modeBit = Map(0 -> 3, 1 -> 4, 3 -> 6)

  private case class Model(control: Int, address: BigInt) {
    private def matches(byte: BigInt): Boolean = control >> 7 & 3 match {
      case 2 => byte >= address
      case 3 => byte < address
      case _ => byte == address
    }
    def fires(kind: Int, mode: Int, first: BigInt, bytes: Int): Boolean =
      (control >> kind & 1) == 1 && (control >> modeBit(mode) & 1) == 1 && (0 until bytes).exists(i => matches(first + i))
  }

  "Triggers" should "fire on the bytes and in the modes that they name" in {
    test(new TriggersHarness(p)).withAnnotations(Simulators.verilatorOf("TriggersHarness")) { dut =>
      val random = new Random(5)
      val triggers = Array.fill(4)(Model(0, 0))
      val counts = mutable.Map[(Int, Int, Boolean), Int]().withDefaultValue(0)
      var (mode, mie, sie, delegated) = (3, false, false, false)
      def write(csr: Int, value: BigInt): Unit = {
        dut.io.csr.poke(csr.U)
        dut.io.write.valid.poke(true.B)
        dut.io.write.bits.poke(value.U)
        dut.clock.step()
        dut.io.write.valid.poke(false.B)
      }
      def step(signal: Bool): Unit = {
        signal.poke(true.B)
        dut.clock.step()
        signal.poke(false.B)
      }
      for (_ <- 0 until 1500) {
        if (mode != 3) { step(dut.io.trap); mode = 3 } // not delegated: cause 0
        for (_ <- 0 until random.nextInt(3)) {
          val (i, control, address) = (random.nextInt(4), random.nextInt(512), BigInt(if (random.nextInt(8) == 0) 64 else 8, random))
          write(0x7a0, i)
          write(0x7a1, control)
          write(0x7a2, address)
          triggers(i) = Model(control, address)
        }
        delegated = random.nextBoolean()
        write(0x302, if (delegated) 8 else 0)
        val (next, mpie) = (Seq(0, 1, 3)(random.nextInt(3)), random.nextBoolean())
        sie = random.nextBoolean()
        write(0x300, BigInt(next) << 11 | (if (sie) 2 else 0) | (if (mpie) 0x80 else 0))
        step(dut.io.mret)
        mode = next
        mie = mpie
        dut.clock.step()
        val enabled = mode match {
          case 3 => mie
          case 1 => !delegated || sie
          case 0 => true
        }
        for (_ <- 0 until 4) {
          val bytes = 1 << random.nextInt(4)
          val near = triggers(random.nextInt(4)).address + random.nextInt(17) - 8
          val first = if (random.nextInt(8) == 0) BigInt(64, random) >> 1 else near.max(0).min((BigInt(1) << 64) - 8)
          dut.io.first.poke(first.U)
          dut.io.bytes.poke(bytes.U)
          val fires = dut.io.fires.peek().litValue
          for ((kind, bit) <- Seq(load, store, execute).zipWithIndex) {
            val expected = enabled && triggers.exists(_.fires(kind, mode, first, bytes))
            assert(fires.testBit(bit) == expected, f"kind $kind of $bytes bytes at $first%x in mode $mode: ${triggers.mkString(" ")}")
            counts((mode, kind, expected)) += 1
          }
        }
      }
      for (m <- modeBit.keys; kind <- Seq(load, store, execute); fired <- Seq(true, false)) assert(counts((m, kind, fired)) > 50, s"$m $kind $fired: $counts")
    }
  }
}
