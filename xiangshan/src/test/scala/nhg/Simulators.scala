// SPDX-License-Identifier: Apache-2.0
package nhg

import chiseltest.VerilatorBackendAnnotation
import chiseltest.simulator.VerilatorFlags

/** Treadle, the default, starts at once; Verilator needs some seconds to build and is worth it for thousands of cycles of a larger block. */
object Simulators {
  val verilator = Seq(VerilatorBackendAnnotation, VerilatorFlags(Seq("--output-split", "0")))
}
