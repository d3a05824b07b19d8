// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{BoundedWait, LineClientPort}
import chisel3._
import chisel3.util._
import nhg._

/** L1D access of a load pipe. Stage s0 gives what translation leaves alone of the address; stage s1 (the next cycle) gives the physical
  * line, has the answer and may ask for the line.
  */
class L1DLoadPort(p: NhgParams) extends Bundle {
  val s0_valid = Input(Bool())
  val s0_pageOffset = Input(UInt(p.pageOffsetBits.W))
  val s1_line = Input(UInt(p.lineAddrBits.W))
  val s1_hit = Output(Bool())
  val s1_word = Output(UInt(64.W))
  val s1_conflict = Output(Bool()) // a fill of the set came in between: hit and data mean nothing, try again
  val s1_miss = Input(Bool()) // ask for the line (only without hit and conflict)
  val s1_isPrefetch = Input(Bool())
  val s1_used = Input(Bool()) // the word was used: counts for replacement
  val s1_accepted = Output(Bool()) // an MSHR works on it: wait for `refilled` with this id
  val s1_mshr = Output(UInt(log2Ceil(p.l1d.mshrs).W))
  val s1_storeMask = Output(UInt(8.W)) // bytes of the word that stores left in the MSHR of a line that is not there
  val s1_storeWord = Output(UInt(64.W))
}

/** Bytes of a line, or the word of an AMO. */
class StoreAccess(p: NhgParams) extends Bundle {
  val lineAddr = UInt(p.lineAddrBits.W)
  val mask = UInt(p.lineBytes.W)
  val data = Vec(p.lineBytes / 8, UInt(64.W))
  val isAmo = Bool()

  def maskOf(word: Int): UInt = mask(8 * word + 7, 8 * word)
  def words: UInt = VecInit(data.indices.map(maskOf(_).orR)).asUInt
}

/** Store pipe of the L1D, an access a cycle: st0 looks up, st1 writes or merges into an MSHR.
  * An access that fails in st1 is offered again by the requester; st0 accepts nothing in the cycle of a failure. In the cycle in
  * which st1 writes a line the requester does not offer that line.
  */
class StorePipePort(p: NhgParams) extends Bundle {
  val s0 = Flipped(Decoupled(new StoreAccess(p)))
  val s1_valid = Output(Bool())
  val s1_done = Output(Bool())
  val s1_failed = Output(Bool())
}

/** The same with atomics. An AMO does not merge: it fails until the line is there, then `amoWord` is written in the cycle in
  * which `s1_word` is read.
  */
class L1DStorePort(p: NhgParams) extends StorePipePort(p) {
  val s1_word = Output(UInt(64.W)) // before the access
  val amoWord = Input(UInt(64.W))
  val amoWrites = Input(Bool())
}

/** End of a miss: the line is in the L1D from the next cycle on (not with `error`). */
class Refilled(p: NhgParams) extends Bundle {
  val id = UInt(log2Ceil(p.l1d.mshrs).W)
  val lineAddr = UInt(p.lineAddrBits.W)
  val error = Bool()
}

object L1D {
  /** To L2, with an ID per MSHR. */
  def port(p: NhgParams): LineClientPort = new LineClientPort(p.line, log2Ceil(p.l1d.mshrs))
}

/** L1 data cache (Table I: 32 KB, 8 ways, 16 MSHRs), write-back, write-allocate; virtually indexed for loads, physically tagged. A way of 64
  * sets of 64 B is a 4 KiB page: the index is the same in both addresses, so a line has one place and no aliases (xiangshan/README.md).
  *
  * Invariant: a line is in the arrays or in one MSHR, never both; a line in the write-back queue is in neither until its release
  * has been accepted (an MSHR may exist, unsent).
  */
class L1D(p: NhgParams) extends Module {
  private val setBits = log2Ceil(p.l1d.sets)
  private val lineShift = log2Ceil(p.lineBytes)
  private val words = p.lineBytes / 8

