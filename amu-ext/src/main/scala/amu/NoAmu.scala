// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._

/** In the place of the AMU in a core without one: `amuctl` of such a core stays 0, so its AMI instructions are illegal, and nothing is asked here. */
class NoAmu(p: AmuParams) extends AmuModule(p) {
  io := DontCare
  io.request.full := false.B
  io.translation.walks := false.B
  io.finish.available := false.B
  io.btq.valid := false.B
  io.pollWait := 0.U
  io.cache.req.valid := false.B
  io.cache.storeDone.valid := false.B
  io.wanted.valid := false.B
  io.spmInUse := false.B
  io.csr.readOutBusy := false.B
  io.spm.read.valid := false.B
  io.spm.write.valid := false.B
  io.axi.ar.valid := false.B
  io.axi.aw.valid := false.B
  io.axi.w.valid := false.B
  io.axi.r.ready := false.B
  io.axi.b.ready := false.B
  io.probe := 0.U.asTypeOf(io.probe)
  assert(io.amuctl === 0.U && !io.request.allocate && !io.finish.take, "an AMI instruction runs on a core without AMU")
}
