// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._
import nhg.fpu._

object FpUnits {
  /** The execution ports of these units. */
  val ports: Seq[String] = Seq("fma", "fpMisc")
}

/** What comes back with a result of a floating-point unit. */
class FpTag(p: NhgParams) extends Bundle {
  val robPtr = UInt(p.robRing.bits.W)
  val dest = new PhysicalDestination(p)
}

/** A result and the flags it raises. */
class FpResult(p: NhgParams) extends Bundle {
  val atPort = new PortResult(p)
  val flags = UInt(5.W)
}

/** The floating-point units behind their two execution ports: multiply-add; and all others, where results of the pipe have a fixed time and
  * those of division and square root wait for a free cycle.
  */
class FpUnits(p: NhgParams) extends Module {
  import FpUnits.ports
  val io = IO(new Bundle {
    val kill = Input(new Kill(p))
    val in = Flipped(new ByName(ports, Decoupled(new IssuedOp(p))))
    /** The operation that is at `fpMisc` in the next cycle. */
    val nextMisc = Input(Valid(new MicroOp(p)))
    val result = Output(new ByName(ports, Valid(new FpResult(p))))
    /** Dependents may be selected from the next cycle on. */
    val fmaWake = Output(Valid(new PhysicalDestination(p)))
    val miscWake = Output(Valid(new PhysicalDestination(p)))
    val divSqrtWake = Output(Valid(new PhysicalDestination(p)))
  })
  private val tag = new FpTag(p)

  private def request(op: IssuedOp): FpuRequest[FpTag] = {
    val r = Wire(new FpuRequest(tag))
    r.op := op.uop.fn
    r.double := !op.uop.word
    r.rm := op.uop.imm(2, 0)
    r.src := op.src
    r.tag.robPtr := op.uop.robPtr
    r.tag.dest := op.uop.dest
    r
  }
  private def result(port: String, valid: Bool, from: FpuResponse[FpTag]): Unit = {
    val to = io.result(port)
    to.valid := valid
    to.bits.atPort.robPtr := from.tag.robPtr
    to.bits.atPort.dest := from.tag.dest
    to.bits.atPort.data := from.data
    to.bits.flags := from.flags
  }
  /** As the multiplier's, a result may be written in the cycle of its death: nothing has its register yet. */
  private def killInside(pipe: FpuPipe[FpTag]): Unit =
    pipe.io.kill := VecInit(pipe.io.inFlight.init.map(op => io.kill(p, op.bits.robPtr)) :+ false.B).asUInt

  private val fma = Module(new FmaPipe(tag))
  fma.io.in.valid := io.in("fma").valid
  fma.io.in.bits := request(io.in("fma").bits)
  io.in("fma").ready := true.B
  killInside(fma)
  result("fma", fma.io.out.valid, fma.io.out.bits)
  private val twoBefore = fma.io.inFlight(fma.latency - 3)
  io.fmaWake.valid := twoBefore.valid
  io.fmaWake.bits := twoBefore.bits.dest

  private val misc = Module(new FpMiscPipe(tag))
  private val divSqrt = Module(new DivSqrt(tag))
  private def iterates(uop: MicroOp): Bool = uop.fn === FpuOp.fdiv || uop.fn === FpuOp.fsqrt
  private val in = io.in("fpMisc")
  private val isDivSqrt = iterates(in.bits.uop)
  misc.io.in.valid := in.valid && !isDivSqrt
  misc.io.in.bits := request(in.bits)
  killInside(misc)
  io.miscWake.valid := io.nextMisc.valid && !iterates(io.nextMisc.bits) // its result comes in two cycles
  io.miscWake.bits := io.nextMisc.bits.dest
  divSqrt.io.in.valid := in.valid && isDivSqrt
  divSqrt.io.in.bits := misc.io.in.bits
  divSqrt.io.kill := divSqrt.io.inFlight.valid && io.kill(p, divSqrt.io.inFlight.bits.robPtr)
  divSqrt.io.out.ready := !misc.io.out.valid
  io.divSqrtWake.valid := divSqrt.io.out.fire
  io.divSqrtWake.bits := divSqrt.io.out.bits.tag.dest
  in.ready := !isDivSqrt || divSqrt.io.in.ready
  private val out = Mux(misc.io.out.valid, misc.io.out.bits, divSqrt.io.out.bits)
  result("fpMisc", misc.io.out.valid || divSqrt.io.out.valid, out)
  require(fma.latency >= 3 && misc.latency == 2, "FpUnits: wake-ups are written for other latencies")
}
