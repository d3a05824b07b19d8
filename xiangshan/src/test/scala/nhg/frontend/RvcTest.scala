// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec

/** All 49152 compressed halfwords against a table written from the ISA manual's notation: a bit pattern with named fields, and the
  * expansion as a function of the fields.
  */
class RvcTest extends AnyFlatSpec with ChiselScalatestTester {
  private type Fields = Map[Char, Int]

  /** One row: a pattern of 16 characters (0, 1 or a field's letter, most significant bit first), the places of the immediate's bits in
    * order of appearance of the letter `i`, and the expansion; `None` is a reserved encoding.
    */
  private case class Row(pattern: String, places: Seq[Int], expand: Fields => Option[Long])

  private def r(f7: Int, rs2: Int, rs1: Int, f3: Int, rd: Int, op: Int): Option[Long] =
    Some(f7.toLong << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op)
  private def i(imm: Int, rs1: Int, f3: Int, rd: Int, op: Int): Option[Long] = r((imm >> 5) & 0x7f, imm & 31, rs1, f3, rd, op)
  private def s(imm: Int, rs2: Int, rs1: Int, f3: Int, op: Int = 0x23): Option[Long] = r((imm >> 5) & 0x7f, rs2, rs1, f3, imm & 31, op)
  private def b(imm: Int, rs1: Int, f3: Int): Option[Long] =
    r(((imm >> 12) & 1) << 6 | ((imm >> 5) & 0x3f), 0, rs1, f3, ((imm >> 1) & 15) << 1 | ((imm >> 11) & 1), 0x63)
  private def j(imm: Int, rd: Int): Option[Long] = Some(
    ((imm >> 20) & 1).toLong << 31 | ((imm >> 1) & 0x3ff) << 21 | ((imm >> 11) & 1) << 20 | ((imm >> 12) & 0xff) << 12 | rd << 7 | 0x6f
  )
  private def signed(value: Int, bits: Int): Int = (value << (32 - bits)) >> (32 - bits)

