// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import nhg._

/** A back end with a second register class, whose register 0 is an ordinary one: loads write it, stores take their data from it. */
object TwoClasses {
  private val one = BackendParams()
  val backend: BackendParams = one.copy(
    registerClasses = one.registerClasses.map(_.copy(physical = 48)) :+ RegisterClass("fp", logical = 32, physical = 64, fixedZero = false),
    ports = one.ports.map {
      case port if port.queue == "load" => port.copy(writes = Set("int", "fp"))
      case port if port.queue == "storeData" => port.copy(reads = Seq(Set("int", "fp")))
      case port => port
    }
  )
  val params: NhgParams = NhgParams(backend = backend)
}
