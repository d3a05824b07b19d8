// SPDX-License-Identifier: Apache-2.0
package nhg.priv

/** Physical memory protection as the privileged manual has it, with 16 regions of 4 KiB and more. Regions are ranges of bytes here. */
class PmpModel {
  private val regions = 16
  private val grain = 4096
  private val cfg = Array.fill(regions)(0)
  private val addr = Array.fill(regions)(BigInt(0)) // as it was written
  cfg(0) = 0x1f
  addr(0) = PmpModel.addressMask

  private def kind(i: Int): Int = cfg(i) >> 3 & 3
  private def locked(i: Int): Boolean = (cfg(i) & 0x80) != 0
  private def start(i: Int): BigInt = (addr(i) << 2) / grain * grain

  /** First byte of region `i` and the one behind its last. */
  private def range(i: Int): (BigInt, BigInt) = kind(i) match {
    case 0 => (0, 0)
    case 1 => (if (i == 0) 0 else start(i - 1), start(i))
    case 3 =>
      val whole = addr(i) | 0x1ff
      val ones = Iterator.from(0).indexWhere(bit => !whole.testBit(bit))
      val bytes = BigInt(8) << ones
      ((whole << 2) / bytes * bytes, (whole << 2) / bytes * bytes + bytes)
  }

  def has(csr: Int): Boolean = csr == 0x3a0 || csr == 0x3a2 || isAddress(csr)
  private def isAddress(csr: Int): Boolean = csr >= 0x3b0 && csr < 0x3b0 + regions
  private def lanes(csr: Int): Seq[Int] = (0 until 8).map(_ + (csr - 0x3a0) * 4)

  def apply(csr: Int): BigInt =
    if (isAddress(csr)) {
      val i = csr - 0x3b0
      if (kind(i) == 3) addr(i) | 0x1ff else addr(i) >> 10 << 10
    } else lanes(csr).zipWithIndex.map { case (i, lane) => BigInt(cfg(i)) << (8 * lane) }.sum

  def write(csr: Int, value: BigInt): Unit =
    if (isAddress(csr)) {
      val i = csr - 0x3b0
      val holdsRange = i + 1 < regions && locked(i + 1) && kind(i + 1) == 1
      if (!locked(i) && !holdsRange) addr(i) = value & PmpModel.addressMask & ~BigInt(0x1ff)
    } else
      for ((i, lane) <- lanes(csr).zipWithIndex if !locked(i)) {
        var next = (value >> (8 * lane)).toInt & 0x9f
        if ((next & 3) == 2) next &= ~3
        if ((next & 0x18) == 0x10) next |= 0x18
        cfg(i) = next
      }

  /** Whether an access in `mode` is denied that needs the right `bit`: 0 read, 1 write, 2 execute. */
  def denies(address: BigInt, mode: Int, bit: Int): Boolean =
    (0 until regions).find(i => range(i)._1 <= address && address < range(i)._2) match {
      case Some(i) => !(mode == 3 && !locked(i)) && (cfg(i) >> bit & 1) == 0
      case None => mode != 3
    }

  /** Where regions begin and end. */
  def edges: Seq[BigInt] = (0 until regions).flatMap(i => Seq(range(i)._1, range(i)._2))
}

object PmpModel {
  private val addressMask = (BigInt(1) << 34) - 1
  val csrs: Seq[Int] = (0x3b0 to 0x3bf) ++ Seq(0x3a0, 0x3a2)
}
