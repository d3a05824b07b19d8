// SPDX-License-Identifier: Apache-2.0
package bus

import chisel3._
import chiseltest._
import org.scalatest.flatspec.AnyFlatSpec

/** Legal sequences pass, and each rule of the line bus stops the simulation when it is broken. */
class LineBusMonitorTest extends AnyFlatSpec with ChiselScalatestTester {
  import Permission.{dirty, exclusive, none, shared}
  private val a = 0x1234
  private val b = a + 16 // the same place in the monitor's table
  private type Step = LineBusMonitor => Unit

  private def acquire(client: Int, id: Int, line: Int, from: UInt, to: UInt): Step = { m =>
    val e = m.io.ports(client).acquire
    e.valid.poke(true.B)
    e.bits.id.poke(id.U)
    e.bits.lineAddr.poke(line.U)
    e.bits.grow.from.poke(from)
    e.bits.grow.to.poke(to)
  }
  private def grant(client: Int, id: Int, cap: UInt): Step = { m =>
    val e = m.io.ports(client).grant
    e.valid.poke(true.B)
    e.bits.id.poke(id.U)
    e.bits.cap.poke(cap)
  }
  private def probe(client: Int, line: Int, cap: UInt, taken: Boolean = true): Step = { m =>
    val port = m.io.ports(client)
    port.probe.valid.poke(true.B)
    port.probe.bits.lineAddr.poke(line.U)
    port.probe.bits.cap.poke(cap)
    port.probeTaken.poke(taken.B)
  }
  private def release(client: Int, line: Int, from: UInt, to: UInt, isAck: Boolean): Step = { m =>
    val e = m.io.ports(client).release
    e.valid.poke(true.B)
    e.bits.lineAddr.poke(line.U)
    e.bits.isProbeAck.poke(isAck.B)
    e.bits.shrink.from.poke(from)
    e.bits.shrink.to.poke(to)
  }
  private def get(client: Int, line: Int, cap: UInt, asked: UInt = shared): Seq[Step] =
    Seq(acquire(client, 0, line, none, asked), grant(client, 0, cap))

  private var passed = 0 // steps of the last run

  private def run(steps: Seq[Step]): Unit = test(new LineBusMonitor(LineParams(), clients = 2, idBits = 1, tracked = 16)) { m =>
    passed = 0
    for (step <- steps) {
      step(m)
      m.clock.step()
      passed += 1
      for (port <- m.io.ports) {
        for (valid <- Seq(port.acquire.valid, port.grant.valid, port.probe.valid, port.release.valid, port.probeTaken)) valid.poke(false.B)
      }
    }
  }
  private def legal(steps: Seq[Step]*): Unit = run(steps.flatten)
  private def illegal(before: Seq[Step], last: Step): Unit = {
    assert(scala.util.Try(run(before :+ last)).isFailure, "the monitor let it pass")
    assert(passed == before.length, "the monitor stopped before")
  }

  "LineBusMonitor" should "let legal sequences pass" in {
    legal(
      get(0, a, exclusive),
      Seq(probe(0, a, shared), release(0, a, dirty, shared, isAck = true)),
      get(1, a, shared),
      Seq(acquire(1, 1, a, shared, exclusive), probe(0, a, none), release(0, a, none, none, isAck = true), grant(1, 1, exclusive)),
      Seq(release(1, a, dirty, none, isAck = false)),
      get(0, a, exclusive, exclusive),
      get(0, a, exclusive) // dropped in between
    )
    // a probe of a line that its client acquires is answered first
    legal(Seq(acquire(0, 0, a, none, shared), probe(0, a, none), release(0, a, none, none, isAck = true), grant(0, 0, exclusive)))
    // both upgrade, one is probed while its acquire waits
    legal(
      get(0, a, shared),
      get(1, a, shared),
      Seq(acquire(0, 0, a, shared, exclusive), acquire(1, 0, a, shared, exclusive), probe(1, a, none), release(1, a, shared, none, isAck = true)),
      Seq(grant(0, 0, exclusive), probe(0, a, none), release(0, a, dirty, none, isAck = true), grant(1, 0, exclusive))
    )
  }

  it should "stop at an acquire that breaks a rule" in {
    illegal(Nil, acquire(0, 0, a, exclusive, exclusive))
    illegal(Seq(acquire(0, 0, a, none, shared)), acquire(0, 0, b, none, shared))
    illegal(Seq(acquire(0, 0, a, none, shared)), acquire(0, 1, a, none, shared))
    illegal(Seq(probe(0, a, none)), acquire(0, 0, a, none, shared))
    illegal(get(0, a, shared) ++ Seq(probe(0, a, none), release(0, a, shared, none, isAck = true)), acquire(0, 0, a, shared, exclusive))
  }

  it should "stop at a grant that breaks a rule" in {
    illegal(Nil, grant(0, 0, shared))
    illegal(Seq(acquire(0, 0, a, none, exclusive)), grant(0, 0, shared))
    illegal(Seq(acquire(0, 0, a, none, shared)), grant(0, 0, dirty))
    illegal(get(1, a, exclusive) :+ acquire(0, 0, a, none, shared), grant(0, 0, shared))
    illegal(get(1, a, shared) :+ acquire(0, 0, a, none, shared), grant(0, 0, exclusive))
    illegal(Seq(acquire(0, 0, a, none, shared), probe(0, a, none)), grant(0, 0, shared))
    illegal(Seq(acquire(0, 0, a, none, shared)), m => { probe(0, a, none, taken = false)(m); grant(0, 0, shared)(m) })
  }

  it should "stop at a probe or an answer that breaks a rule" in {
    illegal(Nil, probe(0, a, exclusive))
    illegal(Seq(probe(0, a, none)), probe(0, b, none))
    illegal(Nil, release(0, a, none, none, isAck = true))
    illegal(Seq(probe(0, a, none)), release(0, b, none, none, isAck = true))
    illegal(get(0, a, exclusive) :+ probe(0, a, none), release(0, a, dirty, shared, isAck = true))
    illegal(get(0, a, shared) :+ probe(0, a, shared), release(0, a, dirty, shared, isAck = true))
  }

  it should "stop at a release that breaks a rule" in {
    illegal(get(0, a, exclusive), release(0, a, exclusive, none, isAck = false))
    illegal(get(0, a, exclusive), release(0, a, dirty, exclusive, isAck = false))
    illegal(get(0, a, shared), release(0, a, dirty, none, isAck = false))
    illegal(get(0, a, exclusive) :+ acquire(0, 1, a, none, exclusive), release(0, a, dirty, none, isAck = false))
  }
}
