package org.streamon.spark.metrics

import org.streamon.core.filters.OrderLoop
import org.streamon.core.loop.Decision
import org.streamon.core.routes.{Attribute, RouteStatistics, Routes}

/** What a decision has changed. */
sealed trait Change {

  /** Microseconds since the epoch. */
  def timeMicros: Long
}

/** The order of all rows, or of those on one route, or the caches that are used.
  *
  * @param rows
  *   those on the route, in words
  */
final case class OrderChange(decision: OrderLoop.Reorder, rows: Option[String] = None) extends Change {
  def timeMicros: Long = decision.timeMicros
}

/** Which routes there are.
  *
  * @param attributes
  *   what trees look at
  */
final case class RoutesChange(
    decision: Decision[Routes, RouteStatistics],
    attributes: IndexedSeq[Attribute]
) extends Change {
  def timeMicros: Long = decision.timeMicros
}
