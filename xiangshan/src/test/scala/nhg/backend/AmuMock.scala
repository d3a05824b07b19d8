// SPDX-License-Identifier: Apache-2.0
package nhg.backend

import amu.{AmuCsrIO, AmuFinishIO, AmuRequestIO}
import nhg.NhgParams
import nhg.mem.Signals
import scala.util.Random

case class FinishedModel(id: Int, taskWord: Long, target: Long)

/** The AMU as the back end sees it: a request queue whose entries wait or fail at commit, and groups that finish at random times. */
class AmuMock(p: NhgParams, requests: AmuRequestIO, finish: AmuFinishIO, csr: AmuCsrIO, s: Signals, random: Random) {
  private val reqMod = 1 << p.amu.reqPtrBits
  private val finMod = 1 << p.amu.finPtrBits
  // request queue: absolute positions
  private var reqHead, reqCommit, reqTail = 0
  private var operands = Set[Int]()
  // finish queue: absolute positions
  private var finCommit, finRename, finTail = 0
  private var offers = false
  private var reading = 0 // cycles that an ID is looked for
  /** The error of the AMI request that is at the ROB head in this cycle. */
  var error: Option[BigInt] = None

  def group(n: Int): FinishedModel = {
    val r = new Random(n)
    val (id, taskWord, at) = (1 + r.nextInt(platform.AmuLimits.maxId), r.nextLong() | 1, PcMap.draw(r))
    FinishedModel(id, taskWord, PcMap.ofSv39(if (r.nextInt(4) == 0) -at else at))
  }
  def nextTarget: Long = group(finRename).target

  def drive(): Unit = {
    if (reqHead < reqCommit && random.nextInt(4) == 0) reqHead += 1
    s.set(requests.tail, reqTail % reqMod)
    s.set(requests.full, reqTail - reqHead == p.amu.requestQueue)
    error = if (random.nextInt(12) == 0) Some(BigInt(64, random)) else None
    s.set(requests.commitException, error.isDefined)
    s.set(requests.commitReady, error.isDefined || random.nextInt(3) != 0)
    s.set(requests.commitCause, 24)
    error.foreach(s.set(requests.commitTval, _))

    if (finTail - finCommit < p.amu.finishQueue && random.nextInt(12) == 0) finTail += 1
    offers = finRename < finTail
    s.set(finish.available, offers)
    s.set(finish.renamePtr, finRename % finMod)
    val read = s.get(finish.readPtr).toInt
    val position = finCommit + Math.floorMod(read - finCommit, finMod)
    s.set(finish.read.id, group(position).id)
    s.set(finish.read.taskWord, Reference.bits(group(position).taskWord))
    s.set(finish.read.target, BigInt(group(position).target) & ((BigInt(1) << p.addressBits) - 1))
    for ((number, port) <- csr.values) s.set(port, AmuMock.status(number))
    s.set(csr.readOutBusy, reading > 0)
    reading -= 1
  }

  /** The next entry after what is squashed or flushed in this cycle. */
  def finPtrAfterRedirect: BigInt =
    if (s.is(finish.flush)) finCommit % finMod else s.get(finish.restore.bits)

  def sample(): Unit = {
    if (s.is(requests.operands.valid)) {
      val position = reqCommit + Math.floorMod(s.get(requests.operands.bits.ptr).toInt - reqCommit, reqMod)
      assert(position < reqTail, "operands for a request that is not there")
      operands += position
    }
    if (s.is(requests.commitValid)) {
      assert(reqCommit < reqTail && operands(reqCommit), "a request commits without operands")
      if (s.is(requests.commitReady) && error.isEmpty) {
        operands -= reqCommit
        reqCommit += 1
      }
    } else error = None
    if (s.is(requests.flush)) reqTail = reqCommit
    else if (s.is(requests.restore.valid)) {
      val to = reqCommit + Math.floorMod(s.get(requests.restore.bits).toInt - reqCommit, reqMod)
      assert(to <= reqTail, "restore beyond the request queue")
      reqTail = to
    } else if (s.is(requests.allocate)) {
      assert(reqTail - reqHead < p.amu.requestQueue, "request queue overflow")
      reqTail += 1
    }
    operands = operands.filter(_ < reqTail)

    if (s.is(csr.select.valid) || s.is(csr.forget)) {
      assert(reading <= 0, "an ID is selected or forgotten while another one is")
      reading = 1 + random.nextInt(20)
    }
    if (s.is(finish.take)) {
      assert(offers, "a group is taken that is not there")
      finRename += 1
    }
    if (s.is(finish.commitTake)) {
      assert(finCommit < finRename, "commit of a group nobody took")
      finCommit += 1
    }
    if (s.is(finish.flush)) finRename = finCommit
    else if (s.is(finish.restore.valid)) {
      val to = finCommit + Math.floorMod(s.get(finish.restore.bits).toInt - finCommit, finMod)
      assert(to <= finRename, "restore beyond the finish queue")
      finRename = to
    }
  }
}

object AmuMock {
  /** By CSR number. */
  val status: Map[Int, BigInt] = CsrModel.amuCsrs.map(number => number -> BigInt(0x1234567) * number).toMap
}
