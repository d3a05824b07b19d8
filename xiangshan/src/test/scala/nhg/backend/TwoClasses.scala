// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import nhg._

/** A back end whose two register classes differ in size. */
object TwoClasses {
  private val one = BackendParams()
  val backend: BackendParams = one.copy(registerClasses = one.registerClasses.head.copy(physical = 48) +: one.registerClasses.tail)
  val params: NhgParams = NhgParams(backend = backend)
}
