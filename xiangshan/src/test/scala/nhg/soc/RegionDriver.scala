// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.DevicePort
import chisel3._
import chiseltest._
import platform.Region
import scala.util.Random

/** Drives a device that has `region` and stands between the ports `core` and `devices`; checks what is the same for each such device. */
class RegionDriver(region: Region, core: DevicePort, devices: DevicePort, random: Random) {
  def isHere(address: Long): Boolean = address >= region.base && address < region.end

  /** Offers an access of 2^size bytes, which is taken in this cycle, here or behind; the bits of `data` that a write changes. */
  def offer(address: Long, write: Boolean, size: Int, data: BigInt): BigInt = {
    val offset = (address & 7).toInt
    val request = core.req
    request.valid.poke(true.B)
    request.bits.addr.poke(address.U)
    request.bits.write.poke(write.B)
    request.bits.size.poke(size.U)
    request.bits.data.poke(data.U)
    request.bits.mask.poke((((1 << (1 << size)) - 1) << offset).U)
    devices.req.valid.expect((!isHere(address)).B)
    devices.req.ready.poke(true.B)
    request.ready.expect(true.B)
    (BigInt(1) << (8 << size)) - 1 << 8 * offset
  }

  /** The cycle behind an access to elsewhere: only an answer from there is one. `step` ends the cycle. */
  def answerFromBehind(step: => Unit): Unit = {
    core.resp.valid.expect(false.B)
    val (word, error) = (BigInt(64, random), random.nextBoolean())
    devices.resp.valid.poke(true.B)
    devices.resp.bits.data.poke(word.U)
    devices.resp.bits.error.poke(error.B)
    core.resp.valid.expect(true.B)
    core.resp.bits.data.expect(word.U)
    core.resp.bits.error.expect(error.B)
    step
    devices.resp.valid.poke(false.B)
  }
}
