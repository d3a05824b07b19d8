// SPDX-License-Identifier: Apache-2.0
package nhg.core

import amu.{AmuConfig, AmuCsrIO, AmuFinishIO, AmuOrderIO, AmuRequestIO, AmuTranslationIO, BtqEntry}
import bus.{DevicePort, LineReadPort, SpmWordPort}
import chisel3._
import chisel3.util._
import nhg._
import nhg.backend.{Backend, BackendPerf, CommitRecord}
import nhg.frontend.Frontend
import nhg.mem.{L1D, LsuProbe, Lsu}
import nhg.mmu.{PageWalker, WalkerProbe}
import nhg.priv.{InterruptLines, PmpState, PrivilegedTrace}

/** What the core counts. */
class CoreProbe(p: NhgParams) extends Bundle {
  val backend = new BackendPerf(p)
  val lsu = new LsuProbe(p)
  val walker = new WalkerProbe(p)
}

/** The out-of-order core with its L1 caches: front end, back end, load-store unit, page walker. */
class NhgCore(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val hartId = Input(UInt(64.W))
    val resetPc = Input(UInt(p.addressBits.W))
    val l1i = new LineReadPort(p.line, log2Ceil(p.l1i.mshrs))
    val l1d = L1D.port(p)
    val walker = new LineReadPort(p.line, log2Ceil(p.mmu.walks))
    val mmio = new DevicePort(p.paddrBits)
    val spm = new SpmWordPort(p.amu.spm)
    val spmPresent = Input(Bool()) // follows amuctl[1] after L2 has emptied the way
    val spmWritten = Flipped(Valid(UInt(p.amu.spm.lineBits.W))) // by the AMU
    val lines = Input(new InterruptLines)
    val pmp = Output(new PmpState(p)) // for prefetches of L2
    val amuctl = Output(UInt(2.W))
    val amuRequest = Flipped(new AmuRequestIO(p.amu))
    val amuTranslation = Flipped(new AmuTranslationIO)
    val amuFinish = Flipped(new AmuFinishIO(p.amu))
    val amuCsr = Flipped(new AmuCsrIO(p.amu))
    val requestsInFlight = Input(Bool()) // of the AMU, committed
    val amuOrder = Flipped(new AmuOrderIO(p.amu))
    val btq = Flipped(Decoupled(new BtqEntry(p.amu)))
    val pollWait = Input(UInt(AmuConfig.pollWaitBits.W))
    val commit = Output(Vec(p.backend.commitWidth, new CommitRecord(p)))
    val privileged = Output(new PrivilegedTrace) // before this cycle's commits; the write of a CSR has happened when it commits
    val probe = Output(new CoreProbe(p))
  })
  private val frontend = Module(new Frontend(p))
  private val backend = Module(new Backend(p))
  private val lsu = Module(new Lsu(p))
  private val walker = Module(new PageWalker(p))

  frontend.io.resetPc := io.resetPc
  frontend.io.core <> backend.io.frontend
  frontend.io.btq <> io.btq
  frontend.io.pollWait := io.pollWait
  frontend.io.translation := backend.io.translation
  frontend.io.pmp := backend.io.pmp
  io.pmp := backend.io.pmp
  io.l1i <> frontend.io.l2

  walker.io.state := backend.io.translation
  walker.io.pmp := backend.io.pmp
  walker.io.tlbs(PageWalker.fetch) <> frontend.io.walks
  walker.io.tlbs(PageWalker.load) <> lsu.io.loadWalks
  walker.io.tlbs(PageWalker.store) <> lsu.io.storeWalks
  io.walker <> walker.io.l2

  backend.io.hartId := io.hartId
  backend.io.lsu <> lsu.io.core
  backend.io.lines := io.lines
  backend.io.requestsInFlight := io.requestsInFlight
  backend.io.spmPresent := io.spmPresent
  io.amuRequest <> backend.io.amuRequest
  io.amuFinish <> backend.io.amuFinish
  io.amuCsr <> backend.io.amuCsr
  io.amuctl := backend.io.amuctl
  io.commit := backend.io.commit
  io.privileged := backend.io.privileged

  io.l1d <> lsu.io.l2
  io.mmio <> lsu.io.mmio
  io.spm <> lsu.io.spm
  io.amuOrder <> lsu.io.order
  io.amuTranslation <> lsu.io.amuTranslation
  lsu.io.spmPresent := io.spmPresent
  lsu.io.translation := backend.io.translation
  lsu.io.pmp := backend.io.pmp
  lsu.io.triggers := backend.io.triggers
  lsu.io.spmWritten := io.spmWritten

  io.probe.backend := backend.io.perf
  io.probe.lsu := lsu.io.probe
  io.probe.walker := walker.io.probe
}
