// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import nhg._
import platform.{AmiPattern, AmiRequests}

/** Immediate format. */
object ImmSel {
  val width = 4
  val i = 0.U(width.W)
  val s = 1.U(width.W)
  val b = 2.U(width.W)
  val u = 3.U(width.W)
  val j = 4.U(width.W)
  val csr = 5.U(width.W) // {zimm, csr address}
  val amo = 6.U(width.W) // funct5
  val prefetch = 7.U(width.W) // the upper seven bits of i
  val rm = 8.U(width.W) // the rounding mode, which must not be a reserved one
}

/** One row of the decode table, packed into one word so that a lookup is a single selection. */
class Control(p: NhgParams) extends Bundle {
  val legal = Bool()
  val queues = UInt(p.backend.issueQueues.length.W)
  val fuType = UInt(FuType.width.W)
  val fn = UInt(5.W)
  val word = Bool()
  val imm = UInt(ImmSel.width.W)
  val useImm = Bool()
  val usePc = Bool()
  val rs1 = new OperandControl(p)
  val rs2 = new OperandControl(p)
  val rs3 = new OperandControl(p)
  val rd = new OperandControl(p)
  val serial = Bool()
}

/** Whether an instruction has an operand, and the class of its register. */
class OperandControl(p: NhgParams) extends Bundle {
  val used = Bool()
  val regClass = UInt(p.regClassBits.W)
}

/** A row before it is packed.
  *
  * @param operands i immediate, p pc, 1, 2 and 3 sources, d destination
  * @param classes  register class of operands that are not integer registers
  */
case class DecodeRow(fu: UInt, fn: Int, imm: UInt, operands: String, word: Boolean, serial: Boolean, classes: Map[Char, String]) {
  private def bit(b: Boolean) = BigInt(if (b) 1 else 0) -> 1
  private def has(c: Char) = bit(operands.contains(c))

  /** The fields of Control, first one highest. */
  def pack(p: NhgParams): BigInt = {
    def operand(c: Char) = Seq(has(c), BigInt(classes.get(c).fold(0)(p.backend.classIndex)) -> p.regClassBits)
    val queues = DecodeTable.queues(fu.litValue).map(q => BigInt(1) << p.backend.queueIndex(q)).sum
    val fields = Seq(
      bit(true),
      queues -> p.backend.issueQueues.length,
      fu.litValue -> FuType.width,
      BigInt(fn) -> 5,
      bit(word),
      imm.litValue -> ImmSel.width,
      has('i'),
      has('p')
    ) ++ operand('1') ++ operand('2') ++ operand('3') ++ operand('d') :+ bit(serial)
    fields.foldLeft(BigInt(0)) { case (packed, (value, width)) => (packed << width) | value }
  }
}

/** Patterns of RV64IMAFD, Zba, Zbb, Zbs, Zicond, Zicsr, Zifencei, Zicbop and AMI (docs/ami.md). Compressed instructions arrive expanded; HINTs, CSR
  * legality and AMI enabling are the Decoder's.
  */
object DecodeTable {
  /** The issue queues of a function unit's ports. A store waits for its address and for its data apart. */
  private[backend] val queues: Map[BigInt, Seq[String]] = Map(
    FuType.alu -> Seq("alu"),
    FuType.bitManip -> Seq("alu"),
    FuType.bru -> Seq("bru"),
    FuType.mdu -> Seq("mdu"),
    FuType.load -> Seq("load"),
    FuType.store -> Seq("storeAddress", "storeData"),
    FuType.ami -> Seq("storeAddress"),
    FuType.fma -> Seq("fma"),
    FuType.fpMisc -> Seq("fpMisc"),
    FuType.none -> Nil
  ).map { case (fu, names) => fu.litValue -> names }

