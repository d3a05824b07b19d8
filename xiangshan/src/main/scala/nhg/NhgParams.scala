// SPDX-License-Identifier: Apache-2.0
package nhg

import amu.AmuParams
import bus.LineParams
import chisel3.util._

/** The one parameter tree of NH-G (paper Table I); passed explicitly to every module. Sizes in entries unless named. */
case class NhgParams(
    tiles: Int = 1, // a core with its L2 and its AMU each
    frontend: FrontendParams = FrontendParams(),
    backend: BackendParams = BackendParams(),
    lsu: LsuParams = LsuParams(),
    l1i: CacheParams = CacheParams(sets = 64, ways = 4, mshrs = 2),
    l1d: CacheParams = CacheParams(sets = 64, ways = 8, mshrs = 16),
    l2: CacheParams = CacheParams(sets = 512, ways = 8, mshrs = 56),
    amu: AmuParams = AmuParams(),
    map: MemoryMap = MemoryMap()
) {
  val xlen: Int = 64
  val pcBits: Int = 39 // virtual address, Sv39
  val paddrBits: Int = 36
  val line: LineParams = LineParams(paddrBits)
  val lineBytes: Int = line.bytes
  val lineBits: Int = line.bits
  val lineAddrBits: Int = line.addrBits

  val robIdxBits: Int = log2Ceil(backend.robEntries)
  val pregBits: Int = log2Ceil(backend.intPhysRegs)
  val ftqIdxBits: Int = log2Ceil(frontend.ftqEntries)
  /** Queue pointers carry one wrap bit above the index. */
  val lqPtrBits: Int = log2Ceil(lsu.loadQueue) + 1
  val sqPtrBits: Int = log2Ceil(lsu.storeQueue) + 1

  require(isPow2(lsu.loadQueue) && isPow2(lsu.storeQueue) && isPow2(frontend.ftqEntries))
  require(amu.sqEntries == lsu.storeQueue && amu.line == line && amu.pcBits == pcBits)
  require(l2.sets * lineBytes == amu.spmBytes, "the SPM is exactly one L2 way")
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

case class BackendParams(
    decodeWidth: Int = 4, // also rename and dispatch width
    commitWidth: Int = 4,
    robEntries: Int = 96,
    intPhysRegs: Int = 64,
    dispatchQueue: Int = 12,
    branchSnapshots: Int = 24,
    // Issue queues: 8 entries per port as in NANHU; the store queues hold a third more, since store data waits for loads.
    issueAlu: Int = 16,
    issueBru: Int = 8,
    issueMdu: Int = 8,
    issueLoad: Int = 16,
    issueStoreAddress: Int = 12,
    issueStoreData: Int = 12
)

/** Issue ports (8): ALU0, ALU1, BRU (branches, jumps, CSR, getfin/bafin), MDU, LD0, LD1, STA (and AMI requests), STD. */
case class LsuParams(loadQueue: Int = 32, storeQueue: Int = 16, loadPipes: Int = 2)

case class CacheParams(sets: Int, ways: Int, mshrs: Int)

/** Physical memory map (spec/platform.md); bases in bytes. */
case class MemoryMap(
    bootRom: Region = Region(0x1000L, 0xf000L),
    mmio: Region = Region(0x0200_0000L, 0x1e00_0000L),
    spm: Region = Region(0x2000_0000L, 0x8000L),
    local: Region = Region(0x8000_0000L, 0x8000_0000L),
    far: Region = Region(0x1_0000_0000L, 0x2_0000_0000L)
)

case class Region(base: Long, bytes: Long) {
  def end: Long = base + bytes
}
