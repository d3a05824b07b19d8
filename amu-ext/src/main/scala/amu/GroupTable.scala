// SPDX-License-Identifier: Apache-2.0
package amu

import bus.BoundedWait
import chisel3._
import chisel3.util._
import common.{AsyncTable, Count}
import platform.AmiOperation

/** A finished group on its way to the finish queue. */
class CompletedGroup(p: AmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val target = UInt(p.targetBits.W)
}

/** Request table by ID (paper IV-B, IV-C): which IDs are outstanding, open `aset` groups, waiting IDs and remembered signals, line counts and
  * the resume target of each group; and the FIFO of completed IDs, which has room for every ID so that nothing that
  * completes ever waits (rule 8).
  *
  * Line counts run freely modulo 2^13: `expected` is set at commit relative to what has been received, so neither needs clearing.
  */
class GroupTable(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val commitId = Input(UInt(p.idBits.W))
    val idState = Output(new IdState)
    val signalReady = Output(Bool())
    val commit = Flipped(Valid(new AmiCommit(p)))
    /** A line request of this ID is complete. */
    val counted = Flipped(Valid(UInt(p.idBits.W)))
    val completed = Decoupled(new CompletedGroup(p))
    /** A getfin or bafin that took this ID commits. */
    val taken = Flipped(Valid(UInt(p.idBits.W)))
    /** What is known of the ID of `commit`, and that its open or waiting group and its signal are to be forgotten; not in the cycle of a commit. */
    val record = Output(new IdRecord(p))
    val forgets = Input(Bool())
    val outstanding = Output(UInt((p.idBits + 1).W))
    val waitingToBeTaken = Output(UInt((p.idBits + 1).W)) // completed, not yet in the finish queue
  })
  private val n = p.maxId + 1
  private def bit(set: Bool, id: UInt): UInt = Mux(set, UIntToOH(id, n), 0.U(n.W))
  private def update(bits: UInt, set: Bool, setId: UInt, clear: Bool, clearId: UInt): Unit =
    when(set || clear) { bits := (bits & (~bit(clear, clearId)).asUInt) | bit(set, setId) }

  // Commit-time state by ID
  private val outstanding = RegInit(0.U(n.W))
  private val asetOpen = RegInit(0.U(n.W))
  private val waiting = RegInit(0.U(n.W))
  private val signalled = RegInit(0.U(n.W))
  private val asetRemaining = new AsyncTable(UInt(6.W), n)
  private val targets = new AsyncTable(UInt(p.targetBits.W), n)

  io.idState.outstanding := outstanding(io.commitId)
  io.idState.asetOpen := asetOpen(io.commitId)

  private val id = io.commit.bits.id
  private def commits(operation: Int): Bool = io.commit.valid && io.commit.bits.op === AmiOp(operation)
  private val isRequest = commits(AmiOperation.aload) || commits(AmiOperation.astore)
  private val isAset = commits(AmiOperation.aset)
  private val isAwait = commits(AmiOperation.await)
  private val isAsignal = commits(AmiOperation.asignal)

  private val inAset = asetOpen(id)
  private val remaining = asetRemaining.read(id)
  private val isFirst = !outstanding(id)
  private val isLast = !inAset || remaining === 1.U
  private val wasSignalled = signalled(id)
  private val wasWaiting = waiting(id)

  asetRemaining.write(isAset || (isRequest && inAset), id, Mux(isAset, io.commit.bits.count, remaining - 1.U))
  targets.write(isRequest || isAwait, id, io.commit.bits.target)
  private val forgetsGroup = io.forgets && !isFirst && (inAset || wasWaiting)
  update(outstanding, isRequest || isAwait, id, io.taken.valid || forgetsGroup, Mux(forgetsGroup, id, io.taken.bits))
  update(asetOpen, isAset, id, isRequest && inAset && isLast || io.forgets, id)
  update(waiting, isAwait && !wasSignalled, id, isAsignal || io.forgets, id)
  update(signalled, isAsignal && !wasWaiting, id, isAwait || io.forgets, id)

  io.record.outstanding := !isFirst
  io.record.waiting := wasWaiting
  io.record.signalled := wasSignalled
  io.record.requests := Mux(inAset, remaining, 0.U)
  io.record.target := Mux(isFirst, 0.U, targets.read(id))

  io.outstanding := Count.held(n, (isRequest || isAwait) && isFirst, io.taken.valid || forgetsGroup)
  assert(!io.forgets || !io.commit.valid && !io.taken.valid, "an ID is forgotten in the cycle of a commit")
  assert(!io.taken.valid || outstanding(io.taken.bits), "a group was taken twice")
  assert(!(io.taken.valid && (isRequest || isAwait) && io.taken.bits === id), "request commits on an ID together with an older taker of it")
  assert(!isAwait || isFirst, "await on an outstanding ID")

  // Line counts
  class Expected extends Bundle {
    val closed = Bool() // the group's last request has committed
    val count = UInt(p.groupCountBits.W)
  }
  private val expected = new AsyncTable(new Expected, n)
  private val received = new AsyncTable(UInt(p.groupCountBits.W), n)
  private val expectedNext = Wire(new Expected)
  expectedNext.closed := isLast
  expectedNext.count := Mux(isFirst, received.read(id), expected.read(id).count) + io.commit.bits.lines
  expected.write(isRequest, id, expectedNext)
  private val receivedNext = received.read(io.counted.bits) + 1.U
  private val goal = expected.read(io.counted.bits)
  private val completes = io.counted.valid && goal.closed && goal.count === receivedNext
  received.write(io.counted.valid, io.counted.bits, receivedNext)

  // A group finished by await/asignal waits here for a free cycle of the FIFO
  private val signalValid = RegInit(false.B)
  private val signalId = Reg(UInt(p.idBits.W))
  private val finishesBySignal = (isAwait && wasSignalled) || (isAsignal && wasWaiting)
  io.signalReady := !signalValid
  when(finishesBySignal) {
    signalValid := true.B
    signalId := id
  }.elsewhen(!completes) { signalValid := false.B }

  // Completed IDs, first finished first
  private val completed = new AsyncTable(UInt(p.idBits.W), n)
  private val enqPtr = RegInit(0.U(p.idBits.W))
  private val deqPtr = RegInit(0.U(p.idBits.W))
  private val enq = completes || signalValid
  private val count = Count.held(n, enq, io.completed.fire)
  completed.write(enq, enqPtr, Mux(completes, io.counted.bits, signalId))
  when(enq) { enqPtr := enqPtr + 1.U }
  when(io.completed.fire) { deqPtr := deqPtr + 1.U }
  io.completed.valid := count =/= 0.U
  io.completed.bits.id := completed.read(deqPtr)
  io.completed.bits.target := targets.read(io.completed.bits.id)
  BoundedWait.memory(signalValid && completes, "a group finished by asignal")
  io.waitingToBeTaken := count +& signalValid
}
