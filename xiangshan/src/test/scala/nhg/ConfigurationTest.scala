// SPDX-License-Identifier: Apache-2.0
package nhg

import chisel3.stage.ChiselStage
import nhg.soc.NhgSoc
import org.scalatest.flatspec.AnyFlatSpec

/** Every core that one can build by name elaborates, and has what its name says. */
class ConfigurationTest extends AnyFlatSpec {
  private def modules(p: NhgParams): Set[String] = {
    val declared = "module (\\w+) :.*".r
    ChiselStage.emitChirrtl(new NhgSoc(p)).linesIterator.map(_.trim).collect { case declared(name) => name }.toSet
  }

  for ((name, p) <- NhgParams.configurations) it should s"elaborate as $name" in {
    val found = modules(p)
    assert(found("BestOffset") == (name != "no-prefetcher"))
    for (module <- Seq("StreamPrefetcher", "PrefetchFence")) assert(found(module) == (name == "strong-prefetcher"), module)
    for (module <- Seq("Amu", "GroupTable", "LineTable")) assert(found(module) == (name != "no-amu"), module)
    for (module <- Seq("L3Cache", "LookupLevels")) assert(found(module) == (name != "no-l3"), module)
  }

  it should "double what it says and nothing else" in {
    val (p, large) = (NhgParams(), NhgParams.named("large"))
    assert(large.backend.registerClasses.map(_.physical) == p.backend.registerClasses.map(2 * _.physical))
    assert(Seq(large.l1i, large.l1d, large.l2, large.l3.get).map(_.mshrs) == Seq(p.l1i, p.l1d, p.l2, p.l3.get).map(2 * _.mshrs))
    assert(large.l3.map(_.sets) == p.l3.map(_.sets) && large.backend.robEntries == p.backend.robEntries)
    assertThrows[IllegalArgumentException](NhgParams.named("huge"))
  }
}
