package org.streamon.spark.execution.selections

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.metric.SQLMetric
import org.streamon.core.selections.Sequence
import org.streamon.spark.execution.QueryOfTask
import org.streamon.spark.metrics.{FilterCounts, OrderChange, Reports, SequenceChange, ThisExecutor}
import org.streamon.spark.selections.SharedSelections

/** What a task needs to match rows with rules. The driver makes it and sends it with the task.
  *
  * @param learned
  *   the columns in the order to begin with, if one was learned elsewhere
  * @param learnedConditions
  *   the same of the conditions
  * @param forced
  *   the columns in an order to keep, if any
  */
final case class MatchRuntime(
    selections: Broadcast[SharedSelections],
    learned: Option[IndexedSeq[Int]],
    learnedConditions: Option[IndexedSeq[Int]],
    forced: Option[IndexedSeq[Int]],
    metrics: MatchRuntime.Metrics,
    reports: Reports[FilterCounts]
) extends Logging {

  /** For the running task, whose counts are reported when it ends. */
  def newMatcher(): RuleMatcher = {
    val compiled = selections.value.compiled
    learned.foreach(order => compiled.loop.begin(Sequence(order)))
    learnedConditions.foreach(compiled.bank.begin)
    val matcher = new RuleMatcher(compiled, forced.map(Sequence(_)))
    val query = QueryOfTask()
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => report(matcher, query)))
    matcher
  }

  /** What went wrong with the counts is no reason to fail the task. */
  private def report(matcher: RuleMatcher, query: QueryOfTask): Unit = try {
    matcher.tell()
    metrics.matches.add(matcher.matches)
    metrics.residuals.add(matcher.residualsEvaluated)
    metrics.sampled.add(matcher.sampled)
    metrics.memory.set(matcher.bytes)
    for (column <- metrics.asked.indices) metrics.asked(column).add(matcher.asked(column))
    val (sequences, orders) = selections.value.compiled.takeChanges()
    if (metrics.asked.nonEmpty) reports.add(ofColumns(matcher, query, sequences.map(SequenceChange.of)))
    if (selections.value.hasReported) reports.add(ofConditions(matcher, query, orders.map(OrderChange(_))))
  } catch {
    case NonFatal(error) => logWarning("The counts of a streamon_match are lost for one task", error)
  }

  private def ofColumns(matcher: RuleMatcher, query: QueryOfTask, changes: Seq[SequenceChange]) = {
    val columns = metrics.asked.indices
    counts(
      query,
      MatchReports.Columns,
      matcher.sequence,
      columns.map(matcher.asked),
      columns.map(matcher.droppedBy),
      matcher
    ).copy(profiled = matcher.sampled, reorders = changes.size, sequences = changes)
  }

  private def ofConditions(matcher: RuleMatcher, query: QueryOfTask, changes: Seq[OrderChange]) = {
    val bank = matcher.bank
    val order = bank.order.all
    counts(
      query,
      MatchReports.Conditions,
      order,
      order.indices.map(bank.evaluated),
      order.indices.map(bank.dropped),
      matcher
    ).copy(
      profiled = bank.sampled,
      reorders = changes.size,
      reevaluated = bank.withheld,
      decisions = changes
    )
  }

  private def counts(
      query: QueryOfTask,
      place: Int,
      order: IndexedSeq[Int],
      evaluations: Seq[Long],
      drops: Seq[Long],
      matcher: RuleMatcher
  ) = FilterCounts(
    query.name,
    query.isStreaming,
    ThisExecutor.id,
    place,
    order.toArray,
    Nil,
    evaluations.toArray,
    drops.toArray,
    matcher.inputRows,
    matcher.outputRows,
    profiled = 0L,
    asWritten = None,
    reorders = 0L,
    reevaluated = 0L,
    decisions = Nil
  )
}

object MatchRuntime {

  /** SQL metrics of the operator.
    *
    * @param asked
    *   by column
    */
  final case class Metrics(
      asked: Array[SQLMetric],
      matches: SQLMetric,
      residuals: SQLMetric,
      sampled: SQLMetric,
      memory: SQLMetric
  )
}
