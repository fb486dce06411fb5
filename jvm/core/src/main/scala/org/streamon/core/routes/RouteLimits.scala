package org.streamon.core.routes

/** What a solution may be.
  *
  * @param routes
  *   distinct routes at most
  * @param depth
  *   tests for a row at most
  * @param leastLeaf
  *   share of the rows that each leaf has at least
  */
final case class RouteLimits(routes: Int = 8, depth: Int = 3, leastLeaf: Double = 0.02) {
  require(routes >= 1, s"routes = $routes: allowed is 1 or more")
  require(depth >= 0 && depth <= 16, s"depth = $depth: allowed is 0 to 16 tests")
  require(leastLeaf > 0.0 && leastLeaf <= 0.5, s"leastLeaf = $leastLeaf: allowed is above 0 and at most 0.5")
}
