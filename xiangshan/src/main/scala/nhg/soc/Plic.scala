// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.DevicePort
import chisel3._
import chisel3.util._
import nhg._
import platform.{PlicLimits, PlicRegisters, Regions}

/** The interrupt controller (registers: tools/platform/platform.toml), with a context for M and one for S mode. Bit i of `lines` is source i + 1: a level,
  * which becomes pending in the next cycle and is not looked at between the claim and the completion of its source. Registers of 32 bits take accesses of
  * 1, 2, 4 and 8 bytes and answer in the next cycle; a load that touches a claim register claims. An access elsewhere in its region is an error; one
  * outside goes on to the other devices in the same cycle. After reset no source is enabled.
  */
class Plic(p: NhgParams) extends Module {
  private val sources = PlicLimits.sources
  val io = IO(new Bundle {
    val core = Flipped(new DevicePort(p.paddrBits))
    val devices = new DevicePort(p.paddrBits)
    val lines = Input(UInt(sources.W))
    val machine = Output(Bool())
    val supervisor = Output(Bool())
  })
  private val numberBits = log2Ceil(sources + 1)
  private val priorityBits = log2Ceil(PlicLimits.priorityMax + 1)
  private val priority = RegInit(VecInit(Seq.fill(sources)(0.U(priorityBits.W)))) // from source 1 on; below, bit 0 is source 0, which is none
  private val pending = RegInit(0.U((sources + 1).W))
  private val claimed = RegInit(0.U((sources + 1).W)) // and not completed

  private class Context(val enableAt: Int, val thresholdAt: Int, val claimAt: Int) {
    val enable = RegInit(0.U((sources + 1).W))
    val threshold = RegInit(0.U(priorityBits.W))
    private val ready = pending & enable
    private val candidates = (0.U(priorityBits.W), 0.U(numberBits.W)) +:
      (1 to sources).map(number => (Mux(ready(number), priority(number - 1), 0.U), number.U(numberBits.W)))
    // of equal ones the lowest number
    private val (highest, number) = candidates.reduceLeft { (a, b) =>
      val isHigher = b._1 > a._1
      (Mux(isHigher, b._1, a._1), Mux(isHigher, b._2, a._2))
    }
    val best = number
    val interrupts = highest > threshold
  }
  import PlicRegisters._
  private val machine = new Context(enableMachine, thresholdMachine, claimMachine)
  private val supervisor = new Context(enableSupervisor, thresholdSupervisor, claimSupervisor)
  io.machine := machine.interrupts
  io.supervisor := supervisor.interrupts

  private val port = new OwnRegion(Regions.plic, io.core, io.devices)
  import port.{accepted, isWord, lanes, request}

  private class Register(offset: Int, val value: UInt) {
    private val isHigh = offset % 8 != 0
    private val bits = if (isHigh) 63 -> 32 else 31 -> 0
    val touched: Bool = isWord(offset) && (request.size === 3.U || request.addr(2) === isHigh.B)
    val read: Bool = accepted && touched && !request.write
    val written: Bool = accepted && touched && request.write
    val bytes: UInt = (request.data & lanes)(bits._1, bits._2) // that are written, others zero
    val data: UInt = bytes | value & ~lanes(bits._1, bits._2)
    def onBus: UInt = Mux(touched, if (isHigh) Cat(value.pad(32), 0.U(32.W)) else value.pad(64), 0.U)
  }
  private def plain(offset: Int, register: UInt): Register = {
    val r = new Register(offset, register.pad(32))
    when(r.written) { register := r.data }
    r
  }
  private val priorities = priority.zipWithIndex.map { case (register, i) => plain(PlicRegisters.priority + 4 * (i + 1), register) }
  private val contexts = Seq(machine, supervisor).map { c =>
    val enable = new Register(c.enableAt, c.enable.pad(32))
    when(enable.written) { c.enable := enable.data(sources, 1) ## 0.U(1.W) }
    val claim = new Register(c.claimAt, c.best.pad(32))
    val completes = claim.written && claim.bytes <= sources.U
    val taken = Mux(claim.read, UIntToOH(c.best, sources + 1) & ~1.U((sources + 1).W), 0.U)
    val completed = Mux(completes, UIntToOH(claim.bytes(numberBits - 1, 0), sources + 1) & c.enable, 0.U)
    (Seq(enable, plain(c.thresholdAt, c.threshold), claim), taken, completed)
  }
  private val none = new Register(PlicRegisters.priority, 0.U(32.W)) // of source 0
  private val registers = Seq(none, new Register(PlicRegisters.pending, pending.pad(32))) ++ priorities ++ contexts.flatMap(_._1)
  private val taken = contexts.map(_._2).reduce(_ | _)
  private val completed = contexts.map(_._3).reduce(_ | _)
  pending := (pending | (io.lines ## 0.U(1.W)) & ~claimed) & ~taken
  claimed := (claimed | taken) & ~completed

  port.answer(
    data = RegEnable(registers.map(_.onBus).reduce(_ | _), accepted),
    error = RegEnable(!VecInit(registers.map(_.touched)).asUInt.orR, accepted)
  )
  assert((pending & claimed) === 0.U, "a source is pending while it is claimed")
}
