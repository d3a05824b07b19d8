// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import chisel3.stage.ChiselStage

/** Writes NhgSoc.fir, the CHIRRTL of the SoC with the default parameters, into the folder named on the command line, for firtool. */
object Elaborate {
  def main(args: Array[String]): Unit = {
    require(args.length == 1, "usage: Elaborate OUT_DIR")
    (new ChiselStage).emitChirrtl(new NhgSoc, Array("--target-dir", args(0)))
  }
}
