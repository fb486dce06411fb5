package org.streamon.spark.metrics

import org.streamon.core.filters.OrderLoop
import org.streamon.core.loop.Decision
import org.streamon.core.routes.{Attribute, RouteStatistics, Routes, Tree}

/** What a decision has changed. */
sealed trait Change {

  /** Microseconds since the epoch. */
  def timeMicros: Long
}

/** The order of all rows, or of those on one route, or the caches that are used.
  *
  * @param lane
  *   the tree, and the number of the route; none when it is the order of all rows
  * @param attributes
  *   what the tree looks at
  */
final case class OrderChange(
    decision: OrderLoop.Reorder,
    lane: Option[(Tree, Int)] = None,
    attributes: IndexedSeq[Attribute] = Vector.empty
) extends Change {
  def timeMicros: Long = decision.timeMicros

  /** The rows on the route, in words. */
  def rows: Option[String] = lane.map { case (tree, route) => tree.words(route, attributes) }
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
