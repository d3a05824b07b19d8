// SPDX-License-Identifier: Apache-2.0
package nhg.cache

import bus._
import chisel3._
import chisel3.util.{Decoupled, DecoupledIO, Valid}
import nhg.mem.Signals

import scala.collection.mutable
import scala.util.Random

/** A cache with memory below it and the SPM's RAM behind its last way. */
abstract class CacheWithMemory(p: SliceParams) extends Module {
  protected val axi: Axi4Params = Axi4Params()
  val io = IO(new Bundle {
    val clients = Vec(p.clients.size, Flipped(new LineClientPort(p.line, p.clientIdBits)))
    val readers = Vec(p.readers.size, Flipped(new LineReadPort(p.line, p.readerIdBits)))
    val lookup = Option.when(p.lookups > 0)(Flipped(new LineLookupPort(p.line)))
    val prefetcher = Option.when(p.prefetches > 0)(Flipped(new PrefetchPort(p.line)))
    val wanted = Option.when(p.prefetches > 0)(Flipped(Decoupled(UInt(p.line.addrBits.W))))
    val takeSpmWay = Input(Bool())
    val mem = new Axi4Port(axi)
  })

  /** Connects what a slice and several have alike; options as in `SliceParams`; nothing `below`: it is connected already. */
  protected def connect(
      clients: Vec[LineClientPort],
      readers: Vec[LineReadPort],
      lookup: Option[LineLookupPort],
      prefetcher: Option[PrefetchPort],
      wanted: Option[DecoupledIO[UInt]],
      below: Seq[LowerPort],
      ways: Seq[SpmWayPort]
  ): Unit = {
    clients <> io.clients
    readers <> io.readers
    lookup.zip(io.lookup).foreach { case (a, b) => a <> b }
    prefetcher.zip(io.prefetcher).foreach { case (a, b) => a <> b }
    wanted.zip(io.wanted).foreach { case (a, b) => a <> b }
    if (below.size == 1) {
      val lower = Module(new AxiLower(p.line, below.head.idBits, axi))
      lower.io.upper <> below.head
      io.mem <> lower.io.mem
    } else if (below.nonEmpty) {
      val lower = Module(new AxiBelow(p.line, below.head.idBits, below.size, axi))
      lower.io.slices.zip(below).foreach { case (a, b) => a <> b }
      io.mem <> lower.io.mem
    }
    for (spm <- ways) {
      spm.take := io.takeSpmWay
      SpmRam(spm)
    }
  }
}

class SliceWithMemory(p: SliceParams, number: Int) extends CacheWithMemory(p) {
  private val slice = Module(new CacheSlice(p))
  slice.io.slice := number.U
  connect(slice.io.clients, slice.io.readers, slice.io.lookup, slice.io.prefetcher, slice.io.wanted, Seq(slice.io.lower), slice.io.spm.toSeq)
}

class SlicesWithMemory(p: SliceParams) extends CacheWithMemory(p) {
  private val cache = Module(new SlicedCache(p))
  connect(cache.io.clients, cache.io.readers, cache.io.lookup, cache.io.prefetcher, cache.io.wanted, cache.io.lower, cache.io.spm.toSeq.flatten)
}

/** The sequential reference: the newest value of each line, changed in the cycle in which somebody writes it. */
class Reference {
  private val lines = mutable.Map[BigInt, BigInt]()
  def apply(line: BigInt): BigInt = lines.getOrElse(line, line)
  def update(line: BigInt, data: BigInt): Unit = lines(line) = data
}

/** What happens at random in a cycle, as probabilities. */
case class ClientStyle(acquire: Double = 0.4, write: Double = 0.4, drop: Double = 0.2, answer: Double = 0.3, takeProbe: Double = 0.6)

/** A client of the line bus that keeps the protocol and uses all it allows: shared and exclusive copies, upgrades, silent drops, releases that
  * keep a shared copy, late answers, answers that keep less than the cap. Of the lines in `failing` it gets a bus error and no copy.
  */
