package org.streamon.core.constraints

/** Scrambling distance of a stream on one column (thesis, Sections 6.3.1 and 6.8.2): how many tuples arrive
  * after one until a lesser value comes, that included. Keeps the running maximum after each of the latest
  * arrivals.
  *
  * The thesis has OAC look at the raw value k arrivals back; the maximum is stronger and as sound.
  *
  * @param most
  *   running maxima that are kept at most, 1 or more, or as many as a declared k takes; distances from there
  *   on count as infinite
  * @throws IllegalArgumentException
  *   when it is less
  */
final class ScramblingMonitor(settings: MonitorSettings, declared: Option[Long] = None, most: Int = 1 << 16)
    extends Monitor {
  require(most > 0, s"most = $most: expected 1 or more running maxima")

  val adherence: Adherence = new Adherence(settings, declared)
  private val room = declared.fold(most)(k => math.min(math.max(most, k + 2), Int.MaxValue / 2).toInt)
  private var ring = new Array[Long](16)
  private var newest = -1
  private var kept = 0

  def bytes: Long = 8L * kept

  def arrives(value: Long): Unit = {
    val highest = maximum(1)
    if (value < highest) adherence.observe(distance(value))
    push(math.max(value, highest))
    adherence.arrive()
    // One more than k_e, as max,,k + 1,, decides.
    val needed = if (adherence.watched >= room) room else adherence.watched.toInt + 1
    kept = math.min(kept, needed)
  }

  /** No value below will come, by the k in use. */
  def bound: Long = if (adherence.usable && adherence.k < kept) maximum(adherence.k.toInt + 1) else NoValue

  /** After how many more arrivals the bound is above a value, if no greater ones come; `Infinite` when k is
    * not known.
    */
  def passesAfter(value: Long): Long =
    if (!adherence.usable) Infinite
    else if (value >= maximum(1)) adherence.k + 1
    else math.max(adherence.k + 1 - distance(value), 0L)

  protected def ownState: Array[Long] = Array.tabulate(kept)(i => maximum(kept - i))

  protected def restore(adheres: AdherenceState, own: Array[Long], version: Int): Unit = {
    adherence.restore(adheres)
    own.foreach(push(_))
  }

  /** After the i-th latest arrival, from 1; `NoValue` where none is kept. */
  private def maximum(i: Int): Long = if (i > kept) NoValue else ring(newest - i + 1 & ring.length - 1)

  /** The i with maximum(i) > value >= maximum(i + 1). */
  private def distance(value: Long): Long = {
    var (low, high) = (1, kept + 1)
    while (high - low > 1) {
      val middle = low + high >>> 1
      if (maximum(middle) > value) low = middle else high = middle
    }
    if (low == kept && kept == room) Infinite else low.toLong
  }

  private def push(maximum: Long): Unit = {
    if (kept == ring.length) {
      ring = Array.tabulate(2 * kept)(k => if (k < kept) this.maximum(kept - k) else 0L)
      newest = kept - 1
    }
    newest = newest + 1 & ring.length - 1
    ring(newest) = maximum
    kept += 1
  }
}
