package org.streamon.spark.execution.joins

import org.streamon.core.filters.OrderingAlgorithms
import org.streamon.core.joins.{JoinGraph, LogicalFilters, PipelineOrders}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.settings.JoinSettings
import org.streamon.spark.util.RecentlyUsed

/** The pipelines of the MJoins in this executor. The tasks of an operator share them, and they are kept
  * between micro-batches. What they have learned is only advice, so its loss does no harm.
  */
object OrderRegistry {
  private val Capacity = 256

  /** Which operator of which checkpoint. */
  final case class Key(checkpoint: String, operator: Long)

  private final case class Known(settings: JoinSettings, graph: Any, orders: PipelineOrders)

  private val known = new RecentlyUsed[Key, Known](Capacity)

  /** The pipelines of an operator. Under new settings they start from the order learned so far.
    *
    * @param first
    *   orders to begin with where none has been learned, by input: filters by position
    */
  def orders(
      key: Key,
      shape: JoinShape,
      settings: JoinSettings,
      first: Map[Int, Array[Int]]
  ): PipelineOrders = synchronized {
    val graph = (shape.holders, shape.residuals.needs)
    val old = Option(known.get(key)).filter(_.graph == graph)
    old.filter(_.settings == settings).map(_.orders).getOrElse {
      val orders = create(shape.graph, settings, old.map(_.orders), first)
      known.put(key, Known(settings, graph, orders))
      orders
    }
  }

  private def create(
      graph: JoinGraph,
      settings: JoinSettings,
      learned: Option[PipelineOrders],
      first: Map[Int, Array[Int]]
  ): PipelineOrders = {
    val inputs = 0 until graph.n
    val forced = settings.forced(graph.n)
    def legal(order: Seq[Int], input: Int) = {
      val filters = new LogicalFilters(graph, input)
      filters.pipeline(order.filter(_ != input).map(filters.filter).toArray)
    }
    val initial: Int => Option[Array[Int]] = i =>
      forced
        .map(legal(_, i))
        .orElse(learned.map(_(i).pipeline))
        .orElse(first.get(i).map(new LogicalFilters(graph, i).pipeline))
    new PipelineOrders(
      graph,
      if (forced.isDefined) "static" else settings.algorithm,
      inputs.flatMap(i => initial(i).map(i -> _)).toMap,
      settings.window.getOrElse(OrderingAlgorithms.DefaultWindow),
      settings.thrashAvoidance
    )
  }
}
