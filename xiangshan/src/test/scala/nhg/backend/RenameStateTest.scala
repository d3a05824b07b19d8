// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import chiseltest._
import common.{Ring, Simulators}
import nhg._
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Alias table and free list together, the way Rename connects them, with the registers handed to each lane. */
class RenameState(p: NhgParams, c: RegisterClass) extends Module {
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  val io = IO(new Bundle {
    val writes = Input(Vec(dw, Bool()))
    val moves = Input(Vec(dw, Bool())) // the destination becomes lrs1's register
    val lrd = Input(Vec(dw, UInt(5.W)))
    val lrs1 = Input(Vec(dw, UInt(5.W)))
    val take = Input(UInt(3.W))
    val commit = Input(Vec(cw, Valid(new CommittedRegister(p))))
    val restore = Input(Bool())
    val restoreHead = Input(UInt(c.freeRing.bits.W))
    val restoreMap = Input(Vec(c.logical, UInt(c.physicalBits.W)))
    val flush = Input(Bool())
    val pdst = Output(Vec(dw, UInt(c.physicalBits.W)))
    val psrc1 = Output(Vec(dw, UInt(c.physicalBits.W)))
    val pold = Output(Vec(dw, UInt(c.physicalBits.W)))
    val after = Output(Vec(dw, Vec(c.logical, UInt(c.physicalBits.W))))
    val head = Output(UInt(c.freeRing.bits.W))
    val free = Output(UInt(c.freeRing.bits.W))
  })
  private val table = Module(new RenameTable(p, c))
  private val list = Module(new FreeList(p, c))
  private val allocates = io.writes.zip(io.moves).map { case (writes, moves) => writes && !moves }
  private val taken = allocates.zipWithIndex.map { case (allocates, i) => i.U < io.take && allocates }
  list.io.allocate := PopCount(taken)
  for (i <- 0 until dw) {
    io.pdst(i) := Mux(io.moves(i), table.io.psrc(i)(0), list.io.next(CountBefore(allocates.take(i), 2)))
    table.io.lane(i).writes := io.writes(i)
    table.io.lane(i).lrd := io.lrd(i)
    table.io.lane(i).lrs.foreach(_ := io.lrs1(i))
    table.io.lane(i).pdst := io.pdst(i)
    table.io.take(i) := i.U < io.take
  }
  for ((to, from) <- table.io.commit.zip(io.commit)) {
    to.valid := from.valid
    to.bits.logical := from.bits.logical
    to.bits.physical := from.bits.physical
    to.bits.old := from.bits.old
  }
  table.io.restore.valid := io.restore
  table.io.restore.bits := io.restoreMap
  table.io.flush := io.flush
  list.io.commitCount := PopCount(io.commit.map(c => c.valid && !c.bits.isMove))
  list.io.freedCount := PopCount(table.io.freed)
  for ((freed, n) <- list.io.freed.zipWithIndex) {
    freed := Mux1H((0 until cw).map(i => table.io.freed(i) && PopCount(table.io.freed.take(i)) === n.U), io.commit.map(_.bits.old))
  }
  list.io.restore.valid := io.restore
  list.io.restore.bits := io.restoreHead
  list.io.flush := io.flush
  io.psrc1 := table.io.psrc.map(_(0))
  io.pold := table.io.pold
  io.after := table.io.after
  io.head := list.io.head
  io.free := list.io.free
}