  // d: rd/rs1 (5 bits), t: rs2 (5 bits), a: rs1' (3 bits), c: rd'/rs2' (3 bits), i: immediate
  private val rows = Seq[Row](
    Row("000iiiiiiiiccc00", Seq(5, 4, 9, 8, 7, 6, 2, 3), f => if (f('i') == 0) None else i(f('i'), 2, 0, f('c'), 0x13)),
    Row("001iiiaaaiiccc00", Seq(5, 4, 3, 7, 6), f => i(f('i'), f('a'), 3, f('c'), 0x07)),
    Row("101iiiaaaiiccc00", Seq(5, 4, 3, 7, 6), f => s(f('i'), f('c'), f('a'), 3, 0x27)),
    Row("010iiiaaaiiccc00", Seq(5, 4, 3, 2, 6), f => i(f('i'), f('a'), 2, f('c'), 0x03)),
    Row("011iiiaaaiiccc00", Seq(5, 4, 3, 7, 6), f => i(f('i'), f('a'), 3, f('c'), 0x03)),
    Row("110iiiaaaiiccc00", Seq(5, 4, 3, 2, 6), f => s(f('i'), f('c'), f('a'), 2)),
    Row("111iiiaaaiiccc00", Seq(5, 4, 3, 7, 6), f => s(f('i'), f('c'), f('a'), 3)),
    Row("000idddddiiiii01", Seq(5, 4, 3, 2, 1, 0), f => i(signed(f('i'), 6), f('d'), 0, f('d'), 0x13)),
    Row("001idddddiiiii01", Seq(5, 4, 3, 2, 1, 0), f => if (f('d') == 0) None else i(signed(f('i'), 6), f('d'), 0, f('d'), 0x1b)),
    Row("010idddddiiiii01", Seq(5, 4, 3, 2, 1, 0), f => i(signed(f('i'), 6), 0, 0, f('d'), 0x13)),
    Row("011i00010iiiii01", Seq(9, 4, 6, 8, 7, 5), f => if (f('i') == 0) None else i(signed(f('i'), 10), 2, 0, 2, 0x13)),
    Row("011idddddiiiii01", Seq(17, 16, 15, 14, 13, 12), f => if (f('i') == 0) None else Some((signed(f('i'), 18).toLong & 0xfffff000L) | f('d') << 7 | 0x37)),
    Row("100i00aaaiiiii01", Seq(5, 4, 3, 2, 1, 0), f => i(f('i'), f('a'), 5, f('a'), 0x13)),
    Row("100i01aaaiiiii01", Seq(5, 4, 3, 2, 1, 0), f => i(0x400 | f('i'), f('a'), 5, f('a'), 0x13)),
    Row("100i10aaaiiiii01", Seq(5, 4, 3, 2, 1, 0), f => i(signed(f('i'), 6), f('a'), 7, f('a'), 0x13)),
    Row("100011aaa00ccc01", Nil, f => r(0x20, f('c'), f('a'), 0, f('a'), 0x33)),
    Row("100011aaa01ccc01", Nil, f => r(0, f('c'), f('a'), 4, f('a'), 0x33)),
    Row("100011aaa10ccc01", Nil, f => r(0, f('c'), f('a'), 6, f('a'), 0x33)),
    Row("100011aaa11ccc01", Nil, f => r(0, f('c'), f('a'), 7, f('a'), 0x33)),
    Row("100111aaa00ccc01", Nil, f => r(0x20, f('c'), f('a'), 0, f('a'), 0x3b)),
    Row("100111aaa01ccc01", Nil, f => r(0, f('c'), f('a'), 0, f('a'), 0x3b)),
    Row("101iiiiiiiiiii01", Seq(11, 4, 9, 8, 10, 6, 7, 3, 2, 1, 5), f => j(signed(f('i'), 12), 0)),
    Row("110iiiaaaiiiii01", Seq(8, 4, 3, 7, 6, 2, 1, 5), f => b(signed(f('i'), 9), f('a'), 0)),
    Row("111iiiaaaiiiii01", Seq(8, 4, 3, 7, 6, 2, 1, 5), f => b(signed(f('i'), 9), f('a'), 1)),
    Row("000idddddiiiii10", Seq(5, 4, 3, 2, 1, 0), f => i(f('i'), f('d'), 1, f('d'), 0x13)),
    Row("001idddddiiiii10", Seq(5, 4, 3, 8, 7, 6), f => i(f('i'), 2, 3, f('d'), 0x07)),
    Row("101iiiiiittttt10", Seq(5, 4, 3, 8, 7, 6), f => s(f('i'), f('t'), 2, 3, 0x27)),
    Row("010idddddiiiii10", Seq(5, 4, 3, 2, 7, 6), f => if (f('d') == 0) None else i(f('i'), 2, 2, f('d'), 0x03)),
    Row("011idddddiiiii10", Seq(5, 4, 3, 8, 7, 6), f => if (f('d') == 0) None else i(f('i'), 2, 3, f('d'), 0x03)),
    Row("1000ddddd0000010", Nil, f => if (f('d') == 0) None else i(0, f('d'), 0, 0, 0x67)),
    Row("1000dddddttttt10", Nil, f => r(0, f('t'), 0, 0, f('d'), 0x33)),
    Row("1001000000000010", Nil, _ => Some(0x00100073L)),
    Row("1001ddddd0000010", Nil, f => i(0, f('d'), 0, 1, 0x67)),
    Row("1001dddddttttt10", Nil, f => r(0, f('t'), f('d'), 0, f('d'), 0x33)),
    Row("110iiiiiittttt10", Seq(5, 4, 3, 2, 7, 6), f => s(f('i'), f('t'), 2, 2)),
    Row("111iiiiiittttt10", Seq(5, 4, 3, 8, 7, 6), f => s(f('i'), f('t'), 2, 3))
  )

  private def matches(pattern: String, code: Int): Boolean =
    pattern.zipWithIndex.forall { case (c, k) => !c.isDigit || (code >> (15 - k) & 1) == c.asDigit }

  private def fields(row: Row, code: Int): Fields = {
    def collect(letter: Char): Seq[Int] = row.pattern.zipWithIndex.collect { case (c, k) if c == letter => code >> (15 - k) & 1 }
    def number(bits: Seq[Int]) = bits.foldLeft(0)((n, bit) => 2 * n + bit)
    Map(
      'd' -> number(collect('d')),
      't' -> number(collect('t')),
      'a' -> (8 + number(collect('a'))),
      'c' -> (8 + number(collect('c'))),
      'i' -> collect('i').zip(row.places).map { case (bit, place) => bit << place }.sum
    )
  }

  private def reference(code: Int): Long =
    rows.find(r => matches(r.pattern, code)).flatMap(r => r.expand(fields(r, code))).getOrElse(0L)

  behavior of "RvcExpander"

  it should "expand every compressed instruction and refuse every reserved one" in {
    test(new RvcExpander) { dut =>
      for (code <- 0 until 0x10000 if (code & 3) != 3) {
        dut.io.raw.poke(code.U)
        val expanded = dut.io.inst.peek().litValue.toLong
        assert(expanded == reference(code), f"$code%04x: $expanded%08x, not ${reference(code)}%08x")
      }
      for (word <- Seq(0x00128293L, 0xffffffffL, 0x00000003L)) {
        dut.io.raw.poke(word.U)
        dut.io.inst.expect(word.U)
      }
    }
  }
}
