package org.streamon.spark.execution.joins

import org.streamon.core.joins.PipelineOrders

/** The probing pipelines of an MJoin in an executor.
  *
  * @param orders
  *   where a pipeline has no routes: its order
  * @param routes
  *   by input; none where all rows have one order
  */
private[joins] final class Pipelines(
    val orders: PipelineOrders,
    val routes: IndexedSeq[Option[PipelineRoutes]]
) {

  /** How many of them have routes. */
  def routed: Int = routes.count(_.isDefined)

  /** The pipeline of an input for all of its rows: windows in the sequence in which they are joined. */
  def pipeline(input: Int): Array[Int] =
    routes(input).fold(orders(input).pipeline)(r => orders(input).filters.pipeline(r.common))
}
