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
    finishGapCycles: Int = 0 // mean gap between finished groups; 0: none ever finishes
)

/** Back end, L2 and finish queue around a Frontend. It follows the architectural path of a TestProgram, whose branches behave by fixed
  * rules, checks every instruction it takes against it, and redirects and trains the frontend as the real back end does.
  */
class MockCore(dut: Frontend, p: NhgParams, program: TestProgram, resumeTargets: Seq[Long], config: MockConfig, seed: Int) {
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
  var instructions, mispredicts, cycles, bafins, bafinsTaken, bafinsForetold, bafinsWrong = 0
  var cfis = 0

  private case class Event(at: Int, target: Long, ftqIdx: Int, isCfi: Boolean, inst: TestInst, isTaken: Boolean, cfiType: Int,
      finPtr: Int, wrongPath: Boolean, fenceI: Boolean)
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
    def take(): Option[Long] = if (finished > taken) { taken += 1; Some(targets(taken - 1)) } else None
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

  private def accept(i: Int): Unit = {
    val port = dut.io.core.fetch.inst(i)
    val at = port.pc.peek().litValue.toLong
    val ftqIdx = port.ftqIdx.peek().litValue.toInt
    val predTaken = port.predTaken.peek().litToBoolean
    val predTarget = port.predTarget.peek().litValue.toLong
    val asked = port.bafinPredicted.peek().litToBoolean
    if (!onPath) {
      if (percent(config.wrongPathRedirect)) {
        val target = if (rng.nextInt(4) == 0) 2L * rng.nextInt(1 << 30) else program.insts.keys.head + 2 * rng.nextInt(2000)
        val inst = TestInst(at, 0, 4, Plain)
        if (redirects.last.at > cycles + 1) {
          redirects += Event(cycles + 1, target, ftqIdx, isCfi = true, inst, isTaken = true, rng.nextInt(5), taken, wrongPath = true, fenceI = false)
          updates += Update(cycles + 1, inst, ftqIdx, rng.nextInt(5), isTaken = rng.nextBoolean(), target, wrong = true)
        }
      }
      return
    }
    val where = f"instruction $instructions, cycle $cycles, pc $pc%x"
    assert(at == pc, f"$where: frontend delivers $at%x")
    assert(!port.accessFault.peek().litToBoolean, s"$where: unexpected access fault")
    val inst = program.insts.getOrElse(pc, throw new AssertionError(s"$where: test program has no instruction"))
    assert(port.raw.peek().litValue.toLong == inst.raw, s"$where: raw ${port.raw.peek()}")
    assert(port.isRvc.peek().litToBoolean == (inst.length == 2), where)
    assert(!asked || inst.flow == Bafin, s"$where: bafinPredicted on another instruction")
    if (inst.length == 4) assert(port.inst.peek().litValue.toLong == inst.raw, where)
    if (percent(config.flush)) { // replayed later; nothing executed
      onPath = false
      val fence = percent(config.fenceI)
      redirects += Event(cycles + delay(), pc, ftqIdx, isCfi = false, inst, isTaken = false, 0, taken, wrongPath = false, fence)
      return
    }
    val nextPc = execute(inst, asked && !predTaken)
    val foretold = if (predTaken) predTarget else inst.next
    val wrong = nextPc != foretold
    val resolve = cycles + delay()
    instructions += 1
    inFlight += ((resolve + 1 + rng.nextInt(4), ftqIdx))
    val sort = cfiType(inst.flow)
    val isTaken = inst.flow match {
      case Branch(_, _) => nextPc != inst.next || (nextPc == inst.flow.asInstanceOf[Branch].target && foretold == nextPc && predTaken)
      case Bafin => nextPc != inst.next
      case _ => sort >= 0
    }
    if (sort >= 0) {
      cfis += 1
      updates += Update(resolve, inst, ftqIdx, sort, isTaken, if (isTaken) nextPc else inst.next, wrong)
    } else assert(!predTaken, s"$where: a plain instruction is predicted taken")
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

  /** One clock cycle; returns the number of instructions taken on the right path. */
  def step(): Int = {
    val before = instructions
    // Redirect and training, decided from registers as in the real core
    val due = redirects.filter(_.at <= cycles)
    val redirect = due.find(!_.wrongPath).orElse(due.headOption)
    dut.io.core.redirect.valid.poke(redirect.isDefined.B)
    dut.io.core.invalidateICache.poke(redirect.exists(_.fenceI).B)
    redirect.foreach { r =>
      val bits = dut.io.core.redirect.bits
      bits.target.poke(r.target.U)
      bits.ftqIdx.poke(r.ftqIdx.U)
      bits.isCfi.poke(r.isCfi.B)
      bits.pc.poke(r.inst.pc.U)
      bits.taken.poke(r.isTaken.B)
      bits.cfiType.poke(r.cfiType.max(0).U)
      bits.isRvc.poke((r.inst.length == 2).B)
      bits.finPtr.poke((r.finPtr % 64).U)
    }
    val update = updates.filter(_.at <= cycles).headOption
    dut.io.core.update.valid.poke(update.isDefined.B)
    update.foreach { u =>
      val bits = dut.io.core.update.bits
      bits.pc.poke(u.inst.pc.U)
      bits.ftqIdx.poke(u.ftqIdx.U)
      bits.cfiType.poke(u.cfiType.U)
      bits.taken.poke(u.isTaken.B)
      bits.target.poke(u.target.U)
      bits.mispredicted.poke(u.wrong.B)
      bits.isRvc.poke((u.inst.length == 2).B)
      updates -= u
    }
    while (inFlight.size > 1 && inFlight.head._1 <= cycles) inFlight.dequeue()
    dut.io.core.commitFtqIdx.valid.poke(inFlight.nonEmpty.B)
    inFlight.headOption.foreach(h => dut.io.core.commitFtqIdx.bits.poke(h._2.U))

    // Finish queue: groups finish, up to 16 wait; entries go to the BTQ in order
    if (config.finishGapCycles > 0 && cycles >= nextFinish && finished - taken < 16) {
      targets += resumeTargets(rng.nextInt(resumeTargets.size))
      finished += 1
      nextFinish = cycles + rng.nextInt(2 * config.finishGapCycles + 1)
    }
    if (sendPtr < taken && redirect.isEmpty && onPath && sendPtr < finished - 16) sendPtr = taken
    val sends = sendPtr < finished && redirect.isEmpty
    dut.io.btq.valid.poke(sends.B)
    if (sends) {
      dut.io.btq.bits.finPtr.poke((sendPtr % 64).U)
      dut.io.btq.bits.target.poke(targets(sendPtr).U)
    }

    // L2
    val answer = reads.filter(_._1 <= cycles).headOption
    dut.io.l2.resp.valid.poke(answer.isDefined.B)
    answer.foreach { case r @ (_, id, line) =>
      dut.io.l2.resp.bits.id.poke(id.U)
      dut.io.l2.resp.bits.data.poke(program.line(line * 64).U)
      dut.io.l2.resp.bits.error.poke(errorLines(line).B)
      reads -= r
    }
    val l2Ready = !config.jitter || rng.nextInt(3) > 0
    dut.io.l2.req.ready.poke(l2Ready.B)

    val ready = config.ready == 100 || percent(config.ready)
    dut.io.core.fetch.ready.poke(ready.B)
    if (sends && dut.io.btq.ready.peek().litToBoolean) sendPtr += 1
    if (l2Ready && dut.io.l2.req.valid.peek().litToBoolean) {
      val wait = config.l2Cycles + (if (config.jitter) rng.nextInt(2 * config.l2Cycles) else 0)
      reads += ((cycles + wait, dut.io.l2.req.bits.id.peek().litValue.toInt, dut.io.l2.req.bits.lineAddr.peek().litValue.toLong))
    }
    if (ready && redirect.isEmpty) {
      var i = 0
      while (i < p.backend.decodeWidth && dut.io.core.fetch.valid(i).peek().litToBoolean) {
        accept(i)
        i += 1
      }
    }
    redirect.foreach { r =>
      redirects -= r
      sendPtr = r.finPtr
      if (!r.wrongPath) {
        onPath = true
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
