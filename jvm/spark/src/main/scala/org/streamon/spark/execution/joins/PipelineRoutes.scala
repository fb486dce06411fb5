package org.streamon.spark.execution.joins

import java.util.SplittableRandom

import org.streamon.core.filters.{OrderingAlgorithms, Precedence}
import org.streamon.core.joins.PipelineOrder
import org.streamon.core.routes.{RouteLoop, Routes}
import org.streamon.spark.execution.ReviewedRoutes
import org.streamon.spark.routes.Routing
import org.streamon.spark.settings.JoinSettings

/** The routes of one input's pipeline, shared by the tasks of an executor. Each route is a
  * [[org.streamon.core.joins.PipelineOrder]] of the same filters.
  *
  * @param first
  *   the routes to begin with
  */
private[joins] final class PipelineRoutes private (
    pipeline: PipelineOrder,
    routing: Routing,
    first: Routes,
    settings: JoinSettings
) extends ReviewedRoutes[PipelineOrder] {
  private val isForced = routing.forced.isDefined

  protected val loop = new RouteLoop[PipelineOrder](
    routing.attributes,
    first,
    new Precedence(pipeline.filters.size),
    routing.options.settings(settings.thrashAvoidance),
    new SplittableRandom,
    () => System.nanoTime(),
    lane
  )

  val records: Boolean = !isForced && settings.profilingProbability > 0 && routing.attributes.nonEmpty &&
    routing.options.most > 1

  private def lane(order: Array[Int], precedence: Precedence) = new PipelineOrder(
    pipeline.filters,
    OrderingAlgorithms.create(
      if (isForced) "static" else settings.orderingAlgorithm,
      order.length,
      order,
      settings.window.getOrElse(OrderingAlgorithms.DefaultWindow),
      settings.thrashAvoidance,
      precedence
    )
  )

  /** An order for all rows together: filters by position. */
  def common: Array[Int] = single.getOrElse(current.plan.lanes.head.current.plan)
}

private[joins] object PipelineRoutes {

  /** @param pipeline
    *   with the order to begin with where nothing is known of routes
    * @param before
    *   routes over the same attributes, under other settings
    */
  def apply(
      pipeline: PipelineOrder,
      routing: Routing,
      before: Option[PipelineRoutes],
      settings: JoinSettings
  ): PipelineRoutes = {
    val known = before.map(_.current.plan.routes).orElse(routing.learned)
    val first = routing.forced
      .orElse(known.filter(_.orders.size <= routing.options.most))
      .getOrElse(Routes.single(pipeline.current.plan.toVector))
    new PipelineRoutes(pipeline, routing, first, settings)
  }
}
