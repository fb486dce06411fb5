package org.streamon.lab

import org.streamon.lab.baselines.DropVectors
import java.util.SplittableRandom

/** The thesis's correlation model (Section 4.7.2): filters in groups; independent across groups, and two of a
  * group agree on 80% of the tuples. Pairwise agreement does not fix the joint law of three or more, so this
  * is our reading: each group draws a hidden bit that passes with its selectivity s; each filter copies it
  * with probability q, or else draws alone. Then q^2 = (0.8 - m) / (1 - m) with m = s^2 + (1 - s)^2, the
  * agreement of independent filters. Where m is above 0.8 already (s outside about 0.113 to 0.887) the rule
  * cannot mean a positive correlation, and q is 0.
  *
  * @param group
  *   group of each filter
  * @param selectivity
  *   share of the tuples that a filter passes, by group
  * @param cost
  *   probes of each filter
  */
final class CorrelatedFilters(val group: Array[Int], val selectivity: Array[Double], val cost: Array[Int]) {
  val n: Int = group.length
  private val copying = selectivity.map(CorrelatedFilters.copying)

  /** Draws a tuple: the filters that drop it, as bits. */
  def draw(random: SplittableRandom): Long = {
    val hidden = selectivity.map(random.nextDouble() < _)
    var drops = 0L
    var q = 0
    while (q < n) {
      val g = group(q)
      val passes = if (random.nextDouble() < copying(g)) hidden(g) else random.nextDouble() < selectivity(g)
      if (!passes) drops |= 1L << q
      q += 1
    }
    drops
  }

  /** The exact law, with times in probes. */
  lazy val law: DropVectors = {
    val vectors = (0L until 1L << n).toArray
    new DropVectors(vectors, vectors.map(probability), cost.map(_.toDouble))
  }

  /** The same slots of group and selectivity, handed to the filters anew at random. Costs stay with their
    * filters.
    */
  def permuted(random: SplittableRandom): CorrelatedFilters =
    new CorrelatedFilters(Shuffle(group, random), selectivity, cost)

  private def probability(drops: Long): Double =
    selectivity.indices.map { g =>
      val (s, q) = (selectivity(g), copying(g))
      def within(hidden: Double) = (0 until n)
        .filter(group(_) == g)
        .map { f =>
          val pass = q * hidden + (1 - q) * s
          if ((drops >>> f & 1L) != 0L) 1 - pass else pass
        }
        .product
      s * within(1.0) + (1 - s) * within(0.0)
    }.product
}

object CorrelatedFilters {
  val Agreement = 0.8

  /** Probability q of copying the group's hidden bit. */
  def copying(selectivity: Double): Double = {
    val independent = selectivity * selectivity + (1 - selectivity) * (1 - selectivity)
    math.sqrt(math.max(0.0, (Agreement - independent) / (1 - independent)))
  }

  /** ceil(n / gamma) groups of gamma filters, all of one selectivity and cost. */
  def uniform(n: Int, gamma: Int, selectivity: Double): CorrelatedFilters =
    grouped(n, gamma, Array.fill((n + gamma - 1) / gamma)(selectivity), Array.fill(n)(1))

  /** Groups of gamma filters in sequence, with a selectivity for each group and a cost for each filter. */
  def grouped(n: Int, gamma: Int, selectivity: Array[Double], cost: Array[Int]): CorrelatedFilters =
    new CorrelatedFilters(Array.tabulate(n)(_ / gamma), selectivity, cost)
}
