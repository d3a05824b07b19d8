// SPDX-License-Identifier: Apache-2.0
package nhg

import chisel3.util._
import common.Ring

/** A class of architectural registers with physical registers of its own. Class 0 of the core has a fixed register 0.
  *
  * @param logical   registers that instructions name
  * @param physical  registers that they are renamed to
  * @param fixedZero register 0 reads zero and is never written; it is physical register 0 for good
  */
case class RegisterClass(name: String, logical: Int, physical: Int, fixedZero: Boolean) {
  require(isPow2(logical) && physical >= logical + 2, s"RegisterClass $name: $logical logical registers, no power of two, or $physical physical ones, too few")
  val logicalBits: Int = log2Ceil(logical)
  val physicalBits: Int = log2Ceil(physical)
  /** Places of the free list, one for each register that it may hold: all but one, when every instruction's register is the same. */
  val freeRing: Ring = Ring(physical)
}

/** An in-order queue between rename and the issue queues. */
case class DispatchQueueParams(name: String, entries: Int)

/** An issue queue and the dispatch queue that fills it.
  *
  * @param only empty: its micro-ops wait for all their operands. Else for these alone, which then no other queue waits for that gets the
  *             same micro-op (a store's data)
  */
case class IssueQueueParams(name: String, dispatch: String, entries: Int, only: Seq[Int] = Nil)

/** An execution port: one micro-op a cycle from an issue queue, through register read into function units.
  *
  * @param reads       register classes that operand 0, 1, … may come from
  * @param writes      register classes that its results may go to
  * @param wakesAtIssue results come in the cycle after register read: dependents wake when the micro-op is selected; otherwise the
  *                    function unit tells
  * @param retiresAtOnce its operations may retire in the cycle of their result, and not only in the next; they must not be able to raise an
  *                    exception or to redirect fetch
  */
case class ExecutionPort(
    name: String,
    queue: String,
    reads: Seq[Set[String]],
    writes: Set[String] = Set(),
    wakesAtIssue: Boolean = false,
    retiresAtOnce: Boolean = false
)

/** Table I's back end. The decode table says which issue queues an operation goes to; everything between rename and the function units
  * follows from the tables here.
  */
case class BackendParams(
    decodeWidth: Int = 4, // also rename and dispatch width
    commitWidth: Int = 4,
    robEntries: Int = 96,
    branchSnapshots: Int = 24,
    registerClasses: Seq[RegisterClass] = Seq(
      RegisterClass("int", logical = 32, physical = 64, fixedZero = true),
      RegisterClass("fp", logical = 32, physical = 64, fixedZero = false)
    ),
    dispatchQueues: Seq[DispatchQueueParams] = Seq(DispatchQueueParams("int", 12), DispatchQueueParams("mem", 12), DispatchQueueParams("fp", 12)),
    // 8 entries per port as in NANHU; the store queues hold a third more, since store data waits for loads.
    issueQueues: Seq[IssueQueueParams] = Seq(
      IssueQueueParams("alu", "int", 16),
      IssueQueueParams("bru", "int", 8), // branches, jumps, CSR, getfin, bafin
      IssueQueueParams("mdu", "int", 8),
      IssueQueueParams("load", "mem", 16),
      IssueQueueParams("storeAddress", "mem", 12), // and AMI requests
      IssueQueueParams("storeData", "mem", 12, only = Seq(1)),
      IssueQueueParams("fma", "fp", 8),
      IssueQueueParams("fpMisc", "fp", 8) // and divisions, square roots
    ),
    ports: Seq[ExecutionPort] = Seq(
      ExecutionPort("alu0", "alu", reads = Seq(Set("int"), Set("int")), writes = Set("int"), wakesAtIssue = true, retiresAtOnce = true),
      ExecutionPort("alu1", "alu", reads = Seq(Set("int"), Set("int")), writes = Set("int"), wakesAtIssue = true, retiresAtOnce = true),
      ExecutionPort("bru", "bru", reads = Seq(Set("int"), Set("int")), writes = Set("int"), wakesAtIssue = true),
      ExecutionPort("mdu", "mdu", reads = Seq(Set("int"), Set("int")), writes = Set("int")),
      ExecutionPort("load0", "load", reads = Seq(Set("int")), writes = Set("int", "fp")),
      ExecutionPort("load1", "load", reads = Seq(Set("int")), writes = Set("int", "fp")),
      ExecutionPort("storeAddress0", "storeAddress", reads = Seq(Set("int"), Set("int"))),
      ExecutionPort("storeAddress1", "storeAddress", reads = Seq(Set("int"), Set("int"))),
      ExecutionPort("storeData0", "storeData", reads = Seq(Set("int", "fp"))),
      ExecutionPort("storeData1", "storeData", reads = Seq(Set("int", "fp"))),
      ExecutionPort("fma", "fma", reads = Seq(Set("fp"), Set("fp"), Set("fp")), writes = Set("fp"), retiresAtOnce = true),
      ExecutionPort("fpMisc", "fpMisc", reads = Seq(Set("int", "fp"), Set("fp")), writes = Set("int", "fp"))
    )
) {
  /** Operands of a micro-op. */
  val sources: Int = 2 max ports.map(_.reads.length).max
  def classIndex(name: String): Int = indexOf(registerClasses.map(_.name), name, "register class")
  /** Number of the class of floating-point registers. */
  val fpClass: Int = classIndex("fp")
  def queueIndex(name: String): Int = indexOf(issueQueues.map(_.name), name, "issue queue")
  /** Classes that operand `k` of some port may come from. */
  def sourceClasses(k: Int): Seq[Int] = ports.flatMap(_.reads.lift(k)).flatten.distinct.map(classIndex).sorted
  def portsOf(queue: String): Seq[ExecutionPort] = ports.filter(_.queue == queue)
  private def indexOf(names: Seq[String], name: String, what: String): Int = {
    require(names.contains(name), s"BackendParams: no $what is called $name; there are ${names.mkString(", ")}")
    names.indexOf(name)
  }

  require(registerClasses.head.fixedZero, s"BackendParams: the first register class, ${registerClasses.head.name}, needs a register fixed to zero")
  for (names <- Seq(registerClasses.map(_.name), dispatchQueues.map(_.name), issueQueues.map(_.name), ports.map(_.name)))
    require(names.distinct.length == names.length, s"BackendParams: a name occurs twice in ${names.mkString(", ")}")
  for (q <- issueQueues) {
    require(dispatchQueues.exists(_.name == q.dispatch), s"BackendParams: issue queue ${q.name} is filled by ${q.dispatch}, which is no dispatch queue")
    require(portsOf(q.name).map(_.reads).distinct.length == 1, s"BackendParams: issue queue ${q.name} needs ports that read alike")
  }
  for (port <- ports; name <- port.reads.flatten ++ port.writes) classIndex(name)
  ports.foreach(port => queueIndex(port.queue))
  for (port <- ports if port.retiresAtOnce)
    require(Seq("alu", "mdu", "fma", "fpMisc").contains(port.queue), s"BackendParams: operations of port ${port.name} may raise exceptions or redirect fetch")
}
