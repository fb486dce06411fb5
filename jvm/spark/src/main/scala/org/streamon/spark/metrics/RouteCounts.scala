package org.streamon.spark.metrics

import org.streamon.core.loop.Decision
import org.streamon.core.routes.{RouteStatistics, Routes}

/** What one task tells of its routes. Arrays are by route.
  *
  * @param routes
  *   at the end of the task
  * @param created
  *   when the executor had them first, in nanoseconds of its clock
  * @param rows
  *   that took each of them since they were published
  * @param statistics
  *   what moved these routes; none when they were the first of the executor
  * @param routedNanos
  *   nanoseconds that the profiled rows took in the filters, each on its route
  * @param singleNanos
  *   nanoseconds that the same rows would have taken in the best order for all of them
  * @param changes
  *   of routes, by any task of the executor
  */
final case class RouteCounts(
    routes: Routes,
    created: Long,
    rows: Array[Long],
    statistics: Option[RouteStatistics],
    routedNanos: Double,
    singleNanos: Double,
    changes: Seq[Decision[Routes, RouteStatistics]]
)
