package org.streamon.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.metric.SQLMetric
import org.streamon.spark.metrics.{FilterReport, FilterReports}
import org.streamon.spark.planning.FilterSettings

/** What a task needs to know of an adaptive filter: made on the driver, sent with the task, the same for all
  * rows.
  *
  * @param conjuncts
  *   the conjuncts as text, in written order
  * @param initialOrder
  *   written positions, in the order to begin with
  * @param pinned
  *   pairs (before, after) of written positions that must keep their relative place
  * @param operator
  *   name of the operator within its query
  */
final case class FilterRuntime(
    conjuncts: IndexedSeq[String],
    initialOrder: Array[Int],
    pinned: Seq[(Int, Int)],
    settings: FilterSettings,
    operator: String,
    metrics: FilterRuntime.Metrics,
    reports: FilterReports
) {
  def size: Int = conjuncts.size

  /** The state of this filter in the running task; its counts are reported when the task ends. */
  def newTask(): FilterTask = {
    val context = Option(TaskContext.get())
    val query = context.flatMap(FilterRuntime.query).getOrElse("none")
    val task = new FilterTask(this, ProfileRegistry.profile(query, this), query)
    context.foreach(_.addTaskCompletionListener[Unit](_ => report(task.report())))
    task
  }

  private def report(r: FilterReport): Unit = {
    reports.add(r)
    metrics.profiled.add(r.profiled)
    metrics.reorders.add(r.reorders)
    metrics.reevaluated.add(r.reevaluated)
    for (q <- 0 until size) {
      metrics.evaluations(q).add(r.evaluations(q))
      metrics.drops(q).add(r.drops(q))
    }
  }
}

object FilterRuntime {

  /** SQL metrics of the operator; the arrays by written position. */
  final case class Metrics(
      evaluations: Array[SQLMetric],
      drops: Array[SQLMetric],
      profiled: SQLMetric,
      reorders: SQLMetric,
      reevaluated: SQLMetric
  )

  private val StreamingQueryId = "sql.streaming.queryId"
  private val ExecutionId = "spark.sql.execution.id"

  /** The streaming query's id, or the batch execution's. */
  private def query(context: TaskContext): Option[String] =
    Option(context.getLocalProperty(StreamingQueryId))
      .orElse(Option(context.getLocalProperty(ExecutionId)).map("execution-" + _))
}
