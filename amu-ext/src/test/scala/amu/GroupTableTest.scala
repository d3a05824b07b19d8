// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chiseltest._
import common.Simulators
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Random legal programs on few IDs, their lines counted in any order, against groups kept in Scala. */
class GroupTableTest extends AnyFlatSpec with ChiselScalatestTester {

  private class Group {
    var outstanding, asetOpen, waiting, signalled, closed = false
    var requestsLeft, linesLeft = 0
    var target: BigInt = 0
  }

  private class Bench(dut: GroupTable, pins: Pins, p: AmuParams, random: Random) {
    private val groups = Array.fill(p.maxId + 1)(new Group)
    private val completed = mutable.Queue.empty[Int] // in the FIFO of the table
    private val untaken = mutable.ArrayBuffer.empty[Int] // in the finish queue
    private var signal: Option[Int] = None // finished by await or asignal, not in the FIFO yet
    val counts: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
    var stopping = false
    def idle: Boolean = !groups.exists(_.outstanding)
    private val io = dut.io
    pins.reset()

    private def checkOutputs(): Unit = {
      assert(pins(io.outstanding) == groups.count(_.outstanding), "outstanding IDs")
      assert(pins(io.waitingToBeTaken) == completed.size + signal.size, "completed, not in the finish queue")
      assert(pins.is(io.signalReady) == signal.isEmpty, "room for a signalled ID")
      assert(pins.is(io.completed.valid) == completed.nonEmpty, "the FIFO offers a group")
      completed.headOption.foreach { id =>
        assert(pins(io.completed.bits.id) == id && pins(io.completed.bits.target) == groups(id).target, s"completed group, ID $id expected")
      }
      val asked = 1 + random.nextInt(p.maxId)
      pins(io.commitId) = asked
      pins(io.commit.bits.id) = asked
      checkRecord(asked)
      assert(pins.is(io.idState.outstanding) == groups(asked).outstanding && pins.is(io.idState.asetOpen) == groups(asked).asetOpen, s"ID $asked")
    }

    private def checkRecord(id: Int): Unit = {
      val g = groups(id)
      val record = io.record
      val flags = Seq(record.outstanding -> g.outstanding, record.waiting -> g.waiting, record.signalled -> g.signalled)
      assert(flags.forall { case (is, expected) => pins.is(is) == expected }, s"ID $id read out")
      assert(pins(record.requests) == (if (g.asetOpen) g.requestsLeft else 0), s"requests that ID $id lacks")
      assert(pins(record.target) == (if (g.outstanding) g.target else BigInt(0)), s"target of ID $id")
    }

    /** Forgets an ID in a cycle without commits; no line of an open group is missing then. */
    private def forget(): Unit = {
      val id = 1 + random.nextInt(p.maxId)
      val g = groups(id)
      if (g.linesLeft == 0) {
        for (signal <- Seq(io.commit.valid, io.counted.valid, io.taken.valid)) pins(signal) = false
        pins(io.completed.ready) = false
        pins(io.commit.bits.id) = id
        pins(io.forgets) = true
        pins.step()
        pins(io.forgets) = false
        count(None, None)
        if (g.outstanding && (g.asetOpen || g.waiting)) {
          g.outstanding = false
          counts("forgotten") += 1
        }
        g.asetOpen = false
        g.waiting = false
        g.signalled = false
        checkOutputs()
      }
    }

    /** An operation that the checks of rule 9 would let pass. While stopping, only what ends groups. */
    private def chooseCommit(taken: Option[Int]): Option[(Int, Int)] = {
      val id = 1 + random.nextInt(p.maxId)
      val g = groups(id)
      val free = !g.outstanding && !g.asetOpen
      val request = if (random.nextBoolean()) AmiRequest.aload else AmiRequest.astore
      val legal =
        (if (g.asetOpen || (free && !stopping)) Seq(request, request) else Nil) ++
          (if (free && !stopping) Seq(AmiRequest.aset) else Nil) ++
          (if (free && !stopping && signal.isEmpty) Seq(AmiRequest.await) else Nil) ++
          (if (signal.isEmpty && (g.waiting || !stopping)) Seq(AmiRequest.asignal) else Nil)
      if (legal.isEmpty || taken.contains(id) || random.nextInt(3) == 0) None else Some((legal(random.nextInt(legal.size)), id))
    }

