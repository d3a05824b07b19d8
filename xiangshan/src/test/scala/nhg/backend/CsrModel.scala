// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import nhg.priv.PmpModel
import platform.{AmuLimits, Csrs}
import scala.collection.mutable

/** What the mode and the CSRs let an instruction do, as `nhg.priv.Allowed` has it. `counters`: bits cycle, time, instret. */
case class Rights(
    mode: Int,
    sret: Boolean = true,
    wfi: Boolean = true,
    translation: Boolean = true,
    counters: Int = 7,
    senvcfg: Boolean = true,
    sstateen0: Boolean = true,
    stimecmp: Boolean = true,
    amu: Boolean = true,
    fp: Boolean = true
)

/** The CSRs as the privileged manual and amu-ext/docs/ami.md give them: which exist, reset values, writable bits, traps, returns. */
class CsrModel {
  import CsrModel._
  private val values = mutable.Map[Int, BigInt]() ++ registers.map { case (csr, (reset, _)) => csr -> reset }
  private val pmp = new PmpModel
  private val triggers = Array.fill(2, 4)(BigInt(0)) // tdata1 without its type, tdata2
  var mode: Int = machine
  var cycles: BigInt = 0
  var time: BigInt = 0
  var lines: Int = 0 // bits of mip
  var instructions: BigInt = 0
  /** The AMU's, by their numbers. */
  var amu: Map[Int, BigInt] = amuCsrs.map(_ -> BigInt(0)).toMap

  def apply(csr: Int): BigInt = csr match {
    case 0xb00 | 0xc00 => cycles
    case 0xc01 => time
    case 0xb02 | 0xc02 => instructions
    case 0x003 => values(0x002) << 5 | values(0x001)
    case 0x300 => values(0x300) | (if ((values(0x300) & fs) == fs) BigInt(1) << 63 else 0)
    case 0x100 => apply(0x300) & (sstatus | BigInt("8000000300000000", 16))
    case 0x104 => values(0x304) & values(0x303)
    case 0x144 => pending & values(0x303)
    case 0x344 => pending
    case 0x10c => values(0x10c) & values(0x30c)
    case c if amuCsrs(c) => amu(c)
    case c if pmp.has(c) => pmp(c)
    case 0x7a1 => triggers(0)(values(0x7a0).toInt) | BigInt(2) << 60
    case 0x7a2 => triggers(1)(values(0x7a0).toInt)
    case 0x7a4 => 4
    case c => values.getOrElse(c, 0)
  }
  private def bit(csr: Int, n: Int): Boolean = values(csr).testBit(n)
  private def hasStimecmp = bit(0x30a, 63)
  private def pending: BigInt = {
    val software = if (hasStimecmp) values(0x344).clearBit(5) | (if (time >= values(0x14d)) 0x20 else 0) else values(0x344)
    software | lines
  }
  /** One is pending and enabled in mie. */
  def wakes: Boolean = (pending & values(0x304)) != 0
  /** The interrupt that is taken before the next instruction. */
  def interrupt: Option[Int] = {
    val ready = pending & values(0x304)
    def first(of: BigInt) = Seq(11, 3, 7, 9, 1, 5).find(of.testBit)
    val ofMachine = if (mode < machine || bit(0x300, 3)) ready &~ values(0x303) else none
    val ofSupervisor = if (mode == user || mode == supervisor && bit(0x300, 1)) ready & values(0x303) else none
    first(ofMachine).orElse(first(ofSupervisor))
  }

  def rights: Rights = {
    def unless(n: Int) = mode == machine || mode == supervisor && !bit(0x300, n)
    val counters = (if (mode == machine) 7 else values(0x306).toInt) & (if (mode == user) values(0x106).toInt else 7)
    val granted = mode == machine || bit(0x30c, 0) && (mode == supervisor || bit(0x10c, 0))
    Rights(
      mode,
      sret = unless(22),
      wfi = unless(21),
      translation = unless(20),
      counters,
      senvcfg = mode == machine || bit(0x30c, 62),
      sstateen0 = mode == machine || bit(0x30c, 63),
      stimecmp = mode == machine || hasStimecmp && bit(0x306, 1),
      amu = granted && bit(Csrs.amuctl, 0),
      fp = (values(0x300) & fs) != 0
    )
  }

