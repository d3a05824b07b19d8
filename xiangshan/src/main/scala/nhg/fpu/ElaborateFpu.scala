// SPDX-License-Identifier: Apache-2.0
package nhg.fpu

import chisel3._
import chisel3.stage.ChiselStage

/** Writes the CHIRRTL of each unit, with tags of 8 bits, into the folder named on the command line: for `sim/fpu`, tests and area. */
object ElaborateFpu {
  def main(args: Array[String]): Unit = {
    require(args.length == 1, "usage: ElaborateFpu OUT_DIR")
    val tag = UInt(8.W)
    val units = Seq[() => Module](() => new FmaPipe(tag), () => new FpMiscPipe(tag), () => new DivSqrt(tag))
    for (unit <- units)
      (new ChiselStage).emitChirrtl(unit(), Array("--target-dir", args(0)))
  }
}
