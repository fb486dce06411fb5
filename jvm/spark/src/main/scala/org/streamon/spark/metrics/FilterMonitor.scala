package org.streamon.spark.metrics

import scala.collection.mutable

/** A record of what adaptive filters did: running counts for each operator of each query, and the latest
  * decisions.
  */
class FilterMonitor {
  import FilterMonitor._

  private val operators = mutable.LinkedHashMap.empty[(String, String, String), FilterReport]
  private var operatorBytes = 0L
  private val log = mutable.Queue.empty[DecisionReport]
  private var logBytes = 0L

  /** Takes in what a task has counted; what its operator has by then. */
  def record(counts: FilterCounts, texts: FilterTexts): FilterReport = synchronized {
    val key = (counts.query, texts.operator, texts.fingerprint)
    val before = operators.remove(key)
    val report = before.getOrElse(FilterReport(counts.query, texts)).and(counts, texts)
    operators.put(key, report)
    operatorBytes += report.bytes - before.fold(0L)(_.bytes)
    makeRoom()
    record(
      counts.decisions.map(
        DecisionReport(report.query, report.operator, counts.executor, report.algorithm, report.conjuncts, _)
      )
    )
    report
  }

  def record(decisions: Seq[DecisionReport]): Unit = synchronized {
    log ++= decisions
    logBytes += decisions.map(bytesOf).sum
    while (log.size > DecisionsKept || logBytes > BytesKept) logBytes -= bytesOf(log.dequeue())
  }

  /** Totals of each operator, oldest first. */
  def totals: Seq[FilterReport] = synchronized(operators.values.toList)

  /** Decisions in the order of their time. */
  def decisions: Seq[DecisionReport] = synchronized(log.toList).sortBy(_.decision.timeMicros)

  /** Lets go of operators that have told nothing for longest; where they take too much, with their decisions,
    * which have the same texts.
    */
  private def makeRoom(): Unit = while (operators.size > OperatorsKept || isTooMuch) {
    val (key, oldest) = operators.head
    if (isTooMuch) {
      log.filterInPlace(d => d.query != oldest.query || d.operator != oldest.operator)
      logBytes = log.map(bytesOf).sum
    }
    operators.remove(key)
    operatorBytes -= oldest.bytes
  }

  /** The operator that has told last is kept in any case. */
  private def isTooMuch = operatorBytes > BytesKept && operators.size > 1
}

/** That of the driver: what `streamon_stats()` and `streamon_decisions()` read. */
object FilterMonitor extends FilterMonitor {
  private val OperatorsKept = 1000
  private val DecisionsKept = 10000

  /** Of operators, and of decisions without their texts. */
  private val BytesKept = 16L << 20

  private def bytesOf(decision: DecisionReport): Long = 300L + 100L * decision.parts.size
}
