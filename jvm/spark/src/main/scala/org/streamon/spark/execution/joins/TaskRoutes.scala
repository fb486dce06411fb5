package org.streamon.spark.execution.joins

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.core.filters.ProfileTuple
import org.streamon.core.joins.{PipelineListener, PipelineOrder}
import org.streamon.core.routes.Tree
import org.streamon.spark.execution.FollowedRoutes
import org.streamon.spark.metrics.RouteCounts
import org.streamon.spark.routes.{RouteColumn, RowValues}

/** Sends the rows of one input on their routes, in one task. It is told of the rows that the pipeline samples
  * while they are at hand.
  */
private[joins] final class TaskRoutes(shared: PipelineRoutes, columns: IndexedSeq[RouteColumn])
    extends PipelineListener {
  private val values = new RowValues(columns)

  /** By order, the tree and the route that it is of. */
  private val lanes = new IdentityHashMap[PipelineOrder, (Tree, Int)]

  private val followed = new FollowedRoutes(shared)
  private var rows: Array[Long] = _
  private var route = 0
  open()

  /** The order that a row takes. */
  def orderOf(row: InternalRow): PipelineOrder = {
    if (!followed.isCurrent) {
      followed.follow()
      open()
    }
    values.row = row
    route = values.routeBy(followed.tree)
    rows(route) += 1
    followed.lanes(route)
  }

  def sampled(tuple: ProfileTuple): Unit =
    followed.sampled(tuple, values, followed.lanes(route).current.plan)

  /** The rows that an order was for; none when it was for all. */
  def laneOf(order: PipelineOrder): Option[(Tree, Int)] = Option(lanes.get(order))

  /** The best order for all rows together; before the first review, that which most rows took. */
  def common: Array[Int] = shared.single.getOrElse(followed.busiest(rows).current.plan)

  /** What it has counted. Called once, when the task ends. */
  def counts(): RouteCounts = followed.counts(rows)

  private def open(): Unit = {
    val orders = followed.lanes
    rows = new Array[Long](orders.size)
    for (k <- orders.indices; of <- followed.rowsOf(k)) lanes.put(orders(k), of)
  }
}
