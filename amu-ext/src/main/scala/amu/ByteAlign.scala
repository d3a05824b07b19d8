// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._

/** Byte movement between a memory line and SPM lines. A byte range at offset m of one line and at offset s of another is moved
  * by rotating the line by s - m bytes; what does not fit into the first SPM line wraps to the start of the second.
  */
object ByteAlign {

  /** Rotates `data` towards higher byte numbers by `bytes` (width log2 of the number of bytes). */
  def rotate(data: UInt, bytes: UInt): UInt = {
    val width = data.getWidth
    (0 until log2Ceil(width / 8)).foldLeft(data) { (value, level) =>
      val bits = 8 << level
      Mux(bytes(level), Cat(value(width - bits - 1, 0), value(width - 1, width - bits)), value)
    }
  }

  /** `n` mask bits, those of [start, start + count) set; start + count ≤ n. */
  def mask(start: UInt, count: UInt, n: Int): UInt = {
    val ones = ((1.U << count) - 1.U)(n - 1, 0)
    (ones << start)(n - 1, 0)
  }

  /** One bit a byte to eight. Only for whole lines that pass once; memories take the mask itself. */
  def expand(mask: UInt): UInt = FillInterleaved(8, mask)
}