class RandomClient(
    io: LineClientPort,
    s: Signals,
    random: Random,
    reference: Reference,
    pool: IndexedSeq[BigInt],
    ids: Int,
    style: ClientStyle,
    failing: Set[BigInt],
    counts: mutable.Map[String, Int]
) {
  private val Seq(none, shared, exclusive, dirty) =
    Seq(Permission.none, Permission.shared, Permission.exclusive, Permission.dirty).map(_.litValue.toInt)
  private case class Copy(permission: Int, data: BigInt)
  private case class Message(line: BigInt, isAck: Boolean, from: Int, to: Int, data: BigInt)
  private val copies = mutable.Map[BigInt, Copy]()
  private val acquiring = mutable.Map[Int, (BigInt, Int)]()
  private val releases = mutable.Queue[Message]()
  private var probe: Option[(BigInt, Int)] = None // line, cap
  private var offer: Option[(Int, BigInt, Int, Int)] = None // acquire: ID, line, from, to
  private var takesProbe = false

  def permission(line: BigInt): Int = copies.get(line).fold(none)(_.permission)
  def mayWrite(line: BigInt): Boolean = permission(line) >= exclusive
  def idle: Boolean = acquiring.isEmpty && releases.isEmpty && probe.isEmpty
  def isAcquiring(line: BigInt): Boolean = acquiring.values.exists(_._1 == line)
  private def chance(p: Double): Boolean = random.nextDouble() < p
  private def any[T](of: Iterable[T]): Option[T] = if (of.isEmpty) None else Some(of.toIndexedSeq(random.nextInt(of.size)))
  private def set(line: BigInt, permission: Int, data: BigInt): Unit =
    if (permission == none) copies -= line else copies(line) = Copy(permission, data)

  /** Inputs of the slice for this cycle. */
  def drive(quiet: Boolean): Unit = {
    offer = None
    val upgradable = copies.collect { case (line, copy) if copy.permission == shared => line }
    val line = any(upgradable).filter(_ => random.nextBoolean()).getOrElse(pool(random.nextInt(pool.size)))
    val has = permission(line)
    val to = if (random.nextBoolean()) exclusive else shared
    val free = (0 until ids).find(!acquiring.contains(_))
    val allowed = has < to && !isAcquiring(line) && !releases.exists(_.line == line) && !probe.exists(_._1 == line)
    if (!quiet && allowed && free.isDefined && chance(style.acquire)) offer = Some((free.get, line, has, to))
    s.set(io.acquire.valid, offer.isDefined)
    for ((id, line, from, to) <- offer) {
      s.set(io.acquire.bits.id, id)
      s.set(io.acquire.bits.lineAddr, line)
      s.set(io.acquire.bits.grow.from, from)
      s.set(io.acquire.bits.grow.to, to)
    }
    takesProbe = probe.isEmpty && chance(style.takeProbe)
    s.set(io.probe.ready, takesProbe)
    s.set(io.release.valid, releases.nonEmpty)
    for (r <- releases.headOption) {
      s.set(io.release.bits.lineAddr, r.line)
      s.set(io.release.bits.isProbeAck, r.isAck)
      s.set(io.release.bits.shrink.from, r.from)
      s.set(io.release.bits.shrink.to, r.to)
      s.set(io.release.bits.data, r.data)
    }
  }

  /** Outputs of the slice, then what the client does with its lines. */
  def sample(): Unit = {
    for ((id, line, from, to) <- offer if s.is(io.acquire.ready)) {
      acquiring(id) = (line, to)
      counts(if (from == shared) "upgrade" else if (to == shared) "acquire shared" else "acquire exclusive") += 1
    }
    if (releases.nonEmpty && s.is(io.release.ready)) releases.dequeue()
    if (s.is(io.grant.valid)) {
      val (line, asked) = acquiring.remove(s.get(io.grant.bits.id).toInt).get
      assert(s.is(io.grant.bits.error) == failing(line), f"bus error of line $line%x")
      if (failing(line)) counts("bus error") += 1 // no copy
      else {
        val cap = s.get(io.grant.bits.cap).toInt
        assert(cap >= asked && cap <= exclusive, s"granted $cap instead of $asked")
        assert(s.get(io.grant.bits.data) == reference(line), f"granted an old line $line%x")
        set(line, cap, reference(line))
        counts(if (cap == shared) "grant shared" else "grant exclusive") += 1
      }
    }
    if (takesProbe && s.is(io.probe.valid)) {
      probe = Some((s.get(io.probe.bits.lineAddr), s.get(io.probe.bits.cap).toInt))
    }
    use()
    answer()
  }

  private def use(): Unit = for ((line, copy) <- any(copies)) {
    assert(copy.data == reference(line), f"an old copy of line $line%x")
    if (copy.permission >= exclusive && chance(style.write)) {
      val data = BigInt(512, random)
      set(line, dirty, data)
      reference(line) = data
      counts("write") += 1
    } else if (chance(style.drop)) {
      val keeps = if (random.nextInt(3) == 0) shared else none
      if (copy.permission == dirty) {
        releases.enqueue(Message(line, isAck = false, dirty, keeps, copy.data))
        set(line, keeps, copy.data)
        counts("release") += 1
      } else set(line, none, 0)
    }
  }

  private def answer(): Unit = for ((line, cap) <- probe if chance(style.answer)) {
    val copy = copies.getOrElse(line, Copy(none, 0))
    val to = if (random.nextInt(4) == 0) none else math.min(cap, copy.permission)
    releases.enqueue(Message(line, isAck = true, copy.permission, to, copy.data))
    set(line, to, copy.data)
    probe = None
    counts(if (cap == shared) "probe to shared" else "probe to none") += 1
    if (copy.permission == dirty) counts("probe of dirty") += 1
    if (isAcquiring(line)) counts("probe of acquired") += 1
  }
}

