// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import platform.{AmuLimits, Csrs, Timebase}
import scala.collection.mutable

/** The machine-mode CSRs as the privileged manual and amu-ext/docs/ami.md give them: which exist, reset values, writable bits, traps. */
class CsrModel {
  import CsrModel._
  private val values = mutable.Map[Int, BigInt]() ++ registers.map { case (csr, (reset, _)) => csr -> reset }
  var cycles: BigInt = 0
  var elapsed: BigInt = 0 // cycles since reset, which no program writes
  var instructions: BigInt = 0
  /** amucap, amustat, amucfg0 …, amuhits, amureuse. */
  var amu: Seq[BigInt] = Seq.fill(amuCsrs.size)(BigInt(0))

  def apply(csr: Int): BigInt = csr match {
    case 0xb00 | 0xc00 => cycles
    case 0xc01 => elapsed / Timebase.tickCycles
    case 0xb02 | 0xc02 => instructions
    case 0x003 => values(0x002) << 5 | values(0x001)
    case 0x300 => values(0x300) | (if ((values(0x300) & fs) == fs) BigInt(1) << 63 else 0)
    case c if amuCsrs(c) => amu(c - Csrs.amucap)
    case c => values.getOrElse(c, 0)
  }

  /** What a CSR instruction writes, or None. `field` is the rs1 field: the immediate, or the number of rs1. */
  def written(csr: Int, funct3: Int, field: Int, rs1: BigInt): Option[BigInt] = {
    val source = if (funct3 >= 5) BigInt(field) else rs1
    funct3 % 4 match {
      case 1 => Some(source)
      case _ if field == 0 => None
      case 2 => Some(apply(csr) | source)
      case 3 => Some(apply(csr) & (all - source))
    }
  }

  private def set(csr: Int, bits: BigInt, mask: BigInt): Unit = values(csr) = (values(csr) & (all - mask)) | (bits & mask)
  /** Writes all but the counters. */
  def write(csr: Int, value: BigInt): Unit = {
    for ((_, mask) <- registers.get(csr)) set(csr, value, mask)
    if (csr == 0x003) { write(0x002, value >> 5); write(0x001, value) }
    if (fpCsrs(csr)) values(0x300) |= fs
  }
  /** Instructions retire that raise flags or write floating-point registers. */
  def retireFp(flags: Int, dirty: Boolean): Unit = {
    values(0x001) |= flags
    if (dirty) values(0x300) |= fs
  }

  def trap(pc: BigInt, cause: BigInt, tval: BigInt): Unit = {
    set(0x300, (values(0x300) >> 3 & 1) << 7, 0x88)
    values(0x341) = pc
    values(0x342) = cause
    values(0x343) = tval
  }
  def mret(): Unit = set(0x300, (values(0x300) >> 7 & 1) << 3 | 0x80, 0x88)
}

object CsrModel {
  val all: BigInt = (BigInt(1) << 64) - 1
  private val counters = Set(0xb00, 0xb02)
  private val zero = Set(0x320, 0x344) ++ (0x323 to 0x33f) ++ (0xb03 to 0xb1f) // writes have no effect
  private val readOnly = Set(0xc00, 0xc01, 0xc02) ++ (0xf11 to 0xf15)
  private val fs = BigInt(0x6000) // of mstatus; all ones: dirty
  private val fpCsrs = Set(0x001, 0x002, 0x003)
  val amuCsrs: Set[Int] = (Csrs.amucap to Csrs.amureuse).toSet

  /** address -> (value after reset, bits a write changes). */
  val registers: Map[Int, (BigInt, BigInt)] = Map(
    0x001 -> (BigInt(0), BigInt(31)), // fflags
    0x002 -> (BigInt(0), BigInt(7)), // frm
    0x300 -> (BigInt(0x1800), BigInt(0x6088)), // mstatus: MPP stays M; MIE, MPIE, FS
    0x301 -> (BigInt("800000000000112f", 16), BigInt(0)), // misa: RV64 A B C D F I M
    0x304 -> (BigInt(0), BigInt(0x888)), // mie
    0x305 -> (BigInt(0), all - 2), // mtvec
    0x340 -> (BigInt(0), all), // mscratch
    0x341 -> (BigInt(0), all - 1), // mepc
    0x342 -> (BigInt(0), all), // mcause
    0x343 -> (BigInt(0), all), // mtval
    Csrs.amuctl -> (BigInt(AmuLimits.amuctlReset), BigInt(3))
  )
  val existing: IndexedSeq[Int] = (registers.keySet ++ fpCsrs ++ counters ++ zero ++ readOnly ++ amuCsrs).toIndexedSeq.sorted

  def legal(csr: Int, writes: Boolean, amuOn: Boolean, fpOn: Boolean): Boolean =
    if (fpCsrs(csr)) fpOn
    else registers.contains(csr) || counters(csr) || zero(csr) || !writes && (readOnly(csr) || amuOn && amuCsrs(csr))
}
