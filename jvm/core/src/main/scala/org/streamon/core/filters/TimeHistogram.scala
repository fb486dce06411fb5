package org.streamon.core.filters

/** The times of one filter by powers of two, and a mean of them that neither a pause of the machine nor the
  * first runs of code not yet compiled throw off: what lies above `Cap` times the median counts as that much.
  * To add a sample, to take one away and to ask for the mean is constant time, without allocation, but for
  * buckets far above the median: they are walked.
  */
private[core] final class TimeHistogram {
  import TimeHistogram._

  private val counts = new Array[Int](Buckets)
  private val sums = new Array[Long](Buckets)
  private var samples = 0
  private var sum = 0L

  /** The buckets that hold samples, a bit each, and some that do not any more. */
  private var filled = 0L

  /** The bucket that had the median when the mean was last computed, and the samples in those below. */
  private var middle = 0
  private var below = 0
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
    sum = 0L
    middle = 0
    below = 0
    var b = 0
    while (b < Buckets) {
      val kept = counts(b) / 2
      sums(b) = if (counts(b) == 0) 0L else (sums(b).toDouble * kept / counts(b)).toLong
      counts(b) = kept
      samples += kept
      sum += sums(b)
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
    sum += by * nanos
    samples += by
    // Which bucket it is cannot be foreseen: no branch depends on it.
    below += by & (b - middle >> 31)
    filled |= 1L << b
    stale = true
  }

  private def compute(): Double = {
    findMiddle()
    // Lower ones have averages below the cap: that of the median's bucket is at least the bucket's lower end.
    val lowest = middle + FirstAboveCap
    val far = if (lowest < Buckets) filled & -1L << lowest else 0L
    val total = if (far == 0L) sum.toDouble else capped(far)
    math.max(total / samples, Floor)
  }

  private def findMiddle(): Unit = {
    while (2 * below >= samples) {
      middle -= 1
      below -= counts(middle)
    }
    while (2 * (below + counts(middle)) < samples) {
      below += counts(middle)
      middle += 1
    }
  }

  /** The sum where the averages of some buckets may be above the cap. */
  private def capped(far: Long): Double = {
    val cap = Cap * math.max(sums(middle).toDouble / counts(middle), Floor)
    var near = sum
    var rest = far
    while (rest != 0L) {
      near -= sums(java.lang.Long.numberOfTrailingZeros(rest))
      rest &= rest - 1L
    }
    var total = near.toDouble
    rest = far
    while (rest != 0L) {
      val b = java.lang.Long.numberOfTrailingZeros(rest)
      rest &= rest - 1L
      total += math.min(sums(b).toDouble, counts(b) * cap)
      if (counts(b) == 0) filled &= ~(1L << b)
    }
    total
  }
}

private[core] object TimeHistogram {

  /** A sample counts for at most so many times the median. A power of two. */
  val Cap = 8.0

  /** No mean is lower, so that ratios of drop rate to time stay finite. Nanoseconds. */
  val Floor = 1.0

  private val Buckets = 64

  /** How far above the median's the first bucket is whose average may exceed the cap: log2 of it. */
  private val FirstAboveCap = 3
}
