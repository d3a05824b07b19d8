// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{Axi4Params, LineParams, SpmParams}
import chisel3.util._
import common.Ring
import platform.{AddressWord, AmuLimits, PhysicalAddress, Region, Regions}

/** Parameters of the Asynchronous Memory Unit (paper section IV, Table I).
  *
  * @param maxId        highest coroutine ID; IDs are 1 … maxId, tables have maxId + 1 entries
  * @param lines        cache-line requests in flight at the memory side
  * @param requestQueue AMI requests between dispatch and the engine
  * @param finishQueue  finished groups visible to `getfin`/`bafin`
  * @param spmBytes     size of the SPM window (one L2 way)
  * @param lineBytes    cache line
  * @param pcBits       width of a virtual address (Sv39)
  * @param lookups      line requests between the splitter and the answer of L2's coherence lookup
  * @param reuseLines   lines of which it is known that a coroutine asked for them
  * @param reuseTagBits of their partial tags
  * @param reuseWishes  of them that wait to be fetched into L2
  * @param localMemory  the two address ranges a request may name
  */
case class AmuParams(
    maxId: Int = AmuLimits.maxId,
    lines: Int = 512,
    requestQueue: Int = 16,
    finishQueue: Int = 16,
    spmBytes: Int = Regions.spm.bytes.toInt,
    lineBytes: Int = 64,
    pcBits: Int = AddressWord.address.bits,
    paddrBits: Int = PhysicalAddress.bits,
    sqEntries: Int = 16,
    storeBufferLines: Int = 4,
    lookups: Int = 16,
    reuseLines: Int = 2048,
    reuseTagBits: Int = 12,
    reuseWishes: Int = 4,
    localMemory: Region = Regions.local,
    farMemory: Region = Regions.far,
    axi: Axi4Params = Axi4Params()
) {
  val line: LineParams = LineParams(paddrBits, lineBytes)
  val spm: SpmParams = SpmParams(spmBytes, line)
  val lineTagBits: Int = log2Ceil(lines)
  require(isPow2(maxId + 1) && isPow2(lines) && isPow2(finishQueue) && isPow2(requestQueue))
  require(isPow2(lookups) && lookups >= 4)
  require(isPow2(reuseLines) && 2 * log2Ceil(reuseLines) <= line.addrBits && log2Ceil(reuseLines) + reuseTagBits <= line.addrBits)
  require(Seq(localMemory, farMemory).forall(r => r.base % AmuLimits.pageBytes == 0 && r.bytes % AmuLimits.pageBytes == 0 && r.end <= (1L << paddrBits)))
  require(lineTagBits < axi.idBits && lineBytes * 8 == 2 * axi.dataBits, "a line is two beats, the top AXI ID bit is the arbiter's")
  require(finishQueue <= 32, "a FinPtr counts modulo 64 and must tell full from empty")

  /** Wide enough for 0 (no coroutine) … maxId. */
  val idBits: Int = log2Ceil(maxId + 1)
  /** Takers of finished groups, modulo 64; the finish queue's entry is the low log2(finishQueue) bits. */
  val finishRing: Ring = Ring(32)
  val requestRing: Ring = Ring(requestQueue)
  val storeRing: Ring = Ring(sqEntries) // the core's store queue
  val finPtrBits: Int = finishRing.bits
  val reqPtrBits: Int = requestRing.bits
  val sqPtrBits: Int = storeRing.bits
  val spmAddrBits: Int = spm.addrBits
  val lineBits: Int = line.bits
  val lineOffsetBits: Int = line.offsetBits
  val lineAddrBits: Int = line.addrBits
  /** Resume target of a group, signed, in 2-byte units from target_base. */
  val targetBits: Int = AddressWord.target.bits
  /** Lines of one group: its most requests, of a page each. */
  val groupCountBits: Int = 13
}
