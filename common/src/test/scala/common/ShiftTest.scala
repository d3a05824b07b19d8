// SPDX-License-Identifier: Apache-2.0
package common

import chisel3._
import chisel3.util._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

private class ShiftProbe(width: Int) extends Module {
  val io = IO(new Bundle {
    val x = Input(UInt(width.W))
    val amount = Input(UInt(log2Ceil(width).W))
    val fill = Input(Bool())
    val left = Output(UInt(width.W))
    val right = Output(UInt(width.W))
    val rotated = Output(UInt(width.W))
  })
  io.left := Shift.left(io.x, io.amount)
  io.right := Shift.right(io.x, io.amount, io.fill)
  io.rotated := Shift.rotateRight(io.x, io.amount)
}

class ShiftTest extends AnyFlatSpec with ChiselScalatestTester {
  for (width <- Seq(8, 64)) {
    "Shift" should s"shift and rotate $width bits by every amount" in {
      test(new ShiftProbe(width)) { dut =>
        val random = new Random(width)
        val ones = (BigInt(1) << width) - 1
        for (amount <- 0 until width; fill <- Seq(false, true)) {
          val x = BigInt(width, random)
          dut.io.x.poke(x.U)
          dut.io.amount.poke(amount.U)
          dut.io.fill.poke(fill.B)
          dut.io.left.expect(((x << amount) & ones).U)
          dut.io.right.expect(((x >> amount) | (if (fill) ones ^ (ones >> amount) else BigInt(0))).U)
          dut.io.rotated.expect(((x >> amount) | (x << (width - amount)) & ones).U)
        }
      }
    }
  }
}
