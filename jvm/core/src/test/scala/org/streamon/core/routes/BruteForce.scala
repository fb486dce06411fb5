package org.streamon.core.routes

/** The cheapest solution by the definitions, with nothing shared with the search but the tree's induction:
  * every set partition, every cost from single rows.
  *
  * @param rows
  *   by representative, its rows, which all have times of `nanos`
  */
final class BruteForce(
    attributes: IndexedSeq[Attribute],
    rows: Seq[Seq[Row]],
    nanos: Seq[Long],
    costs: RouteCosts,
    limits: RouteLimits
) {
  private val all = rows.flatten

  private def time(row: Row, order: Seq[Int]): Long = {
    val gone = order.indexWhere(row.drops)
    order.take(if (gone < 0) order.size else gone + 1).map(nanos).sum
  }

  private def greedy(rows: Seq[Row]): Seq[Int] =
    nanos.indices
      .foldLeft((Seq.empty[Int], rows)) { case ((order, left), _) =>
        val best = nanos.indices
          .filterNot(order.contains)
          .reduceLeft((a, b) =>
            if (left.count(_.drops(b)) * nanos(a) > left.count(_.drops(a)) * nanos(b)) b else a
          )
        (order :+ best, left.filterNot(_.drops(best)))
      }
      ._1

  private def partitions(of: List[Int]): Seq[List[List[Int]]] = of match {
    case Nil          => Seq(Nil)
    case head :: tail =>
      partitions(tail).flatMap { blocks =>
        (List(head) :: blocks) +: blocks.indices.map(i => blocks.updated(i, head :: blocks(i)))
      }
  }

  /** Route of a row, and what its tests cost. */
  private def walk(tree: Tree, row: Row): (Int, Double) = tree match {
    case Leaf(route)    => (route, 0.0)
    case branch: Branch =>
      val (route, tests) = walk(if (branch.takes(row)) branch.matching else branch.other, row)
      (route, tests + (if (attributes(branch.test.attribute).isNumber) costs.number else costs.category))
  }

  /** Nothing when the blocks have more routes than allowed: the search does something else then. */
  private def cost(blocks: Seq[Seq[Int]]): Option[Double] = {
    val routes = blocks.map(block => greedy(block.flatMap(rows)))
    val label = (for ((block, b) <- blocks.zipWithIndex; r <- block; row <- rows(r))
      yield row -> routes.distinct.indexOf(routes(b))).toMap
    if (routes.distinct.size > limits.routes) None
    else {
      val set = RouteCases.training(attributes, all, nanos)
      val labels =
        set.tuples.map(t => label(all.find(row => RouteCases.tuple(attributes, row, nanos).key == t.key).get))
      val tree = new TreeInduction(set, limits.depth, limits.leastLeaf).induce(labels.toArray)
      val taken = all.groupBy(walk(tree, _)._1).view.mapValues(greedy).toMap
      // Leaves that turn out to have one route are one, and need no test.
      val numbers = taken.values.toSeq.distinct
      val merged = tree.relabelled(r => taken.get(r).fold(-1)(numbers.indexOf(_)))
      val each = all.map { row =>
        val (route, tests) = walk(merged, row)
        time(row, numbers(route)) + tests
      }
      Some(each.sum / all.size + numbers.size * costs.route)
    }
  }

  /** Labels count from the first representative on: of equally frequent ones a leaf has the least. */
  def least: Double = partitions(rows.indices.toList).map(_.sortBy(_.min)).flatMap(cost).min
}
