// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.DevicePort
import chisel3._
import chisel3.util._
import platform.Region

/** The part of a device that stands between `core` and the devices behind it: of the requests it keeps those of its region, each accepted in one cycle and
  * answered in the next; others go on in the same cycle, and so does their answer.
  */
class OwnRegion(region: Region, core: DevicePort, devices: DevicePort) {
  val request = core.req.bits
  private val isHere = request.addr >= region.base.U && request.addr < region.end.U
  private val answered = RegInit(false.B)
  devices.req.valid := core.req.valid && !isHere
  devices.req.bits := request
  core.req.ready := Mux(isHere, !answered, devices.req.ready)
  val accepted: Bool = core.req.valid && isHere && !answered
  answered := accepted

  /** Bits of `request.data` that are written. */
  val lanes: UInt = FillInterleaved(8, request.mask)

  /** The request is for the eight bytes that have this offset. */
  def isWord(offset: Int): Bool = (request.addr - region.base.U)(log2Ceil(region.bytes) - 1, 3) === (offset / 8).U

  /** `data` and `error` belong to the cycle behind the acceptance. */
  def answer(data: UInt, error: Bool): Unit = {
    core.resp.valid := answered || devices.resp.valid
    core.resp.bits.data := Mux(answered, data, devices.resp.bits.data)
    core.resp.bits.error := Mux(answered, error, devices.resp.bits.error)
    assert(!(answered && devices.resp.valid), "two devices answer at once")
  }
}
