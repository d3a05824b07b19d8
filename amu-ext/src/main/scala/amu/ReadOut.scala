// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import platform.Amustate

/** What is known of an ID, as `amustate` shows it. */
class IdRecord(p: AmuParams) extends Bundle {
  val outstanding = Bool()
  val waiting = Bool()
  val signalled = Bool()
  val requests = UInt(6.W) // that an open group still expects; 0: not open
  val target = UInt(p.targetBits.W) // of an outstanding group

  def isFree: Bool = !outstanding && !signalled && requests === 0.U
}

/** The CSRs `amuid` and `amustate` (docs/ami.md, "Saving and restoring"). A write of `amuid` looks at one ID a cycle until one is not free. Until `busy`
  * falls no AMI instruction may be at the ROB head: the ID that is looked at takes the place of its ID at the group table.
  */
class ReadOut(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val select = Flipped(Valid(UInt(64.W))) // amuid is written
    val forget = Input(Bool()) // amustate is written, while nothing is under way
    val asked = Valid(UInt(p.idBits.W))
    val record = Input(new IdRecord(p)) // of `asked`
    val forgets = Output(Bool()) // what `asked` waits for
    val amuid = Output(UInt(64.W))
    val amustate = Output(UInt(64.W))
    val busy = Output(Bool())
  })
  private val searching = RegInit(false.B)
  private val forgetting = RegNext(io.forget, false.B)
  private val id = RegInit(0.U(p.idBits.W)) // 0, of which nothing is ever known: none is selected
  private val found = RegInit(0.U.asTypeOf(new IdRecord(p)))

  when(io.select.valid) {
    val exists = io.select.bits <= p.maxId.U
    searching := exists
    id := Mux(exists, io.select.bits, 0.U)
  }.elsewhen(searching) {
    searching := io.record.isFree && id =/= p.maxId.U
    when(io.record.isFree) { id := id + 1.U } // behind the last comes 0
  }
  when(io.select.valid || io.forget) {
    found := 0.U.asTypeOf(new IdRecord(p))
  }.elsewhen(searching) { found := io.record }

  io.busy := searching || forgetting
  io.asked.valid := io.busy
  io.asked.bits := id
  io.forgets := forgetting
  io.amuid := id
  io.amustate := Seq(
    found.outstanding -> Amustate.outstanding,
    found.waiting -> Amustate.waiting,
    found.signalled -> Amustate.signalled,
    found.requests -> Amustate.requests,
    found.target -> Amustate.target
  ).map { case (value, field) => (value << field.lsb).asUInt }.reduce(_ | _)
  assert(!((io.select.valid || io.forget) && io.busy), "an ID is selected or forgotten while another one is")
}
