// SPDX-License-Identifier: Apache-2.0
package amu

import scala.util.Random

/** The AMU between a mock core and a mock memory system; both sides start from the same random memory and SPM. */
class AmuBench(dut: Amu, pins: Pins, p: AmuParams, seed: Int, timing: MockTiming, mix: ProgramMix) {
  private val windowBytes = 128 * 1024
  val random = new Random(seed)
  val system = new MockMemorySystem(dut, pins, p, windowBytes, random, timing)
  val reference = new ReferenceAmu(p, windowBytes)
  val generator = new RequestGenerator(p, reference, windowBytes, random, mix)
  val core = new MockCore(dut, pins, p, system, reference, generator, windowBytes, random)
  var cycle = 0

  system.memory.fill(random)
  random.nextBytes(system.spm)
  reference.memory.copyFrom(system.memory)
  system.spm.copyToArray(reference.spm)
  pins(dut.io.amuctl) = 3
  pins.reset()
  for (_ <- 0 until p.reuseLines) pins.step() // before that it is not known which loads the AMU remembers

  def step(): Unit = {
    val mustBeInUse = core.requestCommitted || pins(dut.io.probe.linesInFlight) != 0 || pins.is(dut.io.spm.write.valid)
    assert(!mustBeInUse || pins.is(dut.io.spmInUse), "the SPM could be given back under a request")
    system.drive()
    core.step()
    system.sample()
    pins.step()
    cycle += 1
  }

  /** Reads out all IDs with nothing under way, and forgets half of those that are not free; how many are not. To be called before `finish`. */
  def readOut(): Int = {
    core.renamePercent = 0
    core.takePercent = 0
    core.storePercent = 0
    while (!core.empty || pins.is(dut.io.spmInUse)) step()
    for (_ <- 0 until 3) step()
    core.renamePercent = 80
    val notFree = (1 to p.maxId).filter(!reference.ids(_).isFree).toList
    val csr = dut.io.csr
    def write(begin: => Unit): Unit = {
      begin
      pins.step()
      pins(csr.select.valid) = false
      pins(csr.forget) = false
      for (_ <- 0 to p.maxId if pins.is(csr.readOutBusy)) pins.step()
      assert(!pins.is(csr.readOutBusy), "the search does not end")
    }
    def select(from: Int): Int = {
      write { pins(csr.select.valid) = true; pins(csr.select.bits) = from }
      pins(csr.amuid).toInt
    }
    val ids = Iterator.iterate(select(0))(id => select(id + 1)).takeWhile(_ != 0).take(p.maxId + 1).map { id =>
      assert(pins(csr.amustate) == reference.ids(id).state, s"state of ID $id")
      if (random.nextBoolean()) {
        write { pins(csr.forget) = true }
        assert(pins(csr.amustate) == 0, "the state of an ID that was forgotten")
        reference.ids(id).forget()
      }
      id
    }.toList
    assert(ids == notFree, "IDs that are not free")
    ids.size
  }

  /** Ends all open groups and takes what is outstanding; then nothing may be left anywhere. */
  def finish(limitCycles: Int): Unit = {
    core.closingOnly = true
    core.takePercent = 80
    core.storePercent = 0
    val end = cycle + limitCycles
    while (!core.quiet) {
      assert(cycle < end, s"${reference.outstanding} groups are never finished")
      step()
    }
    for (_ <- 0 until 20) step()
    assert(system.idle && pins(dut.io.probe.linesInFlight) == 0 && !pins.is(dut.io.spmInUse))
    val hits = pins(dut.io.csr.amuhits)
    assert((hits & 0xffffffffL) == system.hits && (hits >> 32) == system.misses, f"amuhits 0x$hits%x, ${system.hits} hits, ${system.misses} misses")
    val reuse = new ReuseModel(p)
    val reused = system.missedLoads.count { case (number, line) => reuse.load(line, reference.requesters(number)) }
    assert(pins(dut.io.csr.amureuse) == reused, s"amureuse of $reused")
    assert(system.spm.sameElements(reference.spm), "SPM at the end")
    for (base <- system.memory.bases)
      assert(system.memory.read(base, windowBytes) == reference.memory.read(base, windowBytes), "memory at the end")
  }
}
