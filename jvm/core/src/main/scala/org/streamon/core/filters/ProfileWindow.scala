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
  private val means = Array.fill(n)(new TimeHistogram)

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
      times(slot * n + q) = tuple.nanos(q)
      means(q).add(tuple.nanos(q))
    }
    drops.push(tuple.dropped)
  }

  /** Mean nanoseconds of filter q over the window, at least 1; the last one known when the window has no
    * sample of q any more; NaN before the first.
    */
  def meanNanos(q: Int): Double = means(q).mean

  /** As `meanNanos`, but 1 before the first sample: such a filter has dropped nothing either. */
  private[filters] def meanOrFloor(q: Int): Double = means(q).meanOrFloor

  private def expireTimes(slot: Int): Unit = {
    var rest = timed(slot)
    while (rest != 0L) {
      val q = java.lang.Long.numberOfTrailingZeros(rest)
      rest &= rest - 1L
      means(q).remove(times(slot * n + q))
    }
  }
}
