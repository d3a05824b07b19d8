// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chisel3.util._
import platform.PhysicalAddress

/** Widths of whatever carries cache lines.
  *
  * @param paddrBits width of a physical byte address
  * @param bytes     size of a line
  */
case class LineParams(paddrBits: Int = PhysicalAddress.bits, bytes: Int = 64) {
  require(isPow2(bytes))
  val bits: Int = 8 * bytes
  val offsetBits: Int = log2Ceil(bytes)
  /** A line address is a byte address without its offset. */
  val addrBits: Int = paddrBits - offsetBits
  /** Which of `slices`, a power of two, among which lines are interleaved: the lowest bits of the line address. */
  def sliceOf(lineAddr: UInt, slices: Int): UInt = if (slices == 1) 0.U else lineAddr(log2Ceil(slices) - 1, 0)
}

/** What a client may do with its copy of a line, in rising order: nothing, read, write, or write and it has written. */
object Permission {
  val bits = 2
  val none: UInt = 0.U(bits.W)
  val shared: UInt = 1.U(bits.W)
  val exclusive: UInt = 2.U(bits.W)
  val dirty: UInt = 3.U(bits.W)
}

/** A client's permission before and after: grows by an acquire, shrinks by a release or a probe answer. */
class PermissionChange extends Bundle {
  val from = UInt(Permission.bits.W)
  val to = UInt(Permission.bits.W)
}

class LineAcquire(p: LineParams, idBits: Int) extends Bundle {
  val lineAddr = UInt(p.addrBits.W)
  val id = UInt(idBits.W)
  val grow = new PermissionChange // from none or shared, to shared or exclusive
  val isPrefetch = Bool()
}

class LineGrant(p: LineParams, idBits: Int) extends Bundle {
  val id = UInt(idBits.W)
  val cap = UInt(Permission.bits.W) // shared or exclusive, at least what was asked for
  val data = UInt(p.bits.W)
  val error = Bool() // the address has no memory: the client must not allocate
}

class LineProbe(p: LineParams) extends Bundle {
  val lineAddr = UInt(p.addrBits.W)
  val cap = UInt(Permission.bits.W) // none or shared: what the client may keep
}

class LineRelease(p: LineParams) extends Bundle {
  val lineAddr = UInt(p.addrBits.W)
  val isProbeAck = Bool()
  val shrink = new PermissionChange // to none or shared
  val data = UInt(p.bits.W) // counts if the line was dirty
  def hasData: Bool = shrink.from === Permission.dirty
}

/** A cache (client) to the cache below it (server), whole lines, one beat. The messages are TileLink-C's, with its rules but for
  * two: clean lines are dropped silently, and the order of the channels stands for the acknowledgement of a grant.
  *
  * Who may hold what: any number of clients hold a line `shared`, or one holds it `exclusive` and makes it `dirty` without asking. The
  * server is inclusive: what a client holds, it holds too, and its directory names at least the holders.
  *
  *  - Acquire (A) asks for `grow.to`, and always gets the data with it, since a copy that was shared may be probed away meanwhile. At
  *    most one acquire a line and client is in flight. It may be withdrawn until it is taken.
  *  - Grant (D) is never refused. A client that is the only holder gets `exclusive`, also if it asked for `shared`: most lines have one
  *    user, who writes later without an upgrade.
  *  - Probe (B), one at a time and client: the client may keep `cap` at most.
  *  - Probe answer (C): the client may keep less than `cap`, and answers for lines it does not hold, too (`none` to `none`).
  *    A grant that came before the probe goes first, with the stores that waited for it.
  *  - A probe and an acquire of one line that cross: the server grants the line to nobody from the offer of the probe until its answer, and the
  *    client answers at once; otherwise two clients that upgrade one line would wait for each other, and a probe for an MSHR that an acquire needs.
  *  - Release (C): dirty data without having been asked. It is never refused for long (the server waits for nothing to take it), and is in
  *    order with probe answers. A probe is answered after the releases of its line. A line whose release or answer waits is not acquired.
  *
  * Clean lines are dropped silently: the server would spend a slot of its pipeline on each of them, and needs to know only
  * whom to probe. A line that has gone costs one probe, answered from the tags, when another wants it; its client may acquire it again.
  */
class LineClientPort(p: LineParams, idBits: Int) extends Bundle {
  val acquire = Decoupled(new LineAcquire(p, idBits))
  val grant = Flipped(Valid(new LineGrant(p, idBits)))
  val probe = Flipped(Decoupled(new LineProbe(p)))
  val release = Decoupled(new LineRelease(p))
}

/** Reads of whole lines, one beat, answered in any order (instruction side).
  *
  * Not a client that acquires `shared`: the instruction cache is not inclusive and need not be coherent before a fence.i, which empties it. In
  * the directory it would cost a holder a line, and probes whose answers change nothing.
  * Each read returns data that were the newest at some time between request and answer.
  */
class LineReadPort(p: LineParams, idBits: Int) extends Bundle {
  val req = Decoupled(new Bundle {
    val lineAddr = UInt(p.addrBits.W)
    val id = UInt(idBits.W)
    val isPrefetch = Bool() // nobody waits for it
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
  * the AMU goes to memory itself; for a store the cache holds back demand misses on the line until `storeDone`. Of two levels only the near one does.
  * A prefetch of the line may be under way: nobody has asked for it, and behind a store it is thrown away when it comes.
  */
class LineLookupPort(p: LineParams) extends Bundle {
  val req = Decoupled(new LineLookupRequest(p))
  val resp = Flipped(Valid(new LineLookupResponse(p)))
  /** A store that missed has reached memory (AXI B received). */
  val storeDone = Valid(UInt(p.addrBits.W))
}
