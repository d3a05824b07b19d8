// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import nhg._
import platform.Region

/** What each committed instruction must have returned: one access after the other on a flat memory. */
class SequentialModel(p: NhgParams, devices: MmioMock) {
  val memory = new WordMemory
  private var deviceUsed = 0
  private var reservation: Option[BigInt] = None
  private val all = (BigInt(1) << 64) - 1
  var scSuccesses = 0

  private def in(region: Region, addr: BigInt): Boolean = addr >= region.base && addr < region.end
  def isMmio(addr: BigInt): Boolean = in(p.map.mmio, addr)
  private def isMemory(addr: BigInt): Boolean = in(p.map.local, addr) || in(p.map.far, addr)

  private def extend(value: BigInt, bytes: Int, unsigned: Boolean): BigInt =
    if (!unsigned && value.testBit(8 * bytes - 1)) (value - (BigInt(1) << (8 * bytes))) & all else value

  private def expectedCause(i: MemInst): Option[Int] = {
    val misaligned = (i.addr & ((1 << i.size) - 1)) != 0
    val isLr = i.kind == Kind.amo && i.amoOp == 2
    val loadLike = i.kind == Kind.load || isLr
    val legal = i.kind match {
      case Kind.load => isMemory(i.addr) || in(p.map.bootRom, i.addr) || in(p.map.spm, i.addr) || isMmio(i.addr)
      case Kind.store => isMemory(i.addr) || in(p.map.spm, i.addr) || isMmio(i.addr)
      case Kind.amo => isMemory(i.addr)
      case _ => true
    }
    if (i.kind == Kind.prefetch || i.kind == Kind.branch) None
    else if (misaligned) Some(if (loadLike) 4 else 6)
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
      if (isMmio(i.addr) && nextDevice(i, i.kind == Kind.store).error) Some(if (i.kind == Kind.load) 5 else 7) else None
    }
    assert(e.cause == expected, s"cause ${e.cause}, expected $expected: $i")
    assert(e.tval == i.addr, s"tval ${e.tval.toString(16)}: $i")
  }

  def commit(e: RobEntry): Unit = {
    assert(!e.wrongPath, "a wrong-path instruction commits")
    val i = e.inst
    val bytes = 1 << i.size
    assert(expectedCause(i).isEmpty, s"no exception: $i")
    i.kind match {
      case Kind.branch | Kind.prefetch =>
      case Kind.load =>
        val raw =
          if (isMmio(i.addr)) {
            val a = nextDevice(i, write = false)
            assert(!a.error, s"device error lost: $i")
            (a.data >> (8 * (i.addr & 7).toInt)) & ((BigInt(1) << (8 * bytes)) - 1)
          } else memory.read(i.addr, bytes)
        val expected = if (i.isFp && bytes == 4) raw | (BigInt(0xffffffffL) << 32) else extend(raw, bytes, i.unsigned)
        assert(e.value.contains(expected), s"$i at ${i.addr.toString(16)}: ${e.value.get.toString(16)}, expected ${expected.toString(16)}")
      case Kind.store =>
        val value = i.data & ((BigInt(1) << (8 * bytes)) - 1)
        if (isMmio(i.addr)) {
          val a = nextDevice(i, write = true)
          assert(!a.error, s"device error lost: $i")
          assert(((a.data >> (8 * (i.addr & 7).toInt)) & ((BigInt(1) << (8 * bytes)) - 1)) == value, s"device data: $i")
        } else memory.write(i.addr, bytes, value)
      case Kind.amo => amo(e, bytes)
    }
  }

  private def amo(e: RobEntry, bytes: Int): Unit = {
    val i = e.inst
    val old = memory.read(i.addr, bytes)
    val limit = (BigInt(1) << (8 * bytes)) - 1
    val operand = i.data & limit
    def signed(x: BigInt): BigInt = if (x.testBit(8 * bytes - 1)) x - limit - 1 else x
    def store(value: BigInt): Unit = memory.write(i.addr, bytes, value & limit)
    val line = i.addr >> 6
    if (i.amoOp == 3) {
      val failed = e.value.get == 1
      assert(failed || (e.value.get == 0 && reservation.contains(line)), s"SC succeeds without a reservation: $i")
      if (!failed) { store(operand); scSuccesses += 1 }
      reservation = None
    } else {
      assert(e.value.contains(extend(old, bytes, unsigned = false)), s"old value of $i: ${e.value}, expected ${old.toString(16)}")
      i.amoOp match {
        case 2 => reservation = Some(line)
        case 0 => store(old + operand)
        case 1 => store(operand)
        case 4 => store(old ^ operand)
        case 8 => store(old | operand)
        case 12 => store(old & operand)
        case 16 => store(if (signed(old) < signed(operand)) old else operand)
        case 20 => store(if (signed(old) > signed(operand)) old else operand)
        case 24 => store(old min operand)
        case 28 => store(old max operand)
      }
    }
  }
}
