// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import bus.{BoundedWait, DevicePort}
import chisel3._
import chisel3.util._
import nhg._
import nhg.mmu.Sv39

/** Device accesses, one at a time, each at the ROB head: loads and stores alike, so a device error is a precise exception. */
class MmioUnit(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val load = Flipped(Decoupled(new LoadOp(p)))
    val store = Flipped(Decoupled(new HeadStore(p)))
    val flush = Input(Bool())
    val port = new DevicePort(p.paddrBits)
    val loadResult = Decoupled(new LsuWriteback(p))
    val loadIdx = Output(UInt((p.lqPtrBits - 1).W))
    val storeResult = Decoupled(new LsuWriteback(p))
  })

  private val idle :: request :: response :: finish :: Nil = Enum(4)
  private val state = RegInit(idle)
  private val load = Reg(new LoadOp(p))
  private val store = Reg(new HeadStore(p))
  private val isStore = Reg(Bool())
  private val dropped = Reg(Bool()) // flushed while the device works
  private val data = Reg(UInt(64.W))
  private val error = Reg(Bool())

  io.store.ready := state === idle
  io.load.ready := state === idle && !io.store.valid
  private val addr = Mux(isStore, store.op.addr, load.addr)

  io.port.req.valid := state === request
  io.port.req.bits.addr := addr
  io.port.req.bits.write := isStore
  io.port.req.bits.size := Mux(isStore, store.op.size, load.size)
  io.port.req.bits.data := ByteLanes.place(store.data, store.op.offset)
  io.port.req.bits.mask := Mux(isStore, store.op.mask, load.mask)

  io.loadIdx := p.loadRing.index(load.lqPtr)
  io.loadResult.valid := state === finish && !isStore && !dropped && !io.flush
  io.loadResult.bits := load.result(p, load.extract(data))
  io.storeResult.valid := state === finish && isStore && !dropped && !io.flush
  io.storeResult.bits := store.op.finished(p)
  for (r <- Seq(io.loadResult.bits, io.storeResult.bits)) {
    when(error) {
      r.dest.writes := false.B
      r.exception.valid := true.B
      r.exception.cause := Mux(isStore, Cause.storeAccess, Cause.loadAccess)
      r.exception.tval := Mux(isStore, store.op.exception.tval, Sv39.extend(load.vaddr))
    }
  }

  when(io.flush) { dropped := true.B }
  BoundedWait.memory(state === request || state === response, "a device access")
  BoundedWait.onChip(state === finish, "the result of a device access")
  switch(state) {
    is(idle) {
      dropped := false.B
      isStore := io.store.valid
      when(io.store.fire) { store := io.store.bits }
      when(io.load.fire) { load := io.load.bits }
      when(io.store.fire || io.load.fire) { state := request }
    }
    is(request) { when(io.port.req.ready) { state := response } }
    is(response) {
      when(io.port.resp.valid) {
        data := io.port.resp.bits.data
        error := io.port.resp.bits.error
        state := finish
      }
    }
    is(finish) { when(dropped || io.flush || io.loadResult.fire || io.storeResult.fire) { state := idle } }
  }
}
