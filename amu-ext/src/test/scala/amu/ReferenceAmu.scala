// SPDX-License-Identifier: Apache-2.0
package amu

import platform.AmuLimits
import scala.collection.mutable

/** Operand words of one AMI instruction; `op` is one of platform.AmiOperation. */
case class AmiRequest(op: Int, rs1: BigInt, rs2: BigInt) {
  import AmiRequest._
  def isMemory: Boolean = op == aload || op == astore
  def address: Long = (rs1 & mask(39)).toLong
  /** Sign-extended to 64 bits. */
  def wideAddress: BigInt = extended(rs1)
  def target: Int = {
    val raw = ((rs1 >> 39) & mask(21)).toInt
    if (raw >= (1 << 20)) raw - (1 << 21) else raw
  }
  def sizeLog: Int = (rs1 >> 60).toInt
  def size: Int = 1 << sizeLog
  def offset: Int = ((rs2 >> 16) & mask(16)).toInt
  def idOperand: BigInt = if (op == aset || op == asignal) rs1 else rs2 & mask(16)
  def id: Int = idOperand.toInt
}

object AmiRequest {
  import platform.AmiOperation
  val aload: Int = AmiOperation.aload
  val astore: Int = AmiOperation.astore
  val aset: Int = AmiOperation.aset
  val aconfig: Int = AmiOperation.aconfig
  val await: Int = AmiOperation.await
  val asignal: Int = AmiOperation.asignal
  def mask(bits: Int): BigInt = (BigInt(1) << bits) - 1

  private def addressWord(address: Long, target: Int, sizeLog: Int): BigInt =
    BigInt(address) | ((BigInt(target) & mask(21)) << 39) | (BigInt(sizeLog) << 60)
  def memory(isStore: Boolean, id: Int, address: Long, sizeLog: Int, offset: Int, target: Int): AmiRequest =
    AmiRequest(if (isStore) astore else aload, addressWord(address, target, sizeLog), BigInt(id) | (BigInt(offset) << 16))
  def group(id: Int, n: Int): AmiRequest = AmiRequest(aset, id, n)
  def config(register: Int, value: BigInt): AmiRequest = AmiRequest(aconfig, value, register)
  def waiting(id: Int, target: Int): AmiRequest = AmiRequest(await, addressWord(0, target, 0), id)
  def signal(id: Int): AmiRequest = AmiRequest(asignal, id, 0)

  /** The address of Sv39, 64 bits, that these 39 bits stand for. */
  def extended(address: BigInt): BigInt = (address & mask(39)) | (if (address.testBit(38)) mask(64) ^ mask(39) else BigInt(0))
}

/** Two windows of memory, at the start of the local and of the far range. */
class TestMemory(p: AmuParams, val windowBytes: Int) {
  val bases: Seq[Long] = Seq(p.localMemory.base, p.farMemory.base)
  private val windows = bases.map(base => base -> new Array[Byte](windowBytes))

  private def place(address: Long): (Array[Byte], Int) = {
    val (base, bytes) = windows.find { case (base, _) => address >= base && address < base + windowBytes }
      .getOrElse(throw new NoSuchElementException(f"address 0x$address%x is outside the test memory"))
    (bytes, (address - base).toInt)
  }
  def apply(address: Long): Byte = { val (bytes, i) = place(address); bytes(i) }
  def update(address: Long, value: Byte): Unit = { val (bytes, i) = place(address); bytes(i) = value }
  def read(address: Long, count: Int): BigInt = BigInt(1, (0 until count).map(i => apply(address + i)).reverse.toArray)
  def copyFrom(other: TestMemory): Unit =
    windows.zip(other.windows).foreach { case ((_, to), (_, from)) => from.copyToArray(to) }
  def fill(random: scala.util.Random): Unit = windows.foreach { case (_, bytes) => random.nextBytes(bytes) }
}

/** The bytes of one request. */
case class RequestBytes(memAddr: Long, spmAddr: Int, count: Int, isStore: Boolean) {
  def overlapsMemory(address: Long, n: Int): Boolean = address < memAddr + count && memAddr < address + n
  def overlapsSpm(address: Int, n: Int): Boolean = address < spmAddr + count && spmAddr < address + n
}

class IdModel {
  var outstanding = false
  var asetOpen = false
  var remaining = 0
  var waiting = false
  var signalled = false
  var target = 0
  val bytes: mutable.ArrayBuffer[RequestBytes] = mutable.ArrayBuffer.empty[RequestBytes]

  def isFree: Boolean = !outstanding && !asetOpen && !signalled
  /** As `amustate` has it. */
  def state: BigInt = {
    val flags = Seq(outstanding, waiting, signalled).zipWithIndex.map { case (flag, bit) => if (flag) 1 << bit else 0 }.sum
    BigInt(flags | (if (asetOpen) remaining << 8 else 0)) | (if (outstanding) (BigInt(target) & AmiRequest.mask(21)) << 32 else BigInt(0))
  }
  def forget(): Unit = {
    outstanding = outstanding && !asetOpen && !waiting
    asetOpen = false
    waiting = false
    signalled = false
  }
}

