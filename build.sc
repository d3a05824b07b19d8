// SPDX-License-Identifier: Apache-2.0
// Mill build of the hardware: `bus`, `amu` (amu-ext) on it, and `nhg` (xiangshan) on both.
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
  override def forkArgs = Seq("-Xmx3g", "-Xss16m")

  trait ChiselTests extends SbtTests with TestModule.ScalaTest {
    override def ivyDeps = super.ivyDeps() ++ Agg(ivy"edu.berkeley.cs::chiseltest:${versions.chiseltest}")
    override def forkArgs = Seq("-Xmx3g", "-Xss16m")
  }
}

object bus extends ChiselModule {
  object test extends ChiselTests
}

object amu extends ChiselModule {
  override def moduleDeps = Seq(bus)
  override def millSourcePath = super.millSourcePath / os.up / "amu-ext"
  object test extends ChiselTests
}

object nhg extends ChiselModule {
  override def millSourcePath = super.millSourcePath / os.up / "xiangshan"
  override def moduleDeps = Seq(amu)
  object test extends ChiselTests
}
