// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{Axi4Params, LineParams, SpmParams}
import chisel3.util._
import common.Ring

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
  * @param localMemory  the two address ranges a request may name
  */
case class AmuParams(
    maxId: Int = 511,
    lines: Int = 512,
    requestQueue: Int = 16,
    finishQueue: Int = 16,
    spmBytes: Int = 32 * 1024,
    lineBytes: Int = 64,
    pcBits: Int = 39,
    paddrBits: Int = 36,
    sqEntries: Int = 16,
    lookups: Int = 16,
    localMemory: AddressRange = AddressRange(0x8000_0000L, 0x8000_0000L),
    farMemory: AddressRange = AddressRange(0x1_0000_0000L, 0x2_0000_0000L),
    axi: Axi4Params = Axi4Params()
) {
  val line: LineParams = LineParams(paddrBits, lineBytes)
  val spm: SpmParams = SpmParams(spmBytes, line)
  val lineTagBits: Int = log2Ceil(lines)
  require(isPow2(maxId + 1) && isPow2(lines) && isPow2(finishQueue) && isPow2(requestQueue))
  require(isPow2(lookups) && lookups >= 4)
  require(Seq(localMemory, farMemory).forall(r => r.base % 4096 == 0 && r.bytes % 4096 == 0 && r.end <= (1L << paddrBits)))
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
  val targetBits: Int = 21
  /** Lines of one group: 63 requests of 64 lines. */
  val groupCountBits: Int = 13
}

/** Physical addresses base … base + bytes - 1. */
case class AddressRange(base: Long, bytes: Long) {
  def end: Long = base + bytes
}
