package org.streamon.core.routes

import scala.annotation.tailrec

import org.streamon.core.filters.Precedence

/** Merges routes that do not differ by enough, by rows that no search has seen: as reduced-error pruning (J.
  * R. Quinlan: Simplifying decision trees, 1987), but of any two routes and not only of siblings in the tree.
  * A search that sees a sample parts it further than its kinds go.
  *
  * @param least
  *   share of the cost that a route must save
  */
private[routes] final class RouteMerging(
    training: TrainingSet,
    test: TrainingSet,
    precedence: Precedence,
    costs: RouteCosts,
    least: Double
) {

  @tailrec def merged(routes: Routes): Routes = {
    val cheapest = pairs(routes).map(m => m -> cost(m)).minByOption(_._2)
    cheapest match {
      case Some((fewer, its)) if its <= cost(routes) * (1.0 + least) => merged(fewer)
      case _                                                         => routes
    }
  }

  /** By each two routes, the routes when these two are one, in the best order for the rows of both. */
  private def pairs(routes: Routes): IndexedSeq[Routes] = {
    val profiles = new SolutionCost(routes, training).profiles
    for {
      Seq(i, j) <- routes.orders.indices.combinations(2).toVector
    } yield {
      val both = new BlockProfile(training)
      both.addAll(profiles(i))
      both.addAll(profiles(j))
      val order = both.greedy(precedence)
      Routes.of(routes.tree, r => if (r == i || r == j) order else routes.orders(r))
    }
  }

  private def cost(routes: Routes): Double = new SolutionCost(routes, test).total(costs)
}
