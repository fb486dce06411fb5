package org.streamon.core.filters

/** The Profiler's window: drops and times of the latest profile tuples (thesis, Section 4.3.1, Figure 4.3),
  * with running sums for the mean times.
  *
  * @param n
  *   number of filters
  * @param capacity
  *   profile tuples
  */
final class ProfileWindow(n: Int, capacity: Int) {
  private[filters] val drops = new DropRing(n, capacity)
  private val times = new Array[Long](n * capacity)
  private val timed = new FilterSets(n, capacity)
  private val means = Array.fill(n)(new TimeHistogram)
  private val members = new Array[Int](n)

  def size: Int = drops.size

  def isFull: Boolean = drops.isFull

  /** The filters that drop the tuple that the next push expires; only of a full window. One object for all.
    */
  def oldest: FilterSet = drops.oldest

  /** The filters that drop each tuple in the window, in no particular order. */
  def contents: Seq[FilterSet] = drops.contents

  /** Takes in a profile tuple; a full window expires its oldest. */
  def push(tuple: ProfileTuple): Unit = {
    val slot = drops.cursor
    if (drops.isFull) expireTimes(slot)
    timed.put(slot, tuple.evaluated)
    val count = tuple.evaluated.list(members)
    var k = 0
    while (k < count) {
      val q = members(k)
      times(slot * n + q) = tuple.nanos(q)
      means(q).add(tuple.nanos(q))
      k += 1
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
    val count = timed.list(slot, members)
    var k = 0
    while (k < count) {
      val q = members(k)
      means(q).remove(times(slot * n + q))
      k += 1
    }
  }
}