  val io = IO(new Bundle {
    val load = Vec(p.lsu.loadPipes, new L1DLoadPort(p))
    val store = new L1DStorePort(p)
    val l2 = L1D.port(p)
    val refilled = Valid(new Refilled(p))
    val mshrFree = Output(Bool())
    /** A line left the arrays (reservations on it end). */
    val lost = Valid(UInt(p.lineAddrBits.W))
    /** The line that the oldest operation waits for. */
    val awaited = Flipped(Valid(UInt(p.lineAddrBits.W)))
    val queryLine = Input(UInt(p.lineAddrBits.W))
    val queryBusy = Output(Bool())
    val mshrOccupancy = Output(UInt(log2Ceil(p.l1d.mshrs + 1).W))
    val mshrHoldsStores = Output(Bool())
  })

  private val tags = Module(new L1DTags(p))
  private val data = Module(new L1DData(p))
  private val misses = Module(new MissQueue(p))
  private val writebacks = Module(new WritebackQueue(p))
  private val engine = Module(new LineEngine(p))

  private def setOf(line: UInt): UInt = line(setBits - 1, 0)
  private def wordOf(addr: UInt): UInt = addr(lineShift - 1, 3)

  // load side
  for (i <- 0 until p.lsu.loadPipes) {
    val port = io.load(i)
    val set = setOf(port.s0_pageOffset >> lineShift)
    tags.io.load(i).s0_valid := port.s0_valid
    tags.io.load(i).s0_set := set
    data.io.load(i).s0_valid := port.s0_valid
    data.io.load(i).s0_set := set
    data.io.load(i).s0_word := wordOf(port.s0_pageOffset)

    val conflict = RegEnable(engine.io.filling.valid && engine.io.filling.bits === set, port.s0_valid)
    tags.io.load(i).s1_tag := port.s1_line >> setBits
    data.io.load(i).s1_way := tags.io.load(i).s1_way
    port.s1_hit := tags.io.load(i).s1_hit && !conflict
    port.s1_conflict := conflict
    port.s1_word := data.io.load(i).s1_data
    port.s1_accepted := misses.io.load(i).accepted
    port.s1_mshr := misses.io.load(i).id
    misses.io.load(i).valid := port.s1_miss
    misses.io.load(i).lineAddr := port.s1_line
    misses.io.load(i).isPrefetch := port.s1_isPrefetch
    misses.io.load(i).word := RegEnable(wordOf(port.s0_pageOffset), port.s0_valid)
    port.s1_storeMask := misses.io.load(i).storeMask
    port.s1_storeWord := misses.io.load(i).storeData
    tags.io.touch(i).valid := port.s1_used && port.s1_hit
    tags.io.touch(i).bits.set := setOf(port.s1_line)
    tags.io.touch(i).bits.way := tags.io.load(i).s1_way
    assert(!(port.s1_miss && (port.s1_hit || conflict)), "L1D: miss of a line that may be present")
  }

  // store side: st0
  private val st0 = io.store.s0
  private val st0_line = st0.bits.lineAddr
  private val st0_fillsSet = engine.io.filling.valid && engine.io.filling.bits === setOf(st0_line)
  st0.ready := !engine.io.blockStores && !st0_fillsSet && !io.store.s1_failed

  tags.io.line.lineAddr := Mux(engine.io.blockStores, engine.io.lineAddr, st0_line)
  private val st0_row = Cat(setOf(st0_line), tags.io.line.way)

  data.io.line.enable := Mux(engine.io.readRow.valid, Fill(words, 1.U(1.W)), Mux(st0.fire && tags.io.line.hit, st0.bits.words, 0.U))
  data.io.line.row := Mux(engine.io.readRow.valid, engine.io.readRow.bits, st0_row)

  // st1
  private val st1_valid = RegNext(st0.fire, false.B)
  private val st1_hit = RegEnable(tags.io.line.hit, st0.fire)
  private val st1_row = RegEnable(st0_row, st0.fire)
  private val st1 = RegEnable(st0.bits, st0.fire)
  private val st1_line = st1.lineAddr
  private val st1_way = st1_row(log2Ceil(p.l1d.ways) - 1, 0)

  private val st1_before = data.io.line.data
  io.store.s1_word := Mux1H(st1.words, st1_before)

  misses.io.store.valid := st1_valid && !st1_hit
  misses.io.store.lineAddr := st1_line
  misses.io.store.hasData := !st1.isAmo
  misses.io.store.mask := st1.mask
  misses.io.store.data := st1.data
  misses.io.store.pending := st0.valid || st1_valid

