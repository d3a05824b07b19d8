// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Each cause driven by itself, through the life of an instruction; then random inputs, whose cycles must all be counted once. */
class StallAttributionTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()

  private class Bench(dut: StallAttribution) {
    private val s = new Signals
    private val io = dut.io
    private val counted = Array.fill(StallCause.all.length)(0)
    private var cycles, head, tail = 0

    /** One cycle with these inputs; returns what it is attributed to. */
    def cycle(
        retires: Boolean = false,
        vainPoll: Boolean = false,
        arrive: Int = 0,
        stalled: Option[String] = None,
        issued: Seq[(String, Int)] = Nil,
        kind: RobEntry => Seq[Bool] = _ => Nil,
        far: Boolean = false,
        stuck: Boolean = false,
        redirect: Boolean = false,
        polls: Boolean = false,
        waitsForStores: Boolean = false
    ): StallCause.Type = {
      s.set(io.retires, retires)
      s.set(io.retiresVainPoll, vainPoll)
      s.set(io.empty, head == tail)
      s.set(io.headIdx, head % p.backend.robEntries)
      s.set(io.tail, tail / p.backend.robEntries % 2 * (1 << p.robIdxBits) + tail % p.backend.robEntries)
      s.set(io.headStuck, stuck)
      s.set(io.headWaitsForFar, far)
      s.set(io.redirect, redirect)
      s.set(io.fetchWaitsForGroup, polls)
      s.set(io.waitsForStores, waitsForStores)
      for ((name, reason) <- io.stall.elements) s.set(reason.asInstanceOf[Bool], stalled.contains(name))
      for ((valid, i) <- io.allocate.zipWithIndex) s.set(valid, i < arrive)
      val is = kind(io.head)
      for (flag <- Seq(io.head.isAmi, io.head.isFin, io.head.isStore, io.head.isLoad)) s.set(flag, is.contains(flag))
      for ((name, port) <- io.issued.elements) {
        val place = issued.toMap.get(name)
        s.set(port.valid, place.nonEmpty)
        place.foreach(at => s.set(port.bits, (head + at) % p.backend.robEntries))
      }
      val cause = StallCause.all(s.get(io.cause).toInt)
      counted(cause.litValue.toInt) += 1
      cycles += 1
      if (retires) head += 1
      if (redirect) tail = head
      tail += arrive
      dut.clock.step()
      cause
    }

    def checkCounters(): Unit = {
      val total = io.cycles.map(s.get(_).toInt)
      assert(total == counted.toSeq, "cycles by cause")
      assert(total.sum == cycles, "all cycles")
    }
    def live: Int = tail - head
  }

  private def bench(body: Bench => Unit): Unit = test(new StallAttribution(p)).withAnnotations(Simulators.verilatorOf("StallAttribution")) { dut =>
    dut.clock.setTimeout(0)
    val bench = new Bench(dut)
    body(bench)
    bench.checkCounters()
  }

  import StallCause._
  private val none = Some("empty") // rename has no instruction

  for (
    (what, kind, far, cause) <- Seq[(String, RobEntry => Seq[Bool], Boolean, StallCause.Type)](
      ("a load that waits for a far line", e => Seq(e.isLoad), true, farLoad),
      ("another load", e => Seq(e.isLoad), false, nearLoad),
      ("a store", e => Seq(e.isStore), true, store),
      ("an AMI request", e => Seq(e.isAmi), true, amu),
      ("bafin", e => Seq(e.isFin), true, fin),
      ("an addition", _ => Nil, true, execution)
    )
  ) "StallAttribution" should s"charge the operation of $what once it has been issued" in bench { b =>
    b.cycle(stalled = none)
    assert(b.cycle(arrive = 1) == frontend, "renamed, after a cycle without instructions")
    assert(b.cycle(stalled = none, kind = kind, far = far) == frontend, "on its way")
    assert(b.cycle(stalled = none, kind = kind, far = far, issued = Seq("load0" -> 0)) == frontend, "issued in this cycle")
    for (_ <- 0 until 3) assert(b.cycle(stalled = Some("rob"), kind = kind, far = far) == cause)
    assert(b.cycle(retires = true, stalled = none, kind = kind, far = far) == retiring)
  }

  for (
    (reason, cause) <- Seq(
      "amuQueue" -> amu,
      "storeQueue" -> store,
      "freeList" -> registers,
      "rob" -> queues,
      "loadQueue" -> queues,
      "dispatchQueue" -> queues,
      "snapshot" -> queues,
      "serial" -> execution,
      "empty" -> frontend
    )
  ) it should s"charge $reason while rename stands for it, and until its instruction has been issued" in bench { b =>
    for (_ <- 0 until 3) assert(b.cycle(stalled = Some(reason)) == cause, "with nothing in the ROB")
    assert(b.cycle(arrive = 2) == cause)
    assert(b.cycle(arrive = 1) == cause, "not issued")
    assert(b.cycle(issued = Seq("alu0" -> 0, "alu1" -> 1)) == cause)
    assert(b.cycle() == execution)
    assert(b.cycle(retires = true) == retiring)
    assert(b.cycle(retires = true) == retiring)
    assert(b.cycle() == execution, "the third one, which came right behind the others")
  }

  it should "charge a serialising instruction that waits for stores to the stores" in bench { b =>
    assert(b.cycle(stalled = Some("serial"), waitsForStores = true) == store)
  }

  it should "charge a poll that found nothing to the result it waits for" in bench { b =>
    b.cycle(arrive = 2)
    assert(b.cycle(retires = true, vainPoll = true) == fin)
    assert(b.cycle(retires = true) == retiring)
  }

  it should "charge the frontend's wait for a group to the poll, until the poll has been issued" in bench { b =>
    assert(b.cycle(stalled = none) == frontend)
    for (_ <- 0 until 3) assert(b.cycle(stalled = none, polls = true) == fin)
    for (_ <- 0 until 2) assert(b.cycle(stalled = none) == fin, "on its way to rename")
    assert(b.cycle(arrive = 1) == fin)
    assert(b.cycle(stalled = none, issued = Seq("bru" -> 0)) == fin)
    assert(b.cycle(retires = true, stalled = none) == retiring)
    assert(b.cycle(stalled = none) == frontend, "the next instructions do not come")
    b.cycle(stalled = none, polls = true)
    b.cycle(redirect = true, stalled = none, polls = true)
    assert(b.cycle(stalled = none) == recovery, "a redirect ended the wait")
    assert(b.cycle(arrive = 1) == recovery)
    assert(b.cycle(stalled = Some("rob"), polls = true) == recovery, "not issued")
  }

  it should "charge a redirect until the right path's first instruction has been issued" in bench { b =>
    b.cycle(arrive = 4)
    b.cycle(stalled = none, issued = Seq("alu0" -> 0))
    assert(b.cycle(stuck = true, stalled = none) == recovery, "an exception at the head")
    assert(b.cycle(redirect = true, stalled = Some("freeList")) == execution, "older instructions go on")
    for (_ <- 0 until 4) assert(b.cycle(stalled = none) == recovery)
    assert(b.cycle(arrive = 1) == recovery)
    assert(b.cycle(stalled = none) == recovery)
    assert(b.cycle(stalled = none, issued = Seq("bru" -> 0)) == recovery)
    assert(b.cycle(stalled = none, retires = true) == retiring)
    assert(b.cycle(stalled = none) == frontend, "nothing more came")
  }

  it should "forget that the instruction before in the same place has been issued" in bench { b =>
    for (_ <- 0 until p.backend.robEntries + 1) {
      b.cycle(stalled = Some("freeList"))
      b.cycle(arrive = 1)
      assert(b.cycle(stalled = none) == registers)
      assert(b.cycle(stalled = none, issued = Seq("alu1" -> 0)) == registers)
      assert(b.cycle(stalled = none, retires = true) == retiring)
    }
  }

  it should "count every cycle once, whatever happens" in bench { b =>
    val random = new Random(1)
    def chance = random.nextInt(4) == 0
    val reasons = new RenameStall(p).elements.keys.toSeq
    for (_ <- 0 until 3000) {
      val arrive = if (b.live < p.backend.robEntries - 4) random.nextInt(5) else 0
      val retires = b.live > 0 && chance
      val redirect = arrive == 0 && !retires && random.nextInt(16) == 0
      b.cycle(
        retires,
        retires && chance,
        arrive,
        if (arrive == 0) Some(reasons(random.nextInt(reasons.length))) else None,
        if (b.live > 0) p.backend.ports.filter(_ => chance).map(_.name -> random.nextInt(b.live)) else Nil,
        e => Seq(e.isAmi, e.isFin, e.isStore, e.isLoad).filter(_ => chance),
        chance,
        chance,
        redirect,
        chance,
        chance
      )
    }
  }
}
