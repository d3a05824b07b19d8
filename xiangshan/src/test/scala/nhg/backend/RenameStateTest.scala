// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import chisel3._
import chisel3.util._
import chiseltest._
import nhg.{NhgParams, Simulators}
import org.scalatest.flatspec.AnyFlatSpec
import scala.collection.mutable
import scala.util.Random

/** Alias table and free list together, the way Rename connects them, with the registers handed to each lane. */
class RenameState(p: NhgParams) extends Module {
  private val dw = p.backend.decodeWidth
  private val cw = p.backend.commitWidth
  val io = IO(new Bundle {
    val lrd = Input(Vec(dw, UInt(5.W)))
    val lrs1 = Input(Vec(dw, UInt(5.W)))
    val take = Input(UInt(3.W))
    val commit = Input(Vec(cw, Valid(new CommittedRegister(p))))
    val restore = Input(Bool())
    val restoreHead = Input(UInt(p.pregBits.W))
    val restoreMap = Input(Vec(32, UInt(p.pregBits.W)))
    val flush = Input(Bool())
    val pdst = Output(Vec(dw, UInt(p.pregBits.W)))
    val psrc1 = Output(Vec(dw, UInt(p.pregBits.W)))
    val pold = Output(Vec(dw, UInt(p.pregBits.W)))
    val after = Output(Vec(dw, Vec(32, UInt(p.pregBits.W))))
    val head = Output(UInt(p.pregBits.W))
    val free = Output(UInt(p.pregBits.W))
  })
  private val table = Module(new RenameTable(p))
  private val list = Module(new FreeList(p))
  private val taken = io.lrd.zipWithIndex.map { case (r, i) => i.U < io.take && r =/= 0.U }
  list.io.allocate := PopCount(taken)
  for (i <- 0 until dw) {
    io.pdst(i) := Mux(io.lrd(i) === 0.U, 0.U, list.io.next(CountBefore(io.lrd.take(i).map(_ =/= 0.U), 2)))
    table.io.lane(i).lrd := io.lrd(i)
    table.io.lane(i).lrs1 := io.lrs1(i)
    table.io.lane(i).lrs2 := 0.U
    table.io.lane(i).pdst := io.pdst(i)
    table.io.take(i) := i.U < io.take
  }
  table.io.commit := io.commit
  table.io.restore.valid := io.restore
  table.io.restore.bits := io.restoreMap
  table.io.flush := io.flush
  list.io.commitCount := PopCount(io.commit.map(_.valid))
  list.io.commitFreed := io.commit.map(_.bits.pold)
  list.io.restore.valid := io.restore
  list.io.restore.bits := io.restoreHead
  list.io.flush := io.flush
  io.psrc1 := table.io.psrc1
  io.pold := table.io.pold
  io.after := table.io.after
  io.head := list.io.head
  io.free := list.io.free
}

/** Random renames, snapshots, squashes, commits and flushes against maps in Scala: no register is ever live twice, none is lost. */
class RenameStateTest extends AnyFlatSpec with ChiselScalatestTester {
  private val p = NhgParams()
  private case class InFlight(lrd: Int, pdst: Int, pold: Int, map: Vector[Int], headAfter: Int)

  "Alias table and free list" should "follow the model" in {
    test(new RenameState(p)).withAnnotations(Simulators.verilator) { dut =>
      val random = new Random(4)
      val identity = Vector.tabulate(32)(i => i)
      var committed = identity
      var map = identity
      val flight = mutable.ArrayBuffer[InFlight]()
      val actions = mutable.Map[String, Int]().withDefaultValue(0)
      for (_ <- 0 until 500) {
        val free = dut.io.free.peek().litValue.toInt
        assert(free == 32 - flight.count(_.lrd != 0), "registers leak")
        dut.io.restore.poke(false.B)
        dut.io.flush.poke(false.B)
        dut.io.take.poke(0.U)
        dut.io.commit.foreach(_.valid.poke(false.B))
        // commits can happen beside anything but a flush, which comes from the ROB head and stops retirement
        val action = random.nextInt(12)
        val leaving = flight.take(if (action == 0) 0 else random.nextInt(5)).toSeq
        val writers = leaving.filter(_.lrd != 0)
        for ((w, c) <- writers.zip(dut.io.commit)) {
          c.valid.poke(true.B)
          c.bits.lrd.poke(w.lrd.U)
          c.bits.pdst.poke(w.pdst.U)
          c.bits.pold.poke(w.pold.U)
          committed = committed.updated(w.lrd, w.pdst)
        }
        val remaining = flight.drop(leaving.length)
        action match {
          case 0 =>
            actions("flush") += 1
            dut.io.flush.poke(true.B)
            flight.clear()
            map = committed
          case 1 | 2 if remaining.nonEmpty =>
            actions("squash") += 1
            val keep = 1 + random.nextInt(remaining.length)
            val branch = remaining(keep - 1)
            dut.io.restore.poke(true.B)
            dut.io.restoreHead.poke(branch.headAfter.U)
            branch.map.zip(dut.io.restoreMap).foreach { case (m, port) => port.poke(m.U) }
            map = branch.map
            flight.remove(0, leaving.length)
            flight.remove(keep, flight.length - keep)
          case _ =>
            val head = dut.io.head.peek().litValue.toInt
            val lanes = Seq.fill(4)((if (random.nextInt(3) == 0) 0 else random.nextInt(6), random.nextInt(6)))
            for (((lrd, lrs1), i) <- lanes.zipWithIndex) {
              dut.io.lrd(i).poke(lrd.U)
              dut.io.lrs1(i).poke(lrs1.U)
            }
            val room = lanes.inits.toSeq.reverse.takeWhile(_.count(_._1 != 0) <= free).last.length
            val take = random.nextInt(room + 1)
            dut.io.take.poke(take.U)
            flight.remove(0, leaving.length)
            for (((lrd, lrs1), i) <- lanes.zipWithIndex.take(take)) {
              actions("rename") += 1
              dut.io.psrc1(i).expect(map(lrs1).U)
              dut.io.pold(i).expect(map(lrd).U)
              val pdst = dut.io.pdst(i).peek().litValue.toInt
              if (lrd == 0) assert(pdst == 0)
              else {
                val live = committed.toSet ++ flight.map(_.pdst) ++ flight.map(_.pold) ++ leaving.map(_.pold)
                assert(pdst != 0 && !live(pdst), s"register $pdst handed out while live")
              }
              val pold = map(lrd)
              if (lrd != 0) map = map.updated(lrd, pdst)
              for (r <- 0 until 6) dut.io.after(i)(r).expect(map(r).U)
              val writersBefore = lanes.take(i + 1).count(_._1 != 0)
              flight += InFlight(lrd, pdst, pold, map, (head + writersBefore) % 64)
            }
        }
        dut.clock.step()
      }
      assert(Seq("flush", "squash", "rename").forall(actions(_) > 20), s"the test did too little: $actions")
    }
  }
}
