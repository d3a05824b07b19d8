// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import nhg.NhgParams
import scala.util.Random

object CanonicalPc {
  /** The program counter of an address in the lower or upper half of Sv39. */
  def draw(p: NhgParams, random: Random): BigInt = {
    val low = BigInt(p.addressBits - 2, random) * 2
    if (random.nextBoolean()) low else (BigInt(1) << p.pcBits) - 2 - low
  }
}
