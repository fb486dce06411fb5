package org.streamon.core.filters

import scala.collection.immutable.BitSet

/** A-Greedy as the thesis defines it (Section 4.3), with nothing kept but the profile tuples: every mean and
  * every entry of the view is computed from them anew, bucket by bucket.
  */
final class PlainAGreedy(n: Int, start: Seq[Int], window: Int, alpha: Double, evidence: Int) {
  private case class Profiled(evaluated: BitSet, dropped: BitSet, nanos: Seq[Long])
  private var recent = Vector.empty[Profiled]

  var order: Vector[Int] = start.toVector

  /** By filter; NaN before the first. */
  var means: Vector[Double] = Vector.fill(n)(Double.NaN)

  def observe(evaluated: BitSet, dropped: BitSet, nanos: Seq[Long]): Unit = {
    recent = (recent :+ Profiled(evaluated, dropped, nanos)).takeRight(window)
    if (recent.size >= math.min(evidence, window)) {
      means = Vector.tabulate(n) { q =>
        val samples = recent.filter(_.evaluated(q)).map(_.nanos(q))
        if (samples.isEmpty) means(q) else PlainAGreedy.mean(samples)
      }
      var violated = firstViolated
      while (violated < n) {
        correct(violated)
        violated = firstViolated
      }
    }
  }

  /** For each filter its entry in row r over its time. */
  private def ratios(r: Int): Int => Double = {
    val reaching = recent.filterNot(t => order.take(r).exists(t.dropped))
    q => reaching.count(_.dropped(q)) * (1.0 / (if (means(q).isNaN) 1.0 else means(q)))
  }

  private def firstViolated: Int = order.indices
    .find { r =>
      val ratio = ratios(r)
      val inPlace = ratio(order(r))
      order.drop(r + 1).exists(q => inPlace < alpha * ratio(q))
    }
    .getOrElse(n)

  /** Up to the last position that a filter was taken from. */
  private def correct(first: Int): Unit = {
    var r, last = first
    while (r <= last) {
      val ratio = ratios(r)
      val winner = order.indices.drop(r).maxBy(c => ratio(order(c)))
      last = math.max(last, winner)
      val filter = order(winner)
      order = order.patch(winner, Nil, 1).patch(r, Seq(filter), 0)
      r += 1
    }
  }
}

object PlainAGreedy {

  /** Of samples in 64 buckets by powers of two, each sample at most 8 times the mean of the median's bucket.
    */
  def mean(samples: Seq[Long]): Double = {
    val buckets = Vector.tabulate(64)(b =>
      samples.map(math.max(_, 0L)).filter(t => 63 - java.lang.Long.numberOfLeadingZeros(t | 1L) == b)
    )
    val median = buckets.scanLeft(0)(_ + _.size).tail.indexWhere(2 * _ >= samples.size)
    val cap = 8.0 * math.max(buckets(median).sum.toDouble / buckets(median).size, 1.0)
    val total = buckets.filter(_.nonEmpty).foldLeft(0.0)((t, b) => t + math.min(b.sum.toDouble, b.size * cap))
    math.max(total / samples.size, 1.0)
  }
}