/** A reader that checks what it reads: the value of now, or of at most `lateCycles` ago. An answer that waits while another slice answers is late by
  * then: a client that was granted the line together with it may have written.
  */
class RandomReader(
    io: LineReadPort,
    s: Signals,
    random: Random,
    reference: Reference,
    pool: IndexedSeq[BigInt],
    ids: Int,
    lateCycles: Int,
    failing: Set[BigInt],
    counts: mutable.Map[String, Int]
) {
  private val reading = mutable.Map[Int, BigInt]()
  private val values = mutable.Map[Int, Seq[BigInt]]() // that may be read, by ID
  private var offer: Option[(Int, BigInt)] = None
  def idle: Boolean = reading.isEmpty

  def drive(quiet: Boolean): Unit = {
    offer = (0 until ids).find(!reading.contains(_)).filter(_ => !quiet && random.nextInt(10) == 0).map((_, pool(random.nextInt(pool.size))))
    s.set(io.req.valid, offer.isDefined)
    for ((id, line) <- offer) {
      s.set(io.req.bits.id, id)
      s.set(io.req.bits.lineAddr, line)
      s.set(io.req.bits.isPrefetch, false)
    }
  }
  def sample(): Unit = {
    for ((id, line) <- reading) values(id) = (values(id) :+ reference(line)).takeRight(lateCycles + 1)
    for ((id, line) <- offer if s.is(io.req.ready)) {
      reading(id) = line
      values(id) = Nil
    }
    if (s.is(io.resp.valid)) {
      val id = s.get(io.resp.bits.id).toInt
      val line = reading.remove(id).get
      val data = s.get(io.resp.bits.data)
      assert(s.is(io.resp.bits.error) == failing(line), f"bus error of line $line%x")
      assert(failing(line) || values(id).contains(data), f"read an old line $line%x")
      counts(if (failing(line)) "bus error of a reader" else if (data == reference(line)) "read" else "late read") += 1
    }
  }
}

/** A prefetcher without sense, and an AMU that wants lines: any line, at any time, but a third of the lines only one of them. What the prefetcher is told
  * must fit what clients can have asked, and itself.
  */
class RandomPrefetcher(
    io: PrefetchPort,
    wanted: DecoupledIO[UInt],
    s: Signals,
    random: Random,
    pool: IndexedSeq[BigInt],
    counts: mutable.Map[String, Int]
) {
  private class Offers(port: DecoupledIO[UInt], lines: IndexedSeq[BigInt], what: String) {
    private var offered: Option[BigInt] = None

    def drive(quiet: Boolean): Unit = {
      if (offered.isEmpty && !quiet && random.nextInt(3) == 0) offered = Some(lines(random.nextInt(lines.size)))
      s.set(port.valid, offered.isDefined)
      offered.foreach(s.set(port.bits, _))
    }
    def sample(): Unit = if (offered.isDefined && s.is(port.ready)) {
      offered = None
      counts(what) += 1
    }
  }
  private val (onlyWanted, others) = pool.splitAt(pool.size / 3)
  private val offers = Seq(new Offers(io.prefetch, others, "prefetch offered"), new Offers(wanted, pool.dropRight(pool.size / 3), "wanted"))

  def drive(quiet: Boolean): Unit = offers.foreach(_.drive(quiet))
  def sample(): Unit = {
    offers.foreach(_.sample())
    for ((event, what) <- Seq(io.access.valid -> io.access.bits.lineAddr, io.fetched.valid -> io.fetched.bits.lineAddr) if s.is(event)) {
      assert(pool.contains(s.get(what)), f"line ${s.get(what)}%x is nobody's")
    }
    if (s.is(io.access.valid)) counts("access for the prefetcher") += 1
    if (s.is(io.fetched.valid)) {
      val line = s.get(io.fetched.bits.lineAddr)
      val wasPrefetch = s.is(io.fetched.bits.wasPrefetch)
      assert(!wasPrefetch || !onlyWanted.contains(line), f"the prefetcher hears of line $line%x, which the AMU alone wanted")
      counts(if (wasPrefetch) "prefetched" else "fetched") += 1
    }
  }
}