/** docs/ami.md in Scala: requests take effect at once, at commit. */
class ReferenceAmu(p: AmuParams, windowBytes: Int) {
  import AmiRequest._
  val config: Array[BigInt] = Array(0, 0, 0, 64, 0, AmuLimits.pollWaitReset)
  val ids: Array[IdModel] = Array.fill(p.maxId + 1)(new IdModel)
  val memory = new TestMemory(p, windowBytes)
  val spm = new Array[Byte](p.spmBytes)
  var spmWayTaken = true
  val requesters: mutable.ArrayBuffer[Int] = mutable.ArrayBuffer.empty[Int] // ID of each line request, in their order

  def slot: Int = config(3).toInt
  def outstanding: Int = ids.count(_.outstanding)

  /** Cause and tval of the exception, if any. */
  def check(r: AmiRequest, state: IdModel): Option[(Int, BigInt)] = {
    val align = if (r.sizeLog >= 3) 8 else r.size
    val slotEnd = r.idOperand * slot + r.offset + r.size
    val codes = Seq(
      1 -> (r.op != aconfig && (r.idOperand == 0 || r.idOperand > p.maxId)),
      2 -> (r.op == aset && (r.rs2 < 1 || r.rs2 > 63)),
      3 -> ((r.isMemory && state.outstanding && !state.asetOpen) || (r.op == aset && state.outstanding) ||
        (r.op == await && (state.outstanding || state.asetOpen))),
      4 -> (r.isMemory && r.sizeLog > 12),
      5 -> (r.isMemory && r.address % align != 0),
      6 -> (r.isMemory && r.offset % align != 0),
      7 -> (r.isMemory && (r.offset + r.size > slot || slotEnd > p.spmBytes)),
      8 -> (r.isMemory && r.address / 4096 != (r.address + r.size - 1) / 4096),
      9 -> (r.op == aconfig && r.rs2 > 5),
      10 -> (r.op == aconfig && (r.rs2.toInt match {
        case 1 | 5 => r.rs1 > 65535
        case 3 => r.rs1.bitCount != 1 || r.rs1 < 8 || r.rs1 > 4096
        case 4 => r.rs1 != extended(r.rs1) || r.rs1.testBit(0)
        case _ => r.rs1 != extended(r.rs1)
      })),
      11 -> (r.isMemory && (r.rs2 >> 32) != 0)
    )
    val inMemory = Seq(p.localMemory, p.farMemory).exists(m => r.address >= m.base && r.address < m.end)
    codes.collectFirst { case (code, true) =>
      (24, (BigInt(code) << 56) | (if (r.op == aconfig) BigInt(0) else r.idOperand & mask(16)))
    }.orElse(
      if (r.isMemory && (!inMemory || !spmWayTaken)) Some((if (r.op == aload) 5 else 7, r.wideAddress)) else None
    )
  }

  def stateOf(r: AmiRequest): IdModel =
    if (r.op == aconfig || r.idOperand > p.maxId) new IdModel else ids(r.id)

  def bytesOf(r: AmiRequest): RequestBytes = RequestBytes(r.address, r.id * slot + r.offset, r.size, r.op == astore)

  /** The part of a commit that concerns the ID only; also used for requests not committed yet. */
  def track(state: IdModel, r: AmiRequest): Unit = r.op match {
    case AmiRequest.aload | AmiRequest.astore =>
      state.outstanding = true
      if (state.asetOpen) {
        state.remaining -= 1
        state.asetOpen = state.remaining != 0
      }
      state.target = r.target
    case AmiRequest.aset =>
      state.asetOpen = true
      state.remaining = r.rs2.toInt
    case AmiRequest.await =>
      state.outstanding = true
      state.waiting = !state.signalled
      state.signalled = false
      state.target = r.target
    case AmiRequest.asignal =>
      if (state.waiting) state.waiting = false else state.signalled = true
    case _ =>
  }

  def commit(r: AmiRequest): Unit = if (r.op == aconfig) config(r.rs2.toInt) = r.rs1
  else {
    val state = ids(r.id)
    if (!state.outstanding) state.bytes.clear()
    track(state, r)
    if (r.isMemory) {
      val b = bytesOf(r)
      state.bytes += b
      requesters ++= Seq.fill(((b.memAddr + b.count - 1) / 64 - b.memAddr / 64 + 1).toInt)(r.id)
      for (i <- 0 until b.count) {
        if (b.isStore) memory(b.memAddr + i) = spm(b.spmAddr + i) else spm(b.spmAddr + i) = memory(b.memAddr + i)
      }
    }
  }

  def taskWord(id: Int): BigInt =
    ((config(0) + id * config(1)) & mask(39)) | ((BigInt(id) * slot & mask(25)) << 39)
  def targetOf(id: Int): BigInt = (config(4) + 2 * BigInt(ids(id).target)) & mask(39)
}

/** What a `ReuseTable` has to remember. */
class ReuseModel(p: AmuParams) {
  private val entries = mutable.Map.empty[Long, (Long, Int)] // tag and ID of the last load, by index

  /** A load goes to memory: whether another ID asked for the line before. */
  def load(line: Long, id: Int): Boolean = {
    val n = p.reuseLines
    val index = (line ^ (line / n)) % n
    val tag = (line / n) % (1 << p.reuseTagBits)
    val again = entries.get(index).exists { case (lastTag, lastId) => lastTag == tag && lastId != id }
    entries(index) = (tag, id)
    again
  }
}
