// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chisel3._
import chiseltest._
import scala.collection.mutable

/** Pokes that cost nothing when the value stays, and short reads: the test benches touch many signals every cycle. */
class Signals {
  private val last = mutable.HashMap[Data, BigInt]()

  def set(signal: UInt, value: BigInt): Unit =
    if (!last.get(signal).contains(value)) {
      last(signal) = value
      signal.poke(value.U(signal.getWidth.W))
    }

  def set(signal: Bool, value: Boolean): Unit = {
    val v = BigInt(if (value) 1 else 0)
    if (!last.get(signal).contains(v)) {
      last(signal) = v
      signal.poke(value.B)
    }
  }

  def get(signal: UInt): BigInt = signal.peek().litValue
  def is(signal: Bool): Boolean = signal.peek().litValue == 1
}

/** Memory content by 64-bit word address; words never written have a value derived from their address. */
class WordMemory {
  private val words = mutable.HashMap[BigInt, BigInt]()
  private val all = (BigInt(1) << 64) - 1

  def apply(word: BigInt): BigInt = words.getOrElse(word, (word * BigInt("9e3779b97f4a7c15", 16) + 12345) & all)

  def read(addr: BigInt, bytes: Int): BigInt =
    (apply(addr >> 3) >> (8 * (addr & 7).toInt)) & ((BigInt(1) << (8 * bytes)) - 1)

  def write(addr: BigInt, bytes: Int, value: BigInt): Unit = {
    val shift = 8 * (addr & 7).toInt
    val mask = ((BigInt(1) << (8 * bytes)) - 1) << shift
    words(addr >> 3) = (apply(addr >> 3) & ~mask & all) | ((value << shift) & mask)
  }

  /** The present content of some words. */
  def snapshot(of: Seq[BigInt]): Map[BigInt, BigInt] = of.map(word => word -> apply(word)).toMap

  def line(lineAddr: BigInt): BigInt =
    (0 until 8).map(w => apply((lineAddr << 3) + w) << (64 * w)).reduce(_ | _)

  def writeLine(lineAddr: BigInt, data: BigInt): Unit =
    for (w <- 0 until 8) words((lineAddr << 3) + w) = (data >> (64 * w)) & all
}
