// SPDX-License-Identifier: Apache-2.0
// Mill build of the hardware: `platform` (constants), `common` (building blocks), `bus` on the constants, `amu` (amu-ext) on both, and `nhg`
// (xiangshan) on that; `scalafmt` is the formatter.
// Sources lie in src/main/scala, unit tests in src/test/scala; tools/setup/README.md has the commands.
import coursier.Repository
import mill._
import mill.api.Result
import mill.scalalib._
import mill.scalalib.api.ZincWorkerUtil

object versions {
  val scala = "2.13.8"
  val chisel = "3.5.1"
  val chiseltest = "0.5.1"
  val zinc = "1.10.1"
  val hardfloat = "1.2.4"
  val scalafmt = "3.7.17" // also in .scalafmt.conf; the last one whose every dependency Maven Central has
}

object jvm {
  /** As in .mill-jvm-opts. Elaborating, and all tests of a block, are over before a second compiler and collectors on other cores pay: they take twice
    * the CPU time.
    */
  val options = Seq("-Xmx3g", "-Xss16m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
}

/** Builds Scala's compiler bridge from its published sources: there is no prebuilt one for every Scala version. */
object bridgeWorker extends ZincWorkerModule with CoursierModule {
  override def scalaCompilerBridgeJar(
      scalaVersion: String,
      scalaOrganization: String,
      repositories: Seq[Repository]
  ): Result[(Option[Agg[PathRef]], PathRef)] = {
    val name = s"compiler-bridge_${ZincWorkerUtil.scalaBinaryVersion(scalaVersion)}"
    for {
      jars <- Lib.resolveDependencies(
        repositories,
        Seq(ivy"org.scala-sbt:$name:${versions.zinc}".bindDep("", "", "")),
        sources = true,
        mapDependencies = Some(overrideScalaLibrary(scalaVersion, scalaOrganization)(_))
      )
      classpath <- compilerInterfaceClasspath(scalaVersion, scalaOrganization, repositories)
    } yield (Some(classpath), ZincWorkerUtil.grepJar(jars, name, versions.zinc, sources = true))
  }
}

trait ChiselModule extends SbtModule {
  override def zincWorker = mill.define.ModuleRef(bridgeWorker)
  override def scalaVersion = versions.scala
  override def scalacOptions = Seq(
    "-deprecation",
    "-feature",
    "-language:reflectiveCalls",
    "-Xcheckinit",
    "-P:chiselplugin:genBundleElements"
  )
  override def ivyDeps = Agg(ivy"edu.berkeley.cs::chisel3:${versions.chisel}")
  override def scalacPluginIvyDeps = Agg(ivy"edu.berkeley.cs:::chisel3-plugin:${versions.chisel}")
  override def forkArgs = jvm.options

  trait ChiselTests extends SbtTests with TestModule.ScalaTest {
    override def ivyDeps = super.ivyDeps() ++ Agg(ivy"edu.berkeley.cs::chiseltest:${versions.chiseltest}")
    override def forkArgs = jvm.options
  }
  /** Also with what the tests of `common` have for others. */
  trait ChiselTestsWithCommon extends ChiselTests {
    override def moduleDeps = super.moduleDeps ++ Seq(common.test)
  }
}

object common extends ChiselModule {
  object test extends ChiselTests
}

object bus extends ChiselModule {
  override def moduleDeps = Seq(platform)
  object test extends ChiselTests
}

/** Package `platform`, made from tools/platform/platform.toml. */
object platform extends SbtModule {
  override def zincWorker = mill.define.ModuleRef(bridgeWorker)
  override def scalaVersion = versions.scala
  override def millSourcePath = super.millSourcePath / os.up / "tools" / "platform"
  def description = T.sources(
    millSourcePath / "platform.toml",
    millSourcePath / "csrs.toml",
    millSourcePath / "csrs.py",
    millSourcePath / "generate.py",
    millSourcePath / "description.py",
    millSourcePath / "languages.py",
    millSourcePath / "board_files.py"
  )
  /** Needs Python 3.11: the toolchain's, as in sim/sim.mk. */
  def python = T.input {
    val root = T.env.get("NHG_TOOLCHAIN").fold(T.workspace / ".toolchain")(os.Path(_))
    Seq(root / "venv" / "bin" / "python").filter(os.exists(_)).map(_.toString).headOption.getOrElse("python3")
  }
  override def generatedSources = T {
    description()
    os.proc(python(), "-B", millSourcePath / "generate.py", "--only", "Platform.scala", T.dest).call()
    Seq(PathRef(T.dest))
  }
}

object amu extends ChiselModule {
  override def moduleDeps = Seq(common, bus)
  override def millSourcePath = super.millSourcePath / os.up / "amu-ext"
  object test extends ChiselTestsWithCommon
}

/** Berkeley HardFloat, the IEEE 754 arithmetic under `nhg.fpu`, from the sources its authors publish: the jar of classes is for another Scala.
  * Left out are its own test harnesses, and `cloneType`, which Chisel 3.5 makes itself and declares final. BSD licence, in each file of the jar.
  */
object hardfloat extends ChiselModule {
  override def sources = T.sources()
  private def sourcesDep = ivy"edu.berkeley.cs:hardfloat_2.12:${versions.hardfloat}".exclude("*" -> "*")
  def sourcesJar = T { resolveDeps(T.task(Agg(sourcesDep).map(bindDependency())), sources = true)().head }
  override def generatedSources = T {
    val jar = mill.api.IO.unpackZip(sourcesJar().path, os.rel / "jar").path
    for (file <- os.walk(jar) if file.ext == "scala" && file.last != "tests.scala" && !file.last.startsWith("ValExec_")) {
      val text = os.read(file).replaceAll("(?s)override def cloneType.*?asInstanceOf\\[this.type\\]", "")
      os.write(T.dest / "scala" / file.last, text, createFolders = true)
    }
    Seq(PathRef(T.dest / "scala"))
  }
}

object nhg extends ChiselModule {
  override def millSourcePath = super.millSourcePath / os.up / "xiangshan"
  override def moduleDeps = Seq(amu, hardfloat)
  object test extends ChiselTestsWithCommon
}

/** The formatter as a program: locked and fetched with the libraries, run by `bin/scalafmt` of the toolchain. */
object scalafmt extends JavaModule {
  override def ivyDeps = Agg(ivy"org.scalameta:scalafmt-cli_2.13:${versions.scalafmt}")
}
