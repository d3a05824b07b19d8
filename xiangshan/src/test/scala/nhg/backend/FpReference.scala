// SPDX-License-Identifier: Apache-2.0
package nhg.backend

/** Double-precision arithmetic on registers' bits, rounded to nearest, as the host computes it; NaNs are the canonical one. */
object FpReference {
  import java.lang.Double.{doubleToRawLongBits, longBitsToDouble}
  private val all = (BigInt(1) << 64) - 1
  private val canonicalNan = BigInt(0x7ff8) << 48

  private def bits(value: Double): BigInt = if (value.isNaN) canonicalNan else BigInt(doubleToRawLongBits(value)) & all
  private def value(register: BigInt): Double = longBitsToDouble(register.toLong)
  def add(x: BigInt, y: BigInt): BigInt = bits(value(x) + value(y))
  def divide(x: BigInt, y: BigInt): BigInt = bits(value(x) / value(y))
}
