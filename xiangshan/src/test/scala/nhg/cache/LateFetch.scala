// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chiseltest._
import nhg.mem.Signals

import scala.collection.mutable

/** Lookups of the AMU while a line that it wanted is on its way, through all levels of the cache: memory answers when it is told to. */
class LateFetch(dut: CacheWithMemory, line: BigInt) {
  private val s = new Signals
  private val (io, client, lookup, wanted, prefetcher) = (dut.io, dut.io.clients.head, dut.io.lookup.get, dut.io.wanted.get, dut.io.prefetcher.get)
  private val other = line + 1
  private val (old, newer) = (BigInt(1), BigInt(2))
  private var hit: Option[Boolean] = None
  private var granted: Option[BigInt] = None
  private val fetches = mutable.Queue[BigInt]() // AXI IDs, not answered yet
  private val heard = mutable.Set[BigInt]() // by the prefetcher

  private def step(): Unit = {
    if (s.is(io.mem.ar.valid)) fetches.enqueue(s.get(io.mem.ar.bits.id))
    if (s.is(lookup.resp.valid)) hit = Some(s.is(lookup.resp.bits.hit))
    if (s.is(client.grant.valid)) granted = Some(s.get(client.grant.bits.data))
    if (s.is(prefetcher.access.valid)) heard += s.get(prefetcher.access.bits.lineAddr)
    if (s.is(prefetcher.fetched.valid)) {
      assert(!s.is(prefetcher.fetched.bits.wasPrefetch), "the prefetcher has asked for nothing")
      heard += s.get(prefetcher.fetched.bits.lineAddr)
    }
    dut.clock.step()
  }
  private def settle(): Unit = for (_ <- 0 until 40) step()
  private def until(what: String)(happened: => Boolean): Unit = {
    for (_ <- 0 until 100 if !happened) step()
    assert(happened, what)
  }
  private def send(valid: Bool, ready: Bool): Unit = {
    s.set(valid, true)
    until("taken")(s.is(ready))
    step()
    s.set(valid, false)
  }

  private def want(line: BigInt): Unit = {
    s.set(wanted.bits, line)
    send(wanted.valid, wanted.ready)
    until("the AMU's wish is fetched")(fetches.nonEmpty)
  }
  private def answerFetch(data: BigInt): Unit = {
    s.set(io.mem.r.bits.id, fetches.dequeue())
    for (beat <- 0 until 2) {
      s.set(io.mem.r.bits.data, if (beat == 0) data else BigInt(0))
      s.set(io.mem.r.bits.last, beat == 1)
      send(io.mem.r.valid, io.mem.r.ready)
    }
    settle()
  }
  private def misses(isStore: Boolean): Unit = {
    hit = None
    s.set(lookup.req.bits.lineAddr, line)
    s.set(lookup.req.bits.isStore, isStore)
    send(lookup.req.valid, lookup.req.ready)
    until("a lookup waits for a line that nobody has asked for")(hit.isDefined)
    assert(hit.contains(false), "a line that a store has dropped is kept")
  }
  private def storeDone(): Unit = {
    s.set(lookup.storeDone.valid, true)
    s.set(lookup.storeDone.bits, line)
    step()
    s.set(lookup.storeDone.valid, false)
  }
  private def acquire(line: BigInt): Unit = {
    granted = None
    s.set(client.acquire.bits.lineAddr, line)
    s.set(client.acquire.bits.grow.to, Permission.exclusive.litValue)
    send(client.acquire.valid, client.acquire.ready)
    settle()
  }

  def run(): Unit = {
    s.set(io.mem.ar.ready, true)
    want(line)
    misses(isStore = false)
    misses(isStore = true)
    answerFetch(old)
    storeDone()
    misses(isStore = false)

    want(line)
    misses(isStore = true)
    storeDone()
    acquire(line)
    assert(granted.isEmpty && fetches.size == 1, "an acquire waits for the end of a dropped fetch")
    answerFetch(old)
    assert(granted.isEmpty && fetches.nonEmpty, "a line that a store has dropped is fetched again")
    answerFetch(newer)
    assert(granted.contains(newer))

    want(other)
    answerFetch(old)
    acquire(other)
    assert(granted.contains(old) && fetches.isEmpty)
    assert(heard == Set(line), "the prefetcher hears of what clients missed, not of what the AMU wanted")
  }
}
