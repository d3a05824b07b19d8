// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

import bus.{BoundedWait, LineReadPort}
import chisel3._
import chisel3.experimental.ChiselEnum
import chisel3.util._
import nhg.NhgParams
import nhg.mem.AddressClass
import nhg.priv.{Pmp, PmpState}

/** The line of a last-level table: eight pages. */
class PageSector(p: NhgParams) extends Bundle {
  val asid = UInt(Sv39.asidBits.W)
  val mappings = Vec(p.lineBytes * 8 / Sv39.pteBits, new PageMapping(p))
}

/** A table of the next level, as the pointer to it says. */
class PageTable(p: NhgParams) extends Bundle {
  val asid = UInt(Sv39.asidBits.W)
  val outside = Bool()
  val page = UInt(Pmp.pageBits(p).W)
}

/** What the walker counts: events of this cycle. */
class WalkerProbe(p: NhgParams) extends Bundle {
  val requests = Vec(PageWalker.requesters, Bool()) // misses of each TLB that were taken
  val l2TlbMiss = Bool() // a walk begins that reads tables
  val read = Bool() // of a table
  val walks = UInt(log2Ceil(p.mmu.walks + 1).W) // under way
}

/** The shared level of the TLBs: L2 TLB (`sectors` of eight pages, `superpages` of 2 MiB), page-walk cache (tables by their upper indices), and
  * `walks` walks at a time. A request takes a walk in its second cycle, also one that hits here, so a hit answers in its third. A walk reads a
  * line of each level that the page-walk cache does not know, as a reader of L2: so it sees what L1D holds. Stores that wait in an MSHR of L1D or in the
  * store buffer it does not see; a fault that comes of that is forgotten with its exception, and the access reads the tables again.
  * An sfence.vma makes walks under way end without a result, a flush at the ROB head those that find a fault.
  *
  * Physical memory protection checks each read with the rights of S mode. Only mappings that some access may use are kept.
  */
class PageWalker(p: NhgParams) extends Module {
  private val mmu = p.mmu
  private val idBits = log2Ceil(mmu.walks)
  private val n = PageWalker.requesters
  private val sectorBits = log2Ceil(new PageSector(p).mappings.size)
  val io = IO(new Bundle {
    val state = Input(new TranslationState(p))
    val pmp = Input(new PmpState(p))
    val tlbs = Vec(n, Flipped(new WalkPort(p)))
    val l2 = new LineReadPort(p.line, idBits)
    val probe = Output(new WalkerProbe(p))
  })

  private object State extends ChiselEnum { val idle, send, read, done = Value }
  private class Walk extends Bundle {
    val vpn = UInt(Sv39.vpnBits.W)
    val level = UInt(log2Ceil(Sv39.levels).W) // of the table that is read
    val table = new PageTable(p)
    val waiting = UInt(n.W) // requesters
    val killed = Bool()
    val forgetsFault = Bool()
    val isSuperpage = Bool()
    val mapping = new PageMapping(p)
    def index: UInt = MuxLookup(level, vpn(8, 0), Seq(1.U -> vpn(17, 9), 2.U -> vpn(26, 18)))
    def address: UInt = Cat(table.outside, table.page, index, 0.U(log2Ceil(Sv39.pteBits / 8).W))
  }
  private val state = RegInit(VecInit(Seq.fill(mmu.walks)(State.idle)))
  private val walks = Reg(Vec(mmu.walks, new Walk))
  private def in(s: State.Type): UInt = VecInit(state.map(_ === s)).asUInt

  private def table[T <: Data](gen: T, size: TableSize, dropped: Int) =
    new TranslationTable(gen, size, Sv39.vpnBits - dropped, io.state.clear, forget = false.B)
  private val sectors = table(new PageSector(p), mmu.sectors, sectorBits)
  private val superpages = table(new TlbEntry(p), mmu.superpages, Sv39.indexBits)
  private val lastTables = table(new PageTable(p), mmu.lastTables, Sv39.indexBits)
  private val middleTables = table(new PageTable(p), mmu.middleTables, 2 * Sv39.indexBits)

