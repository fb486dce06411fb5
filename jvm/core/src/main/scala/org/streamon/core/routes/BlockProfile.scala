package org.streamon.core.routes

import org.streamon.core.filters.{FilterSet, Precedence}

/** What a block of training tuples tells of its filters: how many rows have each drop pattern, and the times.
  * So the cost of every order is known with the correlation of filters, where rates of single filters would
  * not do. Mutable: tuples and blocks are added.
  */
private[routes] final class BlockProfile(training: TrainingSet) {
  private val n = training.n
  private val patterns = training.patterns
  private val weights = new Array[Double](patterns.length)
  private val nanos, evaluated = new Array[Double](n)
  private var total = 0.0

  /** Rows in the block. */
  def density: Double = total

  def add(i: Int): Unit = {
    val tuple = training.tuples(i)
    weights(training.patternOf(i)) += tuple.density
    total += tuple.density
    var q = 0
    while (q < n) {
      nanos(q) += tuple.nanos(q)
      evaluated(q) += tuple.evaluated(q)
      q += 1
    }
  }

  def addAll(other: BlockProfile): Unit = {
    total += other.total
    var p = 0
    while (p < weights.length) {
      weights(p) += other.weights(p)
      p += 1
    }
    var q = 0
    while (q < n) {
      nanos(q) += other.nanos(q)
      evaluated(q) += other.evaluated(q)
      q += 1
    }
  }

  /** Mean nanoseconds of filter q, at least 1; that of the whole set when the block has no evaluation. */
  def meanNanos(q: Int): Double =
    if (evaluated(q) == 0.0) training.meanNanos(q) else math.max(nanos(q) / evaluated(q), 1.0)

  /** Expected nanoseconds of a row in an order of filters; 0 of an empty block. */
  def cost(order: IndexedSeq[Int]): Double = if (total == 0.0) 0.0
  else {
    val position = new Array[Int](n)
    val until = new Array[Double](n) // nanoseconds up to and with a position
    var sum = 0.0
    var r = 0
    while (r < n) {
      position(order(r)) = r
      sum += meanNanos(order(r))
      until(r) = sum
      r += 1
    }
    var cost = 0.0
    var p = 0
    while (p < weights.length) {
      if (weights(p) > 0.0) cost += weights(p) * until(first(patterns(p), position))
      p += 1
    }
    cost / total
  }

  /** The position at which a row with the pattern leaves: the last one when nothing drops it. */
  private def first(pattern: Array[Int], position: Array[Int]): Int = {
    var first = n - 1
    var k = 0
    while (k < pattern.length) {
      first = math.min(first, position(pattern(k)))
      k += 1
    }
    first
  }

  /** The order by the Greedy Invariant, which A-Greedy keeps too: each position has the filter with the
    * largest conditional drop rate over time among those whose guards have come. The smallest of equals.
    */
  def greedy(precedence: Precedence): IndexedSeq[Int] = {
    val alive = weights.clone()
    val placed = new FilterSet(n)
    val drops = new Array[Double](n)
    val order = Vector.newBuilder[Int]
    var r = 0
    while (r < n) {
      countDrops(alive, drops)
      var best = -1
      var q = 0
      while (q < n) {
        if (
          !placed.contains(q) && precedence.allows(q, placed) &&
          (best < 0 || drops(q) * meanNanos(best) > drops(best) * meanNanos(q))
        ) best = q
        q += 1
      }
      order += best
      placed.add(best)
      leave(alive, best)
      r += 1
    }
    order.result()
  }

  /** Of the rows that are left, how many each filter drops. */
  private def countDrops(alive: Array[Double], drops: Array[Double]): Unit = {
    java.util.Arrays.fill(drops, 0.0)
    var p = 0
    while (p < alive.length) {
      if (alive(p) > 0.0) {
        val pattern = patterns(p)
        var k = 0
        while (k < pattern.length) {
          drops(pattern(k)) += alive(p)
          k += 1
        }
      }
      p += 1
    }
  }

  private def leave(alive: Array[Double], q: Int): Unit = {
    var p = 0
    while (p < alive.length) {
      if (alive(p) > 0.0 && java.util.Arrays.binarySearch(patterns(p), q) >= 0) alive(p) = 0.0
      p += 1
    }
  }
}

private[routes] object BlockProfile {

  /** @param tuples
    *   the numbers of those in the block
    */
  def of(training: TrainingSet, tuples: Iterable[Int]): BlockProfile = {
    val profile = new BlockProfile(training)
    tuples.foreach(profile.add)
    profile
  }
}
