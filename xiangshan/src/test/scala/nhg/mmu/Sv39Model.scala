// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

import scala.collection.mutable

/** How an access ends. */
sealed trait Outcome
case class At(physical: BigInt) extends Outcome
case object PageFault extends Outcome
case object AccessFault extends Outcome

case class Rights(isUser: Boolean, sum: Boolean, mxr: Boolean)

/** Page tables as the privileged manual has them, with what an implementation may remember: each entry is one of the values that it had since the last
  * fence, and each translation may have been made at another time.
  */
class Sv39Model(paddrBits: Int, hasMemory: BigInt => Boolean, denied: BigInt => Boolean) {
  private val now = mutable.Map[BigInt, BigInt]()
  private val since = mutable.Map[BigInt, Set[BigInt]]()

  def apply(address: BigInt): BigInt = now.getOrElse(address, 0)
  def write(address: BigInt, pte: BigInt): Unit = {
    since(address) = since.getOrElse(address, Set(apply(address))) + pte
    now(address) = pte
  }
  def fence(): Unit = since.clear()

  def outcomes(root: BigInt, address: BigInt, kind: Char, rights: Rights): Set[Outcome] = {
    val high = address >> 38
    if (high == 0 || high == (BigInt(1) << 26) - 1) walk(root, address, 2, kind, rights) else Set(PageFault)
  }

  private def walk(table: BigInt, address: BigInt, level: Int, kind: Char, rights: Rights): Set[Outcome] = {
    val at = table * 4096 + ((address >> (12 + 9 * level)) & 511) * 8
    if (!hasMemory(at) || denied(at)) Set(AccessFault)
    else since.getOrElse(at, Set(apply(at))).flatMap(step(_, address, level, kind, rights))
  }

  private def step(pte: BigInt, address: BigInt, level: Int, kind: Char, rights: Rights): Set[Outcome] = {
    def bit(n: Int): Boolean = pte.testBit(n)
    val (v, r, w, x, u, a, d) = (bit(0), bit(1), bit(2), bit(3), bit(4), bit(6), bit(7))
    val ppn = (pte >> 10) & ((BigInt(1) << 44) - 1)
    val offsetBits = 12 + 9 * level
    val right = kind match {
      case 'x' => x
      case 'w' => w
      case 'r' => r || rights.mxr && x
    }
    if (!v || w && !r || (pte >> 54) != 0) Set(PageFault)
    else if (!r && !x) { if (level == 0 || u || a || d) Set(PageFault) else walk(ppn, address, level - 1, kind, rights) }
    else if (rights.isUser && !u || !rights.isUser && u && (kind == 'x' || !rights.sum)) Set(PageFault)
    else if (!right || !a || kind == 'w' && !d || ppn % (BigInt(1) << (9 * level)) != 0) Set(PageFault)
    else {
      val physical = (ppn << 12) | (address & ((BigInt(1) << offsetBits) - 1))
      Set(if (physical >> paddrBits != 0) AccessFault else At(physical))
    }
  }
}
