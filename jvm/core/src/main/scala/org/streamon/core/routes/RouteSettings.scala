package org.streamon.core.routes

import org.streamon.core.filters.OrderingAlgorithms

/** How routes are learned. Where the paper gives a value (Query Mesh, Table 1) it is the default.
  *
  * @param sample
  *   rows that a search learns from: |S|
  * @param test
  *   other rows, by which is judged what it found: an order always suits the rows that it was learned from
  * @param representatives
  *   training tuples at most after condensing: |T|
  * @param search
  *   one of `opt-qm`, `ii-qm`, `sa-qm`
  * @param start
  *   one of `content-driven`, `route-driven`, `random-pick`, `extreme-1-route`, `extreme-n`
  * @param thrashAvoidance
  *   in (0, 1]: routes are adopted when they cost less than this share of the single plan; to take the place
  *   of other routes they must save half as much
  * @param review
  *   profiled rows between two reviews; up to 16 times as many while rows are of one kind
  * @param rest
  *   after a review in vain none begins for so many times as long as it took: with 49 reviews take a fiftieth
  *   of a processor at most, once the samples are full, and a tenth while there is a tree
  */
final case class RouteSettings(
    sample: Int = 1000,
    test: Int = 500,
    representatives: Int = 10,
    search: String = "ii-qm",
    start: String = "route-driven",
    stop: SearchLimits = SearchLimits(),
    limits: RouteLimits = RouteLimits(),
    costs: RouteCosts = RouteCosts(),
    thrashAvoidance: Double = OrderingAlgorithms.DefaultThrashAvoidance,
    review: Int = 500,
    rest: Long = 49
) {
  require(sample >= 1, s"sample = $sample: allowed is 1 row or more")
  require(test >= 1, s"test = $test: allowed is 1 row or more")
  require(representatives >= 1, s"representatives = $representatives: allowed is 1 or more")
  require(
    search != OptQM.name || representatives <= OptQM.MostRepresentatives,
    s"representatives = $representatives: allowed for $search are 1 to ${OptQM.MostRepresentatives}"
  )
  OrderingAlgorithms.requireThrashAvoidance(thrashAvoidance)
  require(review >= 1, s"review = $review: allowed is 1 row or more")
  require(rest >= 0, s"rest = $rest: allowed is 0 or more")

  private[routes] val searches: RouteSearch = RouteSearch(search)
  private[routes] val starts: Start = Start(start)
}

object RouteSettings {

  /** Searches by name. */
  val searchNames: Seq[String] = RouteSearch.names

  /** Starts by name. */
  val startNames: Seq[String] = Start.names
}
