// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus.{Axi4Port, LineLookupPort, LineReadPort, Permission}
import chisel3._
import chisel3.util.{Decoupled, Fill}
import chiseltest._
import common.Simulators
import nhg._
import nhg.mem.L1D
import org.scalatest.flatspec.AnyFlatSpec

import scala.collection.mutable
import scala.util.Random

/** The RAM behind a slice's last way. While the way is the SPM's, its owner writes all over it: no line may be left there. */
object SpmRam {
  def apply(way: SpmWayPort): Unit = {
    val port = way.line
    val ram = SyncReadMem(1 << port.read.bits.getWidth, UInt(port.readData.getWidth.W))
    port.read.ready := true.B
    port.write.ready := true.B
    port.readData := ram.read(port.read.bits, port.read.valid)
    val next = RegInit(0.U((port.read.bits.getWidth + 1).W)) // first each line is read, then written
    val lines = 1 << port.read.bits.getWidth
    val first = ram.read(next, way.present)
    assert(!RegNext(way.present && next < lines.U, false.B) || first === 0.U, "the SPM does not begin with zeros")
    when(!way.present) { next := 0.U }
    when(way.present) {
      next := Mux(next.andR, lines.U, next + 1.U)
      when(next >= lines.U) { ram.write(next, Fill(port.readData.getWidth / 8, 0xa5.U(8.W))) }
      assert(!port.write.valid, "the cache writes a line where the SPM is")
    }.elsewhen(port.write.valid) { ram.write(port.write.bits.line, port.write.bits.data) }
  }
}

/** L2 with an SPM RAM behind its last way, as in the SoC. */
class L2WithSpm(p: NhgParams) extends Module {
  val io = IO(new Bundle {
    val l1d = Flipped(L1D.port(p))
    val l1i = Flipped(new LineReadPort(p.line, chisel3.util.log2Ceil(p.l1i.mshrs)))
    val amu = Flipped(new LineLookupPort(p.line))
    val wanted = Flipped(Decoupled(UInt(p.lineAddrBits.W)))
    val mem = new Axi4Port(p.amu.axi)
    val takeSpmWay = Input(Bool())
    val spmPresent = Output(Bool())
  })
  private val l2 = Module(new L2Cache(p))
  l2.io.l1d <> io.l1d
  l2.io.l1i <> io.l1i
  l2.io.walker := DontCare
  l2.io.walker.req.valid := false.B
  l2.io.pmp := 0.U.asTypeOf(l2.io.pmp)
  l2.io.amu <> io.amu
  l2.io.wanted <> io.wanted
  private val below = Module(new AxiBelow(p.line, SliceParams.l2(p).lowerIdBits, p.l2.slices, p.amu.axi))
  below.io.slices <> l2.io.lower
  io.mem <> below.io.mem
  io.spmPresent := VecInit(l2.io.spm.map(_.present)).asUInt.andR
  for (way <- l2.io.spm) {
    way.take := io.takeSpmWay
    SpmRam(way)
  }
}

/** Random L1D, L1I and AMU traffic on few sets against a memory model. A line an AMU request works on is not written by the
  * L1D model meanwhile, so every value is known exactly.
  */
