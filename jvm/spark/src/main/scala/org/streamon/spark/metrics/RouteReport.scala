package org.streamon.spark.metrics

import org.streamon.core.routes.Attribute

/** The driver's record of the routes of one executor. The tasks of an executor share them.
  *
  * @param counts
  *   by all tasks together, since the executor has these routes
  * @param attributes
  *   what the tree looks at
  */
final case class RouteReport(counts: RouteCounts, attributes: IndexedSeq[Attribute]) {

  /** By route, its share of the rows; NaN without rows. */
  def shares: IndexedSeq[Double] = counts.rows.toIndexedSeq.map(_.toDouble / counts.rows.sum)

  /** The share of the time in the filters that routes have saved, of what one order for all rows would take;
    * NaN when there are no profiled rows, or one route.
    */
  def measuredSaving: Double =
    if (counts.singleNanos > 0.0) 1.0 - counts.routedNanos / counts.singleNanos else Double.NaN

  /** The same as the search expected it, with the time of the tree. */
  def modelledSaving: Double = counts.statistics
    .filterNot(_ => counts.routes.isSingle)
    .fold(Double.NaN)(s => 1.0 - s.after / s.single)

  /** What it takes in memory, about. */
  def bytes: Long = 300L + RouteBytes.of(counts.routes) + 100L * attributes.size

  /** With what another task has counted on the same routes. Orders inside the routes follow drift. */
  private[metrics] def and(task: RouteCounts): RouteReport = copy(counts =
    task.copy(
      rows = counts.rows.zip(task.rows).map { case (a, b) => a + b },
      routedNanos = counts.routedNanos + task.routedNanos,
      singleNanos = counts.singleNanos + task.singleNanos,
      changes = Nil
    )
  )
}
