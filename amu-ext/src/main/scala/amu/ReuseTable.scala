// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import common.SyncTable

/** The lines that loads of the AMU brought from memory last, each with the coroutine that asked for it (beyond the paper). Requests of the AMU fill no
  * cache, so data that coroutines come back to would stay far for ever: a line that another coroutine asked for before is `wanted` in L2, and counted
  * (`amureuse`).
  *
  * Direct mapped, with partial tags: a line that is taken for another one costs a fetch, nothing else. A coroutine that asks for the same line twice, as
  * for fields of a structure, does not come back to it, nor does one that stores what it has loaded.
  *
  * Timing: `again` and `wanted` follow `missed` by a cycle. A wish that finds no place is dropped: it is a hint.
  */
class ReuseTable(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val missed = Flipped(Valid(new LineRequest(p))) // it goes to memory
    val again = Output(Bool())
    val wanted = Decoupled(UInt(p.lineAddrBits.W))
  })
  private val indexBits = log2Ceil(p.reuseLines)
  private class Entry extends Bundle {
    val valid = Bool()
    val tag = UInt(p.reuseTagBits.W)
    val id = UInt(p.idBits.W)
  }
  private val empty = 0.U.asTypeOf(new Entry)
  private val table = new SyncTable(new Entry, p.reuseLines, Some(empty))

  /** Two lines that lie a power of two apart have different entries, too. */
  private def index(lineAddr: UInt): UInt = lineAddr(indexBits - 1, 0) ^ lineAddr(2 * indexBits - 1, indexBits)

  private val isLoad = io.missed.valid && !io.missed.bits.isStore && table.ready
  private val s1_valid = RegNext(isLoad, false.B)
  private val s1 = RegEnable(io.missed.bits, isLoad)
  private val last = table.read(index(io.missed.bits.lineAddr), isLoad)
  private val now = Wire(new Entry)
  now.valid := true.B
  now.tag := (s1.lineAddr >> indexBits)(p.reuseTagBits - 1, 0)
  now.id := s1.id
  table.write(s1_valid, index(s1.lineAddr), now)
  io.again := s1_valid && last.valid && last.tag === now.tag && last.id =/= s1.id

  private val wishes = Module(new Queue(UInt(p.lineAddrBits.W), p.reuseWishes))
  wishes.io.enq.valid := io.again
  wishes.io.enq.bits := s1.lineAddr
  io.wanted <> wishes.io.deq
}
