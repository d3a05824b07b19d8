// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{LineProbe, LineRelease, Permission}
import chisel3._
import chisel3.util._
import nhg._

/** Moves whole lines of the L1D: refills (with eviction of the victim) and probes, one at a time.
  *
  * Refill with a dirty victim: R0 reads the victim and invalidates it, R1 writes the new line and queues the victim's
  * write-back. With a clean victim and an idle store pipe the fill happens at once. Probe: P0 looks up, reads and invalidates, P1
  * queues the answer. R0 and P0 use the line-side ports of tags and data, so the store pipe starts nothing in that
  * cycle, and they wait while a store to the same set is in st1.
  *
  * A line that the oldest operation waits for is kept for up to `keepCycles` after its refill: a probe waits so long, so that the
  * operation gets its access however often L2 takes the line away (docs/design/progress.md).
  */
class LineEngine(p: NhgParams) extends Module {
  private val setBits = log2Ceil(p.l1d.sets)
  private val wayBits = log2Ceil(p.l1d.ways)
  private val words = p.lineBytes / 8

  val io = IO(new Bundle {
    val refill = Flipped(Valid(new RefillLine(p)))
    val finish = Output(Bool())
    val probe = Flipped(Decoupled(new LineProbe(p.line))) // always given up whole, whatever the cap
    val probeBusy = Input(Bool()) // a fill of the probed line goes first
    val awaited = Flipped(Valid(UInt(p.lineAddrBits.W))) // the line that the oldest operation waits for
    val writeback = Decoupled(new LineRelease(p.line))
    /** The next acquire would be for the line under probe: hold it until the answer is queued. */
    val acquireLine = Input(UInt(p.lineAddrBits.W))
    val acquireBlocked = Output(Bool())
    /** A line leaves the arrays. */
    val lost = Valid(UInt(p.lineAddrBits.W))

    val st1Valid = Input(Bool())
    val st1Set = Input(UInt(setBits.W))
    val blockStores = Output(Bool()) // the line-side ports are taken
    val filling = Output(Valid(UInt(setBits.W))) // tags of this set change at the end of this cycle by a fill

    val lineAddr = Output(UInt(p.lineAddrBits.W)) // for the line-side tag port when blockStores
    val lineHit = Input(Bool())
    val lineWay = Input(UInt(wayBits.W))
    val lineDirty = Input(Bool())
    val victimWay = Input(UInt(wayBits.W))
    val victimDirty = Input(Bool())
    val victimValid = Input(Bool())
    val victimLine = Input(UInt(p.lineAddrBits.W))
    val readRow = Valid(UInt((setBits + wayBits).W)) // read a whole line
    val readData = Input(Vec(words, UInt(64.W)))
    val fillWay = Output(UInt(wayBits.W))
    val invalidate = Valid(new Bundle {
      val lineAddr = UInt(p.lineAddrBits.W)
      val way = UInt(wayBits.W)
    })
  })

  private val idle :: fill :: answer :: Nil = Enum(3)
  private val state = RegInit(idle)
  private val way = Reg(UInt(wayBits.W))
  private val writebackLine = Reg(UInt(p.lineAddrBits.W))
  private val permission = Reg(UInt(Permission.bits.W)) // of the line that leaves

  private def set(line: UInt): UInt = line(setBits - 1, 0)
  private def storeIn(line: UInt): Bool = io.st1Valid && io.st1Set === set(line)
  private val refillLine = io.refill.bits.lineAddr

  private val keepCycles = 16 // more than a replayed load or an atomic needs from the refill to its access
  private val keep = RegInit(0.U(log2Ceil(keepCycles).W))
  private val keptLine = Reg(UInt(p.lineAddrBits.W))
  private val kept = keep =/= 0.U && io.awaited.valid && io.awaited.bits === keptLine

  private val mayProbe = state === idle && io.probe.valid && !io.probeBusy && io.writeback.ready &&
    !(kept && io.probe.bits.lineAddr === keptLine)
  private val mayRefill = state === idle && io.refill.valid && io.writeback.ready && !mayProbe
  private val dropsError = mayRefill && io.refill.bits.error
  private val startProbe = mayProbe && !storeIn(io.probe.bits.lineAddr)
  private val startRefill = mayRefill && !io.refill.bits.error && !storeIn(refillLine)
  private val fillsNow = startRefill && !io.victimDirty && !io.st1Valid
  private val fills = fillsNow || state === fill

  io.probe.ready := startProbe
  io.acquireBlocked := (io.probe.valid && io.probe.bits.lineAddr === io.acquireLine) ||
    (state === answer && writebackLine === io.acquireLine)
  io.lineAddr := Mux(mayProbe, io.probe.bits.lineAddr, refillLine)
  io.blockStores := mayProbe || mayRefill
  io.filling.valid := fills
  io.filling.bits := set(refillLine)
  io.fillWay := Mux(state === fill, way, io.victimWay)
  io.finish := fills || dropsError
  keep := Mux(kept, keep - 1.U, 0.U)
  when(fills && io.awaited.valid && io.awaited.bits === refillLine) {
    keep := (keepCycles - 1).U
    keptLine := refillLine
  }

  io.readRow.valid := startProbe || startRefill
  io.readRow.bits := Cat(set(io.lineAddr), Mux(startProbe, io.lineWay, io.victimWay))
  io.invalidate.valid := (startProbe && io.lineHit) || (startRefill && !fillsNow && io.victimValid)
  io.invalidate.bits.lineAddr := Mux(startProbe, io.probe.bits.lineAddr, io.victimLine)
  io.invalidate.bits.way := Mux(startProbe, io.lineWay, io.victimWay)

  io.lost.valid := (startProbe && io.lineHit) || (startRefill && io.victimValid)
  io.lost.bits := io.invalidate.bits.lineAddr

  when(startProbe) {
    state := answer
    writebackLine := io.probe.bits.lineAddr
    permission := Mux(io.lineHit, Mux(io.lineDirty, Permission.dirty, Permission.exclusive), Permission.none)
  }.elsewhen(startRefill && !fillsNow) {
    state := fill
    way := io.victimWay
    writebackLine := io.victimLine
    permission := Mux(io.victimDirty, Permission.dirty, Permission.exclusive)
  }.elsewhen(state =/= idle) {
    state := idle
  }

  io.writeback.valid := state === answer || (state === fill && permission === Permission.dirty)
  io.writeback.bits.lineAddr := writebackLine
  io.writeback.bits.isProbeAck := state === answer
  io.writeback.bits.shrink.from := permission
  io.writeback.bits.shrink.to := Permission.none
  io.writeback.bits.data := io.readData.asUInt
  assert(!io.writeback.valid || io.writeback.ready, "L1D: write-back queue overflow")
}