  /** What a CSR instruction writes, or None. `field` is the rs1 field: the immediate, or the number of rs1. */
  def written(csr: Int, funct3: Int, field: Int, rs1: BigInt): Option[BigInt] = {
    val source = if (funct3 >= 5) BigInt(field) else rs1
    funct3 % 4 match {
      case 1 => Some(source)
      case _ if field == 0 => None
      case 2 => Some(held(csr) | source)
      case 3 => Some(held(csr) & (all - source))
    }
  }

  /** What a read-modify-write takes for the CSR's value: of mip without the line of the external interrupt of S mode. */
  private def held(csr: Int): BigInt = if (csr == 0x344) apply(csr) &~ (BigInt(lines & 0x200) &~ values(0x344)) else apply(csr)
  private def set(csr: Int, bits: BigInt, mask: BigInt): Unit = values(csr) = (values(csr) & (all - mask)) | (bits & mask)
  private def status(bits: BigInt, mask: BigInt): Unit = set(0x300, bits, mask)
  /** Writes all but the counters. */
  def write(csr: Int, value: BigInt): Unit = csr match {
    case 0x300 => status(if ((value >> 11 & 3) == 2) value.clearBit(12) else value, registers(0x300)._2)
    case 0x100 => status(value, sstatus)
    case 0x104 => set(0x304, value, values(0x303))
    case 0x144 => set(0x344, value, values(0x303) & 2)
    case 0x344 => set(0x344, value, if (hasStimecmp) 0x202 else 0x222)
    case 0x180 => if (value >> 60 == 0 || value >> 60 == 8) set(0x180, value, registers(0x180)._2)
    case 0x10c => if (bit(0x30c, 0)) set(0x10c, value, 1)
    case 0x001 | 0x002 | 0x003 =>
      if (csr != 0x001) set(0x002, if (csr == 0x003) value >> 5 else value, 7)
      if (csr != 0x002) set(0x001, value, 31)
      status(fs, fs)
    case c if pmp.has(c) => pmp.write(c, value)
    case 0x7a1 => triggers(0)(values(0x7a0).toInt) = if ((value >> 7 & 3) == 1) value & 0x5f else value & 0x1df
    case 0x7a2 => triggers(1)(values(0x7a0).toInt) = value
    case _ => for ((_, mask) <- registers.get(csr)) set(csr, value, mask)
  }
  /** Instructions retire that raise flags or write floating-point registers. */
  def retireFp(flags: Int, dirty: Boolean): Unit = {
    values(0x001) |= flags
    if (dirty) status(fs, fs)
  }

  def trap(pc: BigInt, number: Int, tval: BigInt, isInterrupt: Boolean = false): Unit = {
    val delegated = mode != machine && bit(if (isInterrupt) 0x303 else 0x302, number)
    val cause = if (isInterrupt) BigInt(number).setBit(63) else BigInt(number)
    val base = if (delegated) 0x141 else 0x341
    for ((value, i) <- Seq(pc, cause, tval).zipWithIndex) values(base + i) = value
    if (delegated) status((values(0x300) >> 1 & 1) << 5 | mode << 8, 0x122)
    else status((values(0x300) >> 3 & 1) << 7 | mode << 11, 0x1888)
    mode = if (delegated) supervisor else machine
  }
  def trapVector: BigInt = {
    val (tvec, cause) = if (mode == machine) (values(0x305), values(0x342)) else (values(0x105), values(0x142))
    val offset = if (tvec.testBit(0) && cause.testBit(63)) (cause & 31) * 4 else none
    ((tvec & (all - 3)) + offset) & all
  }
  def mret(): Unit = {
    mode = (values(0x300) >> 11 & 3).toInt
    status((values(0x300) >> 7 & 1) << 3 | 0x80, 0x1888)
    if (mode != machine) status(0, mprv)
  }
  def sret(): Unit = {
    mode = (values(0x300) >> 8 & 1).toInt
    status((values(0x300) >> 5 & 1) << 1 | 0x20, mprv | 0x122)
  }
  /** Of the privileged CSRs in the order in which the core shows them. */
  def trace: Seq[BigInt] = traced.map(apply)
}

