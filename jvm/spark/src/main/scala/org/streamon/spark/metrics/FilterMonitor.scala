package org.streamon.spark.metrics

import scala.collection.mutable

/** A record of adaptive filters: running counts for each operator of each query, and the latest decisions.
  * Users see only the records of their own queries. All users share the limits.
  */
class FilterMonitor {
  import FilterMonitor._

  private val operators = mutable.LinkedHashMap.empty[Key, FilterReport]
  private var operatorBytes = 0L
  private val log = mutable.Queue.empty[Entry]
  private var logBytes = 0L

  /** Takes in what a task has counted; what its operator has by then. */
  def record(counts: FilterCounts, texts: FilterTexts): FilterReport = synchronized {
    val key = Key(texts.owner, counts.query, texts.operator, texts.fingerprint)
    val before = operators.remove(key)
    val report = before.getOrElse(FilterReport(counts.query, texts)).and(counts, texts)
    operators.put(key, report)
    operatorBytes += report.bytes - before.fold(0L)(_.bytes)
    makeRoom()
    record(
      changes(counts, texts).map(
        DecisionReport(report.query, report.operator, counts.executor, report.algorithm, report.conjuncts, _)
      ),
      texts.owner
    )
    report
  }

  private def changes(counts: FilterCounts, texts: FilterTexts): Seq[Change] =
    counts.decisions.map(_.copy(attributes = texts.attributes)) ++
      counts.routes.toSeq.flatMap(_.changes).map(RoutesChange(_, texts.attributes)) ++
      counts.sequences

  def record(decisions: Seq[DecisionReport], owner: Option[String]): Unit = synchronized {
    log ++= decisions.map(Entry(owner, _))
    logBytes += decisions.map(bytesOf).sum
    while (log.size > DecisionsKept || logBytes > BytesKept) logBytes -= bytesOf(log.dequeue().report)
  }

  /** Totals of each operator of an owner, oldest first. */
  def totals(owner: Option[String]): Seq[FilterReport] =
    synchronized(operators.values.filter(_.texts.owner == owner).toList)

  /** Decisions of an owner's queries in the order of their time. */
  def decisions(owner: Option[String]): Seq[DecisionReport] =
    synchronized(log.iterator.filter(_.owner == owner).map(_.report).toList).sortBy(_.change.timeMicros)

  /** Lets go of operators that have told nothing for longest; where they take too much, with their decisions,
    * which have the same texts.
    */
  private def makeRoom(): Unit = while (operators.size > OperatorsKept || isTooMuch) {
    val (key, oldest) = operators.head
    if (isTooMuch) {
      log.filterInPlace { e =>
        e.owner != key.owner || e.report.query != oldest.query || e.report.operator != oldest.operator
      }
      logBytes = log.map(e => bytesOf(e.report)).sum
    }
    operators.remove(key)
    operatorBytes -= oldest.bytes
  }

  /** The operator that has told last is kept in any case. */
  private def isTooMuch = operatorBytes > BytesKept && operators.size > 1
}

/** The record of the driver, for `streamon_stats()` and `streamon_decisions()`. */
object FilterMonitor extends FilterMonitor {
  private final case class Key(owner: Option[String], query: String, operator: String, fingerprint: String)

  private final case class Entry(owner: Option[String], report: DecisionReport)

  private val OperatorsKept = 1000
  private val DecisionsKept = 10000

  /** Of operators, and of decisions without their texts. */
  private val BytesKept = 16L << 20

  private def bytesOf(report: DecisionReport): Long = 300L + (report.change match {
    case OrderChange(_, lane, _) =>
      100L * report.parts.size + lane.fold(0L) { case (tree, _) => RouteBytes.of(tree) }
    case _: SequenceChange         => 50L * report.parts.size
    case RoutesChange(decision, _) => RouteBytes.of(decision.oldPlan) + RouteBytes.of(decision.newPlan)
  })
}
