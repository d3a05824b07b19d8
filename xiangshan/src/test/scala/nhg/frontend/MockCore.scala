// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import nhg._
import scala.collection.mutable
import scala.util.Random

/** How the mock back end behaves; probabilities in percent. */
case class MockConfig(
    ready: Int = 100,
    resolveCycles: Int = 4, // shortest; up to three times that when `jitter`
    jitter: Boolean = false,
    flush: Int = 0, // an instruction on the right path is replayed from the ROB head
    wrongPathRedirect: Int = 0,
    fenceI: Int = 0, // of the flushes
    l2Cycles: Int = 12,
    finishGapCycles: Int = 0, // mean gap between finished groups; 0: none ever finishes
    pollWait: Int = 0 // cycles that a bafin may wait for a group
)

/** Back end, L2 and finish queue around a Frontend. It follows the architectural path of a TestProgram, whose branches behave by fixed
  * rules, checks every instruction it takes against it, and redirects and trains the frontend as the real back end does.
  */
class MockCore(dut: FrontendHarness, p: NhgParams, program: TestProgram, resumeTargets: Seq[Long], config: MockConfig, seed: Int) {
  private val rng = new Random(seed)
  private def percent(n: Int) = n > 0 && rng.nextInt(100) < n

  // Architectural state
  private var pc = program.entry
  private val returns = mutable.Stack[Long]()
  private val visits = mutable.Map[Long, Int]().withDefaultValue(0)
  private var taken = 0 // finished groups taken
  private var finished = 0
  private val targets = mutable.ArrayBuffer[Long]()

  // Statistics
  var instructions, mispredicts, cycles, bafins, bafinsTaken, bafinsForetold, bafinsWrong, bafinsAfterRedirect = 0
  private var groupsWaited: Option[Boolean] = None // at the redirect that the next instruction follows
  var cfis, linesRead = 0

  private case class Event(
      at: Int,
      target: Long,
      ftqIdx: Int,
      isCfi: Boolean,
      inst: TestInst,
      isTaken: Boolean,
      cfiType: Int,
      finPtr: Int,
      wrongPath: Boolean,
      fenceI: Boolean
  )
  private case class Update(at: Int, inst: TestInst, ftqIdx: Int, cfiType: Int, isTaken: Boolean, target: Long, wrong: Boolean)
  private val redirects = mutable.ArrayBuffer[Event]()
  private val updates = mutable.ArrayBuffer[Update]()
  private val inFlight = mutable.Queue[(Int, Int)]() // (commit cycle, ftqIdx)
  private var onPath = true

  // L2
  private val reads = mutable.ArrayBuffer[(Int, Int, Long)]() // (cycle, id, line)
  val errorLines = mutable.Set[Long]()
  // Finish queue
  private var sendPtr = 0
  private var nextFinish = 0

  private def delay() = config.resolveCycles + (if (config.jitter) rng.nextInt(2 * config.resolveCycles + 1) else 0)

  private def cfiType(flow: Flow): Int = flow match {
    case Branch(_, _) => 0
    case Jump(_, call) => if (call) 2 else 1
    case Return => 3
    case Indirect(_, call) => if (call) 2 else 4
    case Bafin => 5
    case _ => -1
  }

  private def outcome(inst: TestInst): Boolean = inst.flow match {
    case Branch(_, pattern) =>
      val visit = visits(inst.pc)
      pattern match {
        case 0 => true // forward only
        case 1 => false
        case 2 | 3 => visit % (pattern + 1) != 0
        case 4 => visit % 7 < 3
        case 5 => visit % 9 != 0
        case _ => (inst.pc * 0x9e3779b9L + visit * 0x7f4a7c15L >> 13) % 3 == 0
      }
    case _ => true
  }

