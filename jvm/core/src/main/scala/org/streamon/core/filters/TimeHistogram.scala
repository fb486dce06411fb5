package org.streamon.core.filters

/** The times of one filter by powers of two, and a mean of them that neither a pause of the machine nor the
  * first runs of code not yet compiled throw off: what lies above `Cap` times the median counts as that much.
  * Samples are added and taken away in constant time, without allocation.
  */
private[filters] final class TimeHistogram {
  import TimeHistogram._

  private val counts = new Array[Int](Buckets)
  private val sums = new Array[Long](Buckets)
  private var samples = 0
  private var known = Double.NaN
  private var stale = false

  def size: Int = samples

  /** Takes in a sample. Nanoseconds; below zero counts as zero. */
  def add(nanos: Long): Unit = change(math.max(nanos, 0L), 1)

  /** Takes back a sample that was added. */
  def remove(nanos: Long): Unit = change(math.max(nanos, 0L), -1)

  /** Halves the weight of all samples so far. */
  def fade(): Unit = {
    samples = 0
    var b = 0
    while (b < Buckets) {
      val kept = counts(b) / 2
      sums(b) = if (counts(b) == 0) 0L else (sums(b).toDouble * kept / counts(b)).toLong
      counts(b) = kept
      samples += kept
      b += 1
    }
    stale = true
  }

  /** Nanoseconds, at least 1; the last one known when no sample is left; NaN before the first. */
  def mean: Double = {
    if (stale && samples > 0) known = compute()
    stale = false
    known
  }

  /** As `mean`, but 1 before the first sample: such a filter has dropped nothing either. */
  def meanOrFloor: Double = {
    val m = mean
    if (m.isNaN) Floor else m
  }

  private def change(nanos: Long, by: Int): Unit = {
    val b = Buckets - 1 - java.lang.Long.numberOfLeadingZeros(nanos | 1L)
    counts(b) += by
    sums(b) += by * nanos
    samples += by
    stale = true
  }

  private def compute(): Double = {
    var b = 0
    var below = counts(0)
    while (2 * below < samples) {
      b += 1
      below += counts(b)
    }
    val cap = Cap * math.max(sums(b).toDouble / counts(b), Floor)
    var total = 0.0
    b = 0
    while (b < Buckets) {
      if (counts(b) > 0) total += math.min(sums(b).toDouble, counts(b) * cap)
      b += 1
    }
    math.max(total / samples, Floor)
  }
}

private[filters] object TimeHistogram {

  /** A sample counts for at most so many times the median. */
  val Cap = 8.0

  /** No mean is lower, so that ratios of drop rate to time stay finite. Nanoseconds. */
  val Floor = 1.0

  private val Buckets = 64
}
