// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chisel3.util._
import platform.{AmuConfigNumber, AmuLimits}

/** The `aconfig` registers (docs/ami.md): bases 39 bits, which stand for an address by their sign, handler_size 16 bits (bytes), spm_slot 13 bits (bytes,
  * power of two), poll_wait 16 bits (cycles).
  */
class AmuConfig(p: AmuParams) extends Bundle {
  val handlerBase = UInt(p.pcBits.W)
  val handlerSize = UInt(16.W)
  val spmBase = UInt(p.pcBits.W) // kept for software, not used by the AMU
  val spmSlot = UInt(13.W)
  val targetBase = UInt(p.pcBits.W)
  val pollWait = UInt(AmuConfig.pollWaitBits.W)

  /** By register number. */
  def asVec: Seq[UInt] = Seq(
    AmuConfigNumber.handlerBase -> handlerBase,
    AmuConfigNumber.handlerSize -> handlerSize,
    AmuConfigNumber.spmBase -> spmBase,
    AmuConfigNumber.spmSlot -> spmSlot,
    AmuConfigNumber.targetBase -> targetBase,
    AmuConfigNumber.pollWait -> pollWait
  ).sortBy(_._1).map(_._2)

  /** As the CSRs read. */
  def words: Seq[UInt] = asVec.zipWithIndex.map { case (register, number) =>
    if (AmuConfig.bases.contains(number)) register.asSInt.pad(64).asUInt else register.pad(64)
  }
}

object AmuConfig {
  val bases: Set[Int] = Set(AmuConfigNumber.handlerBase, AmuConfigNumber.spmBase, AmuConfigNumber.targetBase)
  val pollWaitBits: Int = log2Ceil(AmuLimits.pollWaitMax + 1)
}

/** Holds the configuration; a write has passed the checks of rule 9. */
class AmuConfigRegisters(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val write = Flipped(Valid(new Bundle {
      val register = UInt(3.W)
      val value = UInt(p.pcBits.W)
    }))
    val config = Output(new AmuConfig(p))
  })

  private val initial = WireDefault(0.U.asTypeOf(new AmuConfig(p)))
  initial.spmSlot := AmuLimits.slotBytesReset.U
  initial.pollWait := AmuLimits.pollWaitReset.U
  private val config = RegInit(initial)
  config.asVec.zipWithIndex.foreach { case (register, number) =>
    when(io.write.valid && io.write.bits.register === number.U) { register := io.write.bits.value }
  }
  assert(!io.write.valid || io.write.bits.register < AmuConfigNumber.count.U, "aconfig register number passed the check")
  io.config := config
}