/** The AMU: loads and stores of bytes; what misses goes to memory by itself, a store some cycles later. The reference sees an operation when it is
  * answered. Several slices answer in the order of the requests, so later than they decide: there `atATime` must be 1. Two levels answer later than
  * the first decides: its answer is `near` then, and what it does not know has a value of that time or later.
  *
  * What misses beside a fetch of its line under way has not waited for it, in no level: the line was prefetched, and a store drops it. `isAcquired` says
  * whether a client waits for a line.
  */
class RandomLookups(
    io: LineLookupPort,
    s: Signals,
    random: Random,
    reference: Reference,
    memory: AxiMemoryModel,
    pool: IndexedSeq[BigInt],
    atATime: Int,
    counts: mutable.Map[String, Int],
    isAcquired: BigInt => Boolean,
    near: Option[Valid[LineLookupResponse]] = None
) {
  require(near.isEmpty || atATime == 1)
  private case class Operation(line: BigInt, isStore: Boolean, data: BigInt, mask: BigInt) {
    private val bits = (0 until 64).filter(mask.testBit).map(k => BigInt(255) << (8 * k)).foldLeft(BigInt(0))(_ | _)
    def merged(old: BigInt): BigInt = (old & ~bits) | (data & bits)
  }
  private var offered: Option[Operation] = None
  private val asked = mutable.Queue[Operation]()
  private val toMemory = mutable.ArrayBuffer[(Operation, Int)]()
  private var values = Seq[BigInt]() // that the load under way may find, after the answer of the near level
  private var performed = false // by the near level
  private var besideFetch = near.isEmpty // the near level answered so
  private val dropped = mutable.Set[BigInt]()
  private var now = 0
  def idle: Boolean = offered.isEmpty && asked.isEmpty && toMemory.isEmpty

  def drive(quiet: Boolean): Unit = {
    now += 1
    if (offered.isEmpty && !quiet && asked.size < atATime && asked.size + toMemory.size < 8 && random.nextInt(4) == 0) {
      val fetched = if (random.nextBoolean()) pool.filter(memory.isReading) else pool
      val lines = if (fetched.isEmpty) pool else fetched
      offered = Some(Operation(lines(random.nextInt(lines.size)), random.nextBoolean(), BigInt(512, random), BigInt(64, random)))
    }
    s.set(io.req.valid, offered.isDefined)
    for (o <- offered) {
      s.set(io.req.bits.lineAddr, o.line)
      s.set(io.req.bits.isStore, o.isStore)
      s.set(io.req.bits.data, o.data)
      s.set(io.req.bits.mask, o.mask)
    }
    val done = toMemory.find(_._2 <= now)
    s.set(io.storeDone.valid, done.isDefined)
    for (d <- done) {
      toMemory -= d
      val line = d._1.line
      assert(memory.line(line << 6) == reference(line), f"line $line%x was changed above a store on its way to memory")
      reference(line) = d._1.merged(reference(line))
      memory.lines(line) = reference(line)
      s.set(io.storeDone.bits, line)
    }
    for (line <- dropped.toSeq if !memory.isReading(line)) {
      dropped -= line
      if (isAcquired(line) && !toMemory.exists(_._1.line == line)) counts("acquire of a dropped line") += 1
    }
  }
  def sample(): Unit = {
    if (near.isDefined && values.nonEmpty && !performed) values :+= reference(asked.head.line)
    for (answer <- near if s.is(answer.valid)) {
      val o = asked.head
      performed = s.is(answer.bits.hit)
      values = Seq(reference(o.line))
      if (performed && o.isStore) reference(o.line) = o.merged(reference(o.line))
      besideFetch = memory.isReading(o.line)
      counts(if (performed) "near hit" else "near miss") += 1
    }
    if (s.is(io.resp.valid)) {
      val o = asked.dequeue()
      val hit = s.is(io.resp.bits.hit)
      val possible = if (near.isDefined) values else Seq(reference(o.line))
      counts((if (o.isStore) "AMU store " else "AMU load ") + (if (hit) "hit" else "miss")) += 1
      if (!hit) {
        val found = memory.line(o.line << 6)
        assert(if (o.isStore) found == reference(o.line) else possible.contains(found), f"the AMU is sent to memory for line ${o.line}%x that a cache holds")
        if (besideFetch && memory.isReading(o.line)) {
          counts(if (o.isStore) "AMU store drops a line" else "AMU load overtakes a line") += 1
          if (o.isStore) dropped += o.line
        }
        if (o.isStore) toMemory += ((o, now + 1 + random.nextInt(if (random.nextBoolean()) 60 else 6)))
      } else if (!o.isStore) assert(possible.contains(s.get(io.resp.bits.data)), f"the AMU got an old line ${o.line}%x")
      else if (!performed) reference(o.line) = o.merged(reference(o.line))
      performed = false
      values = Nil
    }
    for (o <- offered if s.is(io.req.ready)) {
      asked.enqueue(o)
      offered = None
    }
  }
}