  private[backend] def row(
      fu: UInt,
      fn: Int,
      imm: UInt = ImmSel.i,
      operands: String = "",
      word: Boolean = false,
      serial: Boolean = false,
      classes: Map[Char, String] = Map()
  ) = DecodeRow(fu, fn, imm, operands, word, serial, classes)
  private[backend] def n(fn: UInt) = fn.litValue.toInt
  private[backend] def pattern(funct7: String, rs2: String, funct3: String, opcode: String, rd: String = "?????") =
    BitPat("b" + funct7 + rs2 + "?????" + funct3 + rd + opcode)
  private[backend] val any7 = "???????"
  private[backend] val any5 = "?????"
  private[backend] def f3(v: Int): String = (0 to 2).reverse.map(i => (v >> i) & 1).mkString

  /** prefetch.r and prefetch.w are ORI with rd = x0, so they come before it. */
  private val prefetches: Seq[(BitPat, DecodeRow)] =
    Seq("00001", "00011").map(hint => pattern(any7, hint, f3(6), "0010011", rd = "00000") -> row(FuType.load, 8, ImmSel.prefetch, "1"))

  private val registerOps = Seq(
    ("0000000", 0, AluFn.add),
    ("0100000", 0, AluFn.sub),
    ("0000000", 1, AluFn.sll),
    ("0000000", 2, AluFn.slt),
    ("0000000", 3, AluFn.sltu),
    ("0000000", 4, AluFn.xor),
    ("0000000", 5, AluFn.srl),
    ("0100000", 5, AluFn.sra),
    ("0000000", 6, AluFn.or),
    ("0000000", 7, AluFn.and)
  )
  private val immediateOps = Seq(0 -> AluFn.add, 2 -> AluFn.slt, 3 -> AluFn.sltu, 4 -> AluFn.xor, 6 -> AluFn.or, 7 -> AluFn.and)
  private val wordFunct3 = Set(0, 1, 5)

  private val alu: Seq[(BitPat, DecodeRow)] =
    registerOps.map { case (f7, v, fn) => pattern(f7, any5, f3(v), "0110011") -> row(FuType.alu, n(fn), operands = "12d") } ++
      registerOps.filter(r => wordFunct3(r._2)).map { case (f7, v, fn) =>
        pattern(f7, any5, f3(v), "0111011") -> row(FuType.alu, n(fn), operands = "12d", word = true)
      } ++
      immediateOps.map { case (v, fn) => pattern(any7, any5, f3(v), "0010011") -> row(FuType.alu, n(fn), operands = "1id") } ++
      Seq(("000000", 1, AluFn.sll), ("000000", 5, AluFn.srl), ("010000", 5, AluFn.sra)).flatMap { case (f6, v, fn) =>
        Seq(
          pattern(f6 + "?", any5, f3(v), "0010011") -> row(FuType.alu, n(fn), operands = "1id"),
          pattern(f6 + "0", any5, f3(v), "0011011") -> row(FuType.alu, n(fn), operands = "1id", word = true)
        )
      } ++ Seq(
        pattern(any7, any5, "000", "0011011") -> row(FuType.alu, n(AluFn.add), operands = "1id", word = true),
        pattern(any7, any5, "???", "0110111") -> row(FuType.alu, n(AluFn.copyB), ImmSel.u, "id"),
        pattern(any7, any5, "???", "0010111") -> row(FuType.alu, n(AluFn.add), ImmSel.u, "ipd")
      )

  private val branches: Seq[(BitPat, DecodeRow)] =
    Seq(0, 1, 4, 5, 6, 7).map(v => pattern(any7, any5, f3(v), "1100011") -> row(FuType.bru, v, ImmSel.b, "12")) ++ Seq(
      pattern(any7, any5, "???", "1101111") -> row(FuType.bru, n(BruFn.jal), ImmSel.j, "d"),
      pattern(any7, any5, "000", "1100111") -> row(FuType.bru, n(BruFn.jalr), ImmSel.i, "1d")
    )

