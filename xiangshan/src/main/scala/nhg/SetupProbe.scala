package nhg
import chisel3._
class SetupProbe extends Module {
  val io = IO(new Bundle { val a = Input(UInt(8.W)); val q = Output(UInt(8.W)) })
  val sub = Module(new amu.SetupProbe)
  sub.io <> io
}
