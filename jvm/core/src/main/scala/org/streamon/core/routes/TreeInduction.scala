package org.streamon.core.routes

/** Induces a decision tree by information gain (Query Mesh; J. R. Quinlan: C4.5, 1993), with densities as
  * weights.
  *
  * @param mostDepth
  *   tests for a row
  * @param leastLeaf
  *   share of the rows that each leaf has at least
  */
private[routes] final class TreeInduction(training: TrainingSet, mostDepth: Int, leastLeaf: Double) {
  private val everyone = Array.fill(training.tuples.size)(true)

  /** A tree that reproduces the labels as far as attributes, depth and least leaf let it. A leaf has the
    * label with most density, the least of equals; with no tuples the label is 0.
    *
    * @param labels
    *   by tuple, from 0 on
    */
  def induce(labels: Array[Int]): Tree =
    if (labels.isEmpty) Leaf(0)
    else {
      val splits = new SplitSearch(training, labels, leastLeaf * training.density)
      grow(splits, labels, everyone, 0).relabelled(identity)
    }

  private def grow(splits: SplitSearch, labels: Array[Int], members: Array[Boolean], depth: Int): Tree = {
    val densities = new Array[Double](labels.max + 1)
    for (i <- labels.indices) if (members(i)) densities(labels(i)) += training.densities(i)
    val leaf = Leaf(densities.indexOf(densities.max))
    if (depth == mostDepth || densities.count(_ > 0.0) < 2) leaf
    else
      splits.best(members) match {
        case None        => leaf
        case Some(split) =>
          val branch = Branch(split.test, split.nullsMatch, leaf, leaf)
          val takes = Array.tabulate(members.length)(i => members(i) && branch.takes(training.tuples(i)))
          val others = Array.tabulate(members.length)(i => members(i) && !takes(i))
          branch.copy(
            matching = grow(splits, labels, takes, depth + 1),
            other = grow(splits, labels, others, depth + 1)
          )
      }
  }
}
