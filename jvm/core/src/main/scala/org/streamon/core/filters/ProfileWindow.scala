package org.streamon.core.filters

/** The Profiler's window: drop bit sets and times of the latest profile tuples (thesis, Section 4.3.1, Figure
  * 4.3), with running sums for the mean times.
  *
  * @param n
  *   number of filters
  * @param capacity
  *   profile tuples
  */
final class ProfileWindow(n: Int, capacity: Int) {
  private[filters] val drops = new DropRing(capacity)
  private val times = new Array[Long](n * capacity)
  private val timed = new Array[Long](capacity)
  private val sums = new Array[Long](n)
  private val samples = new Array[Int](n)
  private val means = Array.fill(n)(Double.NaN)

  def size: Int = drops.size

  def isFull: Boolean = drops.isFull

  /** Drop bits of the tuple that the next push expires; only of a full window. */
  def oldest: Long = drops(drops.cursor)

  /** Drop bits of the tuples in the window, in no particular order. */
  def contents: Seq[Long] = (0 until drops.size).map(drops(_))

  /** Takes in a profile tuple; a full window expires its oldest. */
  def push(tuple: ProfileTuple): Unit = {
    val slot = drops.cursor
    if (drops.isFull) expireTimes(slot)
    timed(slot) = tuple.evaluated
    var rest = tuple.evaluated
    while (rest != 0L) {
      val q = java.lang.Long.numberOfTrailingZeros(rest)
      rest &= rest - 1L
      val sample = TimeSamples.clip(tuple.nanos(q), means(q), samples(q).toLong)
      times(slot * n + q) = sample
      sums(q) += sample
      samples(q) += 1
      means(q) = math.max(sums(q).toDouble / samples(q), TimeSamples.Floor)
    }
    drops.push(tuple.dropped)
  }

  /** Mean nanoseconds of filter q over the window, at least 1; the last one known when the window has no
    * sample of q any more; NaN before the first.
    */
  def meanNanos(q: Int): Double = means(q)

  /** As `meanNanos`, but 1 before the first sample: such a filter has dropped nothing either. */
  private[filters] def meanOrFloor(q: Int): Double = if (means(q).isNaN) TimeSamples.Floor else means(q)

  private def expireTimes(slot: Int): Unit = {
    var rest = timed(slot)
    while (rest != 0L) {
      val q = java.lang.Long.numberOfTrailingZeros(rest)
      rest &= rest - 1L
      sums(q) -= times(slot * n + q)
      samples(q) -= 1
      if (samples(q) > 0) means(q) = math.max(sums(q).toDouble / samples(q), TimeSamples.Floor)
    }
  }
}
