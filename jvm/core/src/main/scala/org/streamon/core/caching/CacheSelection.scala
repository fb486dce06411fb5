package org.streamon.core.caching

import scala.collection.mutable

/** Which caches to use together: those with the most benefit less cost, of which no two exclude one another,
  * where caches of the same content pay for it once (thesis, Sections 5.4.3 and 5.5.4).
  */
private[core] object CacheSelection {

  /** A candidate with its estimates. */
  final case class Choice(candidate: Candidate, costs: CacheCosts)

  /** Most candidates for an exhaustive search: 2 to the power of them. */
  val MostExhaustive = 12

  /** The best choice, or for many candidates a good one.
    *
    * @param operators
    *   what each operator costs without a cache, by pipeline and position
    */
  def select(choices: Seq[Choice], operators: (Int, Int) => Double): Seq[Choice] =
    if (isSimple(choices)) linear(choices)
    else if (choices.size <= MostExhaustive) exhaustive(choices)
    else greedy(choices, operators)

  /** Benefits less costs. */
  def net(chosen: Seq[Choice]): Double =
    chosen.map(_.costs.benefit).sum - costOf(chosen)

  private def costOf(chosen: Seq[Choice]): Double =
    chosen.groupBy(_.candidate.content).values.map(_.map(_.costs.cost).max).sum

  /** Whether nothing is shared, and candidates exclude one another only where one contains the other. */
  private def isSimple(choices: Seq[Choice]): Boolean =
    choices.map(_.candidate.content).distinct.size == choices.size &&
      choices.combinations(2).forall { pair =>
        val (a, b) = (pair.head.candidate, pair.last.candidate)
        !a.excludes(b) || a.contains(b) || b.contains(a)
      }

  /** For candidates that are nested or apart: a forest, solved from the leaves up. Every cache that does not
    * pay is left out.
    */
  def linear(choices: Seq[Choice]): Seq[Choice] = {
    def best(root: Choice, inside: Seq[Choice]): Seq[Choice] = {
      val below = forest(inside)
      if (root.costs.net > math.max(net(below), 0.0)) Seq(root) else below
    }
    def forest(all: Seq[Choice]): Seq[Choice] = {
      val roots = all.filter(c => !all.exists(_.candidate.contains(c.candidate)))
      roots.flatMap(root => best(root, all.filter(c => root.candidate.contains(c.candidate))))
    }
    forest(choices)
  }

  /** Every set; to be used for few candidates. */
  def exhaustive(choices: Seq[Choice]): Seq[Choice] = {
    def sets(left: List[Choice], chosen: List[Choice]): Iterator[List[Choice]] = left match {
      case Nil          => Iterator.single(chosen)
      case head :: tail =>
        val without = sets(tail, chosen)
        if (chosen.exists(_.candidate.excludes(head.candidate))) without
        else without ++ sets(tail, head :: chosen)
    }
    sets(choices.toList, Nil).maxBy(net).reverse
  }

  /** Weighted set cover over all operators, where an operator without a cache covers itself: again and again
    * the group of caches of one content that costs the least for each operator that it covers anew, its
    * members tried by what they cost for each; in the end what does not pay goes. The thesis refers to
    * another paper for its algorithm and does not give it; this is the digest's.
    */
  def greedy(choices: Seq[Choice], operators: (Int, Int) => Double): Seq[Choice] = {
    type Operator = (Int, Int)
    def covers(c: Choice): Set[Operator] =
      (c.candidate.from to c.candidate.to).map(c.candidate.pipeline -> _).toSet
    def processing(c: Choice) = covers(c).toSeq.map(o => operators(o._1, o._2)).sum - c.costs.benefit
    val all = choices.flatMap(covers).distinct
    val chosen = mutable.ArrayBuffer.empty[Choice]
    var covered = Set.empty[Operator]

    /** The members of a group that cover operators most cheaply, and what they cost for each. */
    def cheapest(group: Seq[Choice]): (Seq[Choice], Double) = {
      val unpaid =
        if (chosen.exists(_.candidate.content == group.head.candidate.content)) 0.0
        else group.map(_.costs.cost).max
      def fresh(c: Choice) = (covers(c) -- covered).size
      val usable = group
        .filter(c => fresh(c) > 0 && !chosen.exists(o => clashes(o, c)))
        .sortBy(c => processing(c) / fresh(c))
      val prefixes = usable.inits.filter(_.nonEmpty).toSeq.filter(compatible)
      if (prefixes.isEmpty) (Nil, Double.PositiveInfinity)
      else
        prefixes
          .map(p => p -> (unpaid + p.map(processing).sum) / (p.flatMap(covers).toSet -- covered).size)
          .minBy(_._2)
    }

    while (!all.forall(covered)) {
      val groups = choices.filterNot(chosen.contains).groupBy(_.candidate.content).values.map(cheapest)
      val single = all.filterNot(covered).minBy(o => operators(o._1, o._2))
      val best = groups.minByOption(_._2).filter(_._2 < operators(single._1, single._2))
      best match {
        case Some((members, _)) =>
          // What is nested in a larger one is not needed any more.
          chosen.filterInPlace(old => !members.exists(_.candidate.contains(old.candidate)))
          chosen ++= members
          covered ++= members.flatMap(covers)
        case None => covered += single
      }
    }
    improved(chosen.toSeq)
  }

  private def compatible(group: Seq[Choice]): Boolean =
    group.combinations(2).forall(p => !p.head.candidate.excludes(p.last.candidate))

  /** Whether a cache cannot come beside one that was chosen before; one that contains it takes its place. */
  private def clashes(chosen: Choice, other: Choice): Boolean =
    chosen.candidate.excludes(other.candidate) && !other.candidate.contains(chosen.candidate)

  private def improved(chosen: Seq[Choice]): Seq[Choice] =
    chosen.find(c => net(chosen.filter(_ ne c)) > net(chosen)) match {
      case Some(bad) => improved(chosen.filter(_ ne bad))
      case None      => chosen
    }
}
