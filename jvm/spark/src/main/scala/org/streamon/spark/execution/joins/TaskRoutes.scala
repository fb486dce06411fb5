package org.streamon.spark.execution.joins

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.core.filters.ProfileTuple
import org.streamon.core.joins.{PipelineListener, PipelineOrder}
import org.streamon.core.loop.Versioned
import org.streamon.core.routes.{ProfiledRow, RouteLanes, Tree}
import org.streamon.spark.metrics.RouteCounts
import org.streamon.spark.routes.{FlatTree, RouteColumn, RowValues}

/** Sends the rows of one input on their routes, in one task. It is told of the rows that the pipeline samples
  * while they are at hand.
  */
private[joins] final class TaskRoutes(shared: PipelineRoutes, columns: IndexedSeq[RouteColumn])
    extends PipelineListener {
  private val values = new RowValues(columns)

  /** By order, the tree and the route that it is of. */
  private val lanes = new IdentityHashMap[PipelineOrder, (Tree, Int)]

  private var seen: Versioned[RouteLanes[PipelineOrder]] = _
  private var tree: FlatTree = _
  private var rows: Array[Long] = _
  private var route = 0
  private var routedNanos, singleNanos = 0.0
  follow()

  /** The order that a row takes. */
  def orderOf(row: InternalRow): PipelineOrder = {
    if (shared.current ne seen) follow()
    values.row = row
    route = values.routeBy(tree)
    rows(route) += 1
    seen.plan.lanes(route)
  }

  def sampled(tuple: ProfileTuple): Unit = if (shared.records) {
    val row = new ProfiledRow(tuple)
    row.values = values
    row.route = route
    val isWhole = shared.record(row)
    for (order <- shared.single if isWhole && rows.length > 1) {
      routedNanos += tuple.nanosInTurn(seen.plan.lanes(route).current.plan)
      singleNanos += tuple.nanosInTurn(order)
    }
  }

  /** The rows that an order was for; none when it was for all. */
  def laneOf(order: PipelineOrder): Option[(Tree, Int)] = Option(lanes.get(order))

  /** The best order for all rows together; before the first review, that which most rows took. */
  def common: Array[Int] =
    shared.single.getOrElse(seen.plan.lanes(rows.indexOf(rows.max)).current.plan)

  /** What it has counted. Called once, when the task ends. */
  def counts(): RouteCounts =
    RouteCounts(
      seen.plan.routes,
      seen.plan.created,
      rows,
      shared.statistics,
      routedNanos,
      singleNanos,
      shared.takeChanges()
    )

  private def follow(): Unit = {
    seen = shared.current
    tree = new FlatTree(seen.plan.tree)
    val orders = seen.plan.lanes
    rows = new Array[Long](orders.size)
    routedNanos = 0.0
    singleNanos = 0.0
    if (orders.size > 1) for (k <- orders.indices) lanes.put(orders(k), seen.plan.tree -> k)
  }
}
