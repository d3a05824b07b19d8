// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import bus.LineReadPort
import chisel3._
import chisel3.util._
import common.TreePlru
import nhg._
import nhg.priv.PmpState

/** L1 instruction cache: sets × ways of 64 B lines, tree PLRU, `mshrs` outstanding fills, read in 32 B windows.
  *
  * F0 compares tags (asynchronous memories) with the window it wants; `hit` and `read` start the data memory, and `data` holds the
  * window from the next cycle until the next `read`. On a miss F0 waits: the line is requested once, together with the next line
  * when a second MSHR is free. A fill is written in the cycle of the response, in which no lookup hits. An error response
  * for the wanted line shows as `error` until `forgetError`. `invalidate` empties the cache and disowns fills under way.
  */
class ICache(p: NhgParams) extends Module {
  private val c = p.l1i
  private val ways = c.ways
  private val setBits = log2Ceil(c.sets)
  private val tagBits = p.lineAddrBits - setBits
  private val windowBits = p.paddrBits - FetchWindow.offsetBits(p)
  private val windowsPerLine = p.lineBytes / p.frontend.fetchBytes
  private val idBits = log2Ceil(c.mshrs)
  require(windowsPerLine == 2 && isPow2(c.sets) && isPow2(c.mshrs))

  val io = IO(new Bundle {
    val wanted = Input(Valid(UInt(windowBits.W))) // executable address
    val staysInPage = Input(Bool()) // the next line of memory is the next one of the program in the same page only
    val hit = Output(Bool())
    val error = Output(Bool())
    val read = Input(Bool()) // with hit: the window is consumed
    val data = Output(UInt((p.frontend.fetchBytes * 8).W))
    val invalidate = Input(Bool())
    val forgetError = Input(Bool())
    val pmp = Input(new PmpState(p))
    val l2 = new LineReadPort(p.line, idBits)
  })

  private val tags = Seq.fill(ways)(Mem(c.sets, UInt(tagBits.W)))
  private val valid = RegInit(VecInit(Seq.fill(ways)(0.U(c.sets.W))))
  private val data = Seq.fill(windowsPerLine)(SyncReadMem(c.sets * ways, UInt((p.frontend.fetchBytes * 8).W)))
  private val plru = Mem(c.sets, UInt(TreePlru.stateBits(ways).W))

  private def set(line: UInt) = line(setBits - 1, 0)
  private def tag(line: UInt) = line(p.lineAddrBits - 1, setBits)
  private def lookup(line: UInt): Seq[Bool] =
    (0 until ways).map(w => valid(w)(set(line)) && tags(w).read(set(line)) === tag(line))

  // MSHRs
  private class Mshr extends Bundle {
    val busy = Bool()
    val sent = Bool()
    val disowned = Bool() // invalidated while under way
    val isPrefetch = Bool()
    val line = UInt(p.lineAddrBits.W)
  }
  private val mshrs = RegInit(VecInit(Seq.fill(c.mshrs)(0.U.asTypeOf(new Mshr))))
  private def pending(line: UInt): Bool = mshrs.map(m => m.busy && !m.disowned && m.line === line).reduce(_ || _)
  private val free = VecInit(mshrs.map(!_.busy))
  private val freeIdx = PriorityEncoder(free)

  private val wantedLine = (io.wanted.bits >> 1)(p.lineAddrBits - 1, 0)
  private val errorLine = RegInit(0.U.asTypeOf(Valid(UInt(p.lineAddrBits.W))))
  private val fill = io.l2.resp.valid && !mshrs(io.l2.resp.bits.id).disowned && !io.l2.resp.bits.error && !io.invalidate
  private val hits = lookup(wantedLine)
  private val hitWay = OHToUInt(hits)
  io.hit := io.wanted.valid && hits.reduce(_ || _) && !fill && !io.invalidate
  io.error := io.wanted.valid && errorLine.valid && errorLine.bits === wantedLine
  assert(PopCount(hits) <= 1.U, "L1I: a line is held twice")

