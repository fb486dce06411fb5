package org.streamon.core.routes

import java.util.random.RandomGenerator

/** Condenses training tuples to representatives with densities (Query Mesh leaves the method open) by
  * k-prototypes (Z. Huang: Extensions to the k-means algorithm for clustering large data sets with
  * categorical values, 1998) with the seeding of k-means++ (D. Arthur, S. Vassilvitskii, 2007).
  *
  * Numbers are compared by rank, so that no outlier counts for more than the others, and categories by
  * equality. An attribute weighs what it tells of the drops (see [[DropRelevance]]); drops are not compared
  * themselves: a representative of rows that one filter drops would tell of that filter more than any rows do
  * that a tree can tell apart.
  *
  * @param weights
  *   by attribute, from 0 on, with a sum of 1
  */
private[routes] final class KPrototypes(training: TrainingSet, weights: IndexedSeq[Double]) {
  import KPrototypes._

  private val tuples = training.tuples
  private val attributes = training.attributes.indices.toArray
  private val ranks =
    attributes.map(a => if (training.attributes(a).isNumber) rank(a) else Array.empty[Double])

  /** Clusters that are not empty, at most `count`, with the tuples of each. */
  def cluster(count: Int, random: RandomGenerator): IndexedSeq[IndexedSeq[Int]] = {
    var prototypes = seeds(count, random)
    var nearest = assign(prototypes)
    var round = 1
    var moving = true
    while (moving && round < MostRounds) {
      prototypes = groups(nearest).map(prototype)
      val next = assign(prototypes)
      moving = !next.sameElements(nearest)
      nearest = next
      round += 1
    }
    groups(nearest)
  }

  /** By attribute, where the middle of a cluster is: a share of the rows for a number, 0 to 1, or below 0 for
    * nulls; the code of the most frequent value for a category.
    */
  def prototype(members: IndexedSeq[Int]): Array[Double] = attributes.map { a =>
    if (training.attributes(a).isNumber)
      members.map(i => ranks(a)(i) * tuples(i).density).sum / members.map(tuples(_).density).sum
    else {
      val codes = training.codes(a)
      members.groupMapReduce(codes(_))(tuples(_).density)(_ + _).maxBy(p => (p._2, p._1))._1.toDouble
    }
  }

  private def groups(nearest: Array[Int]): IndexedSeq[IndexedSeq[Int]] =
    nearest.indices.groupBy(nearest(_)).toVector.sortBy(_._1).map(_._2)

  /** By tuple, the share of the rows with a smaller number, those with an equal one counting half. */
  private def rank(a: Int): Array[Double] = {
    val sorted = training.sorted(a)
    val all = sorted.map(tuples(_).density).sum
    val ranks = Array.fill(tuples.size)(NullRank)
    var from = 0
    var below = 0.0
    while (from < sorted.length) {
      var to = from
      var equal = 0.0
      while (to < sorted.length && !training.less(a, sorted(from), sorted(to))) {
        equal += tuples(sorted(to)).density
        to += 1
      }
      for (k <- from until to) ranks(sorted(k)) = (below + equal / 2) / all
      below += equal
      from = to
    }
    ranks
  }

  private def distance(i: Int, prototype: Array[Double]): Double = {
    var sum = 0.0
    var a = 0
    while (a < attributes.length) {
      if (training.attributes(a).isNumber) {
        val difference = ranks(a)(i) - prototype(a)
        sum += weights(a) * difference * difference
      } else if (training.codes(a)(i) != prototype(a).toInt) sum += weights(a)
      a += 1
    }
    sum
  }

  private def assign(prototypes: IndexedSeq[Array[Double]]): Array[Int] =
    tuples.indices.map { i =>
      var best = 0
      var least = Double.PositiveInfinity
      var c = 0
      while (c < prototypes.size) {
        val d = distance(i, prototypes(c))
        if (d < least) {
          best = c
          least = d
        }
        c += 1
      }
      best
    }.toArray

  /** Each is drawn by density times the squared distance to the nearest one before. */
  private def seeds(count: Int, random: RandomGenerator): IndexedSeq[Array[Double]] = {
    val chosen = Vector.newBuilder[Array[Double]]
    val chance = tuples.map(_.density).toArray
    val far = Array.fill(tuples.size)(Double.PositiveInfinity)
    var k = 0
    while (k < count && chance.exists(_ > 0.0)) {
      val seed = prototype(Vector(draw(chance, random)))
      chosen += seed
      for (i <- tuples.indices) {
        far(i) = math.min(far(i), distance(i, seed))
        chance(i) = tuples(i).density * far(i)
      }
      k += 1
    }
    chosen.result()
  }

  private def draw(chance: Array[Double], random: RandomGenerator): Int = {
    var left = random.nextDouble() * chance.sum
    var last = -1
    var i = 0
    while (i < chance.length && left >= 0.0) {
      if (chance(i) > 0.0) {
        last = i
        left -= chance(i)
      }
      i += 1
    }
    last
  }
}

private object KPrototypes {
  val MostRounds = 10

  /** Nulls stand apart from all numbers, by half of what these span. */
  val NullRank: Double = -0.5
}
