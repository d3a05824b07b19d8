// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import scala.collection.immutable.ListMap

/** One `gen` for each name. The names become part of the signals' names in Verilog. */
final class ByName[T <: Data](names: Seq[String], gen: => T) extends Record {
  val elements: ListMap[String, T] = ListMap(names.map(_ -> gen): _*)
  def apply(name: String): T = elements(name)
  def values: Seq[T] = names.map(elements(_))
  override def cloneType: this.type = new ByName(names, gen).asInstanceOf[this.type]
}
