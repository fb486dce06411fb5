package org.streamon.core.routes

import java.util.random.RandomGenerator

import scala.collection.mutable

import org.streamon.core.filters.Precedence

/** What a search for routes is about: representatives of a training set, and the solution that each
  * configuration of them leads to. Not thread-safe.
  *
  * @param representatives
  *   the set T of Query Mesh: the training tuples of each
  */
private[routes] final class RouteProblem(
    val training: TrainingSet,
    val representatives: IndexedSeq[IndexedSeq[Int]],
    val prototypes: IndexedSeq[Array[Double]],
    precedence: Precedence,
    costs: RouteCosts,
    limits: RouteLimits
) {
  private val profiles = representatives.map(BlockProfile.of(training, _))
  private val representativeOf = {
    val of = new Array[Int](training.tuples.size)
    for ((members, r) <- representatives.zipWithIndex; i <- members) of(i) = r
    of
  }
  private val induction = new TreeInduction(training, limits.depth, limits.leastLeaf)
  private val known = mutable.HashMap.empty[IndexedSeq[Int], IndexedSeq[Int]]
  private val solved = mutable.HashMap.empty[Configuration, Solution]

  /** |T|. */
  def size: Int = representatives.size

  /** The best route of a block of representatives, in ascending order. */
  def route(block: IndexedSeq[Int]): IndexedSeq[Int] = {
    if (known.size > RouteProblem.MostKnown) known.clear()
    known.getOrElseUpdate(block, together(block).greedy(precedence))
  }

  /** One order for all rows. */
  def single: Solution = {
    val all = Configuration(Vector.fill(size)(0))
    val routes = Routes.single(BlockProfile.of(training, training.tuples.indices).greedy(precedence))
    Solution(all, routes, cost(routes))
  }

  /** The tree is induced from the routes of the blocks. Then each route is made the best one of the rows that
    * the tree gives it: which rows these are is the tree's say, and inside a route A-Greedy comes to this
    * order anyway.
    */
  def solve(configuration: Configuration): Solution = {
    val labels = bounded(configuration.members)
    val byRoute = Configuration(configuration.blocks.map(labels))
    if (solved.size > RouteProblem.MostKnown) solved.clear()
    // Of the neighbours on a walk more than half differ in nothing but blocks that have one route.
    solved.getOrElseUpdate(byRoute, induced(byRoute)).copy(configuration = configuration)
  }

  private def induced(byRoute: Configuration): Solution = {
    val tree = induction.induce(representativeOf.map(byRoute.blocks))
    val intended = Routes(
      tree.relabelled(tree.leaves.map(_.route).distinct.zipWithIndex.toMap),
      Vector.fill(tree.leaves.map(_.route).distinct.size)((0 until training.n).toVector)
    )
    val best = new SolutionCost(intended, training).profiles.map(_.greedy(precedence))
    val routes = Routes.of(intended.tree, best)
    Solution(byRoute, routes, cost(routes))
  }

  private def cost(routes: Routes): Double = new SolutionCost(routes, training).total(costs)

  /** By block, the number of its route. When there are more routes than allowed, those of the most rows
    * remain, and each other block takes the one of them that is cheapest for it.
    */
  private def bounded(blocks: IndexedSeq[IndexedSeq[Int]]): IndexedSeq[Int] = {
    val routes = blocks.map(route)
    val distinct = routes.distinct
    if (distinct.size <= limits.routes) routes.map(distinct.indexOf(_))
    else {
      def rows(route: IndexedSeq[Int]) =
        blocks.indices.filter(routes(_) == route).flatMap(blocks).map(profiles(_).density).sum
      val kept = distinct.sortBy(-rows(_)).take(limits.routes)
      blocks.indices.map { b =>
        if (kept.contains(routes(b))) kept.indexOf(routes(b))
        else {
          val block = together(blocks(b))
          kept.indices.minBy(k => block.cost(kept(k)))
        }
      }
    }
  }

  private def together(block: IndexedSeq[Int]): BlockProfile = {
    val sum = new BlockProfile(training)
    block.foreach(r => sum.addAll(profiles(r)))
    sum
  }
}

private[routes] object RouteProblem {

  /** Blocks whose routes are remembered, and solutions. */
  private val MostKnown = 10000

  /** Condenses a training set first.
    *
    * @param representatives
    *   |T| at most
    */
  def apply(
      training: TrainingSet,
      representatives: Int,
      precedence: Precedence,
      costs: RouteCosts,
      limits: RouteLimits,
      random: RandomGenerator
  ): RouteProblem = {
    val clustering = new KPrototypes(training, DropRelevance(training, limits.leastLeaf))
    val clusters = clustering.cluster(representatives, random)
    new RouteProblem(training, clusters, clusters.map(clustering.prototype), precedence, costs, limits)
  }
}
