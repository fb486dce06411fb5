package org.streamon.lab

/** The experiments of the paper on Query Mesh. */
private[lab] object RouteLab extends Lab {
  val name = "routes"

  val experiments: Seq[Experiment] =
    Seq(RouteRates, RouteSearches.OptimizerTime, RouteSearches.Starts, RouteImprecision)
}
