package org.streamon.core.constraints

/** Scrambling distance of a stream on one column (thesis, Sections 6.3.1 and 6.8.2): how many tuples arrive
  * after one until a lesser value comes, that included. The stream comes in micro-batches within which the
  * order does not count: a value is out of order only behind a greater one of an earlier micro-batch, and its
  * distance is at most what it was where it came from. In micro-batches of one it is the thesis's.
  *
  * Keeps the running maxima that matter. The thesis has OAC look at the raw value k arrivals back; the
  * maximum is stronger and as sound.
  *
  * @param most
  *   running maxima that are kept at most, 2 or more; distances beyond count as infinite
  * @throws IllegalArgumentException
  *   when it is less
  */
final class ScramblingMonitor(
    settings: MonitorSettings,
    declared: Option[Long] = None,
    most: Int = 4096
) extends Monitor {
  import Monitor.PageSize

  require(most > 1, s"most = $most: expected 2 or more running maxima")

  val adherence: Adherence = new Adherence(settings, declared)

  /** Running maxima, each above the one before, and the arrivals at the end of its micro-batch: those from
    * `first` to before `end`.
    */
  private var maxima, ends = new Array[Long](16)
  private var first, end = 0
  private var dropped = false
  private var arrivals = 0L

  /** The number of the running maximum at 0, and those that the checkpoint has: from one to before another.
    */
  private var origin, writtenFirst, writtenEnd = 0L

  def bytes: Long = 16L * (end - first)
  def memoryBytes: Long = 16L * maxima.length

  /** @param values
    *   the first `count`
    */
  def observe(values: Array[Long], count: Int): Unit = {
    val before = highest
    var greatest = before
    var i = 0
    while (i < count) {
      if (values(i) != NoValue && values(i) < before) adherence.note(distance(values(i)))
      if (values(i) > greatest) greatest = values(i)
      i += 1
    }
    arrivals += count
    if (greatest > before) push(greatest, arrivals)
    adherence.advance(count.toLong, needsPairs = false)
    trim()
  }

  private def highest = if (end == first) NoValue else maxima(end - 1)

  /** No value below will come, by the k in use. */
  def bound: Long = if (!adherence.usable) NoValue
  else {
    val after = firstAbove(ends, arrivals - adherence.k)
    if (after == first) NoValue else maxima(after - 1)
  }

  /** How far out of order a value would be if it came next: from the first of the arrivals that are known to
    * have been greater.
    */
  def distance(value: Long): Long = {
    val greater = firstAbove(maxima, value)
    if (greater == end) 0L
    else if (greater == first && dropped) Infinite
    else arrivals + 1 - ends(greater)
  }

  protected def ownCounters: Array[Long] =
    Array(arrivals, if (dropped) 1L else 0L, origin + first, origin + end)

  def hasChanged: Boolean = writtenFirst != origin + first || writtenEnd != origin + end

  /** Running maxima are only added at the end and left out at the beginning. */
  def changedPages(each: (Long, Array[Long]) => Unit): Unit = {
    val (from, until) = (origin + first, origin + end)
    for (page <- writtenFirst / PageSize until from / PageSize) each(page, Array.empty)
    if (until > writtenEnd)
      for (page <- math.max(from, writtenEnd) / PageSize to (until - 1) / PageSize)
        each(page, contentOf(page))
    writtenFirst = from
    writtenEnd = until
  }

  private def contentOf(page: Long): Array[Long] = {
    val from = math.max(page * PageSize, origin + first)
    val until = math.min((page + 1) * PageSize, origin + end)
    (from until until).toArray.flatMap { number =>
      val at = (number - origin).toInt
      Array(maxima(at), ends(at))
    }
  }

  protected def restore(adheres: AdherenceState, own: Array[Long], page: Long => Array[Long]): Unit = {
    adherence.restore(adheres)
    arrivals = own(0)
    dropped = own(1) == 1L
    writtenFirst = own(2)
    writtenEnd = own(3)
    origin = writtenFirst
    // A page was written when its last was added: of the first page some may have been left out since.
    val kept = (writtenFirst / PageSize to (writtenEnd - 1) / PageSize)
      .flatMap(page(_))
      .takeRight(
        2 * (writtenEnd - writtenFirst).toInt
      )
    for (at <- kept.indices by 2) push(kept(at), kept(at + 1))
  }

  protected def restoreFormer(adheres: AdherenceState, own: Array[Long], version: Int): Unit = {
    adherence.restore(adheres)
    arrivals = own(0)
    dropped = own(1) == 1L
    for (at <- 2 until own.length by 2) push(own(at), own(at + 1))
  }

  /** The first of the kept that is above; `end` when none is. */
  private def firstAbove(ascending: Array[Long], value: Long): Int = {
    var (low, high) = (first, end)
    while (low < high) {
      val middle = low + high >>> 1
      if (ascending(middle) > value) high = middle else low = middle + 1
    }
    low
  }

  private def push(maximum: Long, at: Long): Unit = {
    if (end == maxima.length) makeRoom()
    maxima(end) = maximum
    ends(end) = at
    end += 1
  }

  private def makeRoom(): Unit = {
    val kept = end - first
    val length = if (kept > maxima.length / 2) 2 * maxima.length else maxima.length
    maxima = java.util.Arrays.copyOf(java.util.Arrays.copyOfRange(maxima, first, end), length)
    ends = java.util.Arrays.copyOf(java.util.Arrays.copyOfRange(ends, first, end), length)
    origin += first
    first = 0
    end = kept
  }

  /** Leaves out what is further back than matters, but for the last of it, and what is too much. */
  private def trim(): Unit = {
    val since = if (adherence.watched >= arrivals) Long.MinValue else arrivals - adherence.watched
    val before = first
    if (end - first > most) first = end - most
    while (first + 1 < end && ends(first + 1) <= since) first += 1
    if (first > before) dropped = true
  }
}
