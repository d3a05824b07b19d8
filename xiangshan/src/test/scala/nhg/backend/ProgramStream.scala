// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import scala.collection.mutable
import scala.util.Random

/** One fetched instruction: `code` is the expanded instruction, `raw` what was fetched. */
case class FetchedCode(raw: Long, code: Long, isRvc: Boolean)

/** An endless random program without a memory behind it: every fetch draws a fresh instruction, and the raw bits in the commit trace tell
  * the model which one it was. Compressed instructions are halfwords that stand for a 32-bit instruction each, drawn once.
  */
class ProgramStream(random: Random) {
  private val expansions = mutable.Map[Long, Long]()

  private val weights: IndexedSeq[(Int, Seq[Instruction])] = IndexedSeq(
    30 -> of(i => Set('R', 'I', 'H', 'U')(i.format) && i.unit.litValue == FuType.alu.litValue),
    8 -> of(_.unit.litValue == FuType.bitManip.litValue),
    7 -> of(_.unit.litValue == FuType.mdu.litValue),
    16 -> of(i => i.unit.litValue == FuType.load.litValue && i.fp.isEmpty),
    11 -> of(i => i.format == 'S' && i.fp.isEmpty),
    3 -> of(_.format == 'A'),
    12 -> of(_.format == 'B'),
    4 -> of(i => i.format == 'J' || i.name == "jalr"),
    3 -> of(i => "CZ".contains(i.format)),
    1 -> of(_.fp.nonEmpty),
    4 -> Seq("ecall", "ebreak", "mret", "mret", "mret", "sret", "sret", "sfence.vma", "fence", "fence.i").map(InstructionTable(_)),
    4 -> of(_.unit.litValue == FuType.ami.litValue),
    4 -> of(i => i.name == "getfin" || i.name == "bafin")
  )
  private val total = weights.map(_._1).sum
  private def of(test: Instruction => Boolean) = InstructionTable.all.filter(test)
  private def pick[T](from: Seq[T]): T = from(random.nextInt(from.length))

  /** Half of the registers are among six, so that instructions depend on each other. */
  private def register(): Long = if (random.nextBoolean()) random.nextInt(6).toLong else random.nextInt(32).toLong
  private def field(code: Long, low: Int, value: Long): Long = (code & ~(31L << low)) | value << low

  private def draw(): Long = {
    var at = random.nextInt(total)
    val i = pick(weights.find { case (weight, _) => at -= weight; at < 0 }.get._2)
    val registers = Seq(7, 15, 20).filter(low => (i.mask >> low & 31) == 0)
    val code = registers.foldLeft(i.encode(random))(field(_, _, register()))
    i.format match {
      case 'B' if random.nextInt(3) != 0 => field(code, 20, code >> 15 & 31) // the outcome is known from the encoding
      case 'C' | 'Z' => csr(code)
      case 'A' => if (i.name.startsWith("sc") && (code >> 7 & 31) == 0) code | 1L << 7 else code // the result of an SC must be seen
      case 'I' if i.name == "jalr" && random.nextBoolean() => field(code, 15, 0)
      case _ if random.nextInt(60) == 0 => code ^ 1L << random.nextInt(32) // often illegal
      case _ => code
    }
  }

  /** Mostly existing CSRs. Trap vectors get small values only, so that there is always a handler, and the status ones that leave floating point
    * off: an immediate, or bits that are cleared, which also gives every MPP. The AMU is mostly turned on.
    */
  private def csr(code: Long): Long = {
    def immediate = code | 1L << 14
    def withFunct3(value: Long) = code & ~(7L << 12) | value << 12
    val number = random.nextInt(16) match {
      case 0 => random.nextInt(4096)
      case n if n < 6 => pick(Seq(0x300, 0x302, 0x302, 0x303, 0x304, 0x306)) // where traps and returns go
      case _ => pick(CsrModel.existing)
    }
    val chosen = number match {
      case 0x105 | 0x305 => immediate
      case 0x302 => (if (random.nextBoolean()) immediate | 26L << 15 else immediate) & ~(1L << 17) // illegal instructions always lead back to M
      case 0x100 | 0x300 => if (random.nextBoolean()) immediate else withFunct3(3)
      case platform.Csrs.amuctl if random.nextInt(4) != 0 => withFunct3(5) | 1L << 15 // csrrwi with bit 0 set
      case _ => code
    }
    (chosen & 0xfffffL) | number.toLong << 20
  }

  def next(): FetchedCode =
    if (random.nextInt(3) != 0) {
      val code = draw() | 3
      FetchedCode(code, code, isRvc = false)
    } else {
      val raw = random.nextInt(1 << 14).toLong << 2 | random.nextInt(3)
      FetchedCode(raw, expand(raw), isRvc = true)
    }

  def expand(raw: Long): Long = if ((raw & 3) == 3) raw else expansions.getOrElseUpdate(raw, draw())
}
