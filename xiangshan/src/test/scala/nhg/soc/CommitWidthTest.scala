// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import chisel3.stage.ChiselStage
import nhg._
import org.scalatest.flatspec.AnyFlatSpec

/** The SoC with other commit widths: it elaborates, and its commit trace has as many records. */
class CommitWidthTest extends AnyFlatSpec {
  for (width <- Seq(2, 6)) {
    "NhgSoc" should s"elaborate with $width instructions a cycle" in {
      val p = NhgParams(backend = BackendParams(commitWidth = width))
      val top = ChiselStage.emitChirrtl(new NhgSoc(p)).linesIterator.dropWhile(_.trim != "module NhgSoc :").drop(1)
      val trace = top.map(_.trim).find(_.startsWith("output commit :")).get
      assert(trace.endsWith(s"}[$width]"), trace.takeRight(40))
    }
  }
}
