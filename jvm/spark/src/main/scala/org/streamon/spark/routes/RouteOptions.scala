package org.streamon.spark.routes

import org.streamon.core.routes.{RouteCosts, RouteLimits, RouteSettings}

/** How an operator learns its routes, by the settings of the session or of a hint.
  *
  * @param most
  *   routes at most
  * @param forced
  *   routes to keep instead, as [[RouteText]] has them
  */
final case class RouteOptions(most: Int, search: String, start: String, forced: Option[String]) {

  /** With the defaults of [[RouteSettings]] for the rest. */
  def settings(thrashAvoidance: Double): RouteSettings = RouteSettings(
    representatives =
      if (search == RouteOptions.Exhaustive) RouteOptions.MostTried else RouteSettings().representatives,
    search = search,
    start = start,
    costs = RouteOptions.Costs,
    limits = RouteLimits(routes = most),
    thrashAvoidance = thrashAvoidance
  )
}

object RouteOptions {
  private val Exhaustive = "opt-qm"

  /** Representatives of which every configuration can be tried within the steps of a search: 877 of 1,000. */
  private val MostTried = 7

  /** A test with the reading of its column. The bench of routes measures 43 to 55 ns for 1.7 tests of a text.
    * A number takes 2.5 ns where its test can be predicted and 12 where it cannot. MJoins take these too.
    */
  private val Costs = RouteCosts(number = 10.0, category = 25.0)

  private val QueryMesh = "query-mesh"

  /** Whether rows of several kinds have an order each with an algorithm. */
  def areUsed(algorithm: String): Boolean = algorithm == QueryMesh

  /** The algorithm of each order. */
  def ordering(algorithm: String): String = if (areUsed(algorithm)) "a-greedy" else algorithm
}
