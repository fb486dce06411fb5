package org.streamon.core.filters

/** A longer average of each filter's time than a window gives: a plain mean of the first `memory` samples,
  * and from then on an exponential one. For the algorithms whose profile tuples evaluate few filters (Sweep,
  * LocalSwaps): the window would hold no sample of most.
  *
  * @param memory
  *   samples after which a new one weighs 1/memory
  */
private[filters] final class AverageTimes(n: Int, memory: Int) {
  private val means = new Array[Double](n)
  private val samples = new Array[Long](n)

  /** Takes in the times of the filters that the tuple evaluated. */
  def observe(tuple: ProfileTuple): Unit = {
    var rest = tuple.evaluated
    while (rest != 0L) {
      val q = java.lang.Long.numberOfTrailingZeros(rest)
      rest &= rest - 1L
      val sample = TimeSamples.clip(tuple.nanos(q), means(q), samples(q))
      samples(q) += 1
      means(q) += (sample - means(q)) / math.min(samples(q), memory.toLong)
    }
  }

  /** Nanoseconds; NaN before the first sample. */
  def mean(q: Int): Double = if (samples(q) == 0L) Double.NaN else math.max(means(q), TimeSamples.Floor)

  /** As `mean`, but the floor before the first sample: such a filter has dropped nothing either. */
  def meanOrFloor(q: Int): Double = math.max(means(q), TimeSamples.Floor)
}
