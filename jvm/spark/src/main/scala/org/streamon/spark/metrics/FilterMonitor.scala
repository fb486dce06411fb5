package org.streamon.spark.metrics

import scala.collection.mutable

/** The driver's record of what adaptive filters did: running counts for each operator of each query, and the
  * latest decisions. What `streamon_stats()` and `streamon_decisions()` read.
  */
object FilterMonitor {
  private val OperatorsKept = 1000
  private val DecisionsKept = 10000

  private val operators = mutable.LinkedHashMap.empty[(String, String, String), FilterReport]
  private val log = mutable.Queue.empty[DecisionReport]

  def record(report: FilterReport): Unit = synchronized {
    val key = (report.query, report.operator, report.fingerprint)
    operators.put(key, operators.remove(key).fold(report.copy(decisions = Nil))(sum(_, report)))
    while (operators.size > OperatorsKept) operators.remove(operators.head._1)
    record(report.decisions)
  }

  def record(decisions: Seq[DecisionReport]): Unit = synchronized {
    log ++= decisions
    while (log.size > DecisionsKept) log.dequeue()
  }

  /** Totals of each operator, oldest first. */
  def totals: Seq[FilterReport] = synchronized(operators.values.toList)

  /** Decisions in the order of their time. */
  def decisions: Seq[DecisionReport] = synchronized(log.toList).sortBy(_.decision.timeMicros)

  private def sum(a: FilterReport, b: FilterReport): FilterReport = b.copy(
    evaluations = added(a.evaluations, b.evaluations),
    drops = added(a.drops, b.drops),
    inputRows = a.inputRows + b.inputRows,
    outputRows = a.outputRows + b.outputRows,
    profiled = a.profiled + b.profiled,
    reorders = a.reorders + b.reorders,
    reevaluated = a.reevaluated + b.reevaluated,
    decisions = Nil
  )

  private def added(a: Array[Long], b: Array[Long]): Array[Long] = a.zip(b).map { case (x, y) => x + y }
}
