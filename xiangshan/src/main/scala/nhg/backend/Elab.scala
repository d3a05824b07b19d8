package nhg.backend
object Elab extends App {
  new chisel3.stage.ChiselStage().execute(Array("--no-run-firrtl","--target-dir","build/back"), Seq(chisel3.stage.ChiselGeneratorAnnotation(() => new Backend(nhg.NhgParams()))))
}