  /** Next architectural pc of `inst`; changes the architectural state. */
  private def execute(inst: TestInst, foretoldEmpty: Boolean): Long = {
    def take(): Option[Long] = if (finished > taken) { taken += 1; Some(targets(taken - 1)) }
    else None
    val next = inst.flow match {
      case Plain => inst.next
      case Branch(target, _) => if (outcome(inst)) target else inst.next
      case Jump(target, call) => if (call) returns.push(inst.next); target
      case Return => if (returns.nonEmpty) returns.pop() else program.entry
      case Indirect(list, call) =>
        if (call) returns.push(inst.next)
        list((visits(inst.pc) / 2) % list.size)
      case Bafin => if (foretoldEmpty) inst.next else take().getOrElse(inst.next)
      case Getfin => take(); inst.next
    }
    visits(inst.pc) += 1
    next
  }

  private def accept(port: Delivered): Unit = {
    val ftqIdx = port.ftqIdx
    if (!onPath) {
      if (percent(config.wrongPathRedirect)) {
        val target = if (rng.nextInt(4) == 0) 2L * rng.nextInt(1 << 30) else program.insts.keys.head + 2 * rng.nextInt(2000)
        val inst = TestInst(port.pc, 0, 4, Plain)
        if (redirects.last.at > cycles + 1) {
          redirects += Event(cycles + 1, target, ftqIdx, isCfi = true, inst, isTaken = true, rng.nextInt(5), taken, wrongPath = true, fenceI = false)
          updates += Update(cycles + 1, inst, ftqIdx, rng.nextInt(5), isTaken = rng.nextBoolean(), target, wrong = true)
        }
      }
      return
    }
    val where = f"instruction $instructions, cycle $cycles, pc $pc%x"
    assert(port.pc == pc, f"$where: frontend delivers ${port.pc}%x")
    assert(!port.accessFault, s"$where: unexpected access fault")
    val inst = program.insts.getOrElse(pc, throw new AssertionError(s"$where: test program has no instruction"))
    val asked = port.bafinPredicted
    assert(port.raw == inst.raw, f"$where: raw ${port.raw}%x")
    assert(port.isRvc == (inst.length == 2), where)
    assert(!asked || inst.flow == Bafin, s"$where: bafinPredicted on another instruction")
    assert(inst.length == 2 || port.inst == inst.raw, where)
    if (inst.flow == Bafin && asked && groupsWaited.contains(true)) {
      assert(port.predTaken, s"$where: a bafin after a redirect finds nothing, though groups waited")
      bafinsAfterRedirect += 1
    }
    groupsWaited = None
    if (percent(config.flush)) { // replayed later; nothing executed
      onPath = false
      val fence = percent(config.fenceI)
      redirects += Event(cycles + delay(), pc, ftqIdx, isCfi = false, inst, isTaken = false, 0, taken, wrongPath = false, fence)
      return
    }
    val nextPc = execute(inst, asked && !port.predTaken)
    val foretold = if (port.predTaken) port.predTarget else inst.next
    val wrong = nextPc != foretold
    val resolve = cycles + delay()
    instructions += 1
    inFlight += ((resolve + 1 + rng.nextInt(4), ftqIdx))
    val sort = cfiType(inst.flow)
    val isTaken = inst.flow match {
      case Branch(_, _) => nextPc != inst.next || (nextPc == inst.flow.asInstanceOf[Branch].target && port.predTaken)
      case Bafin => nextPc != inst.next
      case _ => sort >= 0
    }
    if (sort >= 0) {
      cfis += 1
      updates += Update(resolve, inst, ftqIdx, sort, isTaken, if (isTaken) nextPc else inst.next, wrong)
    } else assert(!port.predTaken, s"$where: a plain instruction is predicted taken")
    if (inst.flow == Bafin) {
      bafins += 1
      if (nextPc != inst.next) bafinsTaken += 1
      if (asked) bafinsForetold += 1
      if (asked && wrong) bafinsWrong += 1
    }
    if (wrong) {
      mispredicts += 1
      onPath = false
      redirects += Event(resolve, nextPc, ftqIdx, isCfi = true, inst, isTaken, sort, taken, wrongPath = false, fenceI = false)
    }
    pc = nextPc
  }

  private val poke = new Poker

