package org.streamon.spark.execution.joins

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.streamon.core.caching.JoinCaches
import org.streamon.core.joins.PipelineExecutor
import org.streamon.spark.execution.constraints.{ConstraintReports, ConstraintState, TaskConstraints}
import org.streamon.spark.execution.state.Mirror

/** The counts and reports of one task of an MJoin, after its state is committed.
  *
  * @param caches
  *   the caches at the start of the task
  */
private[joins] final class MJoinReports(
    join: MJoinExec,
    partition: Int,
    mirror: Mirror,
    caches: Option[JoinCaches]
) {
  private val shape = join.shape
  private val inputs = 0 until shape.size
  private val query = TaskContext.get().getLocalProperty(StreamExecution.QUERY_ID_KEY)

  /** Hits and misses of earlier tasks. */
  private val (hits, misses) = caches.fold((0L, 0L))(c => (c.hits, c.misses))

  /** Adds to the metrics of the operator. */
  def count(store: StateStore, task: JoinTask, executors: Array[PipelineExecutor]): Unit = {
    join.metric("numUpdatedStateRows") += task.updated
    join.metric("numRemovedStateRows") += task.removed
    join.metric("stateMemory") += mirror.memoryBytes
    join.metric(MJoinMetrics.Memory) += mirror.memoryBytes
    join.metric(MJoinMetrics.Reorders) += executors.map(_.reorders).sum
    join.metric(MJoinMetrics.Profiled) += executors.map(_.profiled).sum
    for (j <- inputs) {
      join.metric(MJoinMetrics.probes(j)) += executors.map(_.probes(j)).sum
      join.metric(MJoinMetrics.drops(j)) += executors.map(_.drops(j)).sum
    }
    join.metric(MJoinMetrics.Replicas) += replicas
    join.committed(store, mirror.rows.sum + mirror.waiting.sum + cold)
  }

  /** Tells the driver of pipelines and caches. */
  def tell(task: JoinTask, executors: Array[PipelineExecutor], routes: Array[TaskRoutes]): Unit = {
    for (i <- inputs if task.arrived(i) > 0)
      join.reports.add(
        JoinReports.counts(query, i, executors(i), routes(i), task.arrived(i), task.results(i))
      )
    caches.foreach(tell)
  }

  private def tell(caches: JoinCaches): Unit = {
    join.metric(MJoinMetrics.CacheHits) += caches.hits - hits
    join.metric(MJoinMetrics.CacheMisses) += caches.misses - misses
    val used = if (mirror.caches.isEmpty) Nil else caches.reports
    join.metric(MJoinMetrics.CacheEntries) += used.map(_.entries.toLong).sum
    join.metric(MJoinMetrics.CacheBytes) += used.map(_.bytes).sum
    join.cacheReports.add(
      CacheReports.of(used, caches.takeDecisions(), query, join.operator, partition, join.settings.caching)
    )
  }

  private def cold: Long = ConstraintState.of(mirror).fold(0L)(_.cold.rows.sum)

  /** Tells the driver of constraints. */
  def tell(state: ConstraintState, task: TaskConstraints): Unit = {
    val info = join.getStateInfo
    val run = info.queryRunId.toString
    val counts = ConstraintReports.of(state, task, mirror, query, run, info.storeVersion, partition)
    join.metric(MJoinMetrics.Evicted) += counts.inputs.map(_.evictedRows).sum
    join.metric(MJoinMetrics.Cold) += counts.inputs.map(_.coldRows).sum
    join.metric(MJoinMetrics.Dead) += counts.inputs.map(_.deadRows).sum
    join.metric(MJoinMetrics.DeadBytes) += counts.inputs.map(_.deadBytes).sum
    join.metric(MJoinMetrics.ConstraintBytes) += counts.constraintBytes
    join.metric(MJoinMetrics.Violations) += counts.inputs.map(_.violations).sum
    join.constraintReports.add(counts)
  }

  /** Rows that are kept, or wait, here and not only here. */
  private def replicas: Long = {
    val elsewhere = inputs.filterNot(join.original(_, partition))
    val waiting = mirror.windows.fold(0L) { windows =>
      windows.pendingElsewhere.sum + elsewhere.map(windows.pending(_)).sum
    }
    elsewhere.map(mirror.rows(_)).sum + waiting
  }
}
