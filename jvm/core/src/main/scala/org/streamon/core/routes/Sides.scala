package org.streamon.core.routes

/** The two sides of a split as it is tried: labels of tuples that match and of those that do not, apart from
  * tuples where the attribute is null, which go to the side that gives more gain.
  *
  * @param all
  *   density of each label before the split
  * @param nulls
  *   density of each label where the attribute is null
  * @param leastDensity
  *   of either side
  */
private[routes] final class Sides(all: Array[Double], nulls: Array[Double], leastDensity: Double) {
  private val before = Entropy.total(all)
  private val yes, no = new Array[Double](all.length)

  /** Density of each label among the tuples that match and are not null. */
  val matching: Array[Double] = new Array[Double](all.length)

  /** The gain with nulls on a side; nothing when a side would be too small. */
  private def gain(nullsMatch: Boolean): Double = {
    var l = 0
    var left, right = 0.0
    while (l < all.length) {
      yes(l) = if (nullsMatch) matching(l) + nulls(l) else matching(l)
      no(l) = all(l) - yes(l)
      left += yes(l)
      right += no(l)
      l += 1
    }
    if (left < leastDensity || right < leastDensity) 0.0
    else before - Entropy.total(yes) - Entropy.total(no)
  }

  private val hasNulls = nulls.exists(_ > 0.0)
  private var best = before * Sides.LeastShare

  /** Tries the sides as they are now. Whether no split before had as much gain. */
  def improves(): Boolean = {
    val without = gain(nullsMatch = false)
    val withNulls = if (hasNulls) gain(nullsMatch = true) else 0.0
    val improved = math.max(without, withNulls) > best
    if (improved) {
      best = math.max(without, withNulls)
      nullsMatch = withNulls > without
    }
    improved
  }

  /** Of the best split. Nulls that were never seen do not match, as in SQL. */
  var nullsMatch: Boolean = false

  def split(test: Test): Split = Split(test, nullsMatch, best)
}

private object Sides {

  /** Less of the entropy is what rounding leaves. */
  val LeastShare = 1e-9
}
