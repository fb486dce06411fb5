package org.streamon.core.constraints

/** Scrambling distance as [[ScramblingMonitor]] measures it, of a stream that comes in micro-batches within
  * which the order does not count: a value is out of order only behind a greater one of an earlier
  * micro-batch, and its distance is at most what it was where it came from.
  *
  * @param most
  *   running maxima that are kept at most, 2 or more; distances beyond count as infinite
  * @throws IllegalArgumentException
  *   when it is less
  */
final class BatchScramblingMonitor(
    settings: MonitorSettings,
    declared: Option[Long] = None,
    most: Int = 4096
) extends Monitor {
  require(most > 1, s"most = $most: expected 2 or more running maxima")

  val adherence: Adherence = new Adherence(settings, declared)

  /** Running maxima, each above the one before, and the arrivals at the end of its micro-batch. */
  private var maxima, ends = new Array[Long](16)
  private var kept = 0
  private var dropped = false
  private var arrivals = 0L

  def bytes: Long = 16L * kept

  /** @param values
    *   the first `count`
    */
  def arrive(values: Array[Long], count: Int): Unit = {
    val before = if (kept == 0) NoValue else maxima(kept - 1)
    var highest = before
    var i = 0
    while (i < count) {
      if (values(i) != NoValue && values(i) < before) adherence.note(distanceOf(values(i)))
      if (values(i) > highest) highest = values(i)
      i += 1
    }
    arrivals += count
    if (highest > before) push(highest)
    adherence.arrive(count.toLong)
    trim()
  }

  /** No value below will come, by the k in use. */
  def bound: Long = if (!adherence.usable) NoValue
  else {
    var k = kept - 1
    while (k >= 0 && ends(k) > arrivals - adherence.k) k -= 1
    if (k < 0) NoValue else maxima(k)
  }

  protected def ownState: Array[Long] =
    Array(arrivals, if (dropped) 1L else 0L) ++ (0 until kept).flatMap(k => Seq(maxima(k), ends(k)))

  protected def restore(adheres: AdherenceState, own: Array[Long], version: Int): Unit = {
    adherence.restore(adheres)
    arrivals = own(0)
    dropped = own(1) == 1L
    for (at <- 2 until own.length by 2) {
      push(own(at))
      ends(kept - 1) = own(at + 1)
    }
  }

  /** From the first of the arrivals that are known to have been greater. */
  private def distanceOf(value: Long): Long = {
    var (low, high) = (0, kept - 1)
    while (low < high) {
      val middle = low + high >>> 1
      if (maxima(middle) > value) high = middle else low = middle + 1
    }
    if (low == 0 && dropped) Infinite else arrivals + 1 - ends(low)
  }

  private def push(maximum: Long): Unit = {
    if (kept == maxima.length) {
      maxima = java.util.Arrays.copyOf(maxima, 2 * kept)
      ends = java.util.Arrays.copyOf(ends, 2 * kept)
    }
    maxima(kept) = maximum
    ends(kept) = arrivals
    kept += 1
  }

  /** Leaves out what is further back than matters, but for the last of it, and what is too much. */
  private def trim(): Unit = {
    val since = if (adherence.watched >= arrivals) Long.MinValue else arrivals - adherence.watched
    var first = math.max(kept - most, 0)
    while (first + 1 < kept && ends(first + 1) <= since) first += 1
    if (first > 0) {
      System.arraycopy(maxima, first, maxima, 0, kept - first)
      System.arraycopy(ends, first, ends, 0, kept - first)
      kept -= first
      dropped = true
    }
  }
}
