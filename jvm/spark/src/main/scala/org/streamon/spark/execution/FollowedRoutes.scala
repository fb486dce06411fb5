package org.streamon.spark.execution

import org.streamon.core.filters.{OrderLoop, ProfileTuple}
import org.streamon.core.loop.Versioned
import org.streamon.core.routes.{AttributeValues, ProfiledRow, RouteLanes, Tree}
import org.streamon.spark.metrics.RouteCounts
import org.streamon.spark.routes.FlatTree

/** The routes that one task follows, out of those that the tasks of an executor share, and what its samples
  * have told since it follows them.
  */
final class FollowedRoutes[L <: OrderLoop](shared: ReviewedRoutes[L]) {
  private var seen: Versioned[RouteLanes[L]] = _
  private var flat: FlatTree = _
  private var routedNanos, singleNanos = 0.0
  follow()

  /** Whether the tasks of the executor share no newer routes. */
  def isCurrent: Boolean = shared.current eq seen

  /** Takes over the routes of now. */
  def follow(): Unit = {
    seen = shared.current
    flat = new FlatTree(seen.plan.tree)
    routedNanos = 0.0
    singleNanos = 0.0
  }

  /** Sends a row on one of the routes. */
  def tree: FlatTree = flat

  /** By route, the loop of its order. */
  def lanes: IndexedSeq[L] = seen.plan.lanes

  /** The rows that a route is for; none when it is for all. */
  def rowsOf(route: Int): Option[(Tree, Int)] = Option.when(lanes.size > 1)(seen.plan.tree -> route)

  /** A row was profiled.
    *
    * @param order
    *   that of its route
    */
  def sampled(tuple: ProfileTuple, values: AttributeValues, order: Array[Int]): Unit = if (shared.records) {
    val row = new ProfiledRow(tuple)
    row.values = values
    val isWhole = shared.record(row)
    for (single <- shared.single if isWhole && lanes.size > 1) {
      routedNanos += tuple.nanosInTurn(order)
      singleNanos += tuple.nanosInTurn(single)
    }
  }

  /** The route that most rows took.
    *
    * @param rows
    *   by route
    */
  def busiest(rows: Array[Long]): L = lanes(rows.indexOf(rows.max))

  /** What the task has counted. Called once, when it ends.
    *
    * @param rows
    *   by route
    */
  def counts(rows: Array[Long]): RouteCounts = RouteCounts(
    seen.plan.routes,
    seen.plan.created,
    rows,
    shared.statistics,
    routedNanos,
    singleNanos,
    shared.takeChanges()
  )
}
