package org.streamon.spark.metrics

import org.streamon.core.filters.OrderLoop
import org.streamon.core.loop.Decision
import org.streamon.core.routes.{Attribute, RouteStatistics, Routes, Tree}
import org.streamon.core.selections.{Sequence, SequenceStatistics}

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

/** The sequence in which the rules of a `streamon_match` are looked up in columns.
  *
  * @param oldOrder
  *   columns, without micro-arrows
  * @param arrows
  *   micro-arrows of the new sequence
  */
final case class SequenceChange(
    timeMicros: Long,
    oldOrder: IndexedSeq[Int],
    newOrder: IndexedSeq[Int],
    arrows: Int,
    statistics: SequenceStatistics
) extends Change

object SequenceChange {

  /** Without what grows with the rules. */
  def of(decision: Decision[Sequence, SequenceStatistics]): SequenceChange = SequenceChange(
    decision.timeMicros,
    decision.oldPlan.macroSequence,
    decision.newPlan.macroSequence,
    decision.newPlan.arrows.size,
    decision.statistics
  )
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
