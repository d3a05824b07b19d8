// SPDX-License-Identifier: Apache-2.0
package amu

import scala.util.Random

/** What programs a random run draws. Percentages are of all instructions; the rest are `aload`/`astore`. */
case class ProgramMix(
    ids: Int = AmuParams().maxId,
    maxSizeLog: Int = 12,
    storePercent: Int = 50,
    asetPercent: Int = 8,
    maxGroup: Int = 6,
    awaitPercent: Int = 4,
    asignalPercent: Int = 6,
    aconfigPercent: Int = 1,
    illegalPercent: Int = 3
)

/** Draws AMI instructions that are legal in a given state (or surely illegal ones), with memory and SPM bytes that no other
  * outstanding request owns.
  */
class RequestGenerator(p: AmuParams, reference: ReferenceAmu, windowBytes: Int, random: Random, var mix: ProgramMix) {

  /** @param stateOf state of an ID after all instructions in flight
    * @param owned    bytes of outstanding requests and of those in flight
    */
  class Context(val stateOf: Int => IdModel, val owned: Seq[RequestBytes])

  private def freeBytes(context: Context, b: RequestBytes): Boolean = !context.owned.exists { o =>
    (o.overlapsMemory(b.memAddr, b.count) && (o.isStore || b.isStore)) || (o.overlapsSpm(b.spmAddr, b.count) && !(o.isStore && b.isStore))
  }
  private def randomTarget(): Int = random.nextInt(1 << 21) - (1 << 20)
  private def randomId(): Int = 1 + random.nextInt(mix.ids)

  /** Memory address of the latest core store: requests like to come back to it, to test the order behind older stores. */
  var recentStore: Option[Long] = None

  private def memoryRequest(id: Int): AmiRequest = {
    val slotLog = BigInt(reference.slot).bitLength - 1
    val sizeLog = random.nextInt(mix.maxSizeLog.min(slotLog) + 1)
    val size = 1 << sizeLog
    val align = size.min(8)
    val offset = random.nextInt((reference.slot - size) / align + 1) * align
    val page = reference.memory.bases(random.nextInt(2)) + random.nextInt(windowBytes / 4096) * 4096
    val anywhere = page + random.nextInt((4096 - size) / align + 1) * align
    val address = recentStore.filter(_ => size <= 8 && random.nextInt(3) == 0).getOrElse(anywhere)
    AmiRequest.memory(random.nextInt(100) < mix.storePercent, id, address, sizeLog, offset, randomTarget())
  }

  /** A legal `aload`/`astore` of this ID, if one is found soon. */
  def memoryRequest(id: Int, context: Context): Option[AmiRequest] = {
    val state = context.stateOf(id)
    if (state.outstanding && !state.asetOpen) None
    else
      Iterator.fill(8)(memoryRequest(id)).find { r =>
        reference.check(r, state).isEmpty && freeBytes(context, reference.bytesOf(r))
      }
  }

  private def configuration(): AmiRequest = {
    val base = AmiRequest.extended(BigInt(39, random))
    random.nextInt(5) match {
      case 1 => AmiRequest.config(1, random.nextInt(65536))
      case 3 => AmiRequest.config(3, 1 << (3 + random.nextInt(10)))
      case 4 => AmiRequest.config(4, base & ~BigInt(1))
      case n => AmiRequest.config(n, base)
    }
  }

  private def illegal(context: Context): Option[AmiRequest] = Iterator.fill(20) {
    val r = memoryRequest(randomId())
    def noise(bits: Int): BigInt = BigInt(bits, random)
    random.nextInt(9) match {
      case 0 => r.copy(rs2 = r.rs2 & ~BigInt(0xffff))
      case 1 => r.copy(rs2 = (r.rs2 & ~BigInt(0xffff)) | noise(16))
      case 2 => r.copy(rs1 = r.rs1 ^ noise(64))
      case 3 => r.copy(rs2 = r.rs2 ^ noise(33))
      case 4 => AmiRequest.group(randomId(), random.nextInt(70))
      case 5 => AmiRequest(AmiRequest.aset, noise(64) >> random.nextInt(64), noise(64) >> random.nextInt(64))
      case 6 => AmiRequest(AmiRequest.aconfig, noise(64) >> random.nextInt(64), noise(64) >> (56 + random.nextInt(8)))
      case 7 => AmiRequest.waiting(randomId(), randomTarget())
      case 8 => AmiRequest(AmiRequest.asignal, noise(64) >> random.nextInt(64), 0)
    }
  }.find { r =>
    reference.check(r, if (r.op == AmiRequest.aconfig || r.idOperand > p.maxId) new IdModel else context.stateOf(r.id)).nonEmpty
  }

  def next(context: Context): Option[AmiRequest] = {
    val id = randomId()
    val state = context.stateOf(id)
    val kinds = Seq(mix.asetPercent, mix.awaitPercent, mix.asignalPercent, mix.aconfigPercent, mix.illegalPercent)
    val draw = random.nextInt(100)
    kinds.scanLeft(0)(_ + _).tail.indexWhere(draw < _) match {
      case 0 => if (state.outstanding) None else Some(AmiRequest.group(id, 1 + random.nextInt(mix.maxGroup)))
      case 1 => if (state.outstanding || state.asetOpen) None else Some(AmiRequest.waiting(id, randomTarget()))
      case 2 => Some(AmiRequest.signal((1 to mix.ids).find(i => random.nextInt(4) == 0 && context.stateOf(i).waiting).getOrElse(id)))
      case 3 => Some(configuration())
      case 4 => illegal(context)
      case _ => memoryRequest(id, context)
    }
  }

  /** What brings the ID's group to its end: the rest of its aset group, or its signal. Now and then another slot size, in case the
    * ID's slot is full or beyond the SPM.
    */
  def closing(id: Int, context: Context): Option[AmiRequest] = {
    val state = context.stateOf(id)
    if (state.asetOpen && random.nextInt(20) == 0) Some(AmiRequest.config(3, 8 << random.nextInt(5)))
    else if (state.asetOpen) memoryRequest(id, context)
    else if (state.waiting) Some(AmiRequest.signal(id))
    else None
  }
}
