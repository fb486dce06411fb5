package org.streamon.core.routes

/** What a solution costs beside its filters, in nanoseconds.
  *
  * @param number
  *   of comparing a number with a threshold in the tree, for one row
  * @param category
  *   of looking for a category among some values in the tree, for one row
  * @param route
  *   of keeping one more route, for one row: the overhead OVH of Query Mesh, Equation 2, which gives no value
  */
final case class RouteCosts(number: Double = 5.0, category: Double = 5.0, route: Double = 5.0) {
  for (cost <- Seq(number, category, route))
    require(cost >= 0.0, s"a cost of $cost nanoseconds: allowed is 0 or more")

  /** Of one test of the tree, for one row. */
  def of(test: Test): Double = test match {
    case _: Above => number
    case _: OneOf => category
  }
}
