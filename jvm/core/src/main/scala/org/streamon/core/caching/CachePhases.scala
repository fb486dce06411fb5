package org.streamon.core.caching

/** When statistics are gathered, and when it is looked whether caches still pay. Elements are counted from
  * the beginning of a phase.
  *
  * @param interval
  *   I, elements between two phases
  */
private[caching] final class CachePhases(interval: Int) {
  import CachePhases._

  private val checkEvery = math.max(interval / 10, 1)

  /** Intervals that go by until the next phase: more and more, as long as nothing changes. */
  private var patience = 1

  /** Whether the next phase is not to wait for an interval; and for nothing but a batch to begin. */
  private var due, atOnce = false

  /** Elements of the last phase. */
  private var length = 0L
  private var checkedAt = 0L
  private var open = false

  /** Whether statistics are gathered. */
  def isOpen: Boolean = open

  def begin(): Unit = {
    open = true
    due = false
    atOnce = false
    checkedAt = 0L
  }

  /** @param changed
    *   whether caches were chosen anew
    */
  def end(elements: Long, changed: Boolean): Unit = {
    open = false
    length = elements
    checkedAt = elements
    patience = if (changed) 1 else math.min(2 * patience, MostPatience)
  }

  /** What is known may hold no longer.
    *
    * @param due
    *   whether the next phase is not to wait for an interval
    */
  def changed(due: Boolean): Unit = {
    patience = 1
    this.due ||= due
  }

  /** What is known is of other orders: there may be no caches until the next phase. */
  def reordered(): Unit = {
    patience = 1
    atOnce = true
  }

  /** Whether to look if caches still pay. Not before a phase that is due: too little may be known. */
  def isTimeToCheck(elements: Long): Boolean = !due && !atOnce && elements - checkedAt >= checkEvery

  def checked(elements: Long): Unit = checkedAt = elements

  /** Whether to begin a phase. A large batch is gathered from as a whole: that must stay a part of all that
    * comes.
    */
  def isTime(elements: Long): Boolean = {
    val least = CacheProfiler.LongestPhase * length
    atOnce || elements >= (if (due) least else math.max(interval.toLong, least) * patience)
  }
}

private[caching] object CachePhases {

  /** Intervals. */
  private val MostPatience = 8
}