  // First cycle: one request
  private val arbiter = Module(new RRArbiter(UInt(Sv39.vpnBits.W), n))
  for ((in, tlb) <- arbiter.io.in.zip(io.tlbs)) in <> tlb.request
  private val s1_valid = RegInit(false.B)
  private val s1_vpn = RegEnable(arbiter.io.out.bits, arbiter.io.out.fire)
  private val s1_from = RegEnable(UIntToOH(arbiter.io.chosen, n), arbiter.io.out.fire)
  private val s1_asid = RegEnable(io.state.asid, arbiter.io.out.fire)
  private val s1_root = RegEnable(io.state.root, arbiter.io.out.fire)

  // Second cycle: it joins the walk of its page, or begins one where the tables here end
  private val ends = Wire(Vec(mmu.walks, Bool()))
  private val same = VecInit(walks.zip(state).zip(ends).map { case ((w, s), ends) =>
    s =/= State.idle && !ends && !w.killed && !w.forgetsFault && w.vpn === s1_vpn && w.table.asid === s1_asid
  })
  private val idle = in(State.idle)
  private val s1_goes = same.asUInt.orR || idle.orR
  private val begins = s1_valid && !same.asUInt.orR && idle.orR
  arbiter.io.out.ready := !s1_valid || s1_goes
  s1_valid := !io.state.clear && (arbiter.io.out.fire || s1_valid && !s1_goes)

  private val within = s1_vpn(sectorBits - 1, 0)
  private val sector = sectors.find(s1_vpn >> sectorBits)(s => !s.mappings(within).isFault && (s.asid === s1_asid || s.mappings(within).global))
  private val superpage = superpages.find(s1_vpn >> Sv39.indexBits)(e => e.asid === s1_asid || e.mapping.global)
  private val lastTable = lastTables.find(s1_vpn >> Sv39.indexBits)(_.asid === s1_asid)
  private val middleTable = middleTables.find(s1_vpn >> (2 * Sv39.indexBits))(_.asid === s1_asid)
  private val begun = Wire(new Walk)
  begun.vpn := s1_vpn
  begun.level := Mux(lastTable.valid, 0.U, Mux(middleTable.valid, 1.U, 2.U))
  begun.table := Mux(lastTable.valid, lastTable.bits, middleTable.bits)
  when(!lastTable.valid && !middleTable.valid) {
    begun.table.outside := false.B
    begun.table.page := s1_root
  }
  begun.table.asid := s1_asid
  begun.waiting := s1_from
  begun.killed := io.state.clear
  begun.forgetsFault := io.state.forgetFaults
  begun.isSuperpage := !sector.valid
  begun.mapping := Mux(sector.valid, sector.bits.mappings(within), superpage.bits.mapping)

  // Reads, one a cycle, each offered until it is taken
  private val unsent = in(State.send)
  private val sender = RegInit(0.U(idBits.W))
  private val offered = Mux(unsent(sender), sender, PriorityEncoder(unsent))
  sender := offered
  private val reader = walks(offered)
  private val where = AddressClass(p, reader.address.pad(64), false.B)
  private val refused = !(where.memory || where.rom) || io.pmp.denies(reader.address, io.pmp.walk)
  io.l2.req.valid := unsent.orR && !refused
  io.l2.req.bits.id := offered
  io.l2.req.bits.isPrefetch := false.B
  io.l2.req.bits.lineAddr := reader.address >> log2Ceil(p.lineBytes)

