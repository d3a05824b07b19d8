// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._

/** Widths of whatever carries cache lines.
  *
  * @param paddrBits width of a physical byte address
  * @param bytes     size of a line
  */
case class LineParams(paddrBits: Int = 36, bytes: Int = 64) {
  require(isPow2(bytes))
  val bits: Int = 8 * bytes
  val offsetBits: Int = log2Ceil(bytes)
  /** A line address is a byte address without its offset. */
  val addrBits: Int = paddrBits - offsetBits
}

/** A cache to the cache below it, whole lines, one beat. The lower cache is inclusive; with a single client a line in it
  * is always writable.
  */
class LineClientPort(p: LineParams, idBits: Int) extends Bundle {
  /** A: fetch a line. */
  val acquire = Decoupled(new Bundle {
    val lineAddr = UInt(p.addrBits.W)
    val id = UInt(idBits.W)
    val isPrefetch = Bool()
  })
  /** D: the line. Never refused. `error`: the address has no memory (the client must not allocate). */
  val grant = Flipped(Valid(new Bundle {
    val id = UInt(idBits.W)
    val data = UInt(p.bits.W)
    val error = Bool()
  }))
  /** B: give the line back (eviction, or another client wants it); one outstanding at a time. */
  val probe = Flipped(Decoupled(UInt(p.addrBits.W)))
  /** C: dirty line written back (`isProbeAck` low), or the answer to a probe (hasData only when dirty). In order. Clean lines are dropped
    * silently. A probe is answered only after every release of the same line has been accepted, and after a fill of that
    * line under way has been completed including the stores that wait in its MSHR. A line whose release or probe answer has not been accepted
    * is never acquired.
    */
  val release = Decoupled(new Bundle {
    val lineAddr = UInt(p.addrBits.W)
    val isProbeAck = Bool()
    val hasData = Bool()
    val data = UInt(p.bits.W)
  })
}

/** Reads of whole lines, one beat, answered in any order (instruction side). */
class LineReadPort(p: LineParams, idBits: Int) extends Bundle {
  val req = Decoupled(new Bundle {
    val lineAddr = UInt(p.addrBits.W)
    val id = UInt(idBits.W)
  })
  val resp = Flipped(Valid(new Bundle {
    val id = UInt(idBits.W)
    val data = UInt(p.bits.W)
    val error = Bool()
  }))
}

/** One coherent access that allocates no line. */
class LineLookupRequest(p: LineParams) extends Bundle {
  val lineAddr = UInt(p.addrBits.W)
  val isStore = Bool()
  val data = UInt(p.bits.W)
  val mask = UInt(p.bytes.W)
}

class LineLookupResponse(p: LineParams) extends Bundle {
  val hit = Bool()
  val data = UInt(p.bits.W)
}

/** The AMU to the caches. At most one response a cycle, in request order.
  * For a load, `hit` returns the newest data of the line. For a store that hits, the cache merges the bytes (after taking back
  * copies above it) and the request is complete. On a miss no cache holds the line, no write-back of it is under way, and
  * the AMU goes to memory itself; for a store the cache holds back demand misses on the line until `storeDone`.
  */
class LineLookupPort(p: LineParams) extends Bundle {
  val req = Decoupled(new LineLookupRequest(p))
  val resp = Flipped(Valid(new LineLookupResponse(p)))
  /** A store that missed has reached memory (AXI B received). */
  val storeDone = Valid(UInt(p.addrBits.W))
}
