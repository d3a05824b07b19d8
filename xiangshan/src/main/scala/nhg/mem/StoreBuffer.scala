// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import amu.StoreBufferState
import chisel3._
import chisel3.util._
import common.Ring
import nhg._

/** Bytes of a 64-bit word of a line. */
class StoreWord(p: NhgParams) extends Bundle {
  val index = UInt(log2Ceil(p.lineBytes / 8).W)
  val data = UInt(64.W)
  val mask = UInt(8.W)
}

/** Different words of one line, the first one always there. */
class StoreWords(p: NhgParams) extends Bundle {
  val lineAddr = UInt(p.lineAddrBits.W)
  val words = Vec(p.lsu.storePipes, Valid(new StoreWord(p)))
}

/** Question of a load (s1): which bytes of its word wait here, answered in the same cycle. */
class StoreBufferLookup(p: NhgParams) extends Bundle {
  val word = Input(UInt((p.paddrBits - 3).W))
  val mask = Output(UInt(8.W))
  val data = Output(UInt(64.W))
}

/** Merging store buffer between store queue and L1D: a few lines with the bytes of committed stores, as in the public NANHU-G. A line is one
  * access of L1D, however many stores it holds.
  *
  * Lines leave in the order in which they came: when they are whole, when no store arrives, when a store needs a line, and at the latest after
  * `patienceCycles`, so that nothing that waits for a store (fence, AMO, AMU request) waits for ever. A line that is on its way takes no more bytes:
  * a store to it waits. It stays visible to loads for the cycle after its write, as a load in s1 may have read the arrays before it.
  */
class StoreBuffer(p: NhgParams) extends Module {
  private val n = p.lsu.storeBufferLines
  private val ring = Ring(n)
  private val words = p.lineBytes / 8
  private val patienceCycles = 64
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new StoreWords(p)))
    val cache = Flipped(new StorePipePort(p))
    val lookup = Vec(p.lsu.loadPipes, new StoreBufferLookup(p))
    val state = Output(new StoreBufferState(p.amu))
    val empty = Output(Bool())
  })
  private val head = RegInit(0.U(ring.bits.W)) // oldest line
  private val send = RegInit(0.U(ring.bits.W)) // next to go to L1D; before it lines are on their way
  private val tail = RegInit(0.U(ring.bits.W))
  private val line = Reg(Vec(n, UInt(p.lineAddrBits.W)))
  private val mask = Reg(Vec(n, UInt(p.lineBytes.W)))
  private val data = Seq.fill(words)(Mem(n, UInt(64.W)))
  private val used = ring.mask(head, tail)
  private val open = ring.mask(send, tail)
  private def bit(valid: Bool, ptr: UInt): UInt = Mux(valid, UIntToOH(ring.index(ptr), n), 0.U)
  private def having(lineAddr: UInt): UInt = VecInit(line.map(_ === lineAddr)).asUInt & used
  io.empty := head === tail
  assert(ring.distance(tail, head) <= n.U, "store buffer: more lines than there are")

  // to L1D
  private val sendIdx = ring.index(send)
  private val whole = mask(sendIdx).andR
  private val refused = RegInit(false.B) // its last try failed
  private val waited = RegInit(0.U(log2Ceil(patienceCycles + 1).W))
  private val found = having(io.in.bits.lineAddr)
  private val needsLine = !found.orR
  private val full = ring.distance(tail, head) === n.U
  io.cache.s0.valid := send =/= tail && (whole || !io.in.valid || needsLine && full || refused || waited === patienceCycles.U)
  io.cache.s0.bits.lineAddr := line(sendIdx)
  io.cache.s0.bits.mask := mask(sendIdx)
  for ((to, bank) <- io.cache.s0.bits.data.zip(data)) { to := bank(sendIdx) }
  io.cache.s0.bits.isAmo := false.B
  private val sent = RegEnable(send, io.cache.s0.fire)
  when(io.cache.s1_failed) { send := sent }.elsewhen(io.cache.s0.fire) { send := ring.add(send, 1.U) }
  refused := Mux(io.cache.s0.fire, false.B, refused || io.cache.s1_failed)
  waited := Mux(io.cache.s0.fire || send === tail, 0.U, Mux(waited === patienceCycles.U, waited, waited + 1.U))
  private val written = RegNext(io.cache.s1_done, false.B) // by the oldest line
  when(written) { head := ring.add(head, 1.U) }
  assert(!(written && head === send), "store buffer: a line is written that was not sent")

  // from the store queue
  private val free = !full || written
  private val mayMerge = (found & open & ~bit(io.cache.s0.valid, send)).orR
  io.in.ready := Mux(needsLine, free, mayMerge)
  private val entry = Mux(needsLine, ring.index(tail), OHToUInt(found))
  private val arriving = io.in.bits.words.map(w => Mux(w.valid, (w.bits.mask << Cat(w.bits.index, 0.U(3.W)))(p.lineBytes - 1, 0), 0.U)).reduce(_ | _)
  when(io.in.fire) {
    line(entry) := io.in.bits.lineAddr
    mask(entry) := arriving | Mux(needsLine, 0.U, mask(entry))
    when(needsLine) { tail := ring.add(tail, 1.U) }
  }
  for ((bank, w) <- data.zipWithIndex) {
    val here = io.in.bits.words.map(x => x.valid && x.bits.index === w.U)
    val word = PriorityMux(here.init :+ true.B, io.in.bits.words.map(_.bits))
    when(io.in.fire && VecInit(here).asUInt.orR) { bank(entry) := ByteLanes.merge(bank(entry), word.data, word.mask) }
    assert(!io.in.fire || PopCount(here) <= 1.U, "store buffer: a word twice in one arrival")
  }

  // loads
  for (l <- io.lookup) {
    val index = l.word(log2Ceil(words) - 1, 0)
    val holds = having(l.word >> log2Ceil(words))
    val which = OHToUInt(holds)
    l.mask := Mux(holds.orR, VecInit((0 until words).map(w => mask(which)(8 * w + 7, 8 * w)))(index), 0.U)
    l.data := VecInit(data.map(_(which)))(index)
    assert(PopCount(holds) <= 1.U, "store buffer: two entries for one line")
  }
  io.state.used := used
  io.state.freed := bit(written, head)
}