  // Allocation: the wanted line first, then the line after the last one missed
  private val demand = io.wanted.valid && !hits.reduce(_ || _) && !io.error && !pending(wantedLine)
  private val prefetch = RegInit(0.U.asTypeOf(Valid(UInt(p.lineAddrBits.W))))
  private val prefetchAddress = Cat(prefetch.bits, 0.U(log2Ceil(p.lineBytes).W))
  private val prefetchUseful = prefetch.valid && !lookup(prefetch.bits).reduce(_ || _) && !pending(prefetch.bits) &&
    FetchWindow.isExecutable(prefetchAddress, p) && !io.pmp.denies(prefetchAddress, io.pmp.fetch)
  private val allocates = (demand || prefetchUseful) && free.asUInt.orR && !fill && !io.invalidate
  private val endsPage = wantedLine(p.pageOffsetBits - log2Ceil(p.lineBytes) - 1, 0).andR
  prefetch.valid := allocates && demand && !(io.staysInPage && endsPage)
  prefetch.bits := wantedLine + 1.U
  for (i <- 0 until c.mshrs) {
    when(allocates && freeIdx === i.U) {
      mshrs(i).busy := true.B
      mshrs(i).sent := false.B
      mshrs(i).disowned := false.B
      mshrs(i).isPrefetch := !demand
      mshrs(i).line := Mux(demand, wantedLine, prefetch.bits)
    }
  }

  private val unsent = VecInit(mshrs.map(m => m.busy && !m.sent))
  private val sender = RegInit(0.U(idBits.W)) // offered until accepted
  private val offered = Mux(unsent(sender), sender, PriorityEncoder(unsent))
  sender := offered
  io.l2.req.valid := unsent.asUInt.orR
  io.l2.req.bits.id := offered
  io.l2.req.bits.isPrefetch := false.B
  io.l2.req.bits.lineAddr := mshrs(offered).line
  when(io.l2.req.fire) { mshrs(offered).sent := true.B }

  when(io.invalidate) {
    for (i <- 0 until c.mshrs) {
      when(mshrs(i).busy && (mshrs(i).sent || (io.l2.req.fire && offered === i.U))) { mshrs(i).disowned := true.B }
    }
    valid.foreach(_ := 0.U)
  }

  // Fill
  private val response = io.l2.resp.bits
  private val answered = mshrs(response.id)
  private val filledSet = set(answered.line)
  private val state = plru.read(filledSet)
  private val invalidWays = VecInit(valid.map(v => !v(filledSet)))
  private val victim = Mux(invalidWays.asUInt.orR, PriorityEncoder(invalidWays), TreePlru.victim(state, ways))
  when(io.l2.resp.valid) {
    mshrs(response.id).busy := false.B
    when(response.error && !answered.disowned && !answered.isPrefetch) {
      errorLine.valid := true.B
      errorLine.bits := answered.line
    }
  }
  when(io.forgetError) { errorLine.valid := false.B }
  for (w <- 0 until ways) {
    when(fill && victim === w.U) {
      tags(w).write(filledSet, tag(answered.line))
      valid(w) := valid(w) | UIntToOH(filledSet, c.sets)
    }
  }
  assert(!io.l2.resp.valid || (answered.busy && answered.sent), "L1I: response that nobody waits for")

  // Data: one window is read, or a whole line written
  private val reads = io.read && io.hit
  private val windowSelect = io.wanted.bits(0)
  private val fresh = RegNext(reads, false.B)
  private val selected = RegEnable(windowSelect, reads)
  private val out = data.zipWithIndex.map { case (memory, half) =>
    val address = Mux(fill, Cat(victim, filledSet), Cat(hitWay, set(wantedLine)))
    val window = response.data((half + 1) * p.frontend.fetchBytes * 8 - 1, half * p.frontend.fetchBytes * 8)
    when(fill) { memory.write(address, window) }
    memory.read(address, reads && windowSelect === half.U)
  }
  private val current = Mux(selected, out(1), out(0))
  private val kept = RegEnable(current, fresh)
  io.data := Mux(fresh, current, kept)

  when(fill) {
    plru.write(filledSet, TreePlru.touch(state, victim, ways))
  }.elsewhen(reads) {
    plru.write(set(wantedLine), TreePlru.touch(plru.read(set(wantedLine)), hitWay, ways))
  }
}
