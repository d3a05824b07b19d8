// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.DevicePort
import chisel3._
import chisel3.util._
import nhg._
import platform.{ClintRegisters, Regions, Timebase}

/** The core-local interruptor (registers: tools/platform/platform.toml): time, in ticks, and the software and timer interrupt of M mode. Its registers
  * take accesses of 1, 2, 4 and 8 bytes and answer in the next cycle; of msip one bit is there. An access elsewhere in its region is an error; one
  * outside goes on to the other devices in the same cycle. After reset no interrupt is pending.
  */
class Clint(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val core = Flipped(new DevicePort(p.paddrBits))
    val devices = new DevicePort(p.paddrBits)
    val time = Output(UInt(64.W))
    val machineSoftware = Output(Bool())
    val machineTimer = Output(Bool())
  })
  private val msip = RegInit(false.B)
  private val mtimecmp = RegInit(Fill(64, 1.U(1.W)))
  private val ticks = RegInit(0.U(64.W))
  private val tickCycles = RegInit(0.U(log2Ceil(Timebase.tickCycles).W)) // since the last tick
  private val tick = tickCycles === (Timebase.tickCycles - 1).U
  tickCycles := Mux(tick, 0.U, tickCycles + 1.U)
  when(tick) { ticks := ticks + 1.U }
  io.time := ticks
  io.machineSoftware := msip
  io.machineTimer := ticks >= mtimecmp

  private val port = new OwnRegion(Regions.clint, io.core, io.devices)
  import port.{accepted, isWord, lanes, request}

  private val registers: Seq[(Bool, UInt)] =
    Seq(isWord(ClintRegisters.msip) -> Cat(0.U(63.W), msip), isWord(ClintRegisters.mtimecmp) -> mtimecmp, isWord(ClintRegisters.mtime) -> ticks)
  private def written(old: UInt): UInt = request.data & lanes | old & ~lanes
  when(accepted && request.write) {
    when(registers(0)._1) { msip := written(msip)(0) }
    when(registers(1)._1) { mtimecmp := written(mtimecmp) }
    when(registers(2)._1) { ticks := written(ticks) }
  }

  private val which = RegEnable(VecInit(registers.map(_._1)).asUInt, accepted)
  port.answer(data = Mux1H(which, registers.map(_._2)), error = !which.orR)
}
