package org.streamon.spark.metrics

import org.streamon.core.filters.OrderLoop
import org.streamon.core.routes.Tree

/** A change of order, and the route that it is of.
  *
  * @param lane
  *   the tree, and the number of the route; none when all rows have one order
  */
final case class FilterDecision(change: OrderLoop.Reorder, lane: Option[(Tree, Int)])
