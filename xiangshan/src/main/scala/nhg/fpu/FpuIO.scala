// SPDX-License-Identifier: Apache-2.0
package nhg.fpu

import chisel3._
import chisel3.util._

/** Operations of the three floating-point units. The low two bits of the fused operations are those of their opcodes: bit 1 negates the
  * product, bit 0 the addend. The low two bits of the conversions from and to integers are those of rs2: W, WU, L, LU.
  */
object FpuOp {
  val width = 5
  // FmaPipe
  val fmadd = 0.U(width.W)
  val fmsub = 1.U(width.W)
  val fnmsub = 2.U(width.W)
  val fnmadd = 3.U(width.W)
  val fadd = 4.U(width.W)
  val fsub = 5.U(width.W)
  val fmul = 6.U(width.W)
  // DivSqrt
  val fdiv = 8.U(width.W)
  val fsqrt = 9.U(width.W)
  // FpMiscPipe
  val fsgnj = 10.U(width.W)
  val fsgnjn = 11.U(width.W)
  val fsgnjx = 12.U(width.W)
  val fmin = 13.U(width.W)
  val fmax = 14.U(width.W)
  val fle = 15.U(width.W)
  val flt = 16.U(width.W)
  val feq = 17.U(width.W)
  val fclass = 18.U(width.W)
  val fmvToInt = 19.U(width.W) // the bits, of the single format sign-extended
  val fmvFromInt = 20.U(width.W)
  val fcvtFloat = 21.U(width.W) // from the other format to that of `double`
  val fcvtToInt = 24.U(width.W)
  val fcvtFromInt = 28.U(width.W)

  def convertsToInt(op: UInt): Bool = op(4, 2) === 6.U
  def convertsFromInt(op: UInt): Bool = op(4, 2) === 7.U
}

/** One operation. `double`: format of the operation, for conversions from integers or between formats that of the result. `rm`: rounding mode
  * as in `fcsr`, 0 to 4; a dynamic one is resolved, a reserved one is not sent. `src`: rs1, rs2, rs3 as the register files hold them, NaN
  * boxing not yet checked; an integer source is `src(0)`. `tag` comes back with the result.
  */
class FpuRequest[T <: Data](tagType: T) extends Bundle {
  val op = UInt(FpuOp.width.W)
  val double = Bool()
  val rm = UInt(3.W)
  val src = Vec(3, UInt(64.W))
  val tag = tagType.cloneType
}

/** `data`: IEEE 754, singles NaN-boxed, or the integer, 32-bit ones sign-extended. `flags`: NV DZ OF UF NX from bit 4 down, as in `fflags`. */
class FpuResponse[T <: Data](tagType: T) extends Bundle {
  val data = UInt(64.W)
  val flags = UInt(5.W)
  val tag = tagType.cloneType
}

/** Ports of a unit that takes an operation every cycle and has its result `latency` cycles later, counting the cycle of the operands:
  * `out` is combinational from the last stage. `inFlight(i)` is the operation in stage i, stage 0 being `in`: who wakes up dependents knows
  * from it when a result comes, and who kills which operations are there. `kill(i)` ends the one in stage i in this cycle.
  */
class FpuPipeIO[T <: Data](tagType: T, latency: Int) extends Bundle {
  val in = Input(Valid(new FpuRequest(tagType)))
  val kill = Input(UInt(latency.W))
  val inFlight = Output(Vec(latency, Valid(tagType)))
  val out = Output(Valid(new FpuResponse(tagType)))
}

/** Valid bits and tags of such a unit. */
abstract class FpuPipe[T <: Data](tagType: T, val latency: Int) extends Module {
  val io = IO(new FpuPipeIO(tagType, latency))

  /** Whether the operation of each stage goes on. */
  protected val live = Wire(Vec(latency, Bool()))
  for (i <- 0 until latency) {
    io.inFlight(i).valid := (if (i == 0) io.in.valid else RegNext(live(i - 1), false.B))
    io.inFlight(i).bits := (if (i == 0) io.in.bits.tag else RegEnable(io.inFlight(i - 1).bits, live(i - 1)))
    live(i) := io.inFlight(i).valid && !io.kill(i)
  }
  io.out.valid := live(latency - 1)
  io.out.bits.tag := io.inFlight(latency - 1).bits

  /** What stage `i` - 1 knows of its operation, one stage later. */
  protected def toStage[D <: Data](i: Int)(value: D): D = RegEnable(value, live(i - 1))
}