    def step(): Unit = {
      checkOutputs()
      if (random.nextInt(16) == 0) forget()
      val taken = if (untaken.nonEmpty && random.nextInt(3) == 0) Some(untaken(random.nextInt(untaken.size))) else None
      val commit = chooseCommit(taken)
      val withLines = groups.indices.filter(groups(_).linesLeft > 0)
      val same = commit.map(_._2).filter(id => groups(id).linesLeft > 0 && random.nextBoolean())
      val counted = same.orElse(if (withLines.isEmpty || random.nextInt(4) == 0) None else Some(withLines(random.nextInt(withLines.size))))
      val ready = random.nextInt(3) != 0
      val lines = 1 + random.nextInt(4)
      val requests = 1 + random.nextInt(5)
      val target = BigInt(p.targetBits, random)

      pins(io.commit.valid) = commit.nonEmpty
      commit.foreach { case (op, id) =>
        pins(io.commit.bits.op) = op
        pins(io.commit.bits.id) = id
        pins(io.commit.bits.count) = requests
        pins(io.commit.bits.lines) = lines
        pins(io.commit.bits.target) = target
      }
      pins(io.counted.valid) = counted.nonEmpty
      counted.foreach(id => pins(io.counted.bits) = id)
      pins(io.taken.valid) = taken.nonEmpty
      taken.foreach(id => pins(io.taken.bits) = id)
      pins(io.completed.ready) = ready
      pins.step()

      if (ready && completed.nonEmpty) untaken += completed.dequeue()
      taken.foreach { id =>
        untaken -= id
        groups(id).outstanding = false
        counts("taken") += 1
      }
      count(counted, commit)
      commit.foreach { case (op, id) => perform(op, id, requests, lines, target) }
    }

    /** The line counts before the commit of this cycle adds to them; a group that completes goes before a signalled one. */
    private def count(counted: Option[Int], commit: Option[(Int, Int)]): Unit = {
      counted.foreach(id => groups(id).linesLeft -= 1)
      val completes = counted.filter(id => groups(id).closed && groups(id).linesLeft == 0)
      if (counted.nonEmpty && counted == commit.map(_._2)) counts("counted in the cycle of a commit of the ID") += 1
      if (completes.nonEmpty && signal.nonEmpty) counts("signalled group waits") += 1
      completed ++= completes.orElse(signal)
      if (completes.isEmpty) signal = None
      if (completed.size == p.maxId) counts("every ID in the FIFO") += 1
    }

    private def perform(op: Int, id: Int, requests: Int, lines: Int, target: BigInt): Unit = {
      val g = groups(id)
      def finish(): Unit = { signal = Some(id); counts("finished by a signal") += 1 }
      op match {
        case AmiRequest.aset =>
          g.asetOpen = true
          g.requestsLeft = requests
        case AmiRequest.await =>
          g.outstanding = true
          g.target = target
          g.closed = false
          if (g.signalled) finish() else g.waiting = true
          g.signalled = false
        case AmiRequest.asignal =>
          if (g.waiting) finish() else g.signalled = true
          g.waiting = false
        case _ =>
          g.outstanding = true
          g.target = target
          g.linesLeft += lines
          if (g.asetOpen) g.requestsLeft -= 1
          g.closed = !g.asetOpen || g.requestsLeft == 0
          if (g.closed) g.asetOpen = false
      }
    }
  }

  private def run(p: AmuParams)(body: (GroupTable, Pins) => Unit): Unit =
    test(new GroupTable(p)).withAnnotations(Simulators.verilator).runPeekPoke(dut => new PeekPokeTester(dut) { body(dut, new Pins(this)) })

  "GroupTable" should "complete each group once, when the last of its lines has been counted" in {
    val p = AmuParams(maxId = 7)
    run(p) { (dut, pins) =>
      val bench = new Bench(dut, pins, p, new Random(1))
      for (_ <- 0 until 12000) bench.step()
      bench.stopping = true
      for (_ <- 0 until 2000 if !bench.idle) bench.step()
      assert(bench.idle, "a group is never finished")
      info(bench.counts.toSeq.sorted.mkString(", "))
      val reached =
        Seq(
          "finished by a signal" -> 200,
          "counted in the cycle of a commit of the ID" -> 200,
          "signalled group waits" -> 20,
          "taken" -> 1000,
          "forgotten" -> 50
        )
      for ((what, least) <- reached) assert(bench.counts(what) > least, s"too little: $what")
    }
  }

  it should "count groups of 63 requests of 64 lines when its counters wrap" in {
    val p = AmuParams(maxId = 3)
    run(p) { (dut, pins) =>
      val io = dut.io
      pins.reset()
      pins(io.commit.bits.id) = 2
      pins(io.commit.bits.count) = 63
      pins(io.commit.bits.lines) = 64
      pins(io.counted.bits) = 2
      pins(io.taken.bits) = 2
      def pulse(signal: Bool): Unit = { pins(signal) = true; pins.step(); pins(signal) = false }
      for (_ <- 0 until 3) { // 12,096 lines: past 2^13
        pins(io.commit.bits.op) = AmiRequest.aset
        pulse(io.commit.valid)
        pins(io.commit.bits.op) = AmiRequest.aload
        for (_ <- 0 until 63) pulse(io.commit.valid)
        pins(io.counted.valid) = true
        for (_ <- 0 until 63 * 64 - 1) pins.step()
        assert(!pins.is(io.completed.valid), "a line is missing")
        pins.step()
        pins(io.counted.valid) = false
        assert(pins.is(io.completed.valid), "the last line completes the group")
        pulse(io.completed.ready)
        assert(!pins.is(io.completed.valid), "a group completes once")
        pulse(io.taken.valid)
      }
    }
  }
}
