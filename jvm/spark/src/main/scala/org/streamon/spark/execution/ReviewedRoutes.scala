package org.streamon.spark.execution

import org.streamon.core.filters.OrderLoop
import org.streamon.core.loop.{Decision, DecisionLog, Versioned}
import org.streamon.core.routes.{ProfiledRow, RouteLanes, RouteLoop, RouteStatistics, Routes}
import org.streamon.spark.util.QueuedReview

/** Routes that the tasks of an executor share. What rows of each kind do is learned from the rows that are
  * profiled anyway, and reviewed beside the tasks.
  *
  * @tparam L
  *   the loop of the order of one route
  */
abstract class ReviewedRoutes[L <: OrderLoop] {
  protected def loop: RouteLoop[L]

  /** Whether sampled rows are of any use beyond their lane. */
  def records: Boolean

  private val reviews = new QueuedReview("The routes of an adaptive operator are no longer reviewed")(
    loop.review().foreach(change => changes.synchronized(changes.add(change)))
  )
  private val changes = new DecisionLog[Decision[Routes, RouteStatistics]]

  /** The tree, and a lane for each route. */
  def current: Versioned[RouteLanes[L]] = loop.current

  /** The best order for all rows together; none before the first review. */
  def single: Option[Array[Int]] = loop.single

  /** What moved the current routes; none when they are the first. */
  def statistics: Option[RouteStatistics] = loop.statistics

  /** Takes in a sampled row, and has the routes reviewed when that is due. False, and no effect, when its
    * profile has ended early.
    */
  def record(row: ProfiledRow): Boolean = {
    val recorded = loop.record(row)
    if (loop.isDue) reviews.offer()
    recorded
  }

  /** The changes of routes since this was last called. */
  def takeChanges(): Seq[Decision[Routes, RouteStatistics]] = changes.synchronized(changes.take())
}
