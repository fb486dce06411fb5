package org.streamon.core.filters

import org.streamon.core.loop.Profiler

/** The Profiler of n commutative filters (thesis, Section 4.2): says which filters to evaluate for a tuple
  * that is sampled, and keeps their times and drop rates.
  */
trait FilterProfiler extends Profiler[ProfileTuple] {

  /** Which position to evaluate artificially next, for a tuple that was dropped at `dropPosition` and has
    * been evaluated up to position `after`. Positions come in ascending order; n says that the profile is
    * complete. Positions whose filter is guarded by one that dropped the tuple (see [[Precedence]]) are left
    * out.
    *
    * @param dropped
    *   the filters that have dropped the tuple
    */
  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int

  /** Mean nanoseconds that filter q takes, over the window, at least 1; NaN before its first evaluation.
    * Sweep and LocalSwaps, whose windows time few filters, average over longer.
    */
  def meanNanos(q: Int): Double

  /** Share of the profile tuples in the window that filter q drops of those that reach it in the current
    * order. NaN when unknown.
    */
  def dropRate(q: Int): Double
}
