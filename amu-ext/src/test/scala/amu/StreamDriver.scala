// SPDX-License-Identifier: Apache-2.0
package amu

import scala.util.Random

/** Feeds requests to the AMU as fast as it takes them (one renamed, one executed, one committed a cycle) and takes every finished group
  * at once. No checks of data: rates and peaks only.
  */
class StreamDriver(dut: Amu, pins: Pins, p: AmuParams, timing: MockTiming) {
  private val system = new MockMemorySystem(dut, pins, p, 128 * 1024, new Random(7), timing)
  private val request = dut.io.request
  private val finish = dut.io.finish
  pins(dut.io.amuctl) = 3
  pins.reset()

  /** @return cycles from the first rename until the last line request was started */
  def run(requests: Seq[AmiRequest]): Int = {
    var renamed, executed, committed, taken, cycle = 0
    var issueCycles = 0
    var readyToCommit = 0
    var toCommitTake = false
    Seq(request.flush, finish.flush, request.restore.valid, finish.restore.valid, dut.io.translation.miss).foreach(signal => pins(signal) = false)
    pins(dut.io.order.sqDeqPtr) = 0
    pins(request.allocateSqPtr) = 0
    pins(dut.io.btq.ready) = true
    while (taken < requests.size) {
      assert(cycle < 100000, "requests are not finished")
      system.drive()
      val allocate = renamed < requests.size && !pins.is(request.full)
      pins(request.allocate) = allocate
      if (allocate) pins(request.allocateOp) = requests(renamed).op
      val execute = executed < renamed
      pins(request.operands.valid) = execute
      if (execute) {
        pins(request.operands.bits.ptr) = executed % (2 * p.requestQueue)
        pins(request.operands.bits.rs1) = requests(executed).rs1
        pins(request.operands.bits.rs2) = requests(executed).rs2
        pins(dut.io.translation.physical) = pins(dut.io.translation.address)
      }
      pins(request.commitValid) = committed < readyToCommit
      if (committed < readyToCommit) {
        assert(!pins.is(request.commitException))
        if (pins.is(request.commitReady)) committed += 1
      }
      pins(finish.commitTake) = toCommitTake
      if (toCommitTake) taken += 1
      val take = pins.is(finish.available)
      pins(finish.take) = take
      toCommitTake = take
      system.sample()
      pins.step()
      if (execute) executed += 1
      readyToCommit = executed
      if (allocate) renamed += 1
      cycle += 1
      if (issueCycles == 0 && committed == requests.size && pins(dut.io.probe.lines) >= requests.size) issueCycles = cycle
    }
    issueCycles
  }
}
