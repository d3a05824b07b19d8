// SPDX-License-Identifier: Apache-2.0
package nhg.backend

/** RV64IM arithmetic on Longs, written from the ISA manual; what the units and the back end are compared with. */
object Reference {
  private def word(x: Long): Long = x.toInt.toLong
  private def unsigned(x: Long): BigInt = BigInt(x) & ((BigInt(1) << 64) - 1)

  /** OP and OP-32 without M: funct3 and `alternate` (sub, sra). */
  def alu(funct3: Int, alternate: Boolean, isWord: Boolean, a: Long, b: Long): Long = {
    val shift = (b & (if (isWord) 31 else 63)).toInt
    val result = funct3 match {
      case 0 => if (alternate) a - b else a + b
      case 1 => a << shift
      case 2 => if (a < b) 1L else 0L
      case 3 => if (unsigned(a) < unsigned(b)) 1L else 0L
      case 4 => a ^ b
      case 5 =>
        if (isWord) { if (alternate) word(a) >> shift else (a & 0xffffffffL) >>> shift }
        else if (alternate) a >> shift
        else a >>> shift
      case 6 => a | b
      case 7 => a & b
    }
    if (isWord) word(result) else result
  }

  /** M extension by funct3. */
  def mulDiv(funct3: Int, isWord: Boolean, a: Long, b: Long): Long = {
    if (funct3 < 4) {
      val product = funct3 match {
        case 0 => BigInt(a) * BigInt(b)
        case 1 => (BigInt(a) * BigInt(b)) >> 64
        case 2 => (BigInt(a) * unsigned(b)) >> 64
        case 3 => (unsigned(a) * unsigned(b)) >> 64
      }
      if (isWord) word(product.toLong) else product.toLong
    } else {
      val signed = (funct3 & 1) == 0
      def operand(x: Long): BigInt = (isWord, signed) match {
        case (true, true) => BigInt(x.toInt)
        case (true, false) => BigInt(x & 0xffffffffL)
        case (false, true) => BigInt(x)
        case (false, false) => unsigned(x)
      }
      val (x, y) = (operand(a), operand(b))
      val result = // BigInt division rounds to zero, as RISC-V's does
        if (y == 0) { if (funct3 >= 6) x else BigInt(-1) }
        else if (funct3 >= 6) x % y
        else x / y
      if (isWord) word(result.toLong) else result.toLong
    }
  }

  def branch(funct3: Int, a: Long, b: Long): Boolean = {
    val base = funct3 >> 1 match {
      case 0 => a == b
      case 2 => a < b
      case 3 => unsigned(a) < unsigned(b)
    }
    base != ((funct3 & 1) == 1)
  }

  /** A value with corner cases. */
  def operand(random: scala.util.Random): Long = random.nextInt(8) match {
    case 0 => 0L
    case 1 => -1L
    case 2 => Long.MinValue
    case 3 => Int.MinValue.toLong
    case 4 => random.nextInt(64).toLong
    case 5 => random.nextLong() >> random.nextInt(64)
    case 6 => random.nextLong() >>> random.nextInt(64)
    case _ => random.nextLong()
  }
  def bits(x: Long): BigInt = unsigned(x)
}
