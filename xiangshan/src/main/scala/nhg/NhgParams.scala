// SPDX-License-Identifier: Apache-2.0
package nhg

import amu.AmuParams
import bus.LineParams
import chisel3.util._
import common.Ring
import nhg.cache.{BestOffsetParams, StreamParams}
import nhg.mmu.MmuParams
import platform.{AddressWord, Cores, PhysicalAddress, Region, Regions}

/** The one parameter tree of NH-G (paper Table I); passed explicitly to every module. Sizes in entries unless named. */
case class NhgParams(
    tiles: Int = 1, // a core with its L2 and its AMU each
    frontend: FrontendParams = FrontendParams(),
    backend: BackendParams = BackendParams(),
    lsu: LsuParams = LsuParams(),
    mmu: MmuParams = MmuParams(),
    l1i: CacheParams = CacheParams(sets = 64, ways = 4, mshrs = 2),
    l1d: CacheParams = CacheParams(sets = 64, ways = 8, mshrs = 16),
    l2: CacheParams = CacheParams(sets = 512, ways = 8, mshrs = 56, slices = 4),
    l2Prefetcher: Option[BestOffsetParams] = Some(BestOffsetParams()),
    l2Streams: Option[StreamParams] = None, // beside it
    l2Prefetches: Int = 32, // MSHRs that its prefetches, and lines that the AMU wants, may hold
    l3: Option[CacheParams] = Some(CacheParams(sets = 4096, ways = 6, mshrs = 56, slices = 4)),
    hasAmu: Boolean = true,
    amu: AmuParams = AmuParams(), // the queues and ports that the core has for it, too
    map: MemoryMap = MemoryMap()
) {
  /** The same core with twice the physical registers, issue-queue entries and MSHRs: what a loop gains by these alone. */
  def doubled: NhgParams = {
    def caches(c: CacheParams) = c.copy(mshrs = 2 * c.mshrs)
    copy(
      backend = backend.copy(
        registerClasses = backend.registerClasses.map(c => c.copy(physical = 2 * c.physical)),
        issueQueues = backend.issueQueues.map(q => q.copy(entries = 2 * q.entries))
      ),
      l1i = caches(l1i),
      l1d = caches(l1d),
      l2 = caches(l2),
      l2Prefetches = 2 * l2Prefetches,
      l3 = l3.map(caches)
    )
  }

  val addressBits: Int = AddressWord.address.bits // virtual address, Sv39
  val pcBits: Int = addressBits + 1 // see Pc
  val paddrBits: Int = PhysicalAddress.bits
  val pageOffsetBits: Int = 12 // address bits that translation leaves alone
  val line: LineParams = LineParams(paddrBits)
  val lineBytes: Int = line.bytes
  val lineBits: Int = line.bits
  val lineAddrBits: Int = line.addrBits

  val robRing: Ring = Ring(backend.robEntries)
  val robIdxBits: Int = robRing.indexBits
  val regClassBits: Int = 1 max log2Ceil(backend.registerClasses.length)
  val logicalRegBits: Int = backend.registerClasses.map(_.logicalBits).max
  val physicalRegBits: Int = backend.registerClasses.map(_.physicalBits).max
  val ftqIdxBits: Int = log2Ceil(frontend.ftqEntries)
  val loadRing: Ring = Ring(lsu.loadQueue)
  val storeRing: Ring = Ring(lsu.storeQueue)
  val lqPtrBits: Int = loadRing.bits
  val sqPtrBits: Int = storeRing.bits

  require(isPow2(lsu.loadQueue) && isPow2(lsu.storeQueue) && isPow2(lsu.storeBufferLines) && isPow2(frontend.ftqEntries))
  require(backend.portsOf("load").length == lsu.loadPipes, "each load pipe has an execution port")
  for (queue <- Seq("storeAddress", "storeData")) require(backend.portsOf(queue).length == lsu.storePipes, s"each store pipe has a port for $queue")
  require(amu.sqEntries == lsu.storeQueue && amu.storeBufferLines == lsu.storeBufferLines && amu.line == line && amu.pcBits == addressBits)
  require(l1d.sets * lineBytes <= (1 << pageOffsetBits), s"an L1D way of ${l1d.sets * lineBytes} bytes is more than a page: its index would be translated")
  require(l2.sets * lineBytes == amu.spmBytes, "the SPM is exactly one L2 way")
  for (c <- l3) require(c.slices == l2.slices, s"a slice of L3 is below each of L2's ${l2.slices}, not ${c.slices}")
}

object NhgParams {
  /** The cores that one can build by name: `CONFIG` of make. */
  val configurations: Seq[(String, NhgParams)] = {
    val default = NhgParams()
    Cores.names.map(name =>
      name -> (name match {
        case "default" => default
        case "large" => default.doubled
        case "no-prefetcher" => default.copy(l2Prefetcher = None)
        case "strong-prefetcher" => default.copy(l2Streams = Some(StreamParams()), l2Prefetches = 52)
        case "no-l3" => default.copy(l3 = None)
        case "no-amu" => default.copy(hasAmu = false)
        case "tlb-large" => default.copy(mmu = MmuParams.large)
      })
    )
  }

  def named(name: String): NhgParams = configurations.toMap.getOrElse(
    name,
    throw new IllegalArgumentException(s"CONFIG=$name is no configuration; there are ${configurations.map(_._1).mkString(", ")}")
  )
}

case class FrontendParams(
    fetchBytes: Int = 32,
    ftqEntries: Int = 32,
    ibufEntries: Int = 32,
    btbEntries: Int = 1024,
    phtEntries: Int = 4096, // bimodal base
    historyBits: Int = 119, // path history, a bit for each taken control-flow instruction
    tageEntries: Int = 1024, // of each tagged table
    tageHistory: Seq[Int] = Seq(8, 13, 32, 119), // bits of path history used, as published for NANHU
    ittage: Seq[IndirectTable] = Seq(
      IndirectTable(256, 4),
      IndirectTable(256, 8),
      IndirectTable(512, 13),
      IndirectTable(512, 16),
      IndirectTable(512, 32)
    ),
    rasEntries: Int = 32,
    bptEntries: Int = 4,
    btqEntries: Int = 16
)

/** A table of the indirect predictor: its entries, and the bits of path history it uses. */
case class IndirectTable(entries: Int, history: Int)

case class LsuParams(loadQueue: Int = 32, storeQueue: Int = 16, storeBufferLines: Int = 4, loadPipes: Int = 2, storePipes: Int = 2)

/** Sets and MSHRs are those of all slices together. */
case class CacheParams(sets: Int, ways: Int, mshrs: Int, slices: Int = 1) {
  require(sets % slices == 0 && mshrs % slices == 0)
}

/** Physical memory map. */
case class MemoryMap(
    bootRom: Region = Regions.bootRom,
    mmio: Region = Regions.devices,
    spm: Region = Regions.spm,
    local: Region = Regions.local,
    far: Region = Regions.far
)
