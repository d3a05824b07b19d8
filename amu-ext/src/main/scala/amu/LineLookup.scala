// SPDX-License-Identifier: Apache-2.0
package amu

import bus.{BoundedWait, LineLookupRequest, LineLookupResponse}
import chisel3._
import chisel3.util._
import common.{Ring, Shift}

/** A line request with its tag, as it waits for L2's answer. */
class TaggedLine(p: AmuParams) extends Bundle {
  val tag = UInt(p.lineTagBits.W)
  val line = new LineRequest(p)
}

/** Takes line requests through L2's coherence lookup (docs/microarchitecture.md):
  *   s0  a line tag is taken and the line table written; the first SPM line of a store is read
  *   s1  store data arrives, is rotated to its place in the memory line (a second SPM line costs one more cycle), and the request
  *       enters the lookup buffer
  *   then, in order, through the buffer: sent to L2 (when no L1D MSHR works on the line), answered, handed on to `done`.
  * The buffer has a place for every request from s1 on, so answers of L2 always find room.
  */
class LineLookup(p: AmuParams) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new LineRequest(p)))
    val tagAvailable = Input(Bool())
    val tag = Input(UInt(p.lineTagBits.W))
    val allocate = Output(Bool())
    val spmRead = Decoupled(UInt((p.spmAddrBits - p.lineOffsetBits).W))
    val spmData = Input(UInt(p.lineBits.W))
    val queryLine = Output(UInt(p.lineAddrBits.W))
    val queryBusy = Input(Bool())
    val cacheReq = Decoupled(new LineLookupRequest(p.line))
    val cacheResp = Flipped(Valid(new LineLookupResponse(p.line)))
    /** The oldest answered request; `data` is the line read (load hit) or the bytes to store, in their place. */
    val done = Decoupled(new Bundle {
      val request = new TaggedLine(p)
      val hit = Bool()
      val data = UInt(p.lineBits.W)
    })
    val stallTag = Output(Bool())
    val stallBuffer = Output(Bool())
    val stallMshr = Output(Bool())
    val stallCache = Output(Bool())
  })
  private val n = p.lookups
  private val ring = Ring(n)

  private val requests = Mem(n, new TaggedLine(p))
  private val storeData = Mem(n, UInt(p.lineBits.W))
  private val loadData = Mem(n, UInt(p.lineBits.W))
  private val hits = Reg(Vec(n, Bool()))
  private val enqPtr = RegInit(0.U(ring.bits.W))
  private val sendPtr = RegInit(0.U(ring.bits.W))
  private val respPtr = RegInit(0.U(ring.bits.W))
  private val donePtr = RegInit(0.U(ring.bits.W))

  // s1
  private val s1_valid = RegInit(false.B)
  private val s1_request = Reg(new TaggedLine(p))
  private val s1_first = Reg(UInt(p.lineBits.W)) // first SPM line of a store that needs two
  private val s1_haveFirst = RegInit(false.B)
  private val s1_haveSecond = RegInit(false.B) // its read was accepted in the last cycle
  private val s1_line = s1_request.line
  private val s1_spmOffset = s1_line.spmAddr(p.lineOffsetBits - 1, 0)
  private val s1_twoLines = s1_line.isStore && s1_spmOffset +& s1_line.count > p.lineBytes.U
  private val s1_done = s1_valid && (!s1_twoLines || s1_haveSecond)
  private val s1_readSecond = s1_valid && s1_twoLines && !s1_haveSecond

  when(s1_valid && s1_twoLines && !s1_haveFirst) {
    s1_first := io.spmData
    s1_haveFirst := true.B
  }
  s1_haveSecond := s1_readSecond && io.spmRead.ready
  when(s1_done) { s1_haveFirst := false.B }

  private val fromFirst = ByteAlign.expand(Shift.left(Fill(p.lineBytes, 1.U(1.W)), s1_spmOffset))
  private val spmBytes = Mux(s1_twoLines, (s1_first & fromFirst) | (io.spmData & (~fromFirst).asUInt), io.spmData)
  private val rotation = (s1_line.offset - s1_spmOffset)(p.lineOffsetBits - 1, 0)
  when(s1_done) {
    assert(ring.distance(enqPtr, donePtr) =/= n.U, "lookup buffer overflow")
    requests.write(ring.index(enqPtr), s1_request)
    when(s1_line.isStore) { storeData.write(ring.index(enqPtr), ByteAlign.rotate(spmBytes, rotation)) }
    enqPtr := ring.add(enqPtr, 1.U)
  }

  // s0
  private val s0_line = io.in.bits
  private val s0_place = ring.distance(enqPtr, donePtr) +& s1_valid < n.U
  private val s0_go = io.in.valid && io.tagAvailable && s0_place && (!s1_valid || s1_done)
  io.in.ready := io.tagAvailable && s0_place && (!s1_valid || s1_done) && (!s0_line.isStore || io.spmRead.ready)
  io.allocate := io.in.fire
  when(io.in.fire) {
    s1_request.tag := io.tag
    s1_request.line := s0_line
  }
  when(io.in.fire || s1_done) { s1_valid := io.in.fire }
  io.spmRead.valid := s1_readSecond || (s0_go && s0_line.isStore)
  io.spmRead.bits := Mux(s1_readSecond, s1_line.spmAddr(p.spmAddrBits - 1, p.lineOffsetBits) + 1.U, s0_line.spmAddr(p.spmAddrBits - 1, p.lineOffsetBits))

  // Send
  private val sending = requests.read(ring.index(sendPtr)).line
  private val toSend = sendPtr =/= enqPtr
  io.queryLine := sending.lineAddr
  io.cacheReq.valid := toSend && !io.queryBusy
  io.cacheReq.bits.lineAddr := sending.lineAddr
  io.cacheReq.bits.isStore := sending.isStore
  io.cacheReq.bits.data := storeData.read(ring.index(sendPtr))
  io.cacheReq.bits.mask := ByteAlign.mask(sending.offset, sending.count, p.lineBytes)
  when(io.cacheReq.fire) { sendPtr := ring.add(sendPtr, 1.U) }

  // Answer
  when(io.cacheResp.valid) {
    assert(respPtr =/= sendPtr, "L2 answered a lookup that was not sent")
    hits(ring.index(respPtr)) := io.cacheResp.bits.hit
    loadData.write(ring.index(respPtr), io.cacheResp.bits.data)
    respPtr := ring.add(respPtr, 1.U)
  }

  // Hand on
  io.done.valid := donePtr =/= respPtr
  io.done.bits.request := requests.read(ring.index(donePtr))
  io.done.bits.hit := hits(ring.index(donePtr))
  io.done.bits.data := Mux(io.done.bits.request.line.isStore, storeData.read(ring.index(donePtr)), loadData.read(ring.index(donePtr)))
  when(io.done.fire) { donePtr := ring.add(donePtr, 1.U) }

  BoundedWait.memory(toSend && !io.cacheReq.fire, "an AMU line at L2's door")
  BoundedWait.memory(respPtr =/= sendPtr && !io.cacheResp.valid, "L2's answer to an AMU line")
  BoundedWait.memory(io.done.valid && !io.done.ready, "an AMU line with L2's answer")

  io.stallTag := io.in.valid && !io.tagAvailable
  io.stallBuffer := io.in.valid && io.tagAvailable && !s0_place
  io.stallMshr := toSend && io.queryBusy
  io.stallCache := io.cacheReq.valid && !io.cacheReq.ready
}
