// SPDX-License-Identifier: Apache-2.0
package nhg.priv

import chisel3._
import chisel3.util._

/** An address trigger as decoder and LSU see it: which accesses it fires on in the present mode. All zero is off. */
class Trigger extends Bundle {
  val execute = Bool()
  val load = Bool()
  val store = Bool()
  val isBelow = Bool() // fires on addresses below `address`
  val isNotBelow = Bool() // ... from it on; neither: on that byte alone
  val address = UInt(64.W)

  /** Fires on one of the bytes `first` to `first + bytes - 1`, of which there are 8 at most. */
  def matches(first: UInt, bytes: UInt): Bool = {
    val distance = address -& first // with a borrow
    val startsBelow = !distance(64) && distance =/= 0.U
    val has = !distance(64, 3).orR && distance(2, 0) < bytes
    Mux(isBelow, startsBelow, has || isNotBelow && !startsBelow)
  }
}

class TriggerState extends Bundle {
  val all = Vec(Triggers.count, new Trigger)

  def fires(kind: Trigger => Bool, first: UInt, bytes: UInt): Bool = VecInit(all.map(t => kind(t) && t.matches(first, bytes))).asUInt.orR
}

object Triggers {
  val count = 4
  val info = 4 // tinfo: every trigger is of type 2, mcontrol
}

/** tselect, tdata1 and tdata2. `csr`: all of csrs.toml, with the first trigger's tdata1 and tdata2. A trigger would fire in its own handler for ever: in M mode
  * none fires while MIE is zero, in S mode none while SIE is zero if breakpoints are delegated.
  */
class TriggerRegisters(csr: Map[String, FieldCsr]) {
  private val copies = Seq("tdata1", "tdata2").map(name => name -> (csr(name) +: Seq.fill(Triggers.count - 1)(new FieldCsr(csr(name).spec)))).toMap
  private val selected = csr("tselect")("value")

  def read(name: String): UInt = VecInit(copies(name).map(_.value()))(selected)
  def write(name: String, bits: UInt): Unit =
    for ((copy, i) <- copies(name).zipWithIndex) { when(selected === i.U) { copy.write(bits) } }

  /** One cycle later, as PmpRegisters.state. `enabled`: for the mode, what the comment above says. */
  def state(mode: UInt, enabled: Bool): TriggerState = {
    val now = Wire(new TriggerState)
    for (((control, data), to) <- copies("tdata1").zip(copies("tdata2")).zip(now.all)) {
      val inMode = MuxLookup(mode, control("m").asBool, Seq(Mode.user -> control("u").asBool, Mode.supervisor -> control("s").asBool))
      for ((fires, field) <- Seq(to.execute -> "execute", to.load -> "load", to.store -> "store")) fires := inMode && enabled && control(field).asBool
      to.isBelow := control("match") === 3.U
      to.isNotBelow := control("match") === 2.U
      to.address := data("value")
    }
    RegNext(now, 0.U.asTypeOf(now))
  }
}
