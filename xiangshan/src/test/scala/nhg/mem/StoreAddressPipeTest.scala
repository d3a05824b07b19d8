// SPDX-License-Identifier: Apache-2.0
package nhg.mem

import chiseltest._
import common.Simulators
import nhg._
import nhg.priv.Pmp
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

/** Stores, atomics and LR at random addresses with random rights: which of them have an exception, and which. */
class StoreAddressPipeTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val (lr, sc, amoadd) = (2, 3, 0)

  "StoreAddressPipe" should "refuse what is misaligned, not there, denied, or watched" in {
    test(new StoreAddressPipe(p)).withAnnotations(Simulators.verilatorOf("StoreAddressPipe")) { dut =>
      val (random, s, io) = (new Random(1), new Signals, dut.io)
      val counts = scala.collection.mutable.Map[(Boolean, Int), Int]().withDefaultValue(0)
      for (_ <- 0 until 4000) {
        val region = Seq(p.map.local, p.map.far, p.map.spm, p.map.mmio, p.map.bootRom)(random.nextInt(5))
        val isAmo = random.nextBoolean()
        val (op, size) = (Seq(lr, sc, amoadd)(random.nextInt(3)), if (isAmo) 2 + random.nextInt(2) else random.nextInt(4))
        val isLr = isAmo && op == lr
        val offset = if (random.nextInt(4) == 0) random.nextInt(8) else 0
        val address = BigInt(region.base) + 8 * random.nextInt(16) + offset
        val (readDenied, writeDenied, present) = (random.nextInt(4) == 0, random.nextInt(4) == 0, random.nextInt(4) != 0)
        s.set(io.issue.valid, true)
        val (misses, pageFault, walkBegins) = (random.nextInt(4) == 0, random.nextInt(4) == 0, random.nextBoolean())
        s.set(io.tlb.physical, if (misses) BigInt(64, random) else address)
        s.set(io.tlb.miss, misses)
        s.set(io.tlb.pageFault, pageFault && !misses)
        s.set(io.tlb.waits, walkBegins)
        s.set(io.issue.bits.base, address)
        s.set(io.issue.bits.size, size)
        s.set(io.issue.bits.isAmo, isAmo)
        s.set(io.issue.bits.amoOp, op)
        s.set(io.spmPresent, present)
        for ((rights, denied) <- Seq(io.pmp.read -> readDenied, io.pmp.write -> writeDenied))
          s.set(rights, if (denied) BigInt(1) << Pmp.regions else BigInt(0)) // where no region is
        val (onLoad, onStore) = (random.nextInt(4) == 0, random.nextInt(4) == 0)
        val trigger = io.triggers.all(1)
        s.set(trigger.load, onLoad)
        s.set(trigger.store, onStore)
        s.set(trigger.address, address + random.nextInt(1 << size))
        val misaligned = address % (1 << size) != 0
        val memory = region == p.map.local || region == p.map.far
        val there = memory || !isAmo && (region == p.map.mmio || region == p.map.spm && present)
        val denied = pageFault || (if (isLr) readDenied else writeDenied)
        val refused = !there || denied
        val checksFirst = isAmo && !isLr
        val first = checksFirst && (misaligned || denied || op == sc && !memory) // what comes before a trigger
        val fires = onLoad && isAmo && op != sc || onStore && !isLr
        val watched = !first && fires
        val waits = misses && !misaligned && (checksFirst || !fires)
        val exception = io.resolved.bits.exception
        val what = f"isAmo $isAmo op $op of ${1 << size} bytes at $address%x"
        assert(s.is(io.resolved.valid) != waits && s.is(io.missed.valid) == waits && s.is(io.tlb.walks) == waits, what)
        if (waits) {
          assert(s.is(io.missed.bits.waits) == walkBegins && s.get(io.missed.bits.op.exception.tval) == address, what)
          counts(isAmo -> 0) += 1
        } else assert(s.is(exception.valid) == (watched || misaligned || refused), what)
        if (!waits && (watched || misaligned || refused)) {
          val cause = if (watched) 3 else if (pageFault && !misaligned) (if (isLr) 13 else 15) else (if (isLr) 4 else 6) + (if (misaligned) 0 else 1)
          assert(s.get(exception.cause) == cause && s.get(exception.tval) == address, what)
          counts(isAmo -> cause) += 1
        }
        dut.clock.step()
      }
      for (
        kind <- Seq(
          false -> 0,
          true -> 0,
          false -> 15,
          true -> 13,
          true -> 15,
          false -> 3,
          false -> 6,
          false -> 7,
          true -> 3,
          true -> 4,
          true -> 5,
          true -> 6,
          true -> 7
        )
      ) assert(counts(kind) > 50, s"$kind: $counts")
    }
  }
}
