// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util._
import common.Ring

/** Takes a lookup of the AMU through two levels of caches: the near one first, what misses there to the far one. To the AMU it is one cache,
  * which answers in the order of the requests.
  *
  * Between the two a line may move. A store: the near level holds back its misses of the line from the store's miss until `storeDone`, which a store that
  * hits in the far level gives at once; so nothing fetches the line meanwhile, and what a prefetch had begun to fetch is forgotten, by the
  * near level before the far one. A load: the near level may fetch the line; the load then waits for the far level's MSHR and finds the line, or goes to
  * memory, and has in each case a value that was the newest at some time after its request.
  *
  * @param most lookups at a time, a power of two
  */
class LookupLevels(p: LineParams, most: Int) extends Module {
  private val ring = Ring(most)
  val io = IO(new Bundle {
    val amu = Flipped(new LineLookupPort(p))
    val near = new LineLookupPort(p)
    val far = new LineLookupPort(p)
  })
  private val requests = Mem(most, new LineLookupRequest(p))
  private val data = Mem(most, UInt(p.bits.W)) // of a line found in the near level
  private val farData = Mem(most, UInt(p.bits.W))
  private val hitsNear, hitsFar, answered = Reg(Vec(most, Bool()))
  // Oldest first: done <= send (next for the far level) <= resp (next answer of the near level) <= enq
  private val enqPtr, respPtr, sendPtr, donePtr = RegInit(0.U(ring.bits.W))

  private val hasRoom = ring.distance(enqPtr, donePtr) =/= most.U
  io.near.req.valid := io.amu.req.valid && hasRoom
  io.near.req.bits := io.amu.req.bits
  io.amu.req.ready := io.near.req.ready && hasRoom
  when(io.amu.req.fire) {
    requests.write(ring.index(enqPtr), io.amu.req.bits)
    enqPtr := ring.add(enqPtr, 1.U)
  }

  when(io.near.resp.valid) {
    val idx = ring.index(respPtr)
    assert(respPtr =/= enqPtr, "an answer of the near level to a lookup that nobody asked")
    hitsNear(idx) := io.near.resp.bits.hit
    answered(idx) := io.near.resp.bits.hit
    data.write(idx, io.near.resp.bits.data)
    respPtr := ring.add(respPtr, 1.U)
  }

  private val asked = Module(new Queue(UInt(ring.indexBits.W), most))
  private val sendIdx = ring.index(sendPtr)
  private val toSend = sendPtr =/= respPtr && !hitsNear(sendIdx)
  io.far.req.valid := toSend
  io.far.req.bits := requests.read(sendIdx)
  asked.io.enq.valid := io.far.req.fire
  asked.io.enq.bits := sendIdx
  assert(!io.far.req.fire || asked.io.enq.ready)
  when(sendPtr =/= respPtr && (hitsNear(sendIdx) || io.far.req.ready)) { sendPtr := ring.add(sendPtr, 1.U) }

  asked.io.deq.ready := io.far.resp.valid
  when(io.far.resp.valid) {
    assert(asked.io.deq.valid, "an answer of the far level to a lookup that nobody asked")
    hitsFar(asked.io.deq.bits) := io.far.resp.bits.hit
    answered(asked.io.deq.bits) := true.B
    farData.write(asked.io.deq.bits, io.far.resp.bits.data)
  }

  // The oldest, once it is answered. A store that hit in the far level tells the near one, unless one that reached memory does.
  private val doneIdx = ring.index(donePtr)
  private val done = requests.read(doneIdx)
  private val isDone = donePtr =/= sendPtr && answered(doneIdx)
  private val tellsNear = isDone && done.isStore && !hitsNear(doneIdx) && hitsFar(doneIdx)
  io.amu.resp.valid := isDone && !(tellsNear && io.amu.storeDone.valid)
  io.amu.resp.bits.hit := hitsNear(doneIdx) || hitsFar(doneIdx)
  io.amu.resp.bits.data := Mux(hitsNear(doneIdx), data.read(doneIdx), farData.read(doneIdx))
  when(io.amu.resp.valid) { donePtr := ring.add(donePtr, 1.U) }
  io.near.storeDone.valid := io.amu.storeDone.valid || tellsNear
  io.near.storeDone.bits := Mux(io.amu.storeDone.valid, io.amu.storeDone.bits, done.lineAddr)
  io.far.storeDone.valid := false.B
  io.far.storeDone.bits := DontCare

  BoundedWait.memory(toSend && !io.far.req.ready, "an AMU lookup at L3's door")
  BoundedWait.memory(asked.io.deq.valid && !io.far.resp.valid, "L3's answer to an AMU lookup")
  BoundedWait.memory(isDone && !io.amu.resp.valid, "a store's answer that waits to tell L2")
}
