// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.experimental.ChiselEnum
import chisel3.util._
import common.Count
import nhg._

/** What the core did in a cycle, seen from the ROB head; exactly one holds. In this order the counters `cycles_*` of the top. */
object StallCause extends ChiselEnum {
  /** At least one instruction retires, and no poll that found nothing. In every other cycle the oldest instruction waits for: */
  val retiring = Value
  /** A line of far memory that L1D does not hold, wherever it is found. Where the data lives decides, not where this copy came from: a hit of
    * L2 or L3 counts, too, for its 10 to 40 cycles. */
  val farLoad = Value
  /** Any other load that has been issued: L1D hits, local memory, SPM, devices, older stores, and a far line's last steps from L1D on. */
  val nearLoad = Value
  /** Address, data or turn of a store or an atomic, a free store-queue entry, or (fences) all older stores. */
  val store = Value
  /** The AMU: an AMI request at the head that it does not take, or no free request-queue entry. */
  val amu = Value
  /** The result of getfin or bafin: it is executed, the frontend holds it until a group finishes, or it retires without one. So a scheduler that polls in
    * vain waits here, not in `retiring`. */
  val fin = Value
  /** The first instructions after a redirect of the back end: mispredicted branch, trap, replay or refetch. */
  val recovery = Value
  /** Instructions, with no redirect since the last one. */
  val frontend = Value
  /** A free physical register. */
  val registers = Value
  /** A free entry in ROB, load queue or dispatch queues, or a branch snapshot. */
  val queues = Value
  /** Its own execution, or its way there. */
  val execution = Value
}

/** Attributes every cycle to one cause, at the ROB head:
  *   - something retires: `retiring`, or `fin` if a poll without result is among it;
  *   - the head has been issued: what it is decides. Everything older has retired, so its operands are there and it waits for nothing but its
  *     own operation;
  *   - the head has not been issued yet: it came late. What kept it from rename in the cycle before it was renamed is charged; when nothing did,
  *     because it followed other instructions at once, it is on its way: `execution`;
  *   - the ROB is empty: what keeps rename from the next instruction is charged.
  */
class StallAttribution(p: NhgParams) extends Module {
  private val n = p.backend.robEntries
  private val dw = p.backend.decodeWidth
  val io = IO(new Bundle {
    val retires = Input(Bool())
    val retiresVainPoll = Input(Bool()) // a getfin or bafin that found nothing is among what retires
    val empty = Input(Bool())
    val headIdx = Input(UInt(p.robIdxBits.W))
    val head = Input(new RobEntry(p))
    val headStuck = Input(Bool()) // will not retire: a redirect begins
    val headWaitsForFar = Input(Bool()) // if it is a load
    val redirect = Input(Bool())
    val fetchWaitsForGroup = Input(Bool())
    val stall = Input(new RenameStall(p))
    val waitsForStores = Input(Bool()) // the serial instruction in rename
    val allocate = Input(Vec(dw, Bool())) // a prefix
    val tail = Input(UInt(p.robRing.bits.W))
    val issued = Input(new ByName(p.backend.ports.map(_.name), Valid(UInt(p.robIdxBits.W))))
    val cause = Output(UInt(StallCause.getWidth.W))
    val cycles = Output(Vec(StallCause.all.length, UInt(64.W)))
  })
  import StallCause._
  private val arrives = io.allocate(0)

  // what keeps rename from taking instructions
  private val recovering = RegInit(false.B)
  when(io.redirect) { recovering := true.B }.elsewhen(arrives) { recovering := false.B }
  private val polling = RegInit(false.B)
  when(io.redirect) { polling := false.B }.elsewhen(io.fetchWaitsForGroup) { polling := true.B }.elsewhen(arrives) { polling := false.B }
  private val stands = MuxCase(
    execution,
    Seq(
      (io.redirect || io.stall.empty && recovering) -> recovery,
      (io.stall.empty && (polling || io.fetchWaitsForGroup)) -> fin,
      io.stall.empty -> frontend,
      io.stall.amuQueue -> amu,
      (io.stall.storeQueue || io.waitsForStores) -> store,
      io.stall.freeList -> registers,
      (io.stall.rob || io.stall.loadQueue || io.stall.dispatchQueue || io.stall.snapshot) -> queues
    )
  )
  private val stoodBefore = RegNext(Mux(arrives, execution, stands), frontend)

  // of each instruction in the ROB: what kept it from rename, and whether it has been issued
  private val keptBy = new GroupMem(UInt(StallCause.getWidth.W), n, dw)
  keptBy.write(p.robRing.index(io.tail), io.allocate, Seq.fill(dw)(stoodBefore.asUInt))
  private val issued = Mem(n, Bool())
  for (port <- io.issued.values) { when(port.valid) { issued.write(port.bits, true.B) } }
  for ((valid, i) <- io.allocate.zipWithIndex) {
    when(valid) { issued.write(p.robRing.index(p.robRing.add(io.tail, i.U)), false.B) }
  }

  private val operation = MuxCase(
    execution,
    Seq(
      io.head.isAmi -> amu,
      io.head.isFin -> fin,
      io.head.isStore -> store,
      io.head.isLoad -> Mux(io.headWaitsForFar, farLoad, nearLoad)
    )
  )
  io.cause := MuxCase(
    operation.asUInt,
    Seq(
      io.retires -> Mux(io.retiresVainPoll, fin, retiring).asUInt,
      io.empty -> Mux(arrives, stoodBefore, stands).asUInt,
      io.headStuck -> recovery.asUInt,
      !issued.read(io.headIdx) -> keptBy.read(io.headIdx)
    )
  )
  for ((counter, cause) <- io.cycles.zip(StallCause.all)) { counter := Count.events(io.cause === cause.asUInt) }
  assert(io.cycles.reduce(_ + _) === Count.events(true.B), "the cycles by cause are not all cycles")
}
