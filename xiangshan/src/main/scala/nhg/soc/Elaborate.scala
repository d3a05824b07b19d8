// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import chisel3.stage.ChiselStage
import java.nio.file.{Files, Paths}
import nhg.{FrontendParams, NhgParams}

/** Writes NhgSoc.fir, the CHIRRTL of the SoC in a configuration of `NhgParams`, for firtool, and parameters.json, the sizes that software models of
  * its parts must share with it, into the folder named on the command line.
  */
object Elaborate {
  def main(args: Array[String]): Unit = {
    require(args.length == 2, "usage: Elaborate OUT_DIR CONFIGURATION")
    val p = NhgParams.named(args(1))
    (new ChiselStage).emitChirrtl(new NhgSoc(p), Array("--target-dir", args(0)))
    Files.writeString(Paths.get(args(0), "parameters.json"), s"""{"frontend": ${predictorSizes(p.frontend)}}\n""")
  }

  private def predictorSizes(f: FrontendParams): String = Seq(
    "phtEntries" -> f.phtEntries,
    "historyBits" -> f.historyBits,
    "tageEntries" -> f.tageEntries,
    "tageHistory" -> f.tageHistory.mkString("[", ", ", "]"),
    "ittage" -> f.ittage.map(t => s"[${t.entries}, ${t.history}]").mkString("[", ", ", "]"),
    "btbEntries" -> f.btbEntries,
    "rasEntries" -> f.rasEntries
  ).map { case (name, value) => s""""$name": $value""" }.mkString("{", ", ", "}")
}
