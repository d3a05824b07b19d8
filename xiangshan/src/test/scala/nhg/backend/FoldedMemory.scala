// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import scala.util.Random

/** A memory for random addresses: every 64-bit address names one of 8 words, so that accesses meet, with its low bits rounded down to
  * the access size. Bits 15:12 choose what is special: 5 an access fault, 6 a misaligned access, 7 a device.
  */
class FoldedMemory {
  private val words = Array.tabulate(8)(i => i * 0x9e3779b97f4a7c15L)
  import FoldedMemory._
  def read(addr: Long, size: Int): Long = words(word(addr)) >>> (8 * offset(addr, size))
  def write(addr: Long, size: Int, data: Long): Unit = {
    val shift = 8 * offset(addr, size)
    val mask = (if (size == 3) -1L else (1L << (8 << size)) - 1) << shift
    words(word(addr)) = (words(word(addr)) & ~mask) | (data << shift & mask)
  }
}

object FoldedMemory {
  def word(addr: Long): Int = (addr >> 3 & 7).toInt
  def offset(addr: Long, size: Int): Int = (addr & 7 & ~((1 << size) - 1)).toInt
  /** Bytes of the word, as a mask. */
  def bytes(addr: Long, size: Int): Int = ((1 << (1 << size)) - 1) << offset(addr, size)

  private def region(addr: Long): Int = (addr >> 12 & 15).toInt
  /** Some(misaligned). */
  def fault(addr: Long): Option[Boolean] = region(addr) match {
    case 5 => Some(false)
    case 6 => Some(true)
    case _ => None
  }
  def isDevice(addr: Long): Boolean = region(addr) == 7

  /** The value a load or AMO by funct3 leaves in its register. */
  def extend(value: Long, funct3: Int): Long = {
    val shift = 64 - (8 << (funct3 & 3))
    if ((funct3 & 4) == 0) value << shift >> shift else value << shift >>> shift
  }

  /** New value of an AMO by funct5. */
  def amo(op: Int, funct3: Int, old: Long, operand: Long): Long = {
    val b = extend(operand, funct3)
    op match {
      case 0 => old + b
      case 1 => b
      case 4 => old ^ b
      case 8 => old | b
      case 12 => old & b
      case 16 => old min b
      case 20 => old max b
      case 24 => if (java.lang.Long.compareUnsigned(old, b) < 0) old else b
      case 28 => if (java.lang.Long.compareUnsigned(old, b) > 0) old else b
    }
  }
}

/** Where instructions can be fetched: in both halves of Sv39, except in one page out of 64. */
object PcMap {
  private val half = 1L << 38
  private def missing(pc: Long): Boolean = pc < -half || pc >= half || (pc >> 12 & 63) == 42
  /** The address of the missing parcel. */
  def fault(pc: Long, isLong: Boolean): Option[Long] =
    if (missing(pc)) Some(pc) else if (isLong && missing(pc + 2)) Some(pc + 2) else None
  /** What the low bits of an address stand for. */
  def ofSv39(address: Long): Long = address << 25 >> 25
  /** Often at the end of the lower half. */
  def draw(random: Random): Long = if (random.nextInt(4) == 0) half - 2 * random.nextInt(64) else random.nextInt(1 << 30) * 2L
}
