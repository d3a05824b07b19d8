// SPDX-License-Identifier: Apache-2.0
package nhg.tile

import amu.{Amu, AmuProbe, Spm}
import bus.{Axi4Port, DevicePort}
import chisel3._
import chisel3.util._
import nhg._
import nhg.backend.CommitRecord
import nhg.cache.{L2Cache, L2Probe}
import nhg.core.{CoreProbe, NhgCore}
import platform.Amuctl

/** What a tile counts. */
class TileProbe(p: NhgParams) extends Bundle {
  val core = new CoreProbe(p)
  val l2 = new L2Probe
  val amu = new AmuProbe(p.amu)
}

/** A core with its L2, its AMU and its SPM. A far request leaves at `l2Memory` (demand misses) or at `amuMemory`, never at both;
  * AXI IDs are L2's MSHRs and write-backs, and the AMU's line tags.
  */
class NhgTile(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val resetPc = Input(UInt(p.pcBits.W))
    val l2Memory = new Axi4Port(p.amu.axi)
    val amuMemory = new Axi4Port(p.amu.axi)
    val mmio = new DevicePort(p.paddrBits)
    val commit = Output(Vec(p.backend.commitWidth, new CommitRecord(p)))
    val probe = Output(new TileProbe(p))
  })
  private val core = Module(new NhgCore(p))
  private val l2 = Module(new L2Cache(p))
  private val amu = Module(new Amu(p.amu))
  private val spm = Module(new Spm(p.amu))

  core.io.resetPc := io.resetPc
  io.mmio <> core.io.mmio
  io.commit := core.io.commit

  core.io.amuRequest <> amu.io.request
  core.io.amuFinish <> amu.io.finish
  core.io.amuCsr <> amu.io.csr
  core.io.amuOrder <> amu.io.order
  core.io.btq <> amu.io.btq

  l2.io.l1i <> core.io.l1i
  l2.io.l1d <> core.io.l1d
  l2.io.amu <> amu.io.cache
  l2.io.spm.take := core.io.amuctl(Amuctl.spmWay.lsb)
  io.l2Memory <> l2.io.mem
  io.amuMemory <> amu.io.axi

  // The last L2 way is the SPM's RAM; the line port serves whoever owns the way.
  private val spmPresent = l2.io.spm.present
  core.io.spmPresent := spmPresent
  amu.io.amuctl := Cat(spmPresent, core.io.amuctl(Amuctl.on.lsb))
  spm.io.word <> core.io.spm
  spm.io.line.read.valid := Mux(spmPresent, amu.io.spm.read.valid, l2.io.spm.line.read.valid)
  spm.io.line.read.bits := Mux(spmPresent, amu.io.spm.read.bits, l2.io.spm.line.read.bits)
  spm.io.line.write.valid := Mux(spmPresent, amu.io.spm.write.valid, l2.io.spm.line.write.valid)
  spm.io.line.write.bits := Mux(spmPresent, amu.io.spm.write.bits, l2.io.spm.line.write.bits)
  for (port <- Seq(amu.io.spm, l2.io.spm.line)) {
    port.read.ready := spm.io.line.read.ready
    port.write.ready := spm.io.line.write.ready
    port.readData := spm.io.line.readData
  }
  assert(!spmPresent || !(l2.io.spm.line.read.valid || l2.io.spm.line.write.valid), "L2 uses the way that is the SPM")
  assert(spmPresent || !(amu.io.spm.read.valid || amu.io.spm.write.valid), "AMU uses the SPM while the way is not taken")

  io.probe.core := core.io.probe
  io.probe.l2 := l2.io.probe
  io.probe.amu := amu.io.probe
}
