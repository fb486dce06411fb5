package org.streamon.spark.execution.joins

import org.apache.spark.sql.execution.SparkPlan
import org.streamon.spark.routes.RouteColumn

/** Whether and how the arriving rows of an MJoin are sent on routes. */
private[joins] trait MJoinRoutes extends SparkPlan { self: MJoinExec =>

  /** By input, how its rows are sent on routes; none where they have one order. */
  private[joins] lazy val routings: IndexedSeq[Option[InputRouting]] =
    if (isRouted) InputRouting.of(shape, settings, recalled) else shape.inputs.map(_ => None)

  /** Whether the rows of an input may have several orders. Caches are for one order. */
  private[spark] def isRouted: Boolean = settings.isRouted && unrouted.isEmpty

  /** Why there are no routes although they are asked for. */
  private[spark] def unrouted: Option[String] =
    if (!settings.isRouted) None
    else if (shape.size == 2) Some("there is one order of two inputs")
    else if (shape.size > InputRouting.MostInputs)
      Some(s"there are more than ${InputRouting.MostInputs} inputs")
    else if (mayCache) Some("a cache belongs to one order, and there may be caches")
    else None

  /** How orders are chosen. */
  private[spark] def algorithm: String = if (isRouted) settings.algorithm else settings.orderingAlgorithm

  /** By input, the columns that tell its rows apart. */
  @transient private[spark] lazy val routeColumns: IndexedSeq[IndexedSeq[RouteColumn]] =
    shape.inputs.indices.map(i => if (isRouted) InputRouting.columns(shape, i) else Vector.empty)
}
