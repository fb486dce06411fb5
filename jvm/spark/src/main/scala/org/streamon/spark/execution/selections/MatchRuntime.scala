package org.streamon.spark.execution.selections

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.execution.metric.SQLMetric
import org.streamon.spark.selections.SharedSelections

/** What a task needs to match rows with rules. The driver makes it and sends it with the task. */
final case class MatchRuntime(selections: Broadcast[SharedSelections], metrics: MatchRuntime.Metrics) {

  /** For the running task, whose counts are added to the metrics when it ends. */
  def newMatcher(): RuleMatcher = {
    val matcher = new RuleMatcher(selections.value.compiled)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => report(matcher)))
    matcher
  }

  private def report(matcher: RuleMatcher): Unit = {
    matcher.tell()
    metrics.matches.add(matcher.matches)
    metrics.residuals.add(matcher.residualsEvaluated)
    metrics.sampled.add(matcher.sampled)
    metrics.memory.set(matcher.bytes)
    for (column <- metrics.asked.indices) metrics.asked(column).add(matcher.asked(column))
  }
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
