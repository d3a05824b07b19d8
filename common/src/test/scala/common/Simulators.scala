// SPDX-License-Identifier: Apache-2.0
package common

import chiseltest.VerilatorBackendAnnotation
import chiseltest.internal.{CachingAnnotation, NoThreadingAnnotation}
import chiseltest.simulator.{VerilatorCFlags, VerilatorFlags}
import firrtl.AnnotationSeq
import firrtl.options.TargetDirAnnotation

/** Treadle, the default, starts at once, but takes 10 to 50 ms a cycle of a block with large tables; Verilator needs some seconds to build.
  * Unit tests run some thousand cycles, so compiling is what costs: all C++ is one file (splitting it takes twice as long), and not optimised.
  * No test forks; the backend for those that do takes a stack trace at every poke, which costs more than the simulation.
  */
object Simulators {
  private val flags = Seq(VerilatorFlags(Seq("--output-split", "100000000")), VerilatorCFlags(Seq("-O0")))

  val verilator: AnnotationSeq = VerilatorBackendAnnotation +: CachingAnnotation +: NoThreadingAnnotation +: flags

  private val length = sys.env.getOrElse("NHG_TEST_LENGTH", "1").toInt

  /** Cycles of a random test: `NHG_TEST_LENGTH=10 mill ...` makes them ten times as many. What must be reached is counted by each test. */
  def cycles(number: Int): Int = number * length

  /** Whether tests of sizes that the core does not have run, too: those of `make test LENGTH=n`. */
  val everySize: Boolean = length > 1

  /** For tests of one block with the same parameters: only the first builds it, in a folder of this name. */
  def verilatorOf(block: String): AnnotationSeq = verilator :+ TargetDirAnnotation(s"test_run_dir/$block")
}
