package org.streamon.spark.settings

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.filters.OrderingAlgorithms
import org.streamon.spark.logical.FilterHint
import org.streamon.spark.routes.RouteOptions

/** The settings of one filter: those of the session, overridden by the options of its hint. [[StreamonConf]]
  * documents them.
  */
case class FilterSettings(
    algorithm: String,
    profilingProbability: Double,
    window: Int,
    thrashAvoidance: Double,
    strictErrors: Boolean,
    profilingBudget: Double,
    cheapestFirst: Boolean,
    forcedOrder: Option[Seq[Int]],
    routes: RouteOptions
) {

  /** Whether rows of several kinds have an order each. */
  def isRouted: Boolean = RouteOptions.areUsed(algorithm)

  /** The algorithm of each order. */
  def orderingAlgorithm: String = RouteOptions.ordering(algorithm)

  /** For operators that have no routes. */
  def withOneOrder: FilterSettings = copy(algorithm = orderingAlgorithm)

  /** The forced order of a filter with this number of conjuncts, if any. */
  def forced(size: Int): Option[Array[Int]] = forcedOrder.filter(_.sorted == (0 until size)).map(_.toArray)

  /** Whether such a filter can learn. Only then may it start with an order that was learned elsewhere, since
    * it must be able to correct the order.
    */
  def learns(size: Int): Boolean = algorithm != "static" && profilingProbability > 0 && forced(size).isEmpty
}

object FilterSettings {

  /** Replaces all settings when plans are compared, since settings do not change results. */
  val canonical: FilterSettings = FilterSettings(
    "",
    0.0,
    1,
    1.0,
    strictErrors = false,
    1.0,
    cheapestFirst = false,
    None,
    RouteOptions(1, "", "", None)
  )

  def apply(conf: SQLConf, hint: FilterHint): FilterSettings = {
    val merged = HintOptions.ofFilters.over(conf, hint.options)
    val algorithm = merged.getConf(StreamonConf.FilterAlgorithm)
    val window = merged.getConf(StreamonConf.Window).getOrElse(OrderingAlgorithms.DefaultWindow)
    FilterSettings(
      algorithm,
      merged.getConf(StreamonConf.ProfilingProbability),
      if (algorithm == "sweep") window min OrderingAlgorithms.SweepStage else window,
      merged.getConf(StreamonConf.ThrashAvoidance),
      StreamonConf.areErrorsStrict(merged),
      merged.getConf(StreamonConf.ProfilingBudget),
      merged.getConf(StreamonConf.InitialOrder) == "cheapest",
      merged.getConf(StreamonConf.ForcedOrder).map(_.split(',').map(_.toInt).toSeq),
      RouteOptions(
        merged.getConf(StreamonConf.Routes),
        merged.getConf(StreamonConf.RouteSearch),
        merged.getConf(StreamonConf.RouteStart),
        merged.getConf(StreamonConf.ForcedRoutes)
      )
    )
  }
}
