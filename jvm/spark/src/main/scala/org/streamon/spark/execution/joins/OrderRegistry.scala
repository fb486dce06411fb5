package org.streamon.spark.execution.joins

import java.util.LinkedHashMap
import java.util.Map.Entry

import org.streamon.core.joins.{JoinGraph, PipelineOrders}
import org.streamon.spark.planning.JoinSettings

/** The pipelines of the MJoins that run in this executor: shared by the tasks of an operator, and kept from
  * micro-batch to micro-batch. What they have learned is advice: lost without harm.
  */
object OrderRegistry {
  private val Capacity = 256

  /** Which operator of which query. */
  final case class Key(query: String, operator: Long)

  private final case class Known(settings: JoinSettings, graph: Any, orders: PipelineOrders)

  private val known = new LinkedHashMap[Key, Known](16, 0.75f, true) {
    override def removeEldestEntry(eldest: Entry[Key, Known]): Boolean = size > Capacity
  }

  /** The pipelines of an operator. Under new settings they start from the order learned so far. */
  def orders(key: Key, shape: JoinShape, settings: JoinSettings): PipelineOrders = synchronized {
    val graph = (shape.size, shape.nullSafe, shape.residuals.needs)
    val old = known.get(key)
    if (old != null && old.settings == settings && old.graph == graph) old.orders
    else {
      val learned = Option(old).filter(_.graph == graph).map(_.orders)
      val orders = create(shape.graph, settings, learned)
      known.put(key, Known(settings, graph, orders))
      orders
    }
  }

  private def create(graph: JoinGraph, settings: JoinSettings, learned: Option[PipelineOrders]) = {
    val forced = settings.forcedOrder.filter(_.sorted == (0 until graph.n))
    val initial = forced match {
      case Some(order) => (0 until graph.n).map(i => i -> order.filter(_ != i).toArray).toMap
      case None        =>
        learned.fold(Map.empty[Int, Array[Int]])(o => (0 until graph.n).map(i => i -> o(i).pipeline).toMap)
    }
    new PipelineOrders(
      graph,
      if (forced.isDefined) "static" else settings.algorithm,
      initial,
      settings.window.getOrElse(if (settings.algorithm == "sweep") 500 else 1000),
      settings.thrashAvoidance
    )
  }
}
