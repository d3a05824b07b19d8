// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import platform.{AmuConfigNumber, Csrs, PrivilegedCsrs}

/** Which CSRs there are, and whether an access to one is legal. */
object CsrMap {
  val fflags = 0x001
  val frm = 0x002
  val fcsr = 0x003
  val misa = 0x301
  val mcycle = 0xb00
  val minstret = 0xb02
  val cycle = 0xc00
  val time = 0xc01
  val instret = 0xc02
  val mhartid = 0xf14
  val tinfo = 0x7a4
  private val senvcfg = 0x10a
  private val sstateen = 0x10d -> 0x10f // all but the first, which is zero like these
  import Csrs._
  require(amustate == amuid + 1 && amuhits == amucfg0 + AmuConfigNumber.count && amureuse == amuhits + 1, "the AMU's CSRs follow one another")

  /** Numbers of CSRs of the table by their names. */
  val named: Map[String, Int] = (PrivilegedCsrs.registers.map(r => r.name -> r.number) ++ PrivilegedCsrs.views.map(v => v.name -> v.number)).toMap

  val debug: Map[String, Int] = PrivilegedCsrs.debug.map(r => r.name -> r.number).toMap

  /** Those whose writes change what decoding depends on, or what may be fetched. */
  val decodingDependsOn: Seq[Int] = {
    val grants = Seq("mstatus", "sstatus", "medeleg", "mcounteren", "scounteren", "mstateen0", "sstateen0", "menvcfg", "satp", "tdata1", "tdata2")
    (grants ++ named.keys.filter(_.startsWith("pmp"))).map(named) ++ Seq(frm, fcsr, amuctl, debug("dcsr"))
  }

  def legal(addr: UInt, writes: Bool, allowed: Allowed, inBootRom: Bool): Bool = {
    def in(range: (Int, Int)) = if (range._1 == range._2) addr === range._1.U else addr >= range._1.U && addr <= range._2.U
    val isMachine = allowed.mode === Mode.machine
    val counters = Seq(cycle, time, instret).zip(allowed.counters.asBools).map { case (csr, visible) => (csr, csr) -> visible }
    val conditional: Seq[((Int, Int), Bool)] = counters ++ Seq(
      (fflags, fcsr) -> allowed.fp,
      (amucap, amureuse) -> allowed.amu,
      (amuid, amustate) -> allowed.amu,
      (senvcfg, senvcfg) -> allowed.senvcfg,
      (named("sstateen0"), named("sstateen0")) -> allowed.sstateen0,
      (named("stimecmp"), named("stimecmp")) -> allowed.stimecmp,
      sstateen -> isMachine,
      (named("satp"), named("satp")) -> allowed.translation
    ) ++ debug.values.toSeq.sorted.map(csr => (csr, csr) -> inBootRom)
    val all = (named.values.toSeq ++ debug.values ++ Seq(misa, amuctl, mcycle, minstret, mhartid, tinfo)).sorted.map(csr => (csr, csr)) ++ PrivilegedCsrs.zero
    val plain = all.filterNot(range => conditional.exists(_._1 == range))
    val exists = plain.map(in) ++ conditional.map { case (range, condition) => in(range) && condition }
    VecInit(exists).asUInt.orR && allowed.mode >= addr(9, 8) && !(writes && addr(11, 10) === 3.U)
  }
}
