// SPDX-License-Identifier: Apache-2.0
package amu

import chiseltest._
import chiseltest.iotesters.PeekPokeTester
import org.scalatest.flatspec.AnyFlatSpec
import platform.{AmuLimits, Regions}
import scala.util.Random

/** Rule 9: every error code, every pair of errors (the lower code wins), access faults, and random operands. */
class RequestCheckTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = AmuParams()
  import AmiRequest._

  private class Case(var r: AmiRequest, val state: IdModel = new IdModel)

  /** One way to violate each rule; a change of the request word or of the ID's state. */
  private val memoryErrors: Seq[(Int, Case => Unit)] = Seq(
    1 -> (c => c.r = c.r.copy(rs2 = (c.r.rs2 & ~BigInt(0xffff)) | (p.maxId + 1))),
    3 -> (c => c.state.outstanding = true),
    4 -> (c => c.r = c.r.copy(rs1 = (c.r.rs1 & mask(60)) | (BigInt(13) << 60))),
    5 -> (c => c.r = c.r.copy(rs1 = c.r.rs1 | 1)),
    6 -> (c => c.r = c.r.copy(rs2 = c.r.rs2 | (1 << 16))),
    7 -> (c => c.r = c.r.copy(rs2 = c.r.rs2 | (1L << 25))),
    8 -> (c => c.r = c.r.copy(rs1 = c.r.rs1 | 0xff0)),
    11 -> (c => c.r = c.r.copy(rs2 = c.r.rs2 | (BigInt(1) << 40)))
  )

  private class Driver(dut: RequestCheck, pins: Pins) {
    val reference = new ReferenceAmu(p, 4096)
    var denied = false // by memory protection
    var pageFault = false
    def expect(c: Case, cause: Option[(Int, BigInt)]): Unit = {
      pins(dut.io.in.op) = c.r.op
      pins(dut.io.in.rs1) = c.r.rs1
      pins(dut.io.in.rs2) = c.r.rs2
      pins(dut.io.state.outstanding) = c.state.outstanding
      pins(dut.io.state.asetOpen) = c.state.asetOpen
      pins(dut.io.spmSlot) = reference.slot
      pins(dut.io.spmWayTaken) = reference.spmWayTaken
      pins(dut.io.where.page) = c.r.wideAddress >> 12 & mask(24)
      pins(dut.io.where.outside) = c.r.wideAddress >> 36 != 0
      pins(dut.io.where.pageFault) = pageFault
      pins(dut.io.where.denied) = denied
      assert(pins.is(dut.io.exception) == cause.nonEmpty, s"${c.r}: expected $cause")
      cause.foreach { case (number, tval) =>
        assert(pins(dut.io.cause) == number && pins(dut.io.tval) == tval, f"${c.r}: tval 0x${pins(dut.io.tval)}%x, expected $cause")
      }
      if (cause.isEmpty && c.r.isMemory) {
        assert(pins(dut.io.spmAddr) == c.r.id * reference.slot + c.r.offset, s"SPM address of ${c.r}")
        val lines = (c.r.address + c.r.size - 1) / 64 - c.r.address / 64 + 1
        assert(pins(dut.io.lines) == lines, s"lines of ${c.r}")
      }
    }
    def code(number: Int, id: BigInt): Option[(Int, BigInt)] = Some((AmuLimits.cause, (BigInt(number) << 56) | id))
  }

  private def run(body: Driver => Unit): Unit =
    test(new RequestCheck(p)).runPeekPoke(dut => new PeekPokeTester(dut) { body(new Driver(dut, new Pins(this))) })

  "RequestCheck" should "raise the lowest code of memory requests" in run { driver =>
    for (isStore <- Seq(false, true)) {
      def legal = new Case(memory(isStore, 3, p.farMemory.base, 5, 0, -4))
      driver.expect(legal, None)
      for ((low, first) <- memoryErrors; (high, second) <- memoryErrors if high >= low) {
        val c = legal
        second(c)
        first(c)
        driver.expect(c, driver.code(low, c.r.id))
      }
      val inOpenGroup = legal
      inOpenGroup.state.outstanding = true
      inOpenGroup.state.asetOpen = true
      driver.expect(inOpenGroup, None)
      driver.expect(new Case(memory(isStore, 0, p.farMemory.base, 3, 0, 0)), driver.code(1, 0))
      driver.expect(new Case(memory(isStore, p.maxId, p.localMemory.base, 6, 0, 0)), None)
      driver.reference.config(3) = 128
      driver.expect(new Case(memory(isStore, 255, p.localMemory.base, 6, 64, 0)), None)
      driver.expect(new Case(memory(isStore, 256, p.localMemory.base, 0, 0, 0)), driver.code(7, 256)) // beyond the SPM
      driver.reference.config(3) = 64
    }
  }

  it should "raise access faults after AMU errors" in run { driver =>
    for ((isStore, cause) <- Seq(false -> 5, true -> 7)) {
      val outside = Seq(Regions.bootRom.base, Regions.spm.base, p.localMemory.base - 64, p.farMemory.end, (1L << 38) + p.localMemory.base)
      for (address <- outside) {
        val request = memory(isStore, 1, address, 3, 0, 0)
        driver.expect(new Case(request), Some((cause, request.wideAddress)))
      }
      for (address <- Seq(p.localMemory.end - 64, p.farMemory.end - 64)) driver.expect(new Case(memory(isStore, 1, address, 6, 0, 0)), None)
      driver.expect(new Case(memory(isStore, 1, 0x1001L, 3, 0, 0)), driver.code(5, 1))
      driver.reference.spmWayTaken = false
      driver.expect(new Case(memory(isStore, 1, p.farMemory.base, 3, 0, 0)), Some((cause, BigInt(p.farMemory.base))))
      driver.reference.spmWayTaken = true
      driver.denied = true
      driver.expect(new Case(memory(isStore, 1, p.farMemory.base, 3, 0, 0)), Some((cause, BigInt(p.farMemory.base))))
      driver.expect(new Case(group(7, 63)), None)
      driver.denied = false
      driver.pageFault = true
      driver.expect(new Case(memory(isStore, 1, 0x1001L, 3, 0, 0)), driver.code(5, 1))
      for (address <- Seq(p.farMemory.base, (1L << 38) + 8, 8L)) {
        val request = memory(isStore, 1, address, 3, 0, 0)
        driver.expect(new Case(request), Some((cause + 8, request.wideAddress)))
        driver.reference.spmWayTaken = false
        driver.expect(new Case(request), Some((cause, request.wideAddress)))
        driver.reference.spmWayTaken = true
      }
      driver.expect(new Case(group(7, 63)), None)
      driver.pageFault = false
    }
  }

  it should "check the other instructions" in run { driver =>
    val busy = new IdModel
    busy.outstanding = true
    val open = new IdModel
    open.asetOpen = true
    val big = BigInt(1) << 63
    driver.expect(new Case(group(7, 63)), None)
    driver.expect(new Case(group(7, 1), open), None)
    driver.expect(new Case(group(7, 64)), driver.code(2, 7))
    driver.expect(new Case(group(7, 0), busy), driver.code(2, 7))
    driver.expect(new Case(group(0, 0)), driver.code(1, 0))
    driver.expect(new Case(AmiRequest(aset, big | 7, 1)), driver.code(1, 7))
    driver.expect(new Case(AmiRequest(aset, 7, big | 1)), driver.code(2, 7))
    driver.expect(new Case(group(7, 1), busy), driver.code(3, 7))
    driver.expect(new Case(waiting(7, 1)), None)
    driver.expect(new Case(waiting(7, 1), busy), driver.code(3, 7))
    driver.expect(new Case(waiting(7, 1), open), driver.code(3, 7))
    driver.expect(new Case(waiting(0, 1), open), driver.code(1, 0))
    driver.expect(new Case(signal(p.maxId), busy), None)
    driver.expect(new Case(signal(p.maxId + 1)), driver.code(1, p.maxId + 1))
    driver.expect(new Case(AmiRequest(asignal, big | 1, 0)), driver.code(1, 1))
    for (register <- Seq(0, 2, 4)) {
      for (legal <- Seq(mask(38) - 1, mask(64) ^ mask(38))) driver.expect(new Case(config(register, legal)), None)
      for (wrong <- Seq(BigInt(1) << 38, BigInt(1) << 63, (mask(64) ^ mask(38)) - 2)) driver.expect(new Case(config(register, wrong)), driver.code(10, 0))
    }
    for (register <- Seq(1, 5)) {
      driver.expect(new Case(config(register, 65535)), None)
      driver.expect(new Case(config(register, 65536)), driver.code(10, 0))
    }
    driver.expect(new Case(config(4, 1)), driver.code(10, 0))
    for (slot <- 3 to 12) driver.expect(new Case(config(3, 1 << slot)), None)
    for (slot <- Seq[BigInt](0, 4, 24, 8192, big, big | 8)) driver.expect(new Case(config(3, slot)), driver.code(10, 0))
    driver.expect(new Case(config(6, 1 << 20)), driver.code(9, 0))
    driver.expect(new Case(AmiRequest(aconfig, 64, big | 3)), driver.code(9, 0))
  }

  it should "agree with the reference on random operands" in run { driver =>
    val random = new Random(1)
    var legal = 0
    for (_ <- 0 until 20000) {
      driver.reference.config(3) = 8 << random.nextInt(10)
      def sparse(bits: Int): BigInt = if (random.nextInt(3) == 0) BigInt(bits, random) else BigInt(0)
      val size = random.nextInt(14)
      val align = (1 << size).min(if (random.nextInt(4) == 0) 1 else 8)
      val op = Seq(0, 1, 4, 5, 6, 7)(random.nextInt(6))
      val r =
        if (op <= 1 || op == 6)
          memory(false, random.nextInt(520), p.localMemory.base + random.nextInt(1 << 14) / align * align, size, random.nextInt(64) / align * align, 0)
        else AmiRequest(op, BigInt(random.nextInt(520)) | (sparse(64) << 10), random.nextInt(70))
      val c = new Case(r.copy(op = op, rs1 = (r.rs1 ^ (sparse(64) & sparse(64) & sparse(64))) & mask(64), rs2 = r.rs2 ^ (sparse(1) << 33)))
      c.state.outstanding = random.nextInt(4) == 0
      c.state.asetOpen = random.nextInt(4) == 0
      val expected = driver.reference.check(c.r, c.state)
      if (expected.isEmpty) legal += 1
      driver.expect(c, expected)
    }
    assert(legal > 1000)
  }
}
