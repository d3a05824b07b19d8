// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._

/** A memory of `entries` values of type `gen` with one write port, kept as plain bits so that it becomes one RAM. With `initial` a sweep after
  * reset writes that value to every entry, one a cycle; nothing may be written before `ready`, and what is read means nothing.
  */
sealed abstract class Table[T <: Data](gen: T, entries: Int, initial: Option[T]) {
  private val sweep = initial.map(_ => RegInit(0.U(log2Ceil(entries + 1).W)))
  val ready: Bool = sweep.map(_ === entries.U).getOrElse(true.B)
  sweep.foreach { next => when(!ready) { next := next + 1.U } }

  protected val port: Valid[TableWrite] = Wire(Valid(new TableWrite(log2Ceil(entries), gen.getWidth)))
  private var written = false

  /** The write port: called once. */
  def write(enable: Bool, index: UInt, value: T): Unit = {
    require(!written, "a table has one write port")
    written = true
    port.valid := enable || !ready
    port.bits.index := sweep.map(Mux(ready, index, _)).getOrElse(index)
    port.bits.bits := initial.map(i => Mux(ready, value.asUInt, i.asUInt)).getOrElse(value.asUInt)
    assert(ready || !enable, "a table is written during its sweep")
    store()
  }

  protected def store(): Unit
}

private[common] class TableWrite(indexBits: Int, width: Int) extends Bundle {
  val index = UInt(indexBits.W)
  val bits = UInt(width.W)
}

/** Reads answer in the same cycle, with the value before a write of that cycle. LUT RAM on an FPGA. */
class AsyncTable[T <: Data](gen: T, entries: Int, initial: Option[T] = None) extends Table(gen, entries, initial) {
  private val memory = Mem(entries, UInt(gen.getWidth.W))
  def read(index: UInt): T = memory.read(index).asTypeOf(gen)
  protected def store(): Unit = when(port.valid) { memory.write(port.bits.index, port.bits.bits) }
}

/** Reads answer in the next cycle and see a write of their own cycle. Block RAM on an FPGA. */
class SyncTable[T <: Data](gen: T, entries: Int, initial: Option[T] = None) extends Table(gen, entries, initial) {
  private val memory = SyncReadMem(entries, UInt(gen.getWidth.W), SyncReadMem.ReadFirst) // the same in every simulator; `read` bypasses it
  protected def store(): Unit = when(port.valid) { memory.write(port.bits.index, port.bits.bits) }

  /** The value of `index` in the cycle after `enable`; in other cycles it means nothing. */
  def read(index: UInt, enable: Bool): T = {
    val stored = memory.read(index, enable)
    val sameCycle = RegNext(port.valid && port.bits.index === index, false.B)
    val newest = RegNext(port.bits.bits)
    Mux(sameCycle, newest, stored).asTypeOf(gen)
  }
}