object CsrModel {
  val all: BigInt = (BigInt(1) << 64) - 1
  private val (user, supervisor, machine) = (0, 1, 3)
  private val counters = Set(0xb00, 0xb02)
  private val zero = // writes have no effect
    Set(0x10a, 0x320) ++ (0x10d to 0x10f) ++ (0x30d to 0x30f) ++ (0x323 to 0x33f) ++ (0xb03 to 0xb1f) ++ (0xf11 to 0xf15)
  private val userCounters = Set(0xc00, 0xc01, 0xc02)
  private val views = Set(0x100, 0x104, 0x144)
  private val fs = BigInt(0x6000) // of mstatus; all ones: dirty
  private val mprv = BigInt(1) << 17
  private val sstatus = BigInt(0xc6122) // of mstatus, writable
  private val fpCsrs = Set(0x001, 0x002, 0x003)
  val amuCsrs: Set[Int] = (Csrs.amucap to Csrs.amureuse).toSet + Csrs.amuid + Csrs.amustate

  private val none = BigInt(0)
  private val privileged: Seq[(Int, (BigInt, BigInt))] = Seq(
    0x300 -> (BigInt("a00000000", 16), BigInt(0x7e79aa)), // mstatus
    0x302 -> (none, BigInt(0x100b3fe)), // medeleg: exceptions but the call from M, and the AMU's
    0x303 -> (none, BigInt(0x222)), // mideleg
    0x304 -> (none, BigInt(0xaaa)), // mie
    0x305 -> (none, all - 2), // mtvec
    0x306 -> (none, BigInt(7)), // mcounteren
    0x10c -> (none, BigInt(1)), // sstateen0: C
    0x30c -> (none, BigInt("c000000000000001", 16)), // mstateen0: SE0, ENVCFG, C
    0x340 -> (none, all), // mscratch
    0x341 -> (none, all - 1), // mepc
    0x342 -> (none, all), // mcause
    0x343 -> (none, all), // mtval
    0x105 -> (none, all - 2), // stvec
    0x106 -> (none, BigInt(7)), // scounteren
    0x140 -> (none, all), // sscratch
    0x141 -> (none, all - 1), // sepc
    0x142 -> (none, all), // scause
    0x143 -> (none, all), // stval
    0x180 -> (none, BigInt("fffff00000ffffff", 16)), // satp
    0x344 -> (none, BigInt(0x222)), // mip
    0x30a -> (none, BigInt(1) << 63), // menvcfg: STCE
    0x14d -> (none, all) // stimecmp
  )
  private val triggerCsrs = Seq(0x7a0, 0x7a1, 0x7a2)
  private val (ofInterrupts, others) = privileged.map(_._1).partition(Set(0x30a, 0x344, 0x14d)) // those behind the triggers
  val traced: Seq[Int] = others ++ PmpModel.csrs ++ triggerCsrs ++ ofInterrupts

  /** address -> (value after reset, bits a write changes). */
  val registers: Map[Int, (BigInt, BigInt)] = privileged.toMap ++ Map(
    0x001 -> (none, BigInt(31)), // fflags
    0x002 -> (none, BigInt(7)), // frm
    0x7a0 -> (none, BigInt(3)), // tselect
    0x301 -> (BigInt("800000000014112f", 16), none), // misa: RV64 A B C D F I M S U
    Csrs.amuctl -> (BigInt(AmuLimits.amuctlReset), BigInt(3))
  )
  private val protectionAndTriggers = PmpModel.csrs ++ triggerCsrs :+ 0x7a4 // tinfo
  val existing: IndexedSeq[Int] =
    (registers.keySet ++ protectionAndTriggers ++ fpCsrs ++ counters ++ zero ++ userCounters ++ views ++ amuCsrs).toIndexedSeq.sorted

  def legal(csr: Int, writes: Boolean, rights: Rights): Boolean = {
    val permitted = csr match {
      case c if fpCsrs(c) => rights.fp
      case c if amuCsrs(c) => rights.amu
      case c if userCounters(c) => (rights.counters >> (c & 31) & 1) == 1
      case 0x10a => rights.senvcfg
      case 0x10c => rights.sstateen0
      case 0x14d => rights.stimecmp
      case 0x10d | 0x10e | 0x10f => rights.mode == machine
      case 0x180 => rights.translation
      case _ => true
    }
    existing.contains(csr) && permitted && rights.mode >= (csr >> 8 & 3) && !(writes && (csr >> 10) == 3)
  }
}
