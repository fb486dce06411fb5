package org.streamon.spark.metrics

import org.streamon.core.routes.{RouteStatistics, Routes}

/** The driver's record of the routes of one executor. The tasks of an executor share them.
  *
  * @param rows
  *   by route, since the executor has this tree
  * @param weight
  *   rows of late, of which those of other executors make less and less
  */
final case class RouteReport(
    executor: String,
    routes: Routes,
    rows: IndexedSeq[Long],
    statistics: Option[RouteStatistics],
    routedNanos: Double,
    singleNanos: Double,
    weight: Double
) {

  /** By route, its share of the rows; NaN without rows. */
  def shares: IndexedSeq[Double] = rows.map(_.toDouble / rows.sum)

  /** The share of the time in the filters that routes have saved, of what one order for all rows would take;
    * NaN when there are no profiled rows.
    */
  def measuredSaving: Double = if (singleNanos > 0.0) 1.0 - routedNanos / singleNanos else Double.NaN

  /** The same as the search expected it, with the time of the tree. */
  def modelledSaving: Double = statistics.fold(Double.NaN)(s => 1.0 - s.after / s.single)
}

/** The routes of the executors.
  *
  * @param latest
  *   the executor with the latest report comes first
  */
final case class RouteReports(latest: Vector[RouteReport]) {
  import RouteReports._

  /** Those that most rows of late went through. */
  def majority: Option[Routes] = latest.maxByOption(_.weight).map(_.routes)

  /** With what a task has told. Rows are forgotten as in [[OrderVotes]]. */
  def and(executor: String, task: RouteCounts): RouteReports = {
    val kept = 1.0 - 0.5 / math.max(latest.size, 1)
    val earlier = latest.map(r => r.copy(weight = r.weight * kept))
    val (own, others) = earlier.partition(_.executor == executor)
    val report = RouteReport(
      executor,
      task.routes,
      task.rows.toIndexedSeq,
      task.statistics,
      task.routedNanos,
      task.singleNanos,
      own.map(_.weight).sum + task.rows.sum
    )
    // Orders inside the routes follow drift; the rows are still of these kinds.
    val whole = own.find(_.routes.tree == task.routes.tree).fold(report) { before =>
      report.copy(
        rows = before.rows.zip(report.rows).map { case (a, b) => a + b },
        statistics = report.statistics.orElse(before.statistics),
        routedNanos = before.routedNanos + report.routedNanos,
        singleNanos = before.singleNanos + report.singleNanos
      )
    }
    RouteReports(whole +: others.sortBy(-_.weight).take(Most - 1))
  }

  /** What they take in memory, about. */
  def bytes: Long = latest.map { r =>
    200L + 2L * r.executor.length + r.routes.orders
      .map(60L + 20L * _.size)
      .sum + 400L * r.routes.tree.leaves.size
  }.sum
}

object RouteReports {

  /** Executors that are told apart. */
  private val Most = 32

  val none: RouteReports = RouteReports(Vector.empty)
}
