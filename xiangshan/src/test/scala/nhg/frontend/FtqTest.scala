// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random blocks, redirects and commits against the list of blocks in flight. */
class FtqTest extends AnyFlatSpec with ChiselScalatestTester {
  private val entries = 8
  private val p = NhgParams(frontend = FrontendParams(ftqEntries = entries))
  private case class Block(history: BigInt, rasDepth: BigInt, rasTop: BigInt, var addresses: Option[(BigInt, BigInt)] = None)

  "Ftq" should "keep predictor state and addresses of every block in flight" in {
    test(new Ftq(p)) { dut =>
      val random = new Random(3)
      val s = new Signals
      val io = dut.io
      val blocks = mutable.ArrayBuffer[Block]() // oldest first
      var first = 0 // number of the oldest
      var redirects, commits, timesFull = 0
      def index(position: Int): BigInt = (first + position) % entries

      for (_ <- 0 until 2000) {
        assert(s.get(io.tail) == index(blocks.length), "index of the next block")
        assert(s.is(io.full) == (blocks.length == entries - 1), s"full with ${blocks.length} blocks")
        if (s.is(io.full)) timesFull += 1

        for (lane <- 0 until p.backend.decodeWidth if blocks.nonEmpty) {
          val position = random.nextInt(blocks.length)
          s.set(io.readIdx(lane), index(position))
          blocks(position).addresses.foreach { case (window, target) =>
            assert(s.get(io.readBlock(lane).window) == window && s.get(io.readBlock(lane).target) == target, s"addresses in lane $lane")
          }
        }
        if (blocks.nonEmpty) {
          val trained = random.nextInt(blocks.length)
          s.set(io.trainIdx, index(trained))
          assert(s.get(io.trainHistory) == blocks(trained).history, "history to train with")
        }

        val back = if (blocks.nonEmpty && random.nextInt(8) == 0) Some(random.nextInt(blocks.length)) else None
        s.set(io.redirect.valid, back.isDefined)
        back.foreach { position =>
          s.set(io.redirect.bits, index(position))
          val (state, block) = (io.redirectState, blocks(position))
          assert(
            s.get(state.history) == block.history && s.get(state.ras.depth) == block.rasDepth && s.get(state.ras.top) == block.rasTop,
            "state before the redirecting block"
          )
          redirects += 1
        }
        val passed = if (random.nextInt(4) == 0) Some(random.nextInt(back.getOrElse(blocks.length) + 1)) else None
        s.set(io.commit.valid, passed.isDefined)
        passed.foreach { position => s.set(io.commit.bits, index(position)); commits += position }

        val described = if (blocks.nonEmpty && random.nextInt(3) != 0) Some(random.nextInt(blocks.length)) else None
        s.set(io.addresses.valid, described.isDefined)
        described.foreach { position =>
          val addresses = (BigInt(p.pcBits - 5, random), BigInt(p.pcBits, random))
          s.set(io.addresses.bits.idx, index(position))
          s.set(io.addresses.bits.block.window, addresses._1)
          s.set(io.addresses.bits.block.target, addresses._2)
          blocks(position).addresses = Some(addresses)
        }
        val enters = back.isEmpty && blocks.length < entries - 1 && random.nextInt(4) != 0
        val next = Block(BigInt(p.frontend.historyBits, random), BigInt(5, random), BigInt(p.pcBits, random))
        s.set(io.allocate.valid, enters)
        s.set(io.allocate.bits.history, next.history)
        s.set(io.allocate.bits.ras.depth, next.rasDepth)
        s.set(io.allocate.bits.ras.top, next.rasTop)

        dut.clock.step()
        if (enters) blocks += next
        back.foreach(position => blocks.takeInPlace(position + 1))
        passed.foreach { position => blocks.dropInPlace(position); first += position }
      }
      assert(redirects > 150 && commits > 500 && timesFull > 100, s"too little: $redirects redirects, $commits commits, full $timesFull times")
    }
  }
}
