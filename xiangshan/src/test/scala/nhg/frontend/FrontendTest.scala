// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** The whole frontend against the architectural path of test programs; the mock back end checks every instruction it is given. */
class FrontendTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val entry = platform.Regions.local.base

  /** One Verilator model serves every case: each case starts with a reset; tables without reset keep what they learnt. */
  private def start(dut: FrontendHarness, program: TestProgram, resumeTargets: Seq[Long], config: MockConfig, seed: Int): MockCore = {
    Seq(dut.io.redirect.valid, dut.io.update.valid, dut.io.commitFtqIdx.valid, dut.io.btqValid, dut.io.l2Resp.valid, dut.io.fetchReady, dut.io.l2Ready).foreach(
      _.poke(false.B)
    )
    dut.io.pollWait.poke(config.pollWait.U)
    dut.io.resetPc.poke(program.entry.U)
    dut.reset.poke(true.B)
    dut.clock.step(3)
    dut.reset.poke(false.B)
    new MockCore(dut, p, program, resumeTargets, config, seed)
  }
  private def plain(n: Int): Seq[(Long, Int, Flow)] = Seq.fill(n)((Encode.addi, 4, Plain))
  private def compressed(n: Int): Seq[(Long, Int, Flow)] = Seq.fill(n)((Encode.cAddi, 2, Plain))

  /** Instructions a cycle in the steady state. */
  private def throughput(core: MockCore, warmUp: Int, cycles: Int): Double = {
    (0 until warmUp).foreach(_ => core.step())
    (0 until cycles).map(_ => core.step()).sum.toDouble / cycles
  }

  /** A scheduler: four windows with a jump and a bafin behind it. A resume target is a coroutine that jumps to a bafin, or the
    * jump before a bafin: then F0, which knows only the bafin, asks the BTQ, and predecode finds the jump first and gives the entry back.
    */
  private def scheduler(dut: FrontendHarness): Unit = {
    val windows = (0 until 4).map(entry + 0x100 + 32 * _)
    def coroutine(i: Int) = entry + 0x400 + 64 * i
    val insts = windows.zipWithIndex.flatMap { case (w, i) =>
      val away = coroutine(4 + i)
      Seq(
        TestInst(w, Encode.jal(away - w, 0), 4, Jump(away, call = false)),
        TestInst(w + 4, Encode.bafin, 4, Bafin),
        TestInst(w + 8, Encode.jal(-4, 0), 4, Jump(w + 4, call = false))
      )
    } ++ (0 until 8).flatMap { i =>
      val at = coroutine(i)
      val bafin = windows(i % 4) + 4
      (0 until 5).map(k => TestInst(at + 4 * k, Encode.addi, 4, Plain)) :+
        TestInst(at + 20, Encode.jal(bafin - (at + 20), 0), 4, Jump(bafin, call = false))
    }
    val program = new TestProgram(windows(0) + 4, insts.map(i => i.pc -> i).toMap)
    val waits = start(dut, program, (0 until 4).map(coroutine), MockConfig(finishGapCycles = 60, pollWait = 1000), 3)
    waits.run(4000, 40000)
    println(s"  scheduler that waits: ${waits.summary}")
    assert(waits.bafinsTaken > 400 && waits.bafinsWrong == 0 && waits.mispredicts <= 8, waits.summary)
    assert(waits.bafins < 2 * waits.bafinsTaken + 8, s"more than one poll in vain before a wait: ${waits.summary}")

    val first = start(dut, program, (0 until 4).map(coroutine), MockConfig(finishGapCycles = 6), 3)
    first.run(4000, 20000)
    assert(first.bafinsTaken > 100 && first.bafinsWrong == 0, first.summary)
    assert(first.mispredicts <= 8, s"a bafin is mispredicted only before the BPT knows it: ${first.summary}")
    println(s"  scheduler: ${first.summary}")

    val back = start(dut, program, (0 until 4).map(coroutine) ++ windows, MockConfig(finishGapCycles = 4, flush = 1, jitter = true), 4)
    back.run(4000, 40000)
    println(s"  scheduler with roll-backs: ${back.summary}")
    assert(back.bafinsTaken > 300 && back.bafinsWrong == 0 && back.bafinsAfterRedirect > 2, back.summary)
    assert(back.mispredicts <= 8, s"roll-back or resend lost an entry: ${back.summary}")
  }

  /** A poll loop without a group: each poll but the first waits `pollWait` cycles, unless the loop has a request behind its poll or is redirected. */
  private def polls(dut: FrontendHarness): Unit = {
    def perPoll(pollWait: Int, body: Seq[(Long, Int, Flow)]): Double = {
      val loop = (Encode.bafin, 4, Bafin) +: body
      val length = loop.map(_._2).sum
      val program = TestProgram.of(entry, loop :+ ((Encode.jal(-length, 0), 4, Jump(entry, call = false))))
      val core = start(dut, program, Nil, MockConfig(pollWait = pollWait), 1)
      (0 until 300).foreach(_ => core.step())
      val before = core.bafins
      (0 until 4000).foreach(_ => core.step())
      assert(core.mispredicts <= 1, core.summary)
      4000.0 / (core.bafins - before)
    }
    val turn = perPoll(0, plain(1))
    assert(turn < 4)
    for (pollWait <- Seq(1, 5, 40, 400)) {
      val cycles = perPoll(pollWait, plain(1))
      println(f"  a poll in vain that may wait $pollWait cycles: one in $cycles%.1f cycles, $turn%.1f without")
      assert(math.abs(cycles - turn - pollWait) <= 1 + 0.15 * pollWait)
    }
    for (request <- Seq(Encode.aload, Encode.astore, Encode.await, Encode.asignal)) {
      assert(perPoll(400, Seq((request, 4, Plain))) < 4, f"a poll after a request waited: $request%x")
      assert(perPoll(400, Seq((request, 4, Plain)) ++ plain(20)) < 12, f"a poll some blocks after a request waited: $request%x")
    }
    for (other <- Seq(Encode.aset, Encode.aconfig, Encode.getfin)) assert(perPoll(400, Seq((other, 4, Plain))) > 300, f"$other%x is no request")
  }

  /** The first instructions from `pc` on, without redirect. */
  private def fetch(
      dut: FrontendHarness,
      program: TestProgram,
      errorLines: Set[Long],
      cycles: Int,
      virtualLine: Long => Long = identity
  ): (Seq[Delivered], Int) = {
    start(dut, program, Nil, MockConfig(), 0)
    dut.io.fetchReady.poke(true.B)
    dut.io.l2Ready.poke(true.B)
    var requests = Seq[(Int, Long)]()
    var answered = 0
    val delivered = (0 until cycles).flatMap { _ =>
      val answer = requests.lift(answered)
      dut.io.l2Resp.valid.poke(answer.isDefined.B)
      answer.foreach { case (id, line) =>
        dut.io.l2Resp.bits.id.poke(id.U)
        dut.io.l2Resp.bits.data.poke(program.line(virtualLine(line) * 64).U)
        dut.io.l2Resp.bits.error.poke(errorLines(line).B)
        answered += 1
      }
      val observed = new Observed(dut.io.observed.peek().litValue, p.backend.decodeWidth)
      requests ++= observed.l2Request
      dut.clock.step()
      observed.insts
    }
    (delivered, requests.size)
  }

  private def faults(dut: FrontendHarness): Unit = {
    def code(at: Long, n: Int) = TestProgram.of(at, plain(n))

    for (pc <- Seq(p.map.spm.base, p.map.mmio.base + 6, p.map.far.end, 0L, p.map.local.base | (1L << 38))) {
      val (insts, requests) = fetch(dut, code(pc, 20), Set.empty, 20)
      assert(requests == 0, f"a bus access at $pc%x")
      assert(insts.map(i => (i.pc, i.accessFault, i.isRvc)) == Seq((pc, true, true)), f"$pc%x")
    }

    val end = p.map.bootRom.end
    val (insts, requests) = fetch(dut, code(end - 6, 20), Set.empty, 30)
    assert(requests == 1)
    assert(insts.map(i => (i.pc, i.accessFault, i.isRvc)) == Seq((end - 6, false, false), (end - 2, true, false)))

    val denied = entry + 0x1000 // a page; the line before it brings none of it
    dut.io.pmp.fetch.poke(1.U)
    dut.io.pmp.regions(0).valid.poke(true.B)
    for (page <- Seq(dut.io.pmp.regions(0).first, dut.io.pmp.regions(0).last)) page.poke((denied >> 12).U)
    val (before, requested) = fetch(dut, code(denied - 6, 20), Set.empty, 30)
    assert(requested == 1 && before.map(i => (i.pc, i.accessFault, i.isRvc)) == Seq((denied - 6, false, false), (denied - 2, true, false)))
    val (in, none) = fetch(dut, code(denied, 20), Set.empty, 30)
    assert(none == 0 && in.map(i => (i.pc, i.accessFault, i.isRvc)) == Seq((denied, true, true)))
    dut.io.pmp.regions(0).valid.poke(false.B)

    val (bad, _) = fetch(dut, code(entry + 0x30, 20), Set((entry + 0x40) / 64), 40)
    assert(bad.map(i => (i.pc, i.accessFault)) == (0x30 until 0x40 by 4).map(o => (entry + o, false)) :+ ((entry + 0x40, true)))
  }

  /** Code in an executable page, up to one that is not: an instruction over the end of the page has its first half. No line of the next page is fetched. */
  private def pages(dut: FrontendHarness): Unit = {
    dut.io.translates.poke(true.B)
    for (upper <- Seq(0x3000000000L, 0x1000000000L, 0L); (code, size) <- Seq(plain(200) -> 4, compressed(400) -> 2); offset <- Seq(0xf40, 0xfc2)) {
      val pc = upper + entry + offset
      val end = upper + entry + 0x1000
      def virtualLine(line: Long): Long = (line ^ (FetchedPages.other << 6)) + (upper >> 6)
      val (insts, requests) = fetch(dut, TestProgram.of(pc, code), Set.empty, 120, virtualLine)
      val whole = (pc to end - size by size.toLong).toSeq
      val last = whole.last + size
      assert(insts.map(i => (i.pc, i.accessFault, i.pageFault)) == whole.map((_, false, false)) :+ ((last, true, true)), f"from $pc%x")
      assert(insts.last.isRvc == (last == end), f"the missing half of the instruction at $last%x")
      assert(requests == (end - (pc & ~63L)) / 64, f"lines of the next page from $pc%x")
    }
    val beyond = 1L << 38
    val (insts, requests) = fetch(dut, TestProgram.of(beyond, plain(4)), Set.empty, 30)
    assert(requests == 0 && insts.map(i => (i.pc, i.pageFault)) == Seq((beyond, true)), "an address in neither half")
    dut.io.translates.poke(false.B)
  }

  behavior of "Frontend"

  it should "follow the architectural path and keep loops fed" in {
    test(new FrontendHarness(p)).withAnnotations(Simulators.verilator) { dut =>
      dut.clock.setTimeout(0)

      // Loops that end with a jump: a block a cycle, whatever the alignment
      val loops = Seq((entry, plain(3)), (entry + 0x14, plain(3)), (entry + 2, compressed(6) ++ plain(2)), (entry, plain(7)), (entry + 6, plain(5)))
      for ((at, body) <- loops) {
        val length = body.map(_._2).sum
        val program = TestProgram.of(at, body :+ ((Encode.jal(-length, 0), 4, Jump(at, call = false))))
        val core = start(dut, program, Nil, MockConfig(), 1)
        val rate = throughput(core, 200, 240)
        val windows = (at + length + 2) / 32 - at / 32 + 1
        val best = math.min(p.backend.decodeWidth.toDouble, (body.size + 1).toDouble / windows)
        println(f"  loop of ${body.size + 1} instructions at $at%x: $rate%.2f instructions a cycle, ${core.mispredicts} mispredicted")
        assert(math.abs(rate - best) < 0.05)
        assert(core.mispredicts == 0, "predecode knows jumps")
      }

      // A loop of two windows with three branches in them, the inner ones never taken
      val two = plain(2) ++ Seq((Encode.branch(8), 4, Branch(entry + 16, 1))) ++ plain(2) ++ Seq((Encode.branch(8), 4, Branch(entry + 28, 1))) ++
        plain(5) :+ ((Encode.branch(-44), 4, Branch(entry, 0)))
      val core = start(dut, TestProgram.of(entry, two), Nil, MockConfig(), 1)
      val rate = throughput(core, 300, 300)
      println(f"  loop of 12 instructions with 3 branches: $rate%.2f instructions a cycle, ${core.mispredicts} mispredicted")
      assert(rate == 4.0 && core.mispredicts <= 2)

      scheduler(dut)
      polls(dut)
      faults(dut)
      pages(dut)

      for (seed <- 1 to 4) {
        val (program, main) = TestProgram.random(new Random(seed), entry + 0x40, 250 * seed, 6 * seed, bafins = true, getfins = seed % 2 == 0)
        val waits = 20 * (seed / 2)
        val config =
          MockConfig(ready = 75, jitter = true, flush = 1, wrongPathRedirect = 10, fenceI = 10, finishGapCycles = 15 * seed, pollWait = waits)
        val core = start(dut, program, main, config, seed)
        core.run(10000, 100000)
        println(s"  random program $seed: ${core.summary}")
        assert(seed % 2 == 0 || core.bafinsWrong == 0, "a bafin foretold by the BTQ went elsewhere")
      }
    }
  }
}
