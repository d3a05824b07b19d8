// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import chisel3._
import chisel3.util._
import common.Count

/** Who waits for a line: at most one client and one reader, one-hot, each with its MSHR. */
class SliceWaiters(p: SliceParams) extends Bundle {
  val client = UInt(p.clientBits.W)
  val clientId = UInt(p.clientIdBits.W)
  val reader = UInt(p.readers.size.W)
  val readerId = UInt(p.readerIdBits.W)
}

/** A slice's MSHRs: one line each, from the miss until the line has been installed. An entry fetches its line from the level
  * below (ID = entry), keeps it in a buffer, and offers it for installation, both first come, first served.
  *
  * Timing: `lookup` answers in the same cycle; `install.lineAddr` is shown from `install.valid` on; the buffered data follow
  * `installRead` by one cycle.
  */
class SliceMissQueue(p: SliceParams) extends Module {
  private val n = p.mshrs
  private val idxBits = log2Ceil(n)

  val io = IO(new Bundle {
    val lookup = new Bundle {
      val lineAddr = Input(UInt(p.line.addrBits.W))
      val hit = Output(Bool())
      val idx = Output(UInt(idxBits.W))
      val waiters = Output(new SliceWaiters(p))
      val isPrefetch = Output(Bool()) // and nobody has asked for it since
      val forAmu = Output(Bool())
      val dropped = Output(Bool())
    }
    val full = Output(Bool())
    val allocate = Input(Valid(new Bundle {
      val lineAddr = UInt(p.line.addrBits.W)
      val waiters = new SliceWaiters(p)
      val isPrefetch = Bool() // nobody waits but perhaps a reader with a prefetch of its own
      val forAmu = Bool() // a prefetch that the AMU wants
    }))
    val prefetches = Output(UInt(log2Ceil(n + 1).W)) // MSHRs of prefetches, those that have got a waiter included
    /** Add a client to the entry that `lookup` has just found. */
    val merge = Input(Valid(new Bundle {
      val client = UInt(p.clientBits.W)
      val id = UInt(p.clientIdBits.W)
    }))
    /** The line that `lookup` has just found is not to be installed: memory will have a newer one. */
    val drop = Input(Bool())
    /** A line that has arrived. */
    val install = new Bundle {
      val valid = Output(Bool())
      val idx = Output(UInt(idxBits.W))
      val lineAddr = Output(UInt(p.line.addrBits.W))
    }
    val installRead = Input(Bool())
    val installData = Output(UInt(p.line.bits.W)) // one cycle after installRead
    /** State of the entry whose installation was started one cycle ago. */
    val started = new Bundle {
      val idx = Input(UInt(idxBits.W))
      val waiters = Output(new SliceWaiters(p))
      val error = Output(Bool())
      val isPrefetch = Output(Bool())
      val forAmu = Output(Bool())
      val dropped = Output(Bool())
      val done = Input(Bool()) // frees the entry
    }
    val fetch = Decoupled(new LowerFetch(p.line, p.lowerIdBits))
    val fetched = Flipped(Valid(new LowerLine(p.line, p.lowerIdBits)))
    val occupied = Output(UInt(log2Ceil(n + 1).W))
  })

  private val valid = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val requested = Reg(Vec(n, Bool())) // only the assertions read it, as they do `refilled`
  private val refilled = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val error = Reg(Vec(n, Bool()))
  private val line = Reg(Vec(n, UInt(p.line.addrBits.W)))
  private val waiters = Reg(Vec(n, new SliceWaiters(p)))
  private val isPrefetch, forAmu, dropped = Reg(Vec(n, Bool()))
  private val half = p.line.bits / 2
  private val dataLow = SyncReadMem(n, UInt(half.W))
  private val dataHigh = SyncReadMem(n, UInt(half.W))

  private val match_ = VecInit((0 until n).map(k => valid(k) && line(k) === io.lookup.lineAddr))
  assert(PopCount(match_) <= 1.U, "two MSHRs hold one line")
  io.lookup.hit := match_.asUInt.orR
  io.lookup.idx := OHToUInt(match_)
  io.lookup.waiters := waiters(io.lookup.idx)
  io.lookup.dropped := dropped(io.lookup.idx)
  io.lookup.forAmu := forAmu(io.lookup.idx)
  io.lookup.isPrefetch := isPrefetch(io.lookup.idx) && !io.lookup.waiters.client.orR

