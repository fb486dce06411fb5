package org.streamon.spark.metrics

import org.streamon.core.routes.Attribute

/** The routes of the executors. */
final case class RouteReports private[metrics] (latest: ByExecutor[RouteReport]) {

  /** By executor. */
  def all: Seq[(String, RouteReport)] = latest.told.map(t => t.executor -> t.what).sortBy(_._1)

  /** Those that most rows of late went through. */
  def majority: Option[RouteReport] = latest.told.maxByOption(_.rows).map(_.what)

  /** With what a task has told. It may end after others that had newer routes: these stay. */
  def and(executor: String, task: RouteCounts, attributes: IndexedSeq[Attribute]): RouteReports =
    RouteReports(latest.and(executor, task.rows.sum) {
      case Some(known) if known.counts.created > task.created  => known
      case Some(known) if known.counts.created == task.created => known.and(task)
      case _ => RouteReport(task.copy(changes = Nil), attributes)
    })

  /** What they take in memory, about. */
  def bytes: Long = latest.told.map(t => 2L * t.executor.length + t.what.bytes).sum
}

object RouteReports {
  val none: RouteReports = RouteReports(ByExecutor.none)
}
