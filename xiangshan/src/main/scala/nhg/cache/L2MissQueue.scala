// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{Axi4Address, Axi4Port, Axi4ReadData}
import chisel3._
import chisel3.util._
import nhg._

/** Who waits for a line: at most one L1D MSHR and one L1I MSHR. */
class L2Waiters(p: NhgParams) extends Bundle {
  val d = Bool()
  val dId = UInt(log2Ceil(p.l1d.mshrs).W)
  val i = Bool()
  val iId = UInt(log2Ceil(p.l1i.mshrs).W)
}

/** L2's MSHRs: one line each, from the miss until the line has been installed. An entry reads its line over AXI
  * (two 32 B beats, AXI ID = entry), keeps it in a buffer, and offers it for installation, both first come, first served.
  *
  * Timing: `lookup` answers in the same cycle; `install.line` is shown from `install.valid` on; the buffered data follow
  * `installRead` by one cycle.
  */
class L2MissQueue(p: NhgParams) extends Module {
  private val n = p.l2.mshrs
  private val idxBits = log2Ceil(n)

  val io = IO(new Bundle {
    val lookup = new Bundle {
      val lineAddr = Input(UInt(p.lineAddrBits.W))
      val hit = Output(Bool())
      val idx = Output(UInt(idxBits.W))
      val waiters = Output(new L2Waiters(p))
    }
    val full = Output(Bool())
    val allocate = Input(Valid(new Bundle {
      val lineAddr = UInt(p.lineAddrBits.W)
      val waiters = new L2Waiters(p)
    }))
    /** Add the L1D MSHR `dId` to the entry that `lookup` has just found. */
    val mergeD = Input(Valid(UInt(log2Ceil(p.l1d.mshrs).W)))
    /** A line that has arrived. */
    val install = new Bundle {
      val valid = Output(Bool())
      val idx = Output(UInt(idxBits.W))
      val lineAddr = Output(UInt(p.lineAddrBits.W))
    }
    val installRead = Input(Bool())
    val installData = Output(UInt(p.lineBits.W)) // one cycle after installRead
    /** State of the entry whose installation was started one cycle ago. */
    val started = new Bundle {
      val idx = Input(UInt(idxBits.W))
      val waiters = Output(new L2Waiters(p))
      val error = Output(Bool())
      val done = Input(Bool()) // frees the entry
    }
    val mem = new Bundle {
      val ar = Decoupled(new Axi4Address(p.amu.axi))
      val r = Flipped(Decoupled(new Axi4ReadData(p.amu.axi)))
    }
    val occupied = Output(UInt(log2Ceil(n + 1).W))
  })
  require(n <= (1 << p.amu.axi.idBits))

  private val valid = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val requested = Reg(Vec(n, Bool())) // only the assertions read it, as they do `refilled`
  private val secondBeat = Reg(Vec(n, Bool()))
  private val refilled = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val error = Reg(Vec(n, Bool()))
  private val line = Reg(Vec(n, UInt(p.lineAddrBits.W)))
  private val waiters = Reg(Vec(n, new L2Waiters(p)))
  private val half = p.lineBits / 2
  private val dataLow = SyncReadMem(n, UInt(half.W))
  private val dataHigh = SyncReadMem(n, UInt(half.W))

  private val match_ = VecInit((0 until n).map(k => valid(k) && line(k) === io.lookup.lineAddr))
  assert(PopCount(match_) <= 1.U, "two L2 MSHRs hold one line")
  io.lookup.hit := match_.asUInt.orR
  io.lookup.idx := OHToUInt(match_)
  io.lookup.waiters := waiters(io.lookup.idx)

  private val freeIdx = PriorityEncoder(valid.map(!_))
  io.full := valid.asUInt.andR
  when(io.allocate.valid) {
    assert(!io.full && !io.lookup.hit, "L2 MSHR allocated without need or room")
    valid(freeIdx) := true.B
    requested(freeIdx) := false.B
    secondBeat(freeIdx) := false.B
    refilled(freeIdx) := false.B
    error(freeIdx) := false.B
    line(freeIdx) := io.allocate.bits.lineAddr
    waiters(freeIdx) := io.allocate.bits.waiters
  }
  when(io.mergeD.valid) {
    assert(io.lookup.hit && !io.lookup.waiters.d, "L2 MSHR merge without a free place")
    waiters(io.lookup.idx).d := true.B
    waiters(io.lookup.idx).dId := io.mergeD.bits
  }

  // Requests leave in order of allocation, lines are installed in order of arrival: no entry waits for ever behind younger ones.
  private val toRequest, toInstall = Module(new Queue(UInt(idxBits.W), n))
  toRequest.io.enq.valid := io.allocate.valid
  toRequest.io.enq.bits := freeIdx
  private val arIdx = toRequest.io.deq.bits
  toRequest.io.deq.ready := io.mem.ar.ready
  io.mem.ar.valid := toRequest.io.deq.valid
  io.mem.ar.bits.id := arIdx
  io.mem.ar.bits.addr := Cat(line(arIdx), 0.U(log2Ceil(p.lineBytes).W))
  io.mem.ar.bits.len := 1.U
  io.mem.ar.bits.size := 5.U
  when(io.mem.ar.fire) { requested(arIdx) := true.B }

  io.mem.r.ready := true.B
  private val rIdx = io.mem.r.bits.id(idxBits - 1, 0)
  when(io.mem.r.fire) {
    assert(valid(rIdx) && requested(rIdx) && !refilled(rIdx), "AXI read data for an idle L2 MSHR")
    secondBeat(rIdx) := true.B
    when(io.mem.r.bits.resp =/= 0.U) { error(rIdx) := true.B }
    when(secondBeat(rIdx)) { dataHigh.write(rIdx, io.mem.r.bits.data) }
      .otherwise { dataLow.write(rIdx, io.mem.r.bits.data) }
    when(io.mem.r.bits.last) {
      assert(secondBeat(rIdx), "a line is two beats")
      refilled(rIdx) := true.B
    }
  }

  toInstall.io.enq.valid := io.mem.r.fire && io.mem.r.bits.last
  toInstall.io.enq.bits := rIdx
  toInstall.io.deq.ready := io.started.done
  for (order <- Seq(toRequest, toInstall)) assert(!order.io.enq.valid || order.io.enq.ready, "an order queue has a place for every L2 MSHR")
  private val installIdx = toInstall.io.deq.bits
  io.install.valid := toInstall.io.deq.valid
  io.install.idx := installIdx
  io.install.lineAddr := line(installIdx)
  io.installData := Cat(dataHigh.read(installIdx, io.installRead), dataLow.read(installIdx, io.installRead))
  io.started.waiters := waiters(io.started.idx)
  io.started.error := error(io.started.idx)
  when(io.started.done) {
    assert(valid(io.started.idx) && refilled(io.started.idx) && io.started.idx === installIdx, "L2 installed a line out of turn")
    valid(io.started.idx) := false.B
    refilled(io.started.idx) := false.B
  }
  io.occupied := PopCount(valid)
}
