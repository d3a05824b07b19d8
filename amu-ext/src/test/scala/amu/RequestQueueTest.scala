// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec

/** Pointers, store order and squashes of the request queue. */
class RequestQueueTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams(requestQueue = 4)

  private class Driver(dut: RequestQueue, pins: Pins) {
    private val core = dut.io.core
    private val translation = dut.io.translation
    pins(dut.io.spmSlot) = 64
    pins(dut.io.amuOn) = true
    pins(dut.io.spmWayTaken) = true
    pins(dut.io.signalReady) = true
    pins.reset()

    def load(id: Int): AmiRequest = AmiRequest.memory(false, id, p.localMemory.base + 64 * id, 3, 0, 0)
    def allocate(op: Int, sqPtr: Int): Int = {
      val ptr = pins(core.tail).toInt
      pins(core.allocate) = true
      pins(core.allocateOp) = op
      pins(core.allocateSqPtr) = sqPtr
      pins.step()
      pins(core.allocate) = false
      ptr
    }
    def operands(ptr: Int, r: AmiRequest, readDenied: Boolean = false, writeDenied: Boolean = false): Unit = {
      pins(core.operands.valid) = true
      pins(core.operands.bits.ptr) = ptr
      pins(core.operands.bits.rs1) = r.rs1
      pins(core.operands.bits.rs2) = r.rs2
      answer(_ => Some(r.wideAddress))
      pins(translation.denied) = if (pins.is(translation.isStore)) writeDenied else readDenied
      pins.step()
      pins(core.operands.valid) = false
    }
    /** What the TLB says of the address that is asked for; None: a miss. */
    private def answer(physical: BigInt => Option[BigInt]): Unit = {
      val found = physical(pins(translation.address))
      pins(translation.miss) = found.isEmpty
      pins(translation.physical) = found.getOrElse(BigInt(0))
    }
    /** Operands whose address misses. */
    def missing(ptr: Int, r: AmiRequest, waits: Boolean): Unit = {
      pins(core.operands.valid) = true
      pins(core.operands.bits.ptr) = ptr
      pins(core.operands.bits.rs1) = r.rs1
      pins(core.operands.bits.rs2) = r.rs2
      pins(translation.waits) = waits
      answer(_ => None)
      assert(pins.is(translation.walks))
      pins.step()
      pins(core.operands.valid) = false
    }
    /** A walk ends, and one cycle later the addresses are asked for, one a cycle. */
    def wake(): Unit = {
      pins(translation.woken) = true
      pins.step()
      pins(translation.woken) = false
    }
    def asks: Option[BigInt] = if (pins.is(translation.walks)) Some(pins(translation.address)) else None
    def translate(physical: BigInt => Option[BigInt]): Unit = {
      answer(physical)
      pins.step()
    }
    def waitingCommit(): Unit = {
      pins(core.commitValid) = true
      assert(!pins.is(core.commitReady) && !pins.is(core.commitException))
      pins.step()
      pins(core.commitValid) = false
    }
    def address: BigInt = pins(dut.io.out.bits.addr)
    def commit(): Unit = {
      pins(core.commitValid) = true
      assert(pins.is(core.commitReady) && !pins.is(core.commitException))
      pins.step()
      pins(core.commitValid) = false
    }
    /** ID of the request at the head, taken by the engine. */
    def takeOut(): Option[Int] = {
      pins(dut.io.out.ready) = true
      val id = if (pins.is(dut.io.out.valid)) Some(pins(dut.io.out.bits.id).toInt) else None
      pins.step()
      pins(dut.io.out.ready) = false
      id
    }
    def sqDeq(ptr: Int): Unit = {
      pins(dut.io.sqDeqPtr) = ptr
      pins.step()
    }
    /** The store buffer's lines in use, and those of them that are performed in this cycle. */
    def storeBuffer(used: Int, freed: Int): Unit = {
      pins(dut.io.storeBuffer.used) = used
      pins(dut.io.storeBuffer.freed) = freed
      pins.step()
    }
    def full: Boolean = pins.is(core.full)
    def tail: Int = pins(core.tail).toInt
    def restore(ptr: Int): Unit = {
      pins(core.restore.valid) = true
      pins(core.restore.bits) = ptr
      pins.step()
      pins(core.restore.valid) = false
    }
    def flush(): Unit = {
      pins(core.flush) = true
      pins.step()
      pins(core.flush) = false
    }
    def badCommit(): Unit = {
      pins(core.commitValid) = true
      assert(pins.is(core.commitReady) && pins.is(core.commitException) && !pins.is(dut.io.commit.valid))
      pins.step()
      pins(core.commitValid) = false
    }
    def stalledAwait(): Unit = {
      pins(dut.io.signalReady) = false
      pins(core.commitValid) = true
      assert(!pins.is(core.commitReady) && !pins.is(dut.io.commit.valid))
      pins.step()
      pins(dut.io.signalReady) = true
      pins(core.commitValid) = false
    }
  }

  private def run(body: Driver => Unit): Unit =
    test(new RequestQueue(p)).runPeekPoke(dut => new PeekPokeTester(dut) { body(new Driver(dut, new Pins(this))) })

  "RequestQueue" should "hand over committed requests in order, whatever the order of operands" in run { q =>
    val ptrs = Seq.fill(4)(q.allocate(AmiRequest.aload, 0))
    assert(q.full)
    Seq(2, 0, 3, 1).foreach(i => q.operands(ptrs(i), q.load(i + 1)))
    assert(q.takeOut().isEmpty)
    for (i <- 0 until 4) {
      q.commit()
      assert(q.takeOut().contains(i + 1))
    }
    assert(!q.full && q.takeOut().isEmpty)
  }

  it should "wait for older stores and remember that they were performed when the pointer wraps" in run { q =>
    val first = q.allocate(AmiRequest.aload, 2)
    val second = q.allocate(AmiRequest.aload, 16)
    q.operands(first, q.load(1))
    q.operands(second, q.load(2))
    q.commit()
    q.commit()
    q.sqDeq(1)
    assert(q.takeOut().isEmpty)
    q.sqDeq(3) // passes 2
    for (ptr <- 4 to 15) q.sqDeq(ptr)
    assert(q.takeOut().contains(1))
    assert(q.takeOut().isEmpty)
    for (ptr <- 16 to 31) q.sqDeq(ptr)
    q.sqDeq(0)
    q.sqDeq(1) // the entry's pointer lies ahead again
    assert(q.takeOut().contains(2))
  }

  it should "wait for the lines that were in the store buffer when the last older store entered it" in run { q =>
    q.operands(q.allocate(AmiRequest.aload, 2), q.load(1))
    q.commit()
    q.storeBuffer(used = 3, freed = 0)
    q.sqDeq(1)
    q.storeBuffer(used = 3, freed = 1) // before the older store has entered: the line may be used anew
    q.storeBuffer(used = 7, freed = 0)
    q.sqDeq(2)
    assert(q.takeOut().isEmpty)
    q.storeBuffer(used = 15, freed = 0) // a later line does not matter
    q.storeBuffer(used = 15, freed = 2)
    q.storeBuffer(used = 13, freed = 5)
    assert(q.takeOut().contains(1))
  }

  it should "keep the entry of a committed request until the engine takes it" in run { q =>
    val ptrs = Seq.fill(4)(q.allocate(AmiRequest.aload, 0))
    q.operands(ptrs.head, q.load(1))
    q.commit()
    assert(q.full)
    assert(q.takeOut().contains(1))
    assert(!q.full)
  }

  it should "squash uncommitted entries only" in run { q =>
    val first = q.allocate(AmiRequest.aload, 0)
    val second = q.allocate(AmiRequest.aload, 0)
    q.allocate(AmiRequest.astore, 0)
    q.operands(first, q.load(1))
    q.commit()
    q.restore(second)
    assert(q.tail == second)
    assert(q.allocate(AmiRequest.aload, 0) == second)
    q.flush()
    assert(q.tail == second)
    assert(q.takeOut().contains(1) && q.takeOut().isEmpty)
  }

  it should "change nothing when the oldest entry raises an exception" in run { q =>
    val bad = q.allocate(AmiRequest.aload, 0)
    q.operands(bad, AmiRequest.memory(false, 0, p.localMemory.base, 3, 0, 0))
    q.badCommit()
    assert(q.takeOut().isEmpty)
    q.flush()
    assert(q.tail == bad && q.takeOut().isEmpty)
  }

  it should "refuse a request whose right to memory is missing when its operands come" in run { q =>
    for (op <- Seq(AmiRequest.aload, AmiRequest.astore); readDenied <- Seq(false, true)) {
      val bad = readDenied == (op == AmiRequest.aload)
      val other = q.allocate(AmiRequest.aload, 0)
      val ptr = q.allocate(op, 0)
      q.operands(ptr, q.load(1), readDenied, !readDenied)
      q.operands(other, q.load(2))
      q.commit()
      if (bad) q.badCommit() else q.commit()
      q.flush()
      assert(q.takeOut().contains(2) && q.takeOut().isEmpty == bad)
    }
  }

  it should "translate again what missed, the oldest first, and not let it commit before" in run { q =>
    val ptrs = Seq.fill(3)(q.allocate(AmiRequest.aload, 0))
    val far = q.load(1).copy(rs1 = q.load(1).rs1 | (BigInt(1) << 38))
    q.missing(ptrs(1), q.load(2), waits = true)
    q.missing(ptrs(0), far, waits = true)
    q.operands(ptrs(2), q.load(3))
    assert(q.asks.isEmpty)
    q.waitingCommit()
    q.wake()
    assert(q.asks.contains(far.wideAddress) && far.wideAddress.testBit(63))
    q.translate(_ => None)
    assert(q.asks.contains(q.load(2).wideAddress))
    q.translate(_ => Some(p.farMemory.base + 0x5000))
    assert(q.asks.isEmpty)
    q.waitingCommit()
    q.wake()
    q.translate(_ => Some(p.farMemory.base + 0x3000))
    for ((page, id) <- Seq(0x3000 -> 1, 0x5000 -> 2)) {
      q.commit()
      assert(q.address == p.farMemory.base + page + 64 * id)
      assert(q.takeOut().contains(id))
    }
  }

  it should "hold back await and asignal while the signal register is in use" in run { q =>
    val wait = q.allocate(AmiRequest.await, 0)
    q.operands(wait, AmiRequest.waiting(5, 1))
    q.stalledAwait()
    q.commit()
    assert(q.takeOut().isEmpty)
  }
}
