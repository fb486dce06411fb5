package org.streamon.core.routes

import org.streamon.core.filters.Precedence

/** Whether to search for routes can pay, by trees of one test: for each attribute and filter, the test that
  * tells most of whether the filter drops a row, with the best order on either side. A search that finds
  * anything begins with such a test. Costs about as much as a few dozen steps of it.
  */
private[routes] object Potential {

  /** The most that such a tree saves of the single plan's time in the filters, by the test rows; at least 0.
    *
    * @param single
    *   the order of the single plan
    */
  def saving(
      training: TrainingSet,
      test: TrainingSet,
      single: IndexedSeq[Int],
      precedence: Precedence,
      limits: RouteLimits
  ): Double = {
    val known = new SolutionCost(Routes.single(single), test).filters
    val least = stumps(training, limits.leastLeaf).map { tree =>
      val orders = new SolutionCost(Routes(tree, Vector(single, single)), training).profiles
        .map(_.greedy(precedence))
      if (orders(0) == orders(1)) known else new SolutionCost(Routes(tree, orders), test).filters
    }.minOption
    if (known == 0.0) 0.0 else least.fold(0.0)(cost => math.max(1.0 - cost / known, 0.0))
  }

  private def stumps(training: TrainingSet, leastLeaf: Double): Iterator[Tree] = {
    val everyone = Array.fill(training.tuples.size)(true)
    for {
      q <- (0 until training.n).iterator
      drops = training.tuples.map(t => if (t.dropped.contains(q)) 1 else 0).toArray
      splits = new SplitSearch(training, drops, leastLeaf * training.density)
      a <- training.attributes.indices
      split <- splits.best(a, everyone)
    } yield Branch(split.test, split.nullsMatch, Leaf(0), Leaf(1))
  }
}
