package org.streamon.core.routes

/** What a solution costs beside its filters, in nanoseconds.
  *
  * @param test
  *   of one test of the tree, for one row
  * @param route
  *   of keeping one more route, for one row: the overhead OVH of Query Mesh, Equation 2, which gives no value
  */
final case class RouteCosts(test: Double = 5.0, route: Double = 5.0) {
  require(test >= 0.0 && route >= 0.0, s"costs of $test and $route nanoseconds: allowed is 0 or more")
}
