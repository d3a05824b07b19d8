// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import platform.{Ami, AmiFunct3}
import scala.util.Random

/** Predecode of random windows, entry points and predictions against a walk from instruction to instruction. */
class PredecodeTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val halves = FetchWindow.halves(p)
  private val pcMask = (1L << p.pcBits) - 1
  private object Kind extends Enumeration { val plain, branch, jal, call, ret, jalr, bafin = Value }
  import Kind._
  private val codes =
    Map(branch -> CfiType.branch, jal -> CfiType.jal, call -> CfiType.call, ret -> CfiType.ret, jalr -> CfiType.jalr, bafin -> CfiType.bafin).map {
      case (kind, code) => kind -> code.litValue
    }

  private case class Inst(end: Int, raw: Long, isRvc: Boolean) {
    private def bits(high: Int, low: Int): Int = ((raw >> low) & ((1L << (high - low + 1)) - 1)).toInt
    private def isLink(register: Int) = register == 1 || register == 5
    val (kind, offset): (Kind.Value, Int) =
      if (isRvc) (bits(15, 13), bits(1, 0)) match {
        case (5, 1) => // c.j
          (
            jal,
            sext(
              bits(12, 12) << 11 | bits(8, 8) << 10 | bits(10, 9) << 8 | bits(6, 6) << 7 | bits(7, 7) << 6 | bits(2, 2) << 5 |
                bits(11, 11) << 4 | bits(5, 3) << 1,
              12
            )
          )
        case (6 | 7, 1) => // c.beqz, c.bnez
          (branch, sext(bits(12, 12) << 8 | bits(6, 5) << 6 | bits(2, 2) << 5 | bits(11, 10) << 3 | bits(4, 3) << 1, 9))
        case (4, 2) if bits(6, 2) == 0 && bits(11, 7) != 0 => // c.jr, c.jalr
          (if (bits(12, 12) == 1) call else if (isLink(bits(11, 7))) ret else jalr, 0)
        case _ => (plain, 0)
      }
      else bits(6, 0) match {
        case 0x63 => (branch, sext(bits(31, 31) << 12 | bits(7, 7) << 11 | bits(30, 25) << 5 | bits(11, 8) << 1, 13))
        case 0x6f =>
          (if (isLink(bits(11, 7))) call else jal, sext(bits(31, 31) << 20 | bits(19, 12) << 12 | bits(20, 20) << 11 | bits(30, 21) << 1, 21))
        case 0x67 if bits(14, 12) == 0 => (if (isLink(bits(11, 7))) call else if (isLink(bits(19, 15))) ret else jalr, 0)
        case Ami.opcode if bits(14, 12) == AmiFunct3.bafin => (bafin, 0)
        case _ => (plain, 0)
      }
    private def sext(value: Int, width: Int): Int = value << (32 - width) >> (32 - width)
    /** A jump to a fixed target, a call too. */
    def isDirectJump: Boolean = kind == jal || kind == call && (raw & 127) == 0x6f && !isRvc
    def isIndirect: Boolean = kind == ret || kind == jalr || kind == call && !isDirectJump
    def pcIn(window: Long): Long = window + 2 * end - (if (isRvc) 0 else 2)
  }

  private case class Predicted(taken: Boolean, end: Int, cfiType: BigInt, target: Long)

  private def walk(data: IndexedSeq[Int], start: Int, carried: Option[Int]): (Seq[Inst], Option[Int]) = {
    var at = start
    var found = Vector[Inst]()
    var rest: Option[Int] = None
    for (low <- carried) { found :+= Inst(start, data(start).toLong << 16 | low, isRvc = false); at += 1 }
    while (at < halves) {
      if ((data(at) & 3) != 3) { found :+= Inst(at, data(at), isRvc = true); at += 1 }
      else if (at + 1 < halves) { found :+= Inst(at + 1, data(at + 1).toLong << 16 | data(at), isRvc = false); at += 2 }
      else { rest = Some(data(at)); at += 1 }
    }
    (found, rest)
  }

  /** Whether fetch leaves the window behind this instruction, as far as predecode can tell. */
  private def takes(i: Inst, predicted: Predicted): Boolean = {
    val here = predicted.taken && predicted.end == i.end
    val indirectPrediction = Seq(call, ret, jalr).map(codes).contains(predicted.cfiType)
    i.isDirectJump || i.kind == ret || here && (i.kind match {
      case Kind.branch | Kind.bafin => predicted.cfiType == codes(i.kind)
      case _ => i.isIndirect && indirectPrediction
    })
  }

  private def halfword(random: Random): Int = random.nextInt(8) match {
    case 0 => 0x8002 | random.nextInt(32) << 7 | random.nextInt(2) << 12 // c.jr, c.jalr
    case 1 => Seq(0xa001, 0xc001, 0xe001)(random.nextInt(3)) | random.nextInt(2048) << 2 // c.j, c.beqz, c.bnez
    case 2 | 3 => // branch, jal, jalr, bafin with and without a link register
      Seq(0x63, 0x6f, 0x67, Ami.opcode)(random.nextInt(4)) | Seq(0, 1, 5, 7)(random.nextInt(4)) << 7 | Seq(0, 3, 8)(random.nextInt(3)) << 12
    case 4 => random.nextInt(1 << 16) | 3
    case _ => random.nextInt(1 << 16)
  }

  "Predecode" should "find boundaries, the first taken instruction, and wrong predictions" in {
    test(new Predecode(p)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(1)
      val s = new Signals
      val block = dut.io.block
      var ends, mispredicted, phantoms, carries = 0
      for (_ <- 0 until 1500) {
        val data = IndexedSeq.fill(halves)(halfword(random))
        val start = if (random.nextBoolean()) 0 else random.nextInt(halves)
        val carried = if (start == 0 && random.nextBoolean()) Some(random.nextInt(1 << 14) << 2 | 3) else None
        val (all, rest) = walk(data, start, carried)
        val window = random.nextInt(1 << 30).toLong << 5
        // a prediction of one of the instructions, mostly with its own kind, or of anything
        val near = if (all.isEmpty) None else Some(all(random.nextInt(all.length)))
        val cfiType = near.filter(_ => random.nextInt(4) != 0).flatMap(i => codes.get(i.kind)).getOrElse(BigInt(random.nextInt(6)))
        val rasTop = random.nextInt(1 << 30) * 2L
        val target = near.filter(_ => random.nextInt(4) != 0).fold(random.nextInt(1 << 30) * 2L) { i =>
          if (i.kind == ret) rasTop else (i.pcIn(window) + i.offset) & pcMask
        }
        val predicted = Predicted(random.nextInt(4) != 0, near.fold(random.nextInt(halves))(_.end), cfiType, target)

        s.set(dut.io.window, window >> 5)
        s.set(dut.io.data, data.zipWithIndex.map { case (half, k) => BigInt(half) << (16 * k) }.reduce(_ | _))
        s.set(dut.io.start, start)
        s.set(dut.io.carry.valid, carried.isDefined)
        carried.foreach(low => s.set(dut.io.carry.half, low))
        s.set(dut.io.prediction.taken, predicted.taken)
        s.set(dut.io.prediction.end, predicted.end)
        s.set(dut.io.prediction.cfiType, predicted.cfiType)
        s.set(dut.io.prediction.target, predicted.target)
        s.set(dut.io.rasTop, rasTop)

        val last = all.find(takes(_, predicted))
        val inBlock = all.filter(i => last.forall(_.end >= i.end))
        assert(s.get(block.ends) == inBlock.map(i => BigInt(1) << i.end).sum, "instruction ends")
        for (i <- inBlock) {
          assert(s.get(block.raw(i.end)) == i.raw && s.get(block.rvc).testBit(i.end) == i.isRvc, s"instruction bits at ${i.end}")
          assert(s.get(block.bafin).testBit(i.end) == (i.kind == bafin), s"bafin at ${i.end}")
        }
        ends += inBlock.length
        assert(s.is(block.carry.valid) == (last.isEmpty && rest.isDefined), "carried half")
        rest.filter(_ => last.isEmpty).foreach { low => carries += 1; assert(s.get(block.carry.half) == low) }
        assert(s.is(block.taken) == last.isDefined, "taken")
        val isWrong = last.fold(predicted.taken) { i =>
          val foretold = predicted.taken && predicted.end == i.end
          val to =
            if (i.isDirectJump || i.kind == branch) (i.pcIn(window) + i.offset) & pcMask
            else if (i.kind == ret && !(foretold && predicted.cfiType == codes(ret))) rasTop
            else predicted.target
          assert(s.get(block.end) == i.end && s.get(block.cfiType) == codes(i.kind), s"last instruction $i")
          assert(s.get(block.target) == to, f"target of $i: ${s.get(block.target)}%x, not $to%x")
          !foretold || to != predicted.target || codes(i.kind) != predicted.cfiType
        }
        assert(s.is(block.mispredicted) == isWrong, "misprediction")
        if (isWrong) mispredicted += 1
        val sort = predicted.cfiType
        val isThere = all.exists { i =>
          val fits =
            if (i.kind == branch) sort == codes(branch)
            else if (i.isDirectJump) Seq(jal, call).map(codes).contains(sort)
            else i.isIndirect && Seq(jalr, call, ret).map(codes).contains(sort)
          i.end == predicted.end && fits
        }
        assert(s.is(block.phantom) == (predicted.taken && sort != codes(bafin) && !isThere), "an instruction that is not there")
        if (s.is(block.phantom)) phantoms += 1
      }
      val enough = ends > 4000 && mispredicted > 200 && mispredicted < 1400 && carries > 100 && phantoms > 100
      assert(enough, s"$ends ends, $mispredicted wrong, $carries carried, $phantoms phantoms")
    }
  }
}
