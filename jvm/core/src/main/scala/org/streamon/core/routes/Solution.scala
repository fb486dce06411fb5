package org.streamon.core.routes

/** A point of the search: a configuration, the routes that come of it, and what they cost.
  *
  * @param cost
  *   nanoseconds a row (Query Mesh, Equation 2)
  */
private[routes] final case class Solution(configuration: Configuration, routes: Routes, cost: Double)
