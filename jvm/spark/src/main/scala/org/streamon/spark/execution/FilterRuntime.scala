package org.streamon.spark.execution

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.metric.SQLMetric
import org.streamon.spark.metrics.{FilterCounts, Guard, Reports}
import org.streamon.spark.routes.Routing
import org.streamon.spark.settings.FilterSettings

/** The data about an adaptive filter that a task needs. The driver makes it and sends it with the task.
  *
  * @param size
  *   the number of conjuncts
  * @param initialOrder
  *   written positions, in the order to start with
  * @param initialGuards
  *   guards that other tasks have learned
  * @param straightOrder
  *   the order that generated code has without a loop, if any
  * @param pinned
  *   pairs (before, after) of written positions that must keep their relative place
  * @param blockFrom
  *   the written position from which on all are evaluated together, if any (see
  *   [[org.streamon.core.filters.BlockOrdering]])
  * @param operator
  *   name of the operator within its query
  * @param structure
  *   what its conjuncts are, types included: the same in every micro-batch
  * @param source
  *   which columns it reads: the same in every stage of one batch execution
  * @param routing
  *   how rows are sent on routes, if they are
  */
final case class FilterRuntime(
    size: Int,
    initialOrder: Array[Int],
    initialGuards: Seq[Guard],
    straightOrder: Option[Array[Int]],
    pinned: Seq[(Int, Int)],
    blockFrom: Option[Int],
    settings: FilterSettings,
    operator: String,
    structure: String,
    source: String,
    metrics: FilterRuntime.Metrics,
    reports: Reports[FilterCounts],
    routing: Option[Routing] = None
) extends Logging {

  /** The state of this filter in the running task. */
  def newTask(): FilterTask = begin { (loop, origin) =>
    new FilterTask(this, loop, new FilterTally(origin, size))
  }(_.report())

  /** The same where rows are sent on routes. */
  def newRouteTask(): RouteTask = {
    val origin = FilterRuntime.originOfTask(structure, source)
    reporting(new RouteTask(this, ProfileRegistry.routes(origin, this), origin))(_.report())
  }

  /** What evaluates this filter in the running task; its counts are reported when the task ends.
    *
    * @param make
    *   by the loop that it shares with other tasks, and what it runs for
    */
  def begin[T](make: (FilterLoop, FilterRuntime.Origin) => T)(counts: T => FilterCounts): T = {
    val origin = FilterRuntime.originOfTask(structure, source)
    reporting(make(ProfileRegistry.order(origin, this), origin))(counts)
  }

  private def reporting[T](task: T)(counts: T => FilterCounts): T = {
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => report(counts(task))))
    task
  }

  /** What went wrong with the counts is no reason to fail the task. */
  private def report(r: FilterCounts): Unit = try {
    reports.add(r)
    metrics.profiled.add(r.profiled)
    metrics.reorders.add(r.reorders)
    metrics.reevaluated.add(r.reevaluated)
    for (q <- 0 until size) {
      metrics.evaluations(q).add(r.evaluations(q))
      metrics.drops(q).add(r.drops(q))
    }
  } catch {
    case NonFatal(error) => logWarning("The counts of an adaptive filter are lost for one task", error)
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

  /** Which query an operator runs for, and which of its operators it is.
    *
    * @param query
    *   the streaming query's id, or the batch execution's
    */
  final case class Origin(query: String, fingerprint: String, isStreaming: Boolean)

  /** Of an operator in the running task.
    *
    * @param structure
    *   the same in every micro-batch
    * @param source
    *   the same in every stage of one batch execution
    */
  private def originOfTask(structure: String, source: String): Origin = {
    val query = QueryOfTask()
    val fingerprint = if (query.isStreaming) structure else structure + source
    Origin(query.name, fingerprint, query.isStreaming)
  }
}
