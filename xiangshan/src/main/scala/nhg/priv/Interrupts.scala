// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._
import nhg._

/** Numbers of interrupts, in mip, mie, mideleg and the causes. */
object Interrupt {
  val supervisorSoftware = 1
  val machineSoftware = 3
  val supervisorTimer = 5
  val machineTimer = 7
  val supervisorExternal = 9
  val machineExternal = 11

  /** Of those of one level the first that is ready is taken. */
  val byPriority: Seq[Int] = Seq(machineExternal, machineSoftware, machineTimer, supervisorExternal, supervisorSoftware, supervisorTimer)
}

/** What comes to a hart from outside: time, in ticks, and lines that stay as long as something is pending. */
class InterruptLines extends Bundle {
  val time = UInt(64.W)
  val machineSoftware = Bool()
  val machineTimer = Bool()
  val machineExternal = Bool()
  val supervisorExternal = Bool()
}

/** What may happen at the ROB head because of interrupts. */
class InterruptState extends Bundle {
  val letIn = Bool() // the mode and the CSRs let in the interrupt `cause`
  val cause = UInt(Cause.width.W)
  val wakes = Bool() // one is pending and enabled in mie: wfi ends
}

/** Which interrupt is taken: those that are not delegated go to M mode and come before those of S mode. */
object InterruptChoice {
  def apply(ready: UInt, delegated: UInt, mode: UInt, machineEnabled: Bool, supervisorEnabled: Bool): InterruptState = {
    val machine = Mux(mode =/= Mode.machine || machineEnabled, ready & ~delegated, 0.U)
    val supervisor = Mux(mode === Mode.user || mode === Mode.supervisor && supervisorEnabled, ready & delegated, 0.U)
    val chosen = Mux(machine.orR, machine, supervisor)
    val state = Wire(new InterruptState)
    state.letIn := chosen.orR
    state.cause := PriorityMux(Interrupt.byPriority.map(number => chosen(number) -> number.U(Cause.width.W)))
    state.wakes := ready.orR
    state
  }
}