  /** One clock cycle; returns the number of instructions taken on the right path. */
  def step(): Int = {
    val before = instructions
    // Redirect and training, decided from registers as in the real core
    val due = redirects.filter(_.at <= cycles)
    val redirect = due.find(!_.wrongPath).orElse(due.headOption)
    poke(dut.io.redirect.valid, redirect.isDefined)
    poke(dut.io.invalidateICache, redirect.exists(_.fenceI))
    redirect.foreach { r =>
      val bits = dut.io.redirect.bits
      poke(bits.target, r.target)
      poke(bits.ftqIdx, r.ftqIdx)
      poke(bits.isCfi, r.isCfi)
      poke(bits.pc, r.inst.pc)
      poke(bits.taken, r.isTaken)
      poke(bits.cfiType, r.cfiType.max(0))
      poke(bits.isRvc, r.inst.length == 2)
      poke(bits.finPtr, r.finPtr % 64)
    }
    val update = updates.find(_.at <= cycles)
    poke(dut.io.update.valid, update.isDefined)
    update.foreach { u =>
      val bits = dut.io.update.bits
      poke(bits.pc, u.inst.pc)
      poke(bits.ftqIdx, u.ftqIdx)
      poke(bits.cfiType, u.cfiType)
      poke(bits.taken, u.isTaken)
      poke(bits.target, u.target)
      poke(bits.mispredicted, u.wrong)
      poke(bits.isRvc, u.inst.length == 2)
      updates -= u
    }
    while (inFlight.size > 1 && inFlight.head._1 <= cycles) inFlight.dequeue()
    poke(dut.io.commitFtqIdx.valid, inFlight.nonEmpty)
    inFlight.headOption.foreach(h => poke(dut.io.commitFtqIdx.bits, h._2))

    // Finish queue: groups finish, up to 16 wait; entries go to the BTQ in order
    if (config.finishGapCycles > 0 && cycles >= nextFinish && finished - taken < 16) {
      targets += resumeTargets(rng.nextInt(resumeTargets.size))
      finished += 1
      nextFinish = cycles + rng.nextInt(2 * config.finishGapCycles + 1)
    }
    if (sendPtr < taken && onPath) sendPtr = taken
    val sends = sendPtr < finished && redirect.isEmpty
    poke(dut.io.btqValid, sends)
    if (sends) {
      poke(dut.io.btqEntry.finPtr, sendPtr % 64)
      poke(dut.io.btqEntry.target, targets(sendPtr))
    }

    // L2
    val answer = reads.find(_._1 <= cycles)
    poke(dut.io.l2Resp.valid, answer.isDefined)
    answer.foreach { case r @ (_, id, line) =>
      poke(dut.io.l2Resp.bits.id, id)
      poke(dut.io.l2Resp.bits.data, program.line(line * 64))
      poke(dut.io.l2Resp.bits.error, errorLines(line))
      reads -= r
    }
    val l2Ready = !config.jitter || rng.nextInt(3) > 0
    val ready = config.ready == 100 || percent(config.ready)
    poke(dut.io.l2Ready, l2Ready)
    poke(dut.io.fetchReady, ready)

    val observed = new Observed(dut.io.observed.peek().litValue, p.backend.decodeWidth)
    if (sends && observed.btqReady) sendPtr += 1
    if (l2Ready) observed.l2Request.foreach { case (id, line) =>
      val wait = config.l2Cycles + (if (config.jitter) rng.nextInt(2 * config.l2Cycles) else 0)
      reads += ((cycles + wait, id, line))
      linesRead += 1
    }
    if (ready && redirect.isEmpty) observed.insts.foreach(accept)
    redirect.foreach { r =>
      redirects -= r
      sendPtr = r.finPtr
      if (!r.wrongPath) {
        onPath = true
        groupsWaited = Some(finished > r.finPtr)
        redirects.clear()
        updates --= updates.filter(_.inst.raw == 0)
      }
    }
    dut.clock.step()
    cycles += 1
    instructions - before
  }

  def run(instructionGoal: Int, cycleLimit: Int): Unit = {
    while (instructions < instructionGoal) {
      step()
      assert(cycles < cycleLimit, s"only $instructions instructions after $cycles cycles")
    }
  }

  def summary: String =
    f"$instructions instructions, $cycles cycles, $cfis control-flow, $mispredicts mispredicted, " +
      s"$bafins bafin, $bafinsTaken taken, $bafinsForetold foretold, $bafinsWrong wrong"
}