/** Random renames, moves, snapshots, squashes, commits and flushes against maps in Scala: no register is handed out while live, none is lost. */
class RenameStateTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams().doubled // wide enough for every class here
  private case class InFlight(writes: Boolean, moves: Boolean, lrd: Int, pdst: Int, pold: Int, map: Vector[Int], headAfter: Int)

  /** A pointer of the ring, `n` places further. */
  private def advanced(ring: Ring, pointer: Int, n: Int): Int = {
    val wrap = 1 << ring.indexBits
    val place = (pointer % wrap + pointer / wrap * ring.entries + n) % (2 * ring.entries)
    place % ring.entries + place / ring.entries * wrap
  }

  private def run(c: RegisterClass): Unit =
    test(new RenameState(p, c)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(4)
      val identity = Vector.tabulate(c.logical)(i => i)
      var committed = identity
      var map = identity
      val flight = mutable.ArrayBuffer[InFlight]()
      val actions = mutable.Map[String, Int]().withDefaultValue(0)
      var freedBefore = Set[Int]() // by the commits of the last cycle
      for (_ <- 0 until 700) {
        dut.io.restore.poke(false.B)
        dut.io.flush.poke(false.B)
        dut.io.take.poke(0.U)
        dut.io.commit.foreach(_.valid.poke(false.B))
        // commits can happen beside anything but a flush, which comes from the ROB head and stops retirement
        val action = random.nextInt(12)
        val leaving = flight.take(if (action == 0 || random.nextInt(3) == 0) 0 else random.nextInt(4)).toSeq
        val writers = leaving.filter(_.writes)
        val free = dut.io.free.peek().litValue.toInt
        assert(free == c.physical - committed.distinct.length - flight.count(f => f.writes && !f.moves), "registers leak")
        val heldBefore = committed.toSet
        for ((w, port) <- writers.zip(dut.io.commit)) {
          port.valid.poke(true.B)
          port.bits.logical.poke(w.lrd.U)
          port.bits.physical.poke(w.pdst.U)
          port.bits.old.poke(w.pold.U)
          port.bits.isMove.poke(w.moves.B)
          if (committed.count(_ == w.pold) > 1) actions("still held") += 1
          committed = committed.updated(w.lrd, w.pdst)
        }
        dut.io.free.expect(free.U, "what a commit frees is not handed out in its cycle")
        val remaining = flight.drop(leaving.length)
        def restore(branch: InFlight): Unit = {
          dut.io.restore.poke(true.B)
          dut.io.restoreHead.poke(branch.headAfter.U)
          branch.map.zip(dut.io.restoreMap).foreach { case (m, port) => port.poke(m.U) }
        }
        action match {
          case 0 =>
            actions("flush") += 1
            dut.io.flush.poke(true.B)
            for (branch <- random.shuffle(flight).headOption if random.nextBoolean()) { // mispredicted in the cycle of the flush, which wins
              actions("flush and squash") += 1
              restore(branch)
            }
            flight.clear()
            map = committed
          case 1 | 2 if remaining.nonEmpty =>
            actions("squash") += 1
            val keep = 1 + random.nextInt(remaining.length)
            val branch = remaining(keep - 1)
            restore(branch)
            map = branch.map
            flight.remove(0, leaving.length)
            flight.remove(keep, flight.length - keep)
          case _ =>
            val head = dut.io.head.peek().litValue.toInt
            val lanes = Seq.fill(4) {
              val lrd = random.nextInt(6)
              val writes = random.nextInt(3) != 0 && !(c.fixedZero && lrd == 0)
              (writes, writes && random.nextInt(4) == 0, lrd, random.nextInt(6))
            }
            for (((writes, moves, lrd, lrs1), i) <- lanes.zipWithIndex) {
              dut.io.writes(i).poke(writes.B)
              dut.io.moves(i).poke(moves.B)
              dut.io.lrd(i).poke(lrd.U)
              dut.io.lrs1(i).poke(lrs1.U)
            }
            val room = lanes.inits.toSeq.reverse.takeWhile(_.count(lane => lane._1 && !lane._2) <= free).last.length
            val take = random.nextInt(room + 1)
            dut.io.take.poke(take.U)
            flight.remove(0, leaving.length)
            for (((writes, moves, lrd, lrs1), i) <- lanes.zipWithIndex.take(take)) {
              actions("rename") += 1
              dut.io.psrc1(i).expect(map(lrs1).U)
              dut.io.pold(i).expect(map(lrd).U)
              val pdst = dut.io.pdst(i).peek().litValue.toInt
              if (moves) {
                actions("move") += 1
                assert(pdst == map(lrs1), s"a move to $pdst")
              } else if (writes) {
                val live = heldBefore ++ committed ++ flight.filter(_.writes).flatMap(f => Seq(f.pdst, f.pold))
                assert(!live(pdst), s"register $pdst handed out while live")
                if (freedBefore(pdst)) actions("just freed") += 1
              }
              val pold = map(lrd)
              if (writes) map = map.updated(lrd, pdst)
              for (r <- 0 until 6) dut.io.after(i)(r).expect(map(r).U)
              val writersBefore = lanes.take(i + 1).count(lane => lane._1 && !lane._2)
              flight += InFlight(writes, moves, lrd, pdst, pold, map, advanced(c.freeRing, head, writersBefore))
            }
        }
        dut.clock.step()
        freedBefore = heldBefore -- committed
      }
      val common = Seq("flush", "squash", "rename", "move", "still held")
      assert(common.forall(actions(_) > 20) && actions("flush and squash") > 5, s"the test did too little: $actions")
      assert(c.physical - c.logical > 8 || actions("just freed") > 4, s"too few registers are handed out one cycle after their commit: $actions")
    }

  "Alias table and free list" should "follow the model" in run(NhgParams().backend.registerClasses.head)
  it should "rename register 0 where it is an ordinary one" in run(RegisterClass("fp", logical = 32, physical = 64, fixedZero = false))
  it should "hold spare registers whose number is no power of two" in run(RegisterClass("many", logical = 32, physical = 128, fixedZero = true))
  it should "hold fewer registers" in run(RegisterClass("few", logical = 8, physical = 16, fixedZero = false))
}
