// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import amu.{AmuConfig, BtqEntry}
import chisel3._
import chisel3.util._
import chiseltest._
import nhg._
import nhg.mmu.Sv39
import nhg.priv.PmpState
import scala.collection.mutable

/** A Frontend whose outputs are packed into 64-bit words of one wide port: one peek a cycle keeps the tests fast. */
class FrontendHarness(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val redirect = Input(Valid(new Redirect(p)))
    val update = Input(Valid(new BranchUpdate(p)))
    val commitFtqIdx = Input(Valid(UInt(p.ftqIdxBits.W)))
    val invalidateICache = Input(Bool())
    val fetchReady = Input(Bool())
    val l2Ready = Input(Bool())
    val l2Resp = Input(Valid(new Bundle {
      val id = UInt(log2Ceil(p.l1i.mshrs).W)
      val data = UInt(p.lineBits.W)
      val error = Bool()
    }))
    val btqValid = Input(Bool())
    val btqEntry = Input(new BtqEntry(p.amu))
    val pollWait = Input(UInt(AmuConfig.pollWaitBits.W))
    val resetPc = Input(UInt(p.addressBits.W))
    val pmp = Input(new PmpState(p))
    val translates = Input(Bool()) // by FetchedPages
    val observed = Output(UInt((64 * (3 * p.backend.decodeWidth + 1)).W))
  })
  private val frontend = Module(new Frontend(p))
  private val core = frontend.io.core
  core.redirect := io.redirect
  core.update := io.update
  core.commitFtqIdx := io.commitFtqIdx
  core.invalidateICache := io.invalidateICache
  core.fetch.ready := io.fetchReady
  core.interrupted := false.B
  frontend.io.l2.req.ready := io.l2Ready
  frontend.io.l2.resp := io.l2Resp
  frontend.io.btq.valid := io.btqValid
  frontend.io.btq.bits := io.btqEntry
  frontend.io.pollWait := io.pollWait
  frontend.io.resetPc := io.resetPc
  frontend.io.pmp := io.pmp
  frontend.io.translation := 0.U.asTypeOf(frontend.io.translation)
  frontend.io.translation.fetch.on := io.translates
  private val asked = RegInit(0.U.asTypeOf(Valid(UInt(Sv39.vpnBits.W))))
  private val walkCycles = RegInit(0.U(3.W))
  private val walks = frontend.io.walks
  walks.request.ready := !asked.valid
  when(walks.request.fire) {
    asked.valid := true.B
    asked.bits := walks.request.bits
  }
  walkCycles := Mux(asked.valid && !walks.result.fire, walkCycles + 1.U, 0.U)
  walks.result.valid := walkCycles === 7.U
  when(walks.result.fire) { asked.valid := false.B }
  walks.full := false.B
  walks.woken := RegNext(walks.result.fire, false.B)
  walks.result.bits := 0.U.asTypeOf(walks.result.bits)
  walks.result.bits.vpn := asked.bits
  walks.result.bits.entry.mapping.ppn := asked.bits ^ FetchedPages.other.U
  walks.result.bits.entry.mapping.execute := !asked.bits(FetchedPages.dataBit)

  private val insts = core.fetch.inst.zip(core.fetch.valid).map { case (i, valid) =>
    Cat(
      i.predTarget.pad(64),
      Cat(valid, i.isRvc, i.exception.valid, i.predTaken, i.bafinPredicted, i.ftqIdx.pad(16), i.exception.cause(2), i.pc.pad(42)),
      i.inst,
      i.raw
    )
  }
  private val request = frontend.io.l2.req
  io.observed := Cat(Cat(frontend.io.btq.ready, request.valid, request.bits.id.pad(16), request.bits.lineAddr.pad(46)), Cat(insts.reverse))
}

/** The pages of the harness: each is another one of memory, and one of two may not be executed. */
object FetchedPages {
  val other = 0x10 // physical page number: the virtual one with this bit changed
  val dataBit = 0
}

/** One delivered instruction as the harness shows it. */
case class Delivered(
    pc: Long,
    inst: Long,
    raw: Long,
    isRvc: Boolean,
    accessFault: Boolean,
    predTaken: Boolean,
    predTarget: Long,
    bafinPredicted: Boolean,
    ftqIdx: Int,
    pageFault: Boolean
)

/** A cycle's outputs. */
class Observed(value: BigInt, width: Int) {
  private def word(i: Int): Long = (value >> (64 * i)).toLong
  private def flag(w: Long, bit: Int): Boolean = ((w >>> bit) & 1) == 1
  private def field(w: Long, low: Int, bits: Int): Long = (w >>> low) & ((1L << bits) - 1)

  def insts: Seq[Delivered] = (0 until width).takeWhile(i => flag(word(3 * i + 1), 63)).map { i =>
    val code = word(3 * i)
    val w = word(3 * i + 1)
    Delivered(
      field(w, 0, 40),
      field(code, 32, 32),
      field(code, 0, 32),
      flag(w, 62),
      flag(w, 61),
      flag(w, 60),
      word(3 * i + 2),
      flag(w, 59),
      field(w, 43, 16).toInt,
      flag(w, 61) && flag(w, 42)
    )
  }
  private def last = word(3 * width)
  def btqReady: Boolean = flag(last, 63)
  def l2Request: Option[(Int, Long)] = if (flag(last, 62)) Some((field(last, 46, 16).toInt, field(last, 0, 46))) else None
}

/** Pokes only what changes. */
class Poker {
  private val last = mutable.Map[Data, BigInt]()
  def apply(port: UInt, value: BigInt): Unit = if (!last.get(port).contains(value)) {
    port.poke(value.U)
    last(port) = value
  }
  def apply(port: Bool, value: Boolean): Unit = {
    val number = BigInt(if (value) 1 else 0)
    if (!last.get(port).contains(number)) {
      port.poke(value.B)
      last(port) = number
    }
  }
}