class L2CacheTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private val lineMask = (BigInt(1) << 512) - 1

  private class L1dLine(var data: BigInt, var dirty: Boolean)

  private def run(seed: Int, cycles: Int, toggleSpm: Boolean): Unit =
    test(new L2WithSpm(p)).withAnnotations(Simulators.verilatorOf("L2WithSpm")) { c =>
      c.clock.setTimeout(0)
      val random = new Random(seed)
      val memory = new AxiMemoryModel(c.io.mem, random, 60)
      val golden = mutable.Map[BigInt, BigInt]()
      def value(line: BigInt) = golden.getOrElse(line, line)
      // 24 lines of each of 3 sets, in local and far memory.
      val pool = for (set <- 0 until 3; k <- 0 until 24) yield BigInt((if (k % 2 == 0) 0x2000000 else 0x4000000) + set + 512 * k)
      val l1d = mutable.Map[BigInt, L1dLine]()
      val acquiring = mutable.Map[Int, BigInt]()
      val releases = mutable.Queue[(BigInt, Boolean, UInt, BigInt)]()
      var probePending: Option[BigInt] = None
      val fetching = mutable.Map[Int, BigInt]()
      case class AmuOp(line: BigInt, store: Boolean, data: BigInt, mask: BigInt)
      var amuWaiting: Option[AmuOp] = None
      val amuIssued = mutable.Queue[AmuOp]()
      val amuToMemory = mutable.ArrayBuffer[(AmuOp, Int)]()
      val locked = mutable.Set[BigInt]()
      var storeDone: Option[BigInt] = None
      val counts = mutable.Map[String, Int]().withDefaultValue(0)
      var take = true

      def expand(mask: BigInt) = (0 until 64).filter(mask.testBit).map(k => BigInt(255) << (8 * k)).foldLeft(BigInt(0))(_ | _)
      def complete(op: AmuOp): Unit = {
        locked -= op.line
        counts(if (op.store) "amuStore" else "amuLoad") += 1
        if (op.store) l1d.get(op.line).foreach(l => assert(l.data == value(op.line), f"stale L1D line ${op.line}%x after a store"))
      }

      for (now <- 0 until cycles) {
        val quiet = now > cycles - 3000 // let everything drain at the end
        if (toggleSpm && now % 2000 == 1999) take = !take
        c.io.takeSpmWay.poke(take.B)
        memory.step()
        // L1D: acquire
        val freeId = (0 until 16).find(!acquiring.contains(_))
        val wanted = pool(random.nextInt(pool.size))
        val mayAcquire = !quiet && freeId.isDefined && !l1d.contains(wanted) && !acquiring.values.exists(_ == wanted) &&
          !releases.exists(_._1 == wanted) && !probePending.contains(wanted)
        val acquires = mayAcquire && random.nextInt(3) == 0
        c.io.l1d.acquire.valid.poke(acquires.B)
        if (acquires) {
          c.io.l1d.acquire.bits.lineAddr.poke(wanted.U)
          c.io.l1d.acquire.bits.id.poke(freeId.get.U)
          c.io.l1d.acquire.bits.grow.to.poke(Permission.exclusive)
          if (c.io.l1d.acquire.ready.peek().litToBoolean) acquiring(freeId.get) = wanted
        }
        // L1D: write or drop a line it holds
        if (l1d.nonEmpty && random.nextInt(2) == 0) {
          val keys = l1d.keys.toSeq.sorted
          val line = keys(random.nextInt(keys.size))
          if (random.nextInt(3) != 0) {
            if (!locked(line)) {
              l1d(line).data = BigInt(512, random)
              l1d(line).dirty = true
              golden(line) = l1d(line).data
            }
          } else if (!probePending.contains(line)) {
            val old = l1d.remove(line).get
            if (old.dirty) releases.enqueue((line, false, Permission.dirty, old.data))
          }
        }
        // L1D: probe
        c.io.l1d.probe.ready.poke(probePending.isEmpty.B)
        if (probePending.isEmpty && c.io.l1d.probe.valid.peek().litToBoolean) probePending = Some(c.io.l1d.probe.bits.lineAddr.peek().litValue)
        else probePending.foreach { line =>
          val busy = releases.exists(_._1 == line)
          if (!busy && random.nextInt(3) == 0) {
            val old = l1d.remove(line)
            val had = old.fold(Permission.none)(l => if (l.dirty) Permission.dirty else Permission.exclusive)
            releases.enqueue((line, true, had, old.map(_.data).getOrElse(BigInt(0))))
            probePending = None
            counts("probe") += 1
          }
        }
        // L1D: release channel
        c.io.l1d.release.valid.poke(releases.nonEmpty.B)
        releases.headOption.foreach { case (line, ack, had, data) =>
          c.io.l1d.release.bits.lineAddr.poke(line.U)
          c.io.l1d.release.bits.isProbeAck.poke(ack.B)
          c.io.l1d.release.bits.shrink.from.poke(had)
          c.io.l1d.release.bits.data.poke(data.U)
          if (c.io.l1d.release.ready.peek().litToBoolean) releases.dequeue()
        }
        // L1D: grant
        if (c.io.l1d.grant.valid.peek().litToBoolean) {
          val line = acquiring.remove(c.io.l1d.grant.bits.id.peek().litValue.toInt).get
          val data = c.io.l1d.grant.bits.data.peek().litValue
          if (!locked(line)) assert(data == value(line), f"L1D got an old line $line%x at $now")
          l1d(line) = new L1dLine(data, false)
          counts("grant") += 1
        }
        // L1I
        val iId = (0 until 2).find(!fetching.contains(_))
        val iLine = pool(random.nextInt(pool.size))
        val fetches = !quiet && iId.isDefined && !fetching.values.exists(_ == iLine) && random.nextInt(20) == 0
        c.io.l1i.req.valid.poke(fetches.B)
        if (fetches) {
          c.io.l1i.req.bits.lineAddr.poke(iLine.U)
          c.io.l1i.req.bits.id.poke(iId.get.U)
          if (c.io.l1i.req.ready.peek().litToBoolean) fetching(iId.get) = iLine
        }
        if (c.io.l1i.resp.valid.peek().litToBoolean) {
          fetching.remove(c.io.l1i.resp.bits.id.peek().litValue.toInt).get
          counts("fetch") += 1
        }
        // AMU
        if (amuWaiting.isEmpty && !quiet && locked.size < 20 && random.nextInt(3) == 0) {
          val line = pool(random.nextInt(pool.size))
          if (!locked(line)) {
            val op = AmuOp(line, random.nextBoolean(), BigInt(512, random), BigInt(64, random))
            locked += line
            amuWaiting = Some(op)
          }
        }
        c.io.amu.req.valid.poke(amuWaiting.isDefined.B)
        amuWaiting.foreach { op =>
          c.io.amu.req.bits.lineAddr.poke(op.line.U)
          c.io.amu.req.bits.isStore.poke(op.store.B)
          c.io.amu.req.bits.data.poke(op.data.U)
          c.io.amu.req.bits.mask.poke(op.mask.U)
          if (c.io.amu.req.ready.peek().litToBoolean) {
            amuIssued.enqueue(op)
            amuWaiting = None
          }
        }
        c.io.wanted.valid.poke((!quiet).B)
        c.io.wanted.bits.poke(pool(random.nextInt(pool.size)).U)
        if (c.io.amu.resp.valid.peek().litToBoolean) {
          val op = amuIssued.dequeue()
          val merged = (value(op.line) & ~expand(op.mask)) | (op.data & expand(op.mask))
          if (c.io.amu.resp.bits.hit.peek().litToBoolean) {
            counts("amuHit") += 1
            if (op.store) golden(op.line) = merged
            else assert(c.io.amu.resp.bits.data.peek().litValue == value(op.line), f"AMU got an old line ${op.line}%x at $now")
            complete(op)
          } else {
            counts("amuMiss") += 1
            assert(memory.line(op.line << 6) == value(op.line), f"AMU sent to memory for ${op.line}%x that a cache holds, at $now")
            if (op.store) golden(op.line) = merged
            amuToMemory += ((op, now + 1 + random.nextInt(80)))
          }
        }
        val done = amuToMemory.find(_._2 <= now)
        c.io.amu.storeDone.valid.poke(false.B)
        done.foreach { d =>
          amuToMemory -= d
          if (d._1.store) {
            memory.lines(d._1.line) = value(d._1.line)
            c.io.amu.storeDone.valid.poke(true.B)
            c.io.amu.storeDone.bits.poke(d._1.line.U)
          } else assert(memory.line(d._1.line << 6) == value(d._1.line))
          complete(d._1)
        }
        c.clock.step()
      }
      assert(acquiring.isEmpty && fetching.isEmpty && amuIssued.isEmpty && amuToMemory.isEmpty, "something never finished")
      println(s"L2, seed $seed: ${counts.toSeq.sorted.mkString(", ")}, ${memory.writesSeen} write-backs")
      for (kind <- Seq("grant", "probe", "fetch", "amuLoad", "amuStore", "amuHit", "amuMiss")) assert(counts(kind) > 50, s"$kind: ${counts(kind)}")
      assert(memory.writesSeen > 50)
    }

  "L2Cache" should "keep L1D, L1I, AMU and memory coherent" in run(1, Simulators.cycles(12000), toggleSpm = false)
  it should "hand its last way over and take it back" in run(2, Simulators.cycles(12000), toggleSpm = true)

  it should "answer the AMU after one probe, however soon L1D wants the line back" in {
    test(new L2WithSpm(p)).withAnnotations(Simulators.verilatorOf("L2WithSpm")) { c =>
      c.clock.setTimeout(0)
      val random = new Random(4)
      val memory = new AxiMemoryModel(c.io.mem, random, 30)
      val line = BigInt(0x2000000)
      var (probes, answers, acquiring, holds, probed) = (0, 0, false, false, false)
      val wantedAnswers = 40
      c.io.takeSpmWay.poke(true.B)
      for (_ <- 0 until 4000 if answers < wantedAnswers) {
        memory.step()
        // L1D: acquires whenever it has not got the line, answers a probe at once
        val mayAcquire = !holds && !acquiring && !probed
        c.io.l1d.acquire.valid.poke(mayAcquire.B)
        c.io.l1d.acquire.bits.grow.to.poke(Permission.exclusive)
        c.io.l1d.acquire.bits.lineAddr.poke(line.U)
        c.io.l1d.release.valid.poke(probed.B)
        c.io.l1d.release.bits.lineAddr.poke(line.U)
        c.io.l1d.release.bits.isProbeAck.poke(true.B)
        c.io.l1d.release.bits.shrink.from.poke(Permission.exclusive)
        c.io.l1d.probe.ready.poke((holds && !probed).B)
        c.io.amu.req.valid.poke(holds.B)
        c.io.amu.req.bits.lineAddr.poke(line.U)
        val answersProbe = probed && c.io.l1d.release.ready.peek().litToBoolean
        val takesProbe = holds && !probed && c.io.l1d.probe.valid.peek().litToBoolean
        if (mayAcquire && c.io.l1d.acquire.ready.peek().litToBoolean) acquiring = true
        if (c.io.l1d.grant.valid.peek().litToBoolean) {
          acquiring = false
          holds = true
        }
        if (c.io.amu.resp.valid.peek().litToBoolean) {
          answers += 1
          assert(c.io.amu.resp.bits.hit.peek().litToBoolean)
        }
        if (takesProbe) {
          probed = true
          holds = false
        }
        if (answersProbe) {
          probed = false
          probes += 1
        }
        c.clock.step()
      }
      assert(answers == wantedAnswers, s"the AMU got $answers answers after $probes probes")
      assert(probes <= answers, s"$probes probes for $answers answers")
    }
  }
}