  // An answer is looked at a cycle later
  private val r_valid = RegNext(io.l2.resp.valid, false.B)
  private val r = RegEnable(io.l2.resp.bits, io.l2.resp.valid)
  private val answered = walks(r.id)
  private val entries = r.data.asTypeOf(Vec(1 << sectorBits, UInt(Sv39.pteBits.W)))
  private val pte = new Pte(p, entries(answered.index(sectorBits - 1, 0)))
  private val leaf = pte.mapping(answered.level, answered.vpn)
  private val goesOn = pte.isPointer(answered.level) && !r.error && !answered.killed
  private val keeps = r_valid && !r.error && !answered.killed
  private val isLeaf = keeps && !goesOn && !leaf.isFault
  private val next = Wire(new PageTable(p))
  next.asid := answered.table.asid
  next.outside := pte.outside
  next.page := pte.page
  private def ofAsid(asid: UInt): Bool = asid === answered.table.asid
  middleTables.write(keeps && goesOn && answered.level === 2.U, answered.vpn >> (2 * Sv39.indexBits), next, false.B)(t => ofAsid(t.asid))
  lastTables.write(keeps && goesOn && answered.level === 1.U, answered.vpn >> Sv39.indexBits, next, false.B)(t => ofAsid(t.asid))
  private val read = Wire(new PageSector(p))
  read.asid := answered.table.asid
  read.mappings := VecInit(entries.map(new Pte(p, _).mapping(0.U, answered.vpn)))
  sectors.write(isLeaf && answered.level === 0.U, answered.vpn >> sectorBits, read, false.B)(s => ofAsid(s.asid))
  private val large = Wire(new TlbEntry(p))
  large.asid := answered.table.asid
  large.mapping := leaf
  superpages.write(isLeaf && answered.level =/= 0.U, answered.vpn >> Sv39.indexBits, large, false.B)(e => ofAsid(e.asid))

  // Results, to each requester on its own
  private val done = in(State.done)
  private val dropped = VecInit(walks.map(w => w.killed || w.forgetsFault && w.mapping.isFault)).asUInt
  private val served = io.tlbs.zipWithIndex.map { case (tlb, k) =>
    val inTurn = Module(new RRArbiter(new WalkResult(p), mmu.walks))
    for ((in, (w, i)) <- inTurn.io.in.zip(walks.zipWithIndex)) {
      in.valid := done(i) && !dropped(i) && w.waiting(k)
      in.bits.vpn := w.vpn
      in.bits.isSuperpage := w.isSuperpage
      in.bits.entry.asid := w.table.asid
      in.bits.entry.mapping := w.mapping
    }
    tlb.result <> inTurn.io.out
    VecInit(inTurn.io.in.map(_.fire))
  }
  for (i <- 0 until mmu.walks) {
    val left = walks(i).waiting & ~Cat(served.reverse.map(_(i)))
    ends(i) := done(i) && (dropped(i) || left === 0.U)
    walks(i).waiting := left | Mux(s1_valid && same(i), s1_from, 0.U)
    when(io.state.clear) { walks(i).killed := true.B }
    when(io.state.forgetFaults) { walks(i).forgetsFault := true.B }
    when(ends(i)) { state(i) := State.idle }
    when(unsent(i) && offered === i.U) {
      when(refused) {
        state(i) := State.done
        walks(i).mapping := PageMapping.fault(p, isAccess = true.B)
        walks(i).isSuperpage := false.B
      }.elsewhen(io.l2.req.ready) { state(i) := State.read }
    }
    when(r_valid && r.id === i.U) {
      assert(state(i) === State.read, "page walker: an answer that nobody waits for")
      state(i) := Mux(goesOn, State.send, State.done)
      when(goesOn) {
        walks(i).level := answered.level - 1.U
        walks(i).table := next
      }.otherwise {
        walks(i).mapping := Mux(r.error, PageMapping.fault(p, isAccess = true.B), leaf)
        walks(i).isSuperpage := answered.level =/= 0.U && !leaf.isFault && !r.error
      }
    }
    when(begins && PriorityEncoder(idle) === i.U) {
      walks(i) := begun
      state(i) := Mux(sector.valid || superpage.valid, State.done, State.send)
    }
    BoundedWait.memory(state(i) =/= State.idle, "a page-table walk")
  }
  private val woken = RegNext(VecInit(served.flatten).asUInt.orR || ends.asUInt.orR, false.B)
  for (tlb <- io.tlbs) {
    tlb.full := s1_valid && !s1_goes
    tlb.woken := woken
  }

  io.probe.requests := VecInit(io.tlbs.map(_.request.fire))
  io.probe.l2TlbMiss := begins && !sector.valid && !superpage.valid
  io.probe.read := io.l2.req.fire
  io.probe.walks := PopCount(~idle)
}

object PageWalker {
  val fetch = 0
  val load = 1
  val store = 2
  val requesters = 3
}
