package org.streamon.lab.baselines

import org.streamon.core.filters.{FilterSet, Precedence}
import org.streamon.core.joins.Bits

/** A stable input, exactly: which sets of filters drop what share of the tuples, and how long each filter
  * takes. The yardstick for what an order costs (Equation 4.1 of the thesis).
  *
  * @param vectors
  *   sets of filters that drop a tuple, as bits; 0 stands for a tuple that passes all
  * @param weights
  *   the share, or number, of tuples with each vector
  * @param times
  *   time of each filter for one tuple, in any unit
  */
final class DropVectors(val vectors: Array[Long], val weights: Array[Double], val times: Array[Double]) {
  require(vectors.length == weights.length, "vectors and weights: one weight for each vector")

  def n: Int = times.length

  /** What an order costs: the sum over tuples of the times of the filters evaluated until one drops it. */
  def costOf(order: Array[Int]): Double =
    order.indices.map(r => times(order(r)) * surviving(Bits.of(order.take(r)))).sum

  /** Weight of the tuples that no filter in the set drops. */
  def surviving(filters: Long): Double =
    vectors.indices.iterator.filter(k => (vectors(k) & filters) == 0L).map(weights(_)).sum

  /** Static Greedy: each position takes the largest conditional drop rate over time. */
  def greedy(precedence: Precedence): Array[Int] =
    select(precedence)((q, prefix) => (surviving(prefix) - surviving(prefix | 1L << q)) / times(q))

  /** The order of unconditional drop rate over time. */
  def independent(precedence: Precedence): Array[Int] =
    select(precedence)((q, _) => (surviving(0L) - surviving(1L << q)) / times(q))

  private def select(precedence: Precedence)(ratio: (Int, Long) => Double): Array[Int] = {
    val placed = new FilterSet(n)
    Array.fill(n) {
      val prefix = Bits.of(placed.members)
      val best = (0 until n)
        .filter(q => !placed.contains(q) && precedence.allows(q, placed))
        .maxBy(ratio(_, prefix))
      placed.add(best)
      best
    }
  }
}

object DropVectors {

  /** A sample of tuples, each weighing 1. */
  def ofSample(vectors: Seq[Long], times: Array[Double]): DropVectors = {
    val counts = vectors.groupMapReduce(identity)(_ => 1.0)(_ + _).toSeq.sortBy(_._1)
    new DropVectors(counts.map(_._1).toArray, counts.map(_._2).toArray, times)
  }
}