  io.store.s1_valid := st1_valid
  io.store.s1_done := st1_valid && (st1_hit || (misses.io.store.accepted && !st1.isAmo))
  io.store.s1_failed := st1_valid && !io.store.s1_done

  private val st1_writes = st1_valid && st1_hit && (!st1.isAmo || io.store.amoWrites)
  private val st1_data = st1_before.zipWithIndex.map { case (before, w) =>
    Mux(st1.isAmo, io.store.amoWord, ByteLanes.merge(before, st1.data(w), st1.maskOf(w)))
  }
  assert(!(st1_valid && st1.isAmo) || PopCount(st1.words) === 1.U, "L1D: an AMO has one word")
  assert(!(st1_writes && st0.fire && st0_line === st1_line), "L1D: a store reads the line that is written")

  // writes into the arrays
  private val fills = engine.io.filling.valid
  private val refill = misses.io.refill.bits
  data.io.write.enable := Mux(fills, Fill(words, 1.U(1.W)), Mux(st1_writes, st1.words, 0.U))
  data.io.write.row := Mux(fills, Cat(setOf(refill.lineAddr), engine.io.fillWay), st1_row)
  data.io.write.data := Mux(fills, refill.data, VecInit(st1_data))
  assert(!(fills && st1_valid), "L1D: fill and store write in one cycle")

  tags.io.fill.valid := fills
  tags.io.fill.bits.lineAddr := refill.lineAddr
  tags.io.fill.bits.way := engine.io.fillWay
  tags.io.fill.bits.dirty := refill.hasStores
  tags.io.markDirty.valid := st1_writes
  tags.io.markDirty.bits.set := setOf(st1_line)
  tags.io.markDirty.bits.way := st1_way
  tags.io.touch.last.valid := st1_valid && st1_hit
  tags.io.touch.last.bits.set := setOf(st1_line)
  tags.io.touch.last.bits.way := st1_way
  tags.io.invalidate.valid := engine.io.invalidate.valid
  tags.io.invalidate.bits.set := setOf(engine.io.invalidate.bits.lineAddr)
  tags.io.invalidate.bits.way := engine.io.invalidate.bits.way

  // refill and probe
  engine.io.refill := misses.io.refill
  misses.io.finish := engine.io.finish
  engine.io.probe <> io.l2.probe
  misses.io.probe := io.l2.probe.bits
  engine.io.probeBusy := misses.io.probeBusy
  engine.io.awaited := io.awaited
  engine.io.st1Valid := st1_valid
  engine.io.st1Set := setOf(st1_line)
  engine.io.lineHit := tags.io.line.hit
  engine.io.lineWay := tags.io.line.way
  engine.io.lineDirty := tags.io.lineDirty
  engine.io.victimWay := tags.io.victimWay
  engine.io.victimDirty := tags.io.victimDirty
  engine.io.victimValid := tags.io.victimValid
  engine.io.victimLine := tags.io.victimLine
  engine.io.readData := data.io.line.data

  writebacks.io.enqueue <> engine.io.writeback
  io.l2.release <> writebacks.io.release
  writebacks.io.queryLine := misses.io.acquireLine
  misses.io.acquireBlocked := writebacks.io.pending || engine.io.acquireBlocked
  engine.io.acquireLine := misses.io.acquireLine
  io.l2.acquire <> misses.io.acquire
  misses.io.grant := io.l2.grant
  BoundedWait.memory(io.l2.probe.valid && !io.l2.probe.ready, "a probe of L1D")
  BoundedWait.onChip(io.l2.release.valid && !io.l2.release.ready, "a release of L1D")

  io.refilled.valid := engine.io.finish
  io.refilled.bits.id := refill.id
  io.refilled.bits.lineAddr := refill.lineAddr
  io.refilled.bits.error := refill.error
  io.mshrFree := misses.io.anyFree
  io.lost := engine.io.lost
  misses.io.queryLine := io.queryLine
  io.queryBusy := misses.io.queryBusy
  io.mshrOccupancy := misses.io.occupancy
  io.mshrHoldsStores := misses.io.holdsStores
}