  private val mulDiv: Seq[(BitPat, DecodeRow)] =
    (0 to 7).map(v => pattern("0000001", any5, f3(v), "0110011") -> row(FuType.mdu, v, operands = "12d")) ++
      Seq(0, 4, 5, 6, 7).map(v => pattern("0000001", any5, f3(v), "0111011") -> row(FuType.mdu, v, operands = "12d", word = true))

  private val amoFunct5 = Seq("00000", "00001", "00011", "00100", "01000", "01100", "10000", "10100", "11000", "11100")
  private val memory: Seq[(BitPat, DecodeRow)] =
    (0 to 6).map(v => pattern(any7, any5, f3(v), "0000011") -> row(FuType.load, v, ImmSel.i, "1d")) ++
      (0 to 3).map(v => pattern(any7, any5, f3(v), "0100011") -> row(FuType.store, v, ImmSel.s, "12")) ++
      Seq(2, 3).flatMap { v =>
        amoFunct5.map(f5 => pattern(f5 + "??", any5, f3(v), "0101111") -> row(FuType.store, 4 + v, ImmSel.amo, "12d")) :+
          (pattern("00010??", "00000", f3(v), "0101111") -> row(FuType.store, 4 + v, ImmSel.amo, "1d"))
      }

  private val system: Seq[(BitPat, DecodeRow)] = Seq(
    BitPat("b00000000000000000000000001110011") -> row(FuType.none, 0), // ecall
    BitPat("b00000000000100000000000001110011") -> row(FuType.none, 0), // ebreak
    BitPat("b00110000001000000000000001110011") -> row(FuType.none, 0, serial = true), // mret
    BitPat("b01111011001000000000000001110011") -> row(FuType.none, 0, serial = true), // dret
    BitPat("b00010000001000000000000001110011") -> row(FuType.none, 0, serial = true), // sret
    BitPat("b00010000010100000000000001110011") -> row(FuType.none, 0, serial = true), // wfi
    pattern("0001001", any5, "000", "1110011", rd = "00000") -> row(FuType.none, 0, serial = true), // sfence.vma
    BitPat("b00000001000000000000000000001111") -> row(FuType.none, 0), // pause
    pattern(any7, any5, "000", "0001111") -> row(FuType.none, 0, serial = true), // fence
    pattern(any7, any5, "001", "0001111") -> row(FuType.none, 0, serial = true) // fence.i
  ) ++ Seq(1, 2, 3).flatMap { v =>
    Seq(
      pattern(any7, any5, f3(v), "1110011") -> row(FuType.bru, 16 + v, ImmSel.csr, "1d", serial = true),
      pattern(any7, any5, f3(4 + v), "1110011") -> row(FuType.bru, 20 + v, ImmSel.csr, "d", serial = true)
    )
  }

  private val ami: Seq[(BitPat, DecodeRow)] = (AmiRequests.all.map(r => r.pattern -> row(FuType.ami, r.operation, operands = r.operands)) ++ Seq(
    AmiPattern.getfin -> row(FuType.bru, n(BruFn.getfin), operands = "d"),
    AmiPattern.bafin -> row(FuType.bru, n(BruFn.bafin), operands = "d")
  )).map { case (bits, control) => BitPat("b" + bits) -> control }

  val rows: Seq[(BitPat, DecodeRow)] =
    prefetches ++ alu ++ branches ++ mulDiv ++ memory ++ system ++ ami ++ BitManipDecodeTable.rows ++ FpDecodeTable.rows

  /** Of the rows that match, the first one's word. */
  def lookup(p: NhgParams, inst: UInt): Control = {
    val matches = rows.map { case (pattern, _) => inst === pattern }
    val first = rows.zip(matches).zipWithIndex.map { case (((pattern, _), matched), i) =>
      val before = rows.zip(matches).take(i).collect { case ((other, _), m) if other.overlap(pattern) => m }
      before.foldLeft(matched)(_ && !_)
    }
    Mux1H(first, rows.map { case (_, row) => row.pack(p).U((new Control(p)).getWidth.W) }).asTypeOf(new Control(p))
  }
}
