package amu
import chisel3._
class SetupProbe extends Module {
  val io = IO(new Bundle { val a = Input(UInt(8.W)); val q = Output(UInt(8.W)) })
  val sub = Module(new SetupSub)
  sub.io <> io
}
class SetupSub extends Module {
  val io = IO(new Bundle { val a = Input(UInt(8.W)); val q = Output(UInt(8.W)) })
  io.q := RegNext(io.a +% 1.U, 0.U)
}
