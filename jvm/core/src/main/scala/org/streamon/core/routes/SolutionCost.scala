package org.streamon.core.routes

/** Where the rows of a training set go in a solution, and what that costs. */
private[routes] final class SolutionCost(routes: Routes, training: TrainingSet) {
  private val paths = routes.tree.leaves
  private val leaves = paths.map(_ => new BlockProfile(training))

  {
    val numbered = routes.tree.numbered
    for (i <- training.tuples.indices) leaves(numbered.route(training.tuples(i))).add(i)
  }

  /** By route, the rows that take it. */
  def profiles: IndexedSeq[BlockProfile] = {
    val byRoute = routes.orders.map(_ => new BlockProfile(training))
    for ((path, leaf) <- paths.zip(leaves)) byRoute(path.route).addAll(leaf)
    byRoute
  }

  /** By route, its share of the rows; NaN without rows. */
  def shares: IndexedSeq[Double] = profiles.map(_.density / training.density)

  /** Expected nanoseconds of a row in its leaf's order. */
  def filters: Double = mean((path, leaf) => leaf.cost(routes.orders(path.route)))

  /** Expected nanoseconds of a row in the tree. */
  def classifier(costs: RouteCosts): Double =
    mean((path, _) => path.steps.foldLeft(0.0)((sum, step) => sum + costs.of(step._1.test)))

  /** Equation 2 with the leaves of the tree, and the overhead of each distinct route. */
  def total(costs: RouteCosts): Double = filters + classifier(costs) + routes.orders.size * costs.route

  private def mean(of: (Tree.Path, BlockProfile) => Double): Double =
    if (training.density == 0.0) 0.0
    else paths.indices.map(k => leaves(k).density * of(paths(k), leaves(k))).sum / training.density
}
