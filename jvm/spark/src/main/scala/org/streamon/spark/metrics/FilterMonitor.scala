package org.streamon.spark.metrics

import scala.collection.mutable

/** The driver's record of what adaptive filters did: running counts for each operator of each query, and the
  * latest decisions. What `streamon_stats()` and `streamon_decisions()` read.
  */
object FilterMonitor {
  private val OperatorsKept = 1000
  private val DecisionsKept = 10000

  /** Of operators. Conjuncts may be long: a list of a million values is one. */
  private val BytesKept = 16L << 20

  private type Key = (String, String, String)

  private val operators = mutable.LinkedHashMap.empty[Key, FilterReport]
  private var bytes = 0L
  private val log = mutable.Queue.empty[DecisionReport]

  /** Takes in what a task has counted. */
  def record(counts: FilterCounts, texts: FilterTexts): Unit = synchronized {
    val key = (counts.query, texts.operator, texts.fingerprint)
    val before = operators.remove(key)
    val report = before.getOrElse(FilterReport(counts.query, texts)) + counts
    operators.put(key, report)
    if (before.isEmpty) makeRoom(report)
    // The texts that are kept already, not the same ones of a later micro-batch.
    record(
      counts.decisions.map(
        DecisionReport(report.query, report.operator, report.algorithm, report.conjuncts, _)
      )
    )
  }

  def record(decisions: Seq[DecisionReport]): Unit = synchronized {
    log ++= decisions
    while (log.size > DecisionsKept) log.dequeue()
  }

  /** Totals of each operator, oldest first. */
  def totals: Seq[FilterReport] = synchronized(operators.values.toList)

  /** Decisions in the order of their time. */
  def decisions: Seq[DecisionReport] = synchronized(log.toList).sortBy(_.decision.timeMicros)

  /** Lets go of operators that have told nothing for longest, with their decisions, which have their texts.
    */
  private def makeRoom(added: FilterReport): Unit = {
    bytes += added.bytes
    while (operators.size > OperatorsKept || bytes > BytesKept && operators.size > 1) {
      val (key, oldest) = operators.head
      operators.remove(key)
      bytes -= oldest.bytes
      log.filterInPlace(d => !(d.parts eq oldest.conjuncts))
    }
  }
}
