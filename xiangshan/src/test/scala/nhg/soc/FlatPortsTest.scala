// SPDX-License-Identifier: Apache-2.0
package nhg.soc

import bus.{Axi4Params, Axi4Port, DevicePort}
import chisel3._
import chiseltest._
import nhg._
import nhg.mem.Signals
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

private class FlatPortsBench(params: Axi4Params, p: NhgParams) extends Module {
  val axi = IO(Flipped(new Axi4Port(params)))
  val flatAxi = IO(new FlatAxi4(params))
  val mmio = IO(Flipped(new DevicePort(p.paddrBits)))
  val flatMmio = IO(new FlatMmio(p))
  flatAxi.connect(axi)
  flatMmio.connect(mmio)
}

/** Every signal of the top's ports is the one of its name. */
class FlatPortsTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()

  "Flat ports" should "carry every signal under its AXI name" in {
    test(new FlatPortsBench(Axi4Params(addrBits = 36, dataBits = 256, idBits = 11), p)) { dut =>
      val random = new Random(2)
      val s = new Signals
      val (axi, flat, mmio, flatMmio) = (dut.axi, dut.flatAxi, dut.mmio, dut.flatMmio)
      // driven, seen
      val wires: Seq[(UInt, UInt)] = Seq(
        axi.aw.valid -> flat.awvalid,
        flat.awready -> axi.aw.ready,
        axi.aw.bits.id -> flat.awid,
        axi.aw.bits.addr -> flat.awaddr,
        axi.aw.bits.len -> flat.awlen,
        axi.aw.bits.size -> flat.awsize,
        axi.w.valid -> flat.wvalid,
        flat.wready -> axi.w.ready,
        axi.w.bits.data -> flat.wdata,
        axi.w.bits.strb -> flat.wstrb,
        axi.w.bits.last -> flat.wlast,
        flat.bvalid -> axi.b.valid,
        axi.b.ready -> flat.bready,
        flat.bid -> axi.b.bits.id,
        flat.bresp -> axi.b.bits.resp,
        axi.ar.valid -> flat.arvalid,
        flat.arready -> axi.ar.ready,
        axi.ar.bits.id -> flat.arid,
        axi.ar.bits.addr -> flat.araddr,
        axi.ar.bits.len -> flat.arlen,
        axi.ar.bits.size -> flat.arsize,
        flat.rvalid -> axi.r.valid,
        axi.r.ready -> flat.rready,
        flat.rid -> axi.r.bits.id,
        flat.rdata -> axi.r.bits.data,
        flat.rresp -> axi.r.bits.resp,
        flat.rlast -> axi.r.bits.last,
        mmio.req.valid -> flatMmio.req_valid,
        flatMmio.req_ready -> mmio.req.ready,
        mmio.req.bits.addr -> flatMmio.req_addr,
        mmio.req.bits.write -> flatMmio.req_write,
        mmio.req.bits.size -> flatMmio.req_size,
        mmio.req.bits.data -> flatMmio.req_data,
        mmio.req.bits.mask -> flatMmio.req_mask,
        flatMmio.resp_valid -> mmio.resp.valid,
        flatMmio.resp_data -> mmio.resp.bits.data,
        flatMmio.resp_error -> mmio.resp.bits.error
      )
      for (_ <- 0 until 20) {
        val values = wires.map { case (driven, _) => BigInt(driven.getWidth, random) }
        for (((driven, _), value) <- wires.zip(values)) driven match {
          case bit: Bool => s.set(bit, value == 1)
          case bits => s.set(bits, value)
        }
        for (((_, seen), value) <- wires.zip(values)) assert(s.get(seen) == value, seen.toString)
      }
    }
  }
}
