// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import chisel3.RawModule
import chisel3.stage.ChiselStage

import java.nio.file.{Files, Paths}

/** Writes the CHIRRTL of NhgSoc with the default parameters to the file named on the command line, for firtool. */
object Elaborate {
  def main(args: Array[String]): Unit = {
    require(args.length == 1, "usage: Elaborate OUT.fir")
    val target = Paths.get(args(0))
    Option(target.getParent).foreach(Files.createDirectories(_))
    val chirrtl = (new ChiselStage).emitChirrtl(new NhgSoc: RawModule)
    Files.write(target, chirrtl.getBytes("UTF-8"))
  }
}
