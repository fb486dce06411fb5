package org.streamon.core.filters

/** A longer average of each filter's time than a window gives: when `memory` samples are in, all that are in
  * lose half their weight. For the algorithms whose profile tuples evaluate few filters (Sweep, LocalSwaps):
  * the window would hold no sample of most.
  */
private[filters] final class AverageTimes(n: Int, memory: Int) {
  private val times = Array.fill(n)(new TimeHistogram)
  private val members = new Array[Int](n)

  /** Takes in the times of the filters that the tuple evaluated. */
  def observe(tuple: ProfileTuple): Unit = {
    val count = tuple.evaluated.list(members)
    var k = 0
    while (k < count) {
      val q = members(k)
      times(q).add(tuple.nanos(q))
      if (times(q).size >= memory) times(q).fade()
      k += 1
    }
  }

  /** Nanoseconds; NaN before the first sample. */
  def mean(q: Int): Double = times(q).mean

  /** As `mean`, but the floor before the first sample: such a filter has dropped nothing either. */
  def meanOrFloor(q: Int): Double = times(q).meanOrFloor
}
