// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import nhg._
import nhg.frontend.FrontendIO
import nhg.mem.Signals
import scala.util.Random

/** Front end of the back end's test: groups of fresh random instructions along a predicted path, which is often wrong. */
class FetchMock(p: NhgParams, io: FrontendIO, s: Signals, random: Random, stream: ProgramStream, bafinTarget: () => Long) {
  private class Inst(val pc: Long, val fetched: FetchedCode, val predTaken: Boolean, val target: Long, val bafinKnown: Boolean)
  private val blocks = 1 << p.ftqIdxBits
  private var pc = 0L
  private var block = 0
  private var group = Vector[Inst]()
  private var stuck = false // nothing follows an access fault
  /** Program counters of each block in flight, to check what the back end says of them. */
  private val blockPcs = Array.fill(blocks)(Set[Long]())
  var redirects, flushes = 0

  private def toPc(address: Long): Long = sext(address, p.pcBits)
  private def unsigned(pc: Long): BigInt = BigInt(pc & ((1L << p.pcBits) - 1))
  private def sext(value: Long, width: Int): Long = value << (64 - width) >> (64 - width)
  private def bits(code: Long, high: Int, low: Int): Long = code >> low & ((1L << (high - low + 1)) - 1)

  /** Where the front end believes that a taken instruction goes. */
  private def target(code: Long, name: String): Long =
    toPc(name match {
      case "jal" => pc + sext(bits(code, 31, 31) << 20 | bits(code, 19, 12) << 12 | bits(code, 20, 20) << 11 | bits(code, 30, 21) << 1, 21)
      case "jalr" if bits(code, 19, 15) == 0 => sext(bits(code, 31, 20), 12) & ~1L
      case "jalr" => wrongTarget()
      case "bafin" => bafinTarget()
      case _ => pc + sext(bits(code, 31, 31) << 12 | bits(code, 7, 7) << 11 | bits(code, 30, 25) << 5 | bits(code, 11, 8) << 1, 13)
    })

  private def wrongTarget(): Long = if (random.nextInt(4) == 0) toPc(Pc.beyond(p).litValue.toLong) else PcMap.draw(random)

  private def predict(fetched: FetchedCode): Inst = {
    val i = InstructionTable.find(fetched.code).filter(i => i.format == 'B' || Set("jal", "jalr", "bafin")(i.name))
    val known = i.exists(i => i.format == 'B' && bits(fetched.code, 19, 15) == bits(fetched.code, 24, 20))
    val funct3 = bits(fetched.code, 14, 12)
    val sameOutcome = funct3 == 0 || funct3 == 5 || funct3 == 7
    val right = random.nextInt(16) != 0
    val taken = i.exists(i => if (known) sameOutcome == right else if (i.format == 'B' || i.name == "bafin") random.nextBoolean() else right)
    val where = i.filter(_ => taken).fold(0L)(i => if (random.nextInt(20) == 0) wrongTarget() else target(fetched.code, i.name))
    new Inst(pc, fetched, taken, where, i.exists(_.name == "bafin") && (taken || random.nextInt(4) == 0))
  }

  private def isFault(i: Inst): Boolean = PcMap.fault(i.pc, !i.fetched.isRvc).isDefined

  private def fill(): Unit = {
    block = (block + 1) % blocks
    for (_ <- 0 to random.nextInt(p.backend.decodeWidth) if !stuck) {
      val inst = predict(stream.next())
      group :+= inst
      stuck = isFault(inst)
      val length = if (inst.fetched.isRvc) 2 else 4
      pc = toPc(if (inst.predTaken) inst.target else pc + length)
    }
    blockPcs(block) = group.map(_.pc).toSet
  }

  def drive(): Unit = {
    if (group.isEmpty && !stuck && random.nextInt(8) != 0) fill()
    for (k <- 0 until p.backend.decodeWidth) {
      s.set(io.fetch.valid(k), k < group.length)
      group.lift(k).foreach { i =>
        val f = io.fetch.inst(k)
        val isMissing = PcMap.fault(i.pc, isLong = false).isDefined
        s.set(f.pc, unsigned(i.pc))
        s.set(f.inst, i.fetched.code)
        s.set(f.raw, i.fetched.raw)
        s.set(f.isRvc, i.fetched.isRvc || isMissing)
        s.set(f.exception.valid, isFault(i))
        s.set(f.exception.cause, 1)
        s.set(f.predTaken, i.predTaken)
        s.set(f.predTarget, unsigned(i.target))
        s.set(f.bafinPredicted, i.bafinKnown)
        s.set(f.ftqIdx, block)
      }
    }
  }

  /** @param finPtr the finish-queue entry that comes next after a redirect of this cycle */
  def sample(finPtr: => BigInt): Unit = {
    if (s.is(io.fetch.ready)) group = Vector()
    if (s.is(io.update.valid)) {
      val (pc, in) = (toPc(s.get(io.update.bits.pc).toLong), s.get(io.update.bits.ftqIdx).toInt)
      assert(blockPcs(in)(pc), f"predictor update for $pc%x, which is not in block $in")
    }
    if (s.is(io.redirect.valid)) {
      redirects += 1
      if (!s.is(io.redirect.bits.isCfi)) flushes += 1
      val (from, in) = (toPc(s.get(io.redirect.bits.pc).toLong), s.get(io.redirect.bits.ftqIdx).toInt)
      assert(blockPcs(in)(from), f"redirect from $from%x, which is not in block $in")
      assert(s.get(io.redirect.bits.finPtr) == finPtr, "the redirect names another finish-queue entry than the AMU")
      pc = toPc(s.get(io.redirect.bits.target).toLong)
      group = Vector()
      stuck = false
    }
  }
}
