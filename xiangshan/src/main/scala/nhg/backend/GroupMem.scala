// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import common.AsyncTable

/** How many of the lanes before lane i meet a test, `width` bits wide. */
object CountBefore {
  def apply(lanes: Seq[Bool], width: Int): UInt = (PopCount(lanes) | 0.U(width.W))
}

/** Memory of `entries` words, written and read in groups of up to `width` consecutive (modulo `entries`) words. Split into banks by the
  * low index bits (`width` of them, rounded up to a power of two), so each bank has one write port and stays a LUTRAM. Reads are
  * combinational.
  */
class GroupMem[T <: Data](gen: T, entries: Int, width: Int) {
  private val low = log2Ceil(width)
  private val bankCount = 1 << low
  require(entries % bankCount == 0 && entries > bankCount, s"GroupMem: $entries entries do not split into $bankCount banks")
  private val rows = entries / bankCount
  private val banks = Seq.fill(bankCount)(new AsyncTable(gen, rows))

  private def bankRow(base: UInt, bank: Int): UInt =
    if (low == 0) base
    else {
      val row = base >> low
      val next = Mux(row === (rows - 1).U, 0.U, row + 1.U)
      Mux(bank.U < base(low - 1, 0), next, row)(log2Ceil(rows) - 1, 0)
    }

  /** Writes data(i) to base + i for each enabled lane i. */
  def write(base: UInt, enable: Seq[Bool], data: Seq[T]): Unit = {
    require(enable.length == data.length && data.length <= width)
    val lanes = VecInit(enable.padTo(bankCount, false.B))
    val words = VecInit(data.padTo(bankCount, data.head))
    for (bank <- 0 until bankCount) {
      val lane = if (low == 0) 0.U else bank.U(low.W) - base(low - 1, 0)
      banks(bank).write(lanes(lane), bankRow(base, bank), words(lane))
    }
  }

  /** Words base, base + 1, … base + width - 1. */
  def readGroup(base: UInt): Vec[T] = {
    val words = VecInit((0 until bankCount).map(bank => banks(bank).read(bankRow(base, bank))))
    VecInit((0 until width).map(lane => if (low == 0) words(0) else words(base(low - 1, 0) + lane.U(low.W))))
  }

  def read(index: UInt): T =
    if (low == 0) banks(0).read(index)
    else VecInit(banks.map(_.read((index >> low)(log2Ceil(rows) - 1, 0))))(index(low - 1, 0))
}
