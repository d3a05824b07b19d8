// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.LineParams
import chisel3._
import chisel3.util._
import common.AsyncTable

/** @param stores   lookups that store, on their way to memory at a time
  * @param farBase  byte address above which memory is far
  * @param counters a power of two
  */
case class StoreFilterParams(stores: Int, farBase: Long, counters: Int = 2048) {
  require(isPow2(counters))
  private val bits = log2Ceil(counters)

  /** The counter of a line. */
  def index(line: LineParams, lineAddr: UInt): UInt = {
    val folded = (0 until line.addrBits by (bits - 1))
      .map(k => lineAddr(math.min(k + bits - 2, line.addrBits - 1), k))
      .map(_.pad(bits - 1))
      .reduce(_ ^ _)
    Cat(lineAddr(line.addrBits - 1, log2Ceil(farBase) - line.offsetBits).orR, folded)
  }
}

/** Counts AMU stores on their way to memory by a hash of their line, so that a demand miss never fetches bytes that such
  * a store is about to replace (docs/ami.md rule 7: no stale copy). A false match only delays the miss. Local and far
  * lines never share a counter: a local miss does not wait for far memory. Stores of a counter that a miss waits for wait in turn
  * (SliceArbiter), so that a stream of them does not hold up the miss for ever.
  */
class StoreFilter(line: LineParams, p: StoreFilterParams) extends Module {
  import p.counters
  private val countBits = log2Ceil(p.stores + 1)
  val io = IO(new Bundle {
    val ready = Output(Bool()) // low while the counters are cleared after reset
    val lookup = Input(UInt(line.addrBits.W))
    val busy = Output(Bool())
    val enter = Input(Valid(UInt(line.addrBits.W)))
    val leave = Input(Valid(UInt(line.addrBits.W)))
  })

  private def index(lineAddr: UInt): UInt = p.index(line, lineAddr)

  // A store is in flight while more have entered than left. Each table has one writer, so that it fits LUT RAM.
  private val entered, left = new AsyncTable(UInt(countBits.W), counters, Some(0.U(countBits.W)))
  private def inFlight(index: UInt): UInt = entered.read(index) - left.read(index)
  io.ready := entered.ready
  io.busy := inFlight(index(io.lookup)) =/= 0.U

  private val enterIdx = index(io.enter.bits)
  private val leaveIdx = index(io.leave.bits)
  entered.write(io.enter.valid, enterIdx, entered.read(enterIdx) + 1.U)
  left.write(io.leave.valid, leaveIdx, left.read(leaveIdx) + 1.U)
  assert(!io.enter.valid || !inFlight(enterIdx).andR, "store filter: counter overflow")
  assert(!io.leave.valid || inFlight(leaveIdx) =/= 0.U, "an AMU store left the filter twice")
}
