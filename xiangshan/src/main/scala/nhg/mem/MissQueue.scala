// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{BoundedWait, LineProbe, Permission}
import chisel3._
import chisel3.util._
import nhg._

/** A load's demand for a line that is not in the L1D (in stage s1, answered in the same cycle). */
class MissPort(p: NhgParams) extends Bundle {
  val valid = Input(Bool())
  val lineAddr = Input(UInt(p.lineAddrBits.W))
  val isPrefetch = Input(Bool())
  val accepted = Output(Bool()) // an MSHR works on the line and will announce its refill
  val id = Output(UInt(log2Ceil(p.l1d.mshrs).W))
  val word = Input(UInt(log2Ceil(p.lineBytes / 8).W)) // of the line
  val storeMask = Output(UInt(8.W)) // bytes of the word that performed stores left in an MSHR
  val storeData = Output(UInt(64.W))
}

/** A store's (or AMO's) demand, stage st1. With `hasData` the bytes wait in the MSHR and join the line at the refill. */
class StoreMissPort(p: NhgParams) extends Bundle {
  val valid = Input(Bool())
  val lineAddr = Input(UInt(p.lineAddrBits.W))
  val hasData = Input(Bool())
  val mask = Input(UInt(p.lineBytes.W))
  val data = Input(Vec(p.lineBytes / 8, UInt(64.W)))
  val accepted = Output(Bool())
  val pending = Input(Bool()) // the store pipe has something to do, now or later
}

/** The oldest granted line, the waiting stores merged in. */
class RefillLine(p: NhgParams) extends Bundle {
  val id = UInt(log2Ceil(p.l1d.mshrs).W)
  val lineAddr = UInt(p.lineAddrBits.W)
  val data = Vec(p.lineBytes / 8, UInt(64.W))
  val hasStores = Bool()
  val error = Bool()
}

/** The miss status holding registers (Table I: 16): one line each, any number of loads and stores merged. Loads see the bytes of the stores.
  *
  * One allocation a cycle (load pipe 0, load pipe 1, store pipe); a store that was refused goes before further loads, which could take
  * every MSHR for ever. Lines are acquired in order of allocation, refilled in order of their grants. `refill` shows the oldest
  * granted line until `finish`; in the cycle of `finish` nobody merges any more.
  */
class MissQueue(p: NhgParams) extends Module {
  private val n = p.l1d.mshrs
  private val idBits = log2Ceil(n)
  private val words = p.lineBytes / 8

  val io = IO(new Bundle {
    val load = Vec(p.lsu.loadPipes, new MissPort(p))
    val store = new StoreMissPort(p)
    val anyFree = Output(Bool())
    val acquire = L1D.port(p).acquire.cloneType
    val grant = Flipped(Valid(L1D.port(p).grant.bits.cloneType))
    /** Line of the next acquire, and whether its release still waits. */
    val acquireLine = Output(UInt(p.lineAddrBits.W))
    val acquireBlocked = Input(Bool())
    val refill = Valid(new RefillLine(p))
    val finish = Input(Bool())
    /** Probe side: this line has been granted and its refill has not finished. */
    val probe = Input(new LineProbe(p.line))
    val probeBusy = Output(Bool())
    /** AMU side: an MSHR works on this line. */
    val queryLine = Input(UInt(p.lineAddrBits.W))
    val queryBusy = Output(Bool())
    val occupancy = Output(UInt(log2Ceil(n + 1).W))
    val holdsStores = Output(Bool()) // bytes of performed stores wait for their line
  })

  private val valid = RegInit(0.U(n.W))
  private val sent = RegInit(0.U(n.W)) // only the assertion reads it
  private val granted = RegInit(0.U(n.W))
  private val holdsStores = RegInit(0.U(n.W))
  private val error = Reg(UInt(n.W))
  private val isPrefetch = Reg(UInt(n.W))
  private val line = Reg(Vec(n, UInt(p.lineAddrBits.W)))
  private val storeMask = Reg(Vec(n, UInt(p.lineBytes.W)))
  private val storeData = Seq.fill(words)(Mem(n, UInt(64.W)))
  private val grantData = Mem(n, UInt(p.lineBits.W))
  private val acquireOrder = Module(new Queue(UInt(idBits.W), n))
  private val grantOrder = Module(new Queue(UInt(idBits.W), n))

  private def matches(lineAddr: UInt): UInt = valid & VecInit(line.map(_ === lineAddr)).asUInt

  // merge or allocate
  private val finishing = Mux(io.finish, UIntToOH(grantOrder.io.deq.bits, n), 0.U(n.W))
  private val free = ~valid
  private val freeId = PriorityEncoder(free)
  io.anyFree := free.orR
  io.occupancy := PopCount(valid)

  private val loadMatch = io.load.map(l => matches(l.lineAddr))
  private val storeMatch = matches(io.store.lineAddr)
  private val storeRefused = RegInit(false.B)
  private val wants = io.load.zip(loadMatch).map { case (l, m) =>
    l.valid && !m.orR && !storeRefused
  } :+
    (io.store.valid && !storeMatch.orR)
  private val lines = io.load.map(_.lineAddr) :+ io.store.lineAddr
  private val allocate = wants.reduce(_ || _) && io.anyFree
  private val allocateLine = PriorityMux(wants, lines)

