// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

import chisel3._
import chisel3.util._

/** Sets times ways; one set is fully associative. */
case class TableSize(sets: Int, ways: Int) {
  require(isPow2(sets) && ways >= 1, s"a table of $sets sets and $ways ways")
  val entries: Int = sets * ways
}

class TableLine[T <: Data](tagBits: Int, gen: T) extends Bundle {
  val tag = UInt(tagBits.W)
  val value = gen.cloneType
}

/** A small cache of translations, found by a part of the virtual page number and by what the user of the table asks of the value. It is read in the same
  * cycle, by any number of readers. Ways are replaced in turn, but a value takes the place of the one that it is a newer form of.
  *
  * @param clear  empties the table: what is written in that cycle is lost
  * @param forget removes entries that were written as transient, the one of that cycle, too
  */
class TranslationTable[T <: Data](gen: T, size: TableSize, keyBits: Int, clear: Bool, forget: Bool) {
  private val setBits = log2Ceil(size.sets)
  private def line = new TableLine(keyBits - setBits, gen)
  private val single = Option.when(size.sets == 1)(Reg(Vec(size.ways, line)))
  private val memories = if (size.sets == 1) Nil else Seq.fill(size.ways)(Mem(size.sets, line))
  private val valid = RegInit(VecInit(Seq.fill(size.ways)(0.U(size.sets.W))))
  private val transient = Reg(Vec(size.ways, UInt(size.sets.W)))
  private val turn = RegInit(0.U(log2Ceil(size.ways max 2).W))

  private def set(key: UInt): UInt = if (setBits == 0) 0.U else key(setBits - 1, 0)
  private def read(way: Int, key: UInt): TableLine[T] = single.map(_(way)).getOrElse(memories(way).read(set(key)))
  private def hits(key: UInt, accepts: T => Bool): Seq[Bool] = (0 until size.ways).map { way =>
    val there = read(way, key)
    valid(way)(set(key)) && there.tag === (key >> setBits) && accepts(there.value)
  }

  /** Two may be there, one global and one not: the first counts. */
  def find(key: UInt)(accepts: T => Bool): Valid[T] = {
    val found = Wire(Valid(gen))
    val hit = hits(key, accepts)
    found.valid := VecInit(hit).asUInt.orR
    found.bits := PriorityMux(hit, (0 until size.ways).map(read(_, key).value.asUInt)).asTypeOf(gen) // no mux of a Vec: synthesis gets none
    found
  }

  /** Called once. */
  def write(enable: Bool, key: UInt, value: T, isTransient: Bool)(replaces: T => Bool): Unit = {
    val old = VecInit(hits(key, replaces)).asUInt
    val free = VecInit(valid.map(v => !v(set(key)))).asUInt
    val way = Mux(old.orR, PriorityEncoder(old), Mux(free.orR, PriorityEncoder(free), turn))
    when(enable && !old.orR && !free.orR) { turn := Mux(turn === (size.ways - 1).U, 0.U, turn + 1.U) }
    val written = Wire(line)
    written.tag := key >> setBits
    written.value := value
    for (k <- 0 until size.ways) {
      val here = enable && way === k.U
      val bit = Mux(here, UIntToOH(set(key), size.sets), 0.U)
      val passing = Mux(isTransient, transient(k) | bit, transient(k) & ~bit)
      transient(k) := passing
      valid(k) := Mux(clear, 0.U, (valid(k) | bit) & ~Mux(forget, passing, 0.U))
      when(here) { if (size.sets == 1) single.get(k) := written else memories(k).write(set(key), written) }
    }
  }
}
