package org.streamon.core.routes

import org.streamon.core.filters.OrderLoop

/** Routes at work: a lane for each, in which A-Greedy goes on with a profile window of its own. The tree and
  * the number of lanes stay; the orders follow drift.
  *
  * @param created
  *   when, in nanoseconds of the loop's clock
  */
final class RouteLanes[+L <: OrderLoop](val tree: Tree, val lanes: IndexedSeq[L], val created: Long) {

  /** As they are now. */
  def routes: Routes = Routes(tree, lanes.map(_.current.plan.toVector))
}