  private val freeIdx = PriorityEncoder(valid.map(!_))
  io.full := valid.asUInt.andR
  when(io.allocate.valid) {
    assert(!io.full && !io.lookup.hit, "MSHR allocated without need or room")
    valid(freeIdx) := true.B
    requested(freeIdx) := false.B
    refilled(freeIdx) := false.B
    error(freeIdx) := false.B
    line(freeIdx) := io.allocate.bits.lineAddr
    waiters(freeIdx) := io.allocate.bits.waiters
    isPrefetch(freeIdx) := io.allocate.bits.isPrefetch
    forAmu(freeIdx) := io.allocate.bits.forAmu
    dropped(freeIdx) := false.B
  }
  when(io.merge.valid) {
    assert(io.lookup.hit && !io.lookup.waiters.client.orR && !io.lookup.dropped, "MSHR merge without a free place")
    waiters(io.lookup.idx).client := io.merge.bits.client
    waiters(io.lookup.idx).clientId := io.merge.bits.id
  }
  when(io.drop) {
    assert(io.lookup.hit && io.lookup.isPrefetch, "a line dropped that somebody asked for")
    dropped(io.lookup.idx) := true.B
  }

  // Requests leave in order of allocation, lines are installed in order of arrival: no entry waits for ever behind younger ones.
  private val toRequest, toInstall = Module(new Queue(UInt(idxBits.W), n))
  toRequest.io.enq.valid := io.allocate.valid
  toRequest.io.enq.bits := freeIdx
  private val fetchIdx = toRequest.io.deq.bits
  toRequest.io.deq.ready := io.fetch.ready
  io.fetch.valid := toRequest.io.deq.valid
  io.fetch.bits.id := fetchIdx
  io.fetch.bits.lineAddr := line(fetchIdx)
  io.fetch.bits.isPrefetch := isPrefetch(fetchIdx)
  when(io.fetch.fire) { requested(fetchIdx) := true.B }

  private val fetched = io.fetched.bits
  private val arrives = io.fetched.valid && fetched.last
  private val fetchedIdx = fetched.id(idxBits - 1, 0)
  when(io.fetched.valid) {
    assert(valid(fetchedIdx) && requested(fetchedIdx) && !refilled(fetchedIdx), "data for an idle MSHR")
    when(fetched.error) { error(fetchedIdx) := true.B }
    when(fetched.halves(0)) { dataLow.write(fetchedIdx, fetched.data(half - 1, 0)) }
    when(fetched.halves(1)) { dataHigh.write(fetchedIdx, fetched.data(2 * half - 1, half)) }
    when(fetched.last) { refilled(fetchedIdx) := true.B }
  }

  toInstall.io.enq.valid := arrives
  toInstall.io.enq.bits := fetchedIdx
  toInstall.io.deq.ready := io.started.done
  for (order <- Seq(toRequest, toInstall)) assert(!order.io.enq.valid || order.io.enq.ready, "an order queue has a place for every MSHR")
  private val installIdx = toInstall.io.deq.bits
  io.install.valid := toInstall.io.deq.valid
  io.install.idx := installIdx
  io.install.lineAddr := line(installIdx)
  io.installData := Cat(dataHigh.read(installIdx, io.installRead), dataLow.read(installIdx, io.installRead))
  io.started.waiters := waiters(io.started.idx)
  io.started.error := error(io.started.idx)
  io.started.isPrefetch := isPrefetch(io.started.idx)
  io.started.forAmu := forAmu(io.started.idx)
  io.started.dropped := dropped(io.started.idx)
  io.prefetches := Count.held(n, io.allocate.valid && io.allocate.bits.isPrefetch, io.started.done && io.started.isPrefetch)
  when(io.started.done) {
    assert(valid(io.started.idx) && refilled(io.started.idx) && io.started.idx === installIdx, "a line installed out of turn")
    valid(io.started.idx) := false.B
    refilled(io.started.idx) := false.B
  }
  io.occupied := PopCount(valid)
}