  for (((l, m), w) <- io.load.zip(loadMatch).zip(wants)) {
    val allocates = w && io.anyFree && l.lineAddr === allocateLine
    l.accepted := l.valid && ((m & ~finishing).orR || allocates)
    l.id := Mux(m.orR, OHToUInt(m), freeId)
    val mask = Mux1H(m, storeMask) // none without a match
    l.storeMask := VecInit((0 until words).map(w => mask(8 * w + 7, 8 * w)))(l.word)
    l.storeData := VecInit(storeData.map(_(OHToUInt(m))))(l.word)
  }
  private val storeAllocates = wants.last && io.anyFree && !wants.init.reduce(_ || _)
  private val storeId = Mux(storeMatch.orR, OHToUInt(storeMatch), freeId)
  io.store.accepted := io.store.valid && ((storeMatch & ~finishing).orR || storeAllocates)
  storeRefused := Mux(io.store.valid, !io.store.accepted, storeRefused && io.store.pending)
  BoundedWait.memory(storeRefused, "a store without an MSHR")

  when(allocate) {
    line(freeId) := allocateLine
    isPrefetch := isPrefetch.bitSet(freeId, PriorityMux(wants, io.load.map(_.isPrefetch) :+ false.B))
    storeMask(freeId) := 0.U
  }
  acquireOrder.io.enq.valid := allocate
  acquireOrder.io.enq.bits := freeId
  assert(!allocate || acquireOrder.io.enq.ready)

  private val storeTaken = io.store.accepted && io.store.hasData
  when(storeTaken) { storeMask(storeId) := io.store.mask | Mux(storeMatch.orR, storeMask(storeId), 0.U) }
  for (w <- 0 until words) {
    val mask = io.store.mask(8 * w + 7, 8 * w)
    when(storeTaken && mask.orR) { storeData(w)(storeId) := ByteLanes.merge(storeData(w)(storeId), io.store.data(w), mask) }
  }

  // acquire and grant
  private val acquireId = acquireOrder.io.deq.bits
  io.acquireLine := line(acquireId)
  io.acquire.valid := acquireOrder.io.deq.valid && !io.acquireBlocked
  io.acquire.bits.lineAddr := io.acquireLine
  io.acquire.bits.id := acquireId
  // The tags have no shared state: any copy may be written.
  io.acquire.bits.grow.from := Permission.none
  io.acquire.bits.grow.to := Permission.exclusive
  io.acquire.bits.isPrefetch := isPrefetch(acquireId)
  acquireOrder.io.deq.ready := io.acquire.ready && !io.acquireBlocked

  grantOrder.io.enq.valid := io.grant.valid
  grantOrder.io.enq.bits := io.grant.bits.id
  when(io.grant.valid) {
    grantData(io.grant.bits.id) := io.grant.bits.data
    error := error.bitSet(io.grant.bits.id, io.grant.bits.error)
    assert(sent(io.grant.bits.id) && !granted(io.grant.bits.id), "L1D: grant without an acquire")
  }

  // refill
  private val refillId = grantOrder.io.deq.bits
  private val refillData = grantData(refillId)
  private val refillMask = storeMask(refillId)
  io.refill.valid := grantOrder.io.deq.valid
  io.refill.bits.id := refillId
  io.refill.bits.lineAddr := line(refillId)
  io.refill.bits.hasStores := refillMask.orR
  io.refill.bits.error := error(refillId)
  for (w <- 0 until words) {
    io.refill.bits.data(w) :=
      ByteLanes.merge(refillData(64 * w + 63, 64 * w), storeData(w)(refillId), refillMask(8 * w + 7, 8 * w))
  }
  grantOrder.io.deq.ready := io.finish
  assert(!io.finish || grantOrder.io.deq.valid, "L1D: refill of nothing")

  holdsStores := (holdsStores & ~finishing) | Mux(storeTaken, UIntToOH(storeId, n), 0.U)
  io.holdsStores := holdsStores.orR
  private val sending = Mux(io.acquire.fire, UIntToOH(acquireId, n), 0.U)
  private val allocated = Mux(allocate, UIntToOH(freeId, n), 0.U)
  valid := (valid & ~finishing) | allocated
  sent := (sent & ~finishing) | sending
  granted := (granted & ~finishing) | Mux(io.grant.valid, UIntToOH(io.grant.bits.id, n), 0.U)

  io.probeBusy := (matches(io.probe.lineAddr) & granted).orR
  io.queryBusy := matches(io.queryLine).orR
  BoundedWait.memory(acquireOrder.io.deq.valid && !acquireOrder.io.deq.fire, "an acquire of L1D")
  BoundedWait.onChip(io.refill.valid && !io.finish, "a refill of L1D")
  assert(PopCount(storeMatch) <= 1.U, "L1D: two MSHRs for one line")
}
