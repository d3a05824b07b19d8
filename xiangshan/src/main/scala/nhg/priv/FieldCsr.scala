// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import platform.{CsrField, CsrRegister}

/** The state of a CSR of tools/platform/csrs.toml: a register for each field that a program may change. */
class FieldCsr(val spec: CsrRegister) {
  private val registers = spec.fields.map { f =>
    f.name -> RegInit(spec.reset.getOrElse(f.name, BigInt(0)).U(f.bits.W)).suggestName(s"${spec.name}_${f.name}")
  }.toMap

  def apply(field: String): UInt = registers(field)

  /** What a read gives; of the fields only `shown`. `derived`: bits that follow from fields. */
  def value(shown: Seq[String] = spec.fields.map(_.name), derived: Seq[(Int, Bool)] = Nil, fixed: BigInt = spec.fixed): UInt = {
    val fields = spec.fields.filter(f => shown.contains(f.name)).map(f => (f.lsb, registers(f.name)))
    val ones = (0 until FieldCsr.width).filter(fixed.testBit(_)).map(bit => (bit, true.B.asUInt))
    FieldCsr.pack(fields ++ ones ++ derived.map { case (bit, set) => (bit, set.asUInt) })
  }

  /** Writes `fields` from where they lie in `bits`; what a field does not take becomes its first legal value. */
  def write(bits: UInt, fields: Seq[String] = spec.fields.map(_.name)): Unit =
    for (f <- spec.fields if fields.contains(f.name)) registers(f.name) := FieldCsr.legal(f, bits(f.msb, f.lsb))
}

object FieldCsr {
  private val width = 64

  /** A CSR's bits by their numbers, the others zero. */
  def ofBits(bits: Seq[(Int, Bool)]): UInt = pack(bits.map { case (bit, set) => (bit, set.asUInt) })

  private def legal(field: CsrField, bits: UInt): UInt =
    if (field.legal.isEmpty) bits
    else Mux(VecInit(field.legal.map(bits === _.U)).asUInt.orR, bits, field.legal.head.U(field.bits.W))

  /** Parts at their lowest bits, zero between them. */
  private def pack(parts: Seq[(Int, UInt)]): UInt = {
    val (bits, top) = parts.sortBy(_._1).foldLeft((Seq[UInt](), 0)) { case ((below, at), (lsb, part)) =>
      val gap = if (lsb > at) Seq(0.U((lsb - at).W)) else Nil
      (below ++ gap :+ part, lsb + part.getWidth)
    }
    Cat((if (top < width) bits :+ 0.U((width - top).W) else bits).reverse)
  }
}
