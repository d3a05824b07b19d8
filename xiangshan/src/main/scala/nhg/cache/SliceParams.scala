// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{LineParams, SpmParams}
import chisel3._
import chisel3.util._
import nhg.{CacheParams, NhgParams}

/** One slice of a cache.
  *
  * @param clients    MSHRs of each client of the line bus, so many lines it may acquire at a time; without any, nobody above must be probed
  * @param readers    MSHRs of each read-only client
  * @param mshrs      MSHRs of the slice
  * @param writebacks dirty lines on their way to the level below
  * @param lookups    of the AMU, that are not answered yet, at a time; 0: no lookup port
  * @param filter     holds back misses while a store that missed is on its way to memory; not where the level above does
  * @param spm        the last way can be handed over to the SPM
  * @param prefetches MSHRs that prefetches may hold at a time; 0: no prefetches
  * @param slices     number of slices among which lines are interleaved, by the lowest bits of the line address
  */
case class SliceParams(
    line: LineParams,
    sets: Int,
    ways: Int,
    mshrs: Int,
    clients: Seq[Int],
    readers: Seq[Int],
    writebacks: Int = 32,
    lookups: Int = 0,
    filter: Option[StoreFilterParams] = None,
    spm: Option[SpmParams] = None,
    prefetches: Int = 0,
    slices: Int = 1
) {
  require(isPow2(sets) && sets >= 2 && ways >= 2 && isPow2(slices) && isPow2(writebacks))
  require(clients.nonEmpty || readers.nonEmpty, "a slice that nobody uses")
  require(filter.isEmpty || lookups > 0, "a store filter without lookups")
  require(mshrs >= 2 && prefetches < mshrs, "prefetches must leave MSHRs to misses")
  spm.foreach(s => require(s.bytes == sets * line.bytes, "the SPM is exactly one way"))

  val setBits: Int = log2Ceil(sets)
  val wayBits: Int = log2Ceil(ways)
  val lastWay: Int = ways - 1
  val sliceBits: Int = log2Ceil(slices)
  val tagBits: Int = line.addrBits - sliceBits - setBits

  val clientBits: Int = math.max(1, clients.size) // of a mask of clients
  private def bitsFor(mshrs: Seq[Int]): Int = (1 +: mshrs.map(log2Ceil(_))).max
  val clientIdBits: Int = bitsFor(clients)
  val readerIdBits: Int = bitsFor(readers)
  /** Of an MSHR or a write-back. */
  val lowerIdBits: Int = log2Ceil(math.max(mshrs, writebacks))
  val idBits: Int = Seq(clientIdBits, readerIdBits, log2Ceil(mshrs)).max

  def setOf(lineAddr: UInt): UInt = lineAddr(sliceBits + setBits - 1, sliceBits)
  def tagOf(lineAddr: UInt): UInt = lineAddr >> (sliceBits + setBits)
  /** The line with this tag in the set and slice of another one. */
  def lineOf(tag: UInt, other: UInt): UInt = Cat(tag, other(sliceBits + setBits - 1, 0))
}

object SliceParams {
  /** A slice of the L2 of a tile: L1D is its client, L1I and the page walker are its readers. */
  def l2(p: NhgParams): SliceParams = SliceParams(
    line = p.line,
    sets = p.l2.sets / p.l2.slices,
    ways = p.l2.ways,
    mshrs = p.l2.mshrs / p.l2.slices,
    clients = Seq(p.l1d.mshrs),
    readers = Seq(p.l1i.mshrs, p.mmu.walks),
    writebacks = 32 / p.l2.slices,
    lookups = p.amu.lookups,
    filter = Some(StoreFilterParams(p.amu.lines, p.map.far.base, counters = 2048 / p.l2.slices)),
    spm = Some(p.amu.spm.copy(bytes = p.amu.spmBytes / p.l2.slices)),
    slices = p.l2.slices,
    prefetches = p.l2Prefetches / p.l2.slices
  )

  /** A slice of L3: the slice of L2 of the same number reads it. */
  def l3(p: NhgParams, l3: CacheParams): SliceParams = SliceParams(
    line = p.line,
    sets = l3.sets / l3.slices,
    ways = l3.ways,
    mshrs = l3.mshrs / l3.slices,
    clients = Nil,
    readers = Seq(p.l2.mshrs / p.l2.slices),
    writebacks = 32 / l3.slices,
    lookups = p.amu.lookups,
    slices = l3.slices
  )
}

/** Where a request in the pipeline comes from. */
class SliceSource(p: SliceParams) {
  val release: UInt = number(0) // write-back or probe answer of a client
  val install: UInt = number(1) // a line has come from below
  val handOver: UInt = number(2) // the last way is being taken for the SPM
  val lookup: UInt = number(3)
  def client(c: Int): UInt = number(4 + c)
  def reader(r: Int): UInt = number(4 + p.clients.size + r)
  val prefetch: UInt = number(4 + p.clients.size + p.readers.size)
  lazy val bits: Int = log2Ceil(5 + p.clients.size + p.readers.size)
  private def number(n: Int): UInt = n.U(bits.W)
}

/** A request on its way through the slice. */
class SliceRequest(p: SliceParams) extends Bundle {
  val source = UInt(new SliceSource(p).bits.W)
  val lineAddr = UInt(p.line.addrBits.W)
  val id = UInt(p.idBits.W) // the client's, the reader's, or of the MSHR to install
  val client = UInt(p.clientBits.W) // acquire, release: whose, one-hot
  val wantsExclusive = Bool() // acquire
  val isStore = Bool() // lookup
  val isPrefetch = Bool() // of the prefetcher, the AMU or a reader
  val forAmu = Bool() // prefetch: the AMU wants it
  val isProbeAck = Bool() // release
  val hasData = Bool() // release
  val keepsShared = Bool() // release
}

/** What a lookup that stores, or a release, writes. */
class SlicePayload(p: SliceParams) extends Bundle {
  val data = UInt(p.line.bits.W)
  val mask = UInt(p.line.bytes.W) // lookup only
}
