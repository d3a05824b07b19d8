// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import nhg._
import platform.Region

/** The A extension's operations on right-aligned operands of 4 or 8 bytes, by funct5. */
object AmoModel {
  val (add, swap, lr, sc) = (0, 1, 2, 3)
  val (xor, or, and, min, max, minu, maxu) = (4, 8, 12, 16, 20, 24, 28)
  val all: IndexedSeq[Int] = IndexedSeq(add, swap, lr, sc, xor, or, and, min, max, minu, maxu)

  def extend(value: BigInt, bytes: Int, unsigned: Boolean): BigInt =
    if (!unsigned && value.testBit(8 * bytes - 1)) (value - (BigInt(1) << (8 * bytes))) & ((BigInt(1) << 64) - 1) else value

  /** The new value in memory; what a successful SC writes, too. */
  def apply(op: Int, bytes: Int, old: BigInt, register: BigInt): BigInt = {
    val limit = (BigInt(1) << (8 * bytes)) - 1
    val operand = register & limit
    def signed(x: BigInt): BigInt = if (x.testBit(8 * bytes - 1)) x - limit - 1 else x
    val value = op match {
      case `add` => old + operand
      case `swap` | `sc` => operand
      case `xor` => old ^ operand
      case `or` => old | operand
      case `and` => old & operand
      case `min` => if (signed(old) < signed(operand)) old else operand
      case `max` => if (signed(old) > signed(operand)) old else operand
      case `minu` => old.min(operand)
      case `maxu` => old.max(operand)
    }
    value & limit
  }
}

/** Where virtual addresses lie; `None`: a page fault of a load, or of what stores. */
trait Translation {
  def apply(address: BigInt, stores: Boolean): Option[BigInt]
}

/** What each committed instruction must have returned: one access after the other on a flat memory. */
class SequentialModel(p: NhgParams, devices: MmioMock, translation: Translation = (address, _) => Some(address)) {
  val memory = new WordMemory
  private var deviceUsed = 0
  private var reservation: Option[BigInt] = None
  var scSuccesses = 0

  private def in(region: Region, addr: BigInt): Boolean = addr >= region.base && addr < region.end
  def isMmio(addr: BigInt): Boolean = in(p.map.mmio, addr)
  private def isMemory(addr: BigInt): Boolean = in(p.map.local, addr) || in(p.map.far, addr)

  private def expectedCause(i: MemInst): Option[Int] = {
    val misaligned = (i.addr & ((1 << i.size) - 1)) != 0
    val isLr = i.kind == Kind.amo && i.amoOp == AmoModel.lr
    val loadLike = i.kind == Kind.load || isLr
    val physical = translation(i.addr, !loadLike)
    val legal = physical.forall { at =>
      i.kind match {
        case Kind.load => isMemory(at) || in(p.map.bootRom, at) || in(p.map.spm, at) || isMmio(at)
        case Kind.store => isMemory(at) || in(p.map.spm, at) || isMmio(at)
        case Kind.amo => isMemory(at)
        case _ => true
      }
    }
    if (i.kind == Kind.prefetch || i.kind == Kind.branch) None
    else if (misaligned) Some(if (loadLike) 4 else 6)
    else if (physical.isEmpty) Some(if (loadLike) 13 else 15)
    else if (!legal) Some(if (loadLike) 5 else 7)
    else None
  }

  private def nextDevice(i: MemInst, write: Boolean): DeviceAccess = {
    assert(devices.log.size > deviceUsed, s"device never saw $i")
    val a = devices.log(deviceUsed)
    deviceUsed += 1
    assert(a.addr == i.addr && a.write == write && a.size == i.size, s"device saw $a instead of $i")
    a
  }

  /** Device accesses so far belong to committed or faulting instructions: none was made on a wrong path or twice. */
  def checkDevices(): Unit = assert(devices.log.size == deviceUsed, "device accesses that no instruction asked for")

  def fault(e: RobEntry): Unit = {
    assert(!e.wrongPath, "a wrong-path instruction reached the ROB head")
    val i = e.inst
    val expected = expectedCause(i).orElse {
      if (isMmio(physical(i).addr) && nextDevice(physical(i), i.kind == Kind.store).error) Some(if (i.kind == Kind.load) 5 else 7) else None
    }
    assert(e.cause == expected, s"cause ${e.cause}, expected $expected: $i")
    assert(e.tval == i.addr, s"tval ${e.tval.toString(16)}: $i")
  }

  def commit(e: RobEntry): Unit = {
    assert(!e.wrongPath, "a wrong-path instruction commits")
    assert(expectedCause(e.inst).isEmpty, s"no exception: ${e.inst}")
    val i = physical(e.inst)
    val bytes = 1 << i.size
    i.kind match {
      case Kind.branch | Kind.prefetch =>
      case Kind.load =>
        val raw =
          if (isMmio(i.addr)) {
            val a = nextDevice(i, write = false)
            assert(!a.error, s"device error lost: $i")
            (a.data >> (8 * (i.addr & 7).toInt)) & ((BigInt(1) << (8 * bytes)) - 1)
          } else memory.read(i.addr, bytes)
        val expected = if (i.isFp && bytes == 4) raw | (BigInt(0xffffffffL) << 32) else AmoModel.extend(raw, bytes, i.unsigned)
        assert(e.value.contains(expected), s"$i at ${i.addr.toString(16)}: ${e.value.get.toString(16)}, expected ${expected.toString(16)}")
      case Kind.store =>
        val value = i.data & ((BigInt(1) << (8 * bytes)) - 1)
        if (isMmio(i.addr)) {
          val a = nextDevice(i, write = true)
          assert(!a.error, s"device error lost: $i")
          assert(((a.data >> (8 * (i.addr & 7).toInt)) & ((BigInt(1) << (8 * bytes)) - 1)) == value, s"device data: $i")
        } else memory.write(i.addr, bytes, value)
      case Kind.amo => amo(e, i, bytes)
    }
  }

  /** With its physical address. */
  private def physical(i: MemInst): MemInst =
    i.copy(addr = translation(i.addr, stores = i.kind == Kind.store || i.kind == Kind.amo && i.amoOp != AmoModel.lr).getOrElse(i.addr))

  private def amo(e: RobEntry, i: MemInst, bytes: Int): Unit = {
    val old = memory.read(i.addr, bytes)
    def store(): Unit = memory.write(i.addr, bytes, AmoModel(i.amoOp, bytes, old, i.data))
    val line = i.addr >> 6
    if (i.amoOp == AmoModel.sc) {
      val failed = e.value.get == 1
      assert(failed || (e.value.get == 0 && reservation.contains(line)), s"SC succeeds without a reservation: $i")
      if (!failed) { store(); scSuccesses += 1 }
      reservation = None
    } else {
      assert(e.value.contains(AmoModel.extend(old, bytes, unsigned = false)), s"old value of $i: ${e.value}, expected ${old.toString(16)}")
      if (i.amoOp == AmoModel.lr) reservation = Some(line) else store()
    }
  }
}
