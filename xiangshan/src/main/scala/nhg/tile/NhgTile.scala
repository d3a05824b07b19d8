// SPDX-License-Identifier: Apache-2.0
package nhg.tile

import amu.{Amu, AmuProbe, NoAmu, Spm}
import bus.{Axi4Port, DevicePort, LineLookupPort}
import chisel3._
import chisel3.util._
import nhg._
import nhg.backend.CommitRecord
import nhg.cache.{CacheProbe, L2Cache, LookupLevels}
import nhg.core.{CoreProbe, NhgCore}
import nhg.priv.{InterruptLines, PrivilegedTrace}
import platform.Amuctl

/** What a tile counts. */
class TileProbe(p: NhgParams) extends Bundle {
  val core = new CoreProbe(p)
  val l2 = new CacheProbe(p.l2.slices)
  val amu = new AmuProbe(p.amu)
}

/** A core with its L2, its AMU and its SPM. A far request leaves at `lower` (demand misses) or at `amuMemory`, never at both; before it leaves there,
  * it has asked L3, if there is one. AXI IDs are the AMU's line tags.
  */
class NhgTile(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val hartId = Input(UInt(64.W)) // mhartid
    val resetPc = Input(UInt(p.addressBits.W))
    val lower = L2Cache.lower(p)
    val l3Lookup = p.l3.map(_ => new LineLookupPort(p.line))
    val amuMemory = new Axi4Port(p.amu.axi)
    val mmio = new DevicePort(p.paddrBits)
    val lines = Input(new InterruptLines)
    val commit = Output(Vec(p.backend.commitWidth, new CommitRecord(p)))
    val privileged = Output(new PrivilegedTrace)
    val probe = Output(new TileProbe(p))
  })
  private val core = Module(new NhgCore(p))
  private val l2 = Module(new L2Cache(p))
  private val amu = Module(if (p.hasAmu) new Amu(p.amu) else new NoAmu(p.amu))
  private val spm = Module(new Spm(p.amu, p.l2.slices))

  core.io.hartId := io.hartId
  core.io.resetPc := io.resetPc
  core.io.lines := io.lines
  io.mmio <> core.io.mmio
  io.commit := core.io.commit
  io.privileged := core.io.privileged

  core.io.amuRequest <> amu.io.request
  core.io.amuTranslation <> amu.io.translation
  core.io.amuFinish <> amu.io.finish
  core.io.amuCsr <> amu.io.csr
  core.io.amuOrder <> amu.io.order
  core.io.requestsInFlight := amu.io.spmInUse
  core.io.btq <> amu.io.btq
  core.io.pollWait := amu.io.pollWait

  l2.io.l1i <> core.io.l1i
  l2.io.walker <> core.io.walker
  l2.io.l1d <> core.io.l1d
  l2.io.pmp := core.io.pmp
  // Given back, the way stays the SPM's until the requests under way are done; the core waits for `spmPresent` meanwhile.
  for (way <- l2.io.spm) way.take := core.io.amuctl(Amuctl.spmWay.lsb) || amu.io.spmInUse
  io.lower <> l2.io.lower
  io.amuMemory <> amu.io.axi
  l2.io.wanted <> amu.io.wanted

  // The caches that the AMU asks.
  io.l3Lookup match {
    case Some(l3) =>
      val levels = Module(new LookupLevels(p.line, p.amu.lookups))
      levels.io.amu <> amu.io.cache
      levels.io.near <> l2.io.amu
      levels.io.far <> l3
    case None => l2.io.amu <> amu.io.cache
  }

  // The last way of L2's slices is the SPM's RAM, once all of them have handed it over.
  private val spmPresent = VecInit(l2.io.spm.map(_.present)).asUInt.andR
  core.io.spmPresent := spmPresent
  amu.io.amuctl := Cat(spmPresent, core.io.amuctl(Amuctl.on.lsb))
  spm.io.word <> core.io.spm
  spm.io.present := spmPresent
  spm.io.line <> amu.io.spm
  core.io.spmWritten.valid := amu.io.spm.write.fire
  core.io.spmWritten.bits := amu.io.spm.write.bits.line
  for ((way, k) <- l2.io.spm.zipWithIndex) {
    spm.io.ways(k) <> way.line
    assert(!spmPresent || !(way.line.read.valid || way.line.write.valid), "L2 uses the way that is the SPM")
  }
  assert(spmPresent || !(amu.io.spm.read.valid || amu.io.spm.write.valid), "AMU uses the SPM while the way is not taken")

  io.probe.core := core.io.probe
  io.probe.l2 := l2.io.probe
  io.probe.amu := amu.io.probe
}
