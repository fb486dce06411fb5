package org.streamon.core.routes

/** What moved a change of routes. Times are modelled nanoseconds of a row, tree and overhead included (Query
  * Mesh, Equation 2), by rows that the search had not seen.
  *
  * @param single
  *   of the single plan
  * @param before
  *   of the plan that ran
  * @param after
  *   of the plan that runs from now on
  * @param shares
  *   by route of the new plan, its share of the rows
  * @param steps
  *   configurations that the search tried; 0 without a search
  * @param searchNanos
  *   nanoseconds that it took
  */
final case class RouteStatistics(
    single: Double,
    before: Double,
    after: Double,
    shares: IndexedSeq[Double],
    steps: Int,
    searchNanos: Long
)
