package org.streamon.spark.execution.joins

import scala.jdk.CollectionConverters._

import org.streamon.core.filters.OrderingAlgorithms
import org.streamon.core.joins.{JoinGraph, LogicalFilters, PipelineOrders}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.settings.JoinSettings
import org.streamon.spark.util.RecentlyUsed

/** The pipelines of the MJoins in this executor. The tasks of an operator share them, and they are kept
  * between micro-batches. What they have learned is only advice, so its loss does no harm.
  */
private[joins] object OrderRegistry {
  private val Single = 256

  /** Pipelines with routes that are kept, of all MJoins but the latest. Each has a sample of rows: half a
    * megabyte, and up to two and a half with many long texts.
    */
  private val MostRouted = 64

  /** Which operator of which checkpoint. */
  final case class Key(checkpoint: String, operator: Long)

  /** @param columns
    *   by input, what its trees look at: names, and whether they are numbers
    */
  private final case class Known(
      settings: JoinSettings,
      graph: Any,
      columns: IndexedSeq[Option[Seq[(String, Boolean)]]],
      pipelines: Pipelines
  )

  private val single = new RecentlyUsed[Key, Known](Single)
  private val routed = new RecentlyUsed[Key, Known](MostRouted)

  /** The pipelines of an operator. Under new settings they start from what was learned so far.
    *
    * @param first
    *   orders to begin with where none has been learned, by input: filters by position
    * @param routings
    *   by input; none where all rows have one order
    */
  def pipelines(
      key: Key,
      shape: JoinShape,
      settings: JoinSettings,
      first: Map[Int, Array[Int]],
      routings: IndexedSeq[Option[InputRouting]]
  ): Pipelines = synchronized {
    val graph = (shape.holders, shape.residuals.needs)
    val columns = routings.map(_.map(_.routing.attributes.map(a => (a.name, a.isNumber))))
    val old = Option(routed.get(key)).orElse(Option(single.get(key))).filter(_.graph == graph)
    old.filter(k => k.settings == settings && k.columns == columns).map(_.pipelines).getOrElse {
      val orders = create(shape.graph, settings, old.map(_.pipelines), first, routings.exists(_.isDefined))
      val routes = routings.indices.map { i =>
        val before = old.filter(_.columns(i) == columns(i)).flatMap(_.pipelines.routes(i))
        routings(i).map(r => PipelineRoutes(orders(i), r.routing, before, settings))
      }
      val pipelines = new Pipelines(orders, routes)
      single.remove(key)
      routed.remove(key)
      val known = if (routes.exists(_.isDefined)) routed else single
      known.put(key, Known(settings, graph, columns, pipelines))
      trim()
      pipelines
    }
  }

  private def trim(): Unit = {
    var left = routed.values.asScala.map(_.pipelines.routed).sum
    val eldest = routed.values.iterator
    while (left > MostRouted && routed.size > 1) {
      left -= eldest.next().pipelines.routed
      eldest.remove()
    }
  }

  private def create(
      graph: JoinGraph,
      settings: JoinSettings,
      learned: Option[Pipelines],
      first: Map[Int, Array[Int]],
      isRouted: Boolean
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
        .orElse(learned.map(_.pipeline(i)))
        .orElse(first.get(i).map(new LogicalFilters(graph, i).pipeline))
    new PipelineOrders(
      graph,
      // Where there are routes they learn, and not what they begin with.
      if (forced.isDefined || isRouted) "static" else settings.orderingAlgorithm,
      inputs.flatMap(i => initial(i).map(i -> _)).toMap,
      settings.window.getOrElse(OrderingAlgorithms.DefaultWindow),
      settings.thrashAvoidance
    )
  }
}
