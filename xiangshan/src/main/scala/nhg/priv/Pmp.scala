// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import nhg.NhgParams

/** Pages `first` to `last`. */
class PmpRegion(p: NhgParams) extends Bundle {
  val valid = Bool()
  val first = UInt(Pmp.pageBits(p).W)
  val last = UInt(Pmp.pageBits(p).W)

  def has(page: UInt): Bool = valid && page >= first && page <= last
}

/** Physical memory protection as the units see it that access memory: all zero forbids nothing. Of `fetch`, `read` and `write` the bit of the first
  * region that has the page says whether the access is denied; the last bit, where none has it. `fetch` is by the mode, the others by that of loads
  * and stores (MPRV).
  */
class PmpState(p: NhgParams) extends Bundle {
  val regions = Vec(Pmp.regions, new PmpRegion(p))
  val fetch = UInt((Pmp.regions + 1).W)
  val read = UInt((Pmp.regions + 1).W)
  val write = UInt((Pmp.regions + 1).W)
  val walk = UInt((Pmp.regions + 1).W) // reads of page tables, always with the rights of S mode

  /** The first region that has the page of `address`, one-hot; the last bit, where none has it. */
  def regionOf(address: UInt): UInt = {
    val page = address(Pmp.grainBits + Pmp.pageBits(p) - 1, Pmp.grainBits)
    PriorityEncoderOH(Cat(true.B, Cat(regions.reverse.map(_.has(page)))))
  }

  /** An access to `address` is denied; `rights` is one of the four. No access leaves its page, which is the grain. */
  def denies(address: UInt, rights: UInt): Bool = (regionOf(address) & rights).orR
}

object Pmp {
  val regions = 16
  val grainBits = 12
  def pageBits(p: NhgParams): Int = p.paddrBits - grainBits
}

/** The registers pmpcfg0, pmpcfg2 and pmpaddr0 to pmpaddr15: how they are read and written, and what they forbid. `csr`: all of csrs.toml. */
class PmpRegisters(p: NhgParams, csr: Map[String, FieldCsr]) {
  private val off = 0.U
  private val topOfRange = 1.U
  private val napot = 3.U
  private val lanes = 8 // regions of a pmpcfg
  private class Region(val index: Int) {
    val lane: Int = index % lanes
    val cfg: FieldCsr = csr(s"pmpcfg${index / lanes * 2}")
    val addr: FieldCsr = csr(s"pmpaddr$index")
    def apply(field: String): UInt = cfg(s"$field$lane")
    def locked: Bool = apply("l").asBool
    def isNapot: Bool = apply("a") === napot
    def page: UInt = addr("value") >> 1 // bit 9, the lowest, belongs to NAPOT alone
  }
  private val regions = Seq.tabulate(Pmp.regions)(new Region(_))
  require(regions.head.page.getWidth == Pmp.pageBits(p), "pmpaddr of csrs.toml has other bits than a physical address")

  /** Reads of a pmpaddr: NAPOT regions show that they are of 4 KiB at least, others begin and end at pages. */
  def readAddress(index: Int): UInt = {
    val r = regions(index)
    val grainOnes = ((1 << (Pmp.grainBits - 3)) - 1).U
    Cat(r.page, Mux(r.isNapot, Cat(r.addr("value")(0), grainOnes), 0.U((Pmp.grainBits - 2).W)))
  }

  /** A locked region keeps both registers, and the one below too if that is its base. */
  def writeAddress(index: Int, bits: UInt): Unit = {
    val baseOfLocked = regions.lift(index + 1).map(next => next.locked && next("a") === topOfRange).getOrElse(false.B)
    when(!regions(index).locked && !baseOfLocked) { regions(index).addr.write(bits) }
  }
  def writeConfig(name: String, bits: UInt): Unit =
    for (r <- regions if r.cfg.spec.name == name) {
      when(!r.locked) { r.cfg.write(bits, Seq("rw", "x", "a", "l").map(field => s"$field${r.lane}")) }
    }

  /** One cycle later: what changes a register or a mode makes everything younger be fetched again, later than that. */
  def state(fetchMode: UInt, dataMode: UInt): PmpState = {
    val now = Wire(new PmpState(p))
    for ((r, to) <- regions.zip(now.regions)) {
      val value = r.addr("value")
      val inside = (value ^ (value + 1.U)) >> 1 // NAPOT: the ones at the end of `value` are bits of the region's size
      val base = if (r.index == 0) 0.U else regions(r.index - 1).page
      to.first := Mux(r.isNapot, r.page & ~inside, base)
      to.last := Mux(r.isNapot, r.page | inside, r.page - 1.U)
      to.valid := r("a") =/= off && (r.isNapot || base < r.page)
    }
    def denied(mode: UInt, right: Region => Bool): UInt = {
      val isMachine = mode === Mode.machine
      Cat(!isMachine, Cat(regions.reverse.map(r => !right(r) && !(isMachine && !r.locked))))
    }
    now.fetch := denied(fetchMode, _("x").asBool)
    now.read := denied(dataMode, _("rw")(0))
    now.write := denied(dataMode, _("rw")(1))
    now.walk := denied(Mode.supervisor, _("rw")(0))
    RegNext(now, 0.U.asTypeOf(now))
  }
}
