package org.streamon.core.constraints

/** Measures a distance between tuples as they arrive. Needs no join beside it. A checkpoint has its counters,
  * and page by page what it keeps many of, so that what a micro-batch has not changed is not written again.
  */
trait Monitor {

  /** What has been learned. */
  def adherence: Adherence

  /** What its content takes. */
  def bytes: Long

  /** What its arrays take, full or not. */
  def memoryBytes: Long

  /** Always as many. */
  final def counters: Array[Long] = adherence.state.numbers ++ ownCounters

  /** Gives the pages that have changed since the latest call, by number; an empty one is no longer needed. */
  def changedPages(each: (Long, Array[Long]) => Unit): Unit

  /** Whether `changedPages` would give any. */
  def hasChanged: Boolean

  /** Puts back what there was. To be called on a new monitor, of the same settings.
    *
    * @param page
    *   what was given last, by number
    */
  final def restore(counters: Array[Long], page: Long => Array[Long]): Unit =
    restore(AdherenceState(counters), counters.drop(AdherenceState.Length), page)

  /** The same of a former state, which had no pages: all of it has changed.
    *
    * @param version
    *   of what the numbers mean, below [[Monitor.Version]]
    */
  final def restoreFormer(state: Array[Long], version: Int): Unit =
    restoreFormer(AdherenceState(state), state.drop(AdherenceState.Length), version)

  protected def ownCounters: Array[Long]

  protected def restore(adheres: AdherenceState, own: Array[Long], page: Long => Array[Long]): Unit

  protected def restoreFormer(adheres: AdherenceState, own: Array[Long], version: Int): Unit
}

object Monitor {

  /** That of counters and pages. Version 1 counted a clustering distance from where a value came last; up to
    * version 2 there were no pages.
    */
  val Version = 3

  /** Slots of a page. */
  private[constraints] val PageSize = 32
}
