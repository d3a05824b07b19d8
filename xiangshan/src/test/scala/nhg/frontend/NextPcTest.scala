// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Windows with known control-flow instructions, asked from every start, against a plain list: the first one that is taken wins, a bafin
  * before all others.
  */
class NextPcTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val Seq(branch, ret, jalr, call, jal, bafin) =
    Seq(CfiType.branch, CfiType.ret, CfiType.jalr, CfiType.call, CfiType.jal, CfiType.bafin).map(_.litValue.toInt)

  // Path histories. With at most 64 consecutive windows, each pair of window and history has an entry of its own in the indirect tables.
  private val (pathA, pathB) = (BigInt(0x40), BigInt(0x80))
  private val windows = 64
  private val firstWindow = (BigInt(platform.Regions.local.base) >> 5) + 256 * 7

  /** A control-flow instruction whose last halfword is number `end` of its window. It goes to `targetA` on path A, to `target` on path B. */
  private case class Cfi(end: Int, kind: Int, taken: Boolean, target: BigInt, targetA: BigInt)

  private class Driver(dut: NextPc) {
    private val s = new Signals

    private def train(window: BigInt, cfi: Cfi, target: BigInt, taken: Boolean, history: BigInt, mispredicted: Boolean = false): Unit = {
      val bits = dut.io.train.bits
      s.set(dut.io.train.valid, true)
      s.set(bits.lastHalf, (window << 5) + 2 * cfi.end)
      s.set(bits.cfiType, cfi.kind)
      s.set(bits.taken, taken)
      s.set(bits.target, target)
      s.set(bits.mispredicted, mispredicted)
      s.set(bits.history, history)
      dut.clock.step()
      s.set(dut.io.train.valid, false)
    }

    /** As often as the counters need; a branch has to be taken once to be known at all. */
    def teach(window: BigInt, cfi: Cfi): Unit = {
      if (cfi.kind == branch && !cfi.taken) train(window, cfi, cfi.target, taken = true, history = 0)
      if (cfi.targetA != cfi.target)
        for (_ <- 0 until 6; (history, target) <- Seq((pathA, cfi.targetA), (pathB, cfi.target))) {
          ask((window << 5) + 2 * cfi.end, history, 0, None)
          train(window, cfi, target, cfi.taken, history, !taken.contains((cfi.end, cfi.kind, target)))
        }
      for (_ <- 0 until 3) train(window, cfi, cfi.target, cfi.taken, pathB)
    }

    def forgetBafins(): Unit = {
      s.set(dut.io.forgetBafins, true)
      dut.clock.step()
      s.set(dut.io.forgetBafins, false)
    }

    def ask(pc: BigInt, history: BigInt, rasTop: BigInt, btqTarget: Option[BigInt]): Unit = {
      s.set(dut.io.pc, pc)
      s.set(dut.io.history, history)
      s.set(dut.io.rasTop, rasTop)
      s.set(dut.io.btqValid, btqTarget.isDefined)
      btqTarget.foreach(s.set(dut.io.btqTarget, _))
    }

    /** End, kind and target of the instruction predicted taken. */
    def taken: Option[(Int, Int, BigInt)] = {
      val prediction = dut.io.prediction
      Option.when(s.is(prediction.taken))((s.get(prediction.end).toInt, s.get(prediction.cfiType).toInt, s.get(prediction.target)))
    }

    def bafinEnd: Option[Int] = Option.when(s.is(dut.io.prediction.bafinAsked))(s.get(dut.io.prediction.bafinEnd).toInt)
  }

  "NextPc" should "follow the first taken instruction at or after the start, a bafin if the BTQ has a target" in {
    test(new NextPc(p)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(6)
      val driver = new Driver(dut)
      def address(): BigInt = CanonicalPc.draw(p, random)
      var asked, popped, ordinary, byPath = 0
      for (n <- 0 until windows) {
        val window = firstWindow + n
        val ends = random.shuffle((0 until FetchWindow.halves(p)).toList)
        val (some, others) = (ends.take(1 + random.nextInt(Btb.ways)), ends.drop(Btb.ways).take(random.nextInt(3)))
        val drawn = some.map { end =>
          val (kind, target) = (Seq(branch, jal, call, ret, jalr)(random.nextInt(5)), address())
          Cfi(end, kind, kind != branch || random.nextBoolean(), target, target)
        }
        val indirect = drawn.find(c => c.kind == call || c.kind == jalr).map(_.end)
        val cfis = drawn.map(c => if (indirect.contains(c.end)) c.copy(targetA = address()) else c)
        val bafins = others.map { end =>
          val target = address(); Cfi(end, bafin, random.nextBoolean(), target, target)
        }
        driver.forgetBafins()
        (cfis ++ bafins).foreach(driver.teach(window, _))

        for (start <- 0 until FetchWindow.halves(p)) {
          val (history, rasTop) = (if (random.nextBoolean()) pathA else pathB, address())
          val btqTarget = Option.when(random.nextBoolean())(address())
          driver.ask((window << 5) + 2 * start, history, rasTop, btqTarget)

          val first = cfis.filter(c => c.taken && c.end >= start).minByOption(_.end)
          val firstBafin = bafins.filter(_.end >= start).minByOption(_.end).filter(b => first.forall(_.end > b.end))
          val fromBtq = firstBafin.zip(btqTarget).map { case (b, target) => (b.end, bafin, target) }.headOption
          val expected = fromBtq.orElse(first.map { c =>
            (c.end, c.kind, if (c.kind == ret) rasTop else if (history == pathA) c.targetA else c.target)
          })
          val where = s"window $n from halfword $start: $cfis, bafins $bafins"
          assert(driver.bafinEnd == firstBafin.map(_.end), where)
          assert(driver.taken == expected, where)
          if (firstBafin.isDefined) asked += 1
          if (fromBtq.isDefined) popped += 1
          else if (expected.isDefined) ordinary += 1
          if (expected.exists { case (_, _, target) => first.exists(c => c.targetA == target && c.targetA != c.target) }) byPath += 1
        }
      }
      assert(
        asked > 150 && popped > 75 && ordinary > 300 && byPath > 40,
        s"too little: $asked asked, $popped from the BTQ, $ordinary ordinary, $byPath by path"
      )
    }
  }
}