/** All who use a cache at random, and how often what happened.
  *
  * @param lateCycles so old may be what a reader reads
  * @param atATime    lookups of the AMU at a time; it and `near` as in `RandomLookups`
  */
class RandomTraffic(
    dut: CacheWithMemory,
    p: SliceParams,
    s: Signals,
    random: Random,
    memory: AxiMemoryModel,
    pool: IndexedSeq[BigInt],
    style: ClientStyle,
    lateCycles: Int => Int,
    atATime: Int,
    near: Option[Valid[LineLookupResponse]] = None
) {
  private val reference = new Reference
  val counts: mutable.Map[String, Int] = mutable.Map[String, Int]().withDefaultValue(0)
  val clients: Seq[RandomClient] =
    for ((port, ids) <- dut.io.clients.zip(p.clients)) yield new RandomClient(port, s, random, reference, pool, ids, style, memory.failing.keySet, counts)
  private val readers =
    for ((port, ids) <- dut.io.readers.zip(p.readers))
      yield new RandomReader(port, s, random, reference, pool, ids, lateCycles(ids), memory.failing.keySet, counts)
  private val prefetcher = dut.io.prefetcher.zip(dut.io.wanted).map { case (port, wanted) => new RandomPrefetcher(port, wanted, s, random, pool, counts) }
  private def isAcquired(line: BigInt): Boolean = clients.exists(_.isAcquiring(line))
  private val lookups = dut.io.lookup.map(new RandomLookups(_, s, random, reference, memory, pool, atATime, counts, isAcquired, near))

  def checkOvertaken(): Unit =
    for ((kind, often) <- Seq("AMU load overtakes a line" -> 9, "AMU store drops a line" -> 9, "acquire of a dropped line" -> 1))
      assert(counts(kind) >= often, s"$kind: ${counts(kind)}")

  def idle: Boolean = clients.forall(_.idle) && readers.forall(_.idle) && lookups.forall(_.idle)

  /** A cycle, up to its clock edge. Answers are sampled first: they are of the values before this cycle's writes. */
  def step(quiet: Boolean): Unit = {
    memory.step()
    clients.foreach(_.drive(quiet))
    readers.foreach(_.drive(quiet))
    lookups.foreach(_.drive(quiet))
    prefetcher.foreach(_.drive(quiet))
    prefetcher.foreach(_.sample())
    lookups.foreach(_.sample())
    readers.foreach(_.sample())
    clients.foreach(_.sample())
  }
}

/** A lookup of the AMU with any content, for benches of what is between it and the caches. */
case class LookupContent(lineAddr: BigInt, isStore: Boolean, data: BigInt, mask: BigInt) {
  def set(s: Signals, bits: LineLookupRequest): Unit = {
    s.set(bits.lineAddr, lineAddr)
    s.set(bits.isStore, isStore)
    s.set(bits.data, data)
    s.set(bits.mask, mask)
  }
}

object LookupContent {
  def random(random: Random, line: LineParams): LookupContent =
    LookupContent(BigInt(line.addrBits, random), random.nextBoolean(), BigInt(line.bits, random), BigInt(line.bytes, random))
  def get(s: Signals, bits: LineLookupRequest): LookupContent =
    LookupContent(s.get(bits.lineAddr), s.is(bits.isStore), s.get(bits.data), s.get(bits.mask))
}
