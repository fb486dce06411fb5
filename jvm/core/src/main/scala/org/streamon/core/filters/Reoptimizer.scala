package org.streamon.core.filters

/** Decides the order of n commutative filters from profile tuples (thesis, Chapter 4). Not thread-safe. */
trait Reoptimizer {

  /** The algorithm's name as users write it, such as `a-greedy`. */
  def name: String

  /** The current order: filters by position. A reorder installs a new array, so a reader may keep this one.
    */
  def order: Array[Int]

  /** Whether profile tuples are of any use to it. When false, sampling can be left out. */
  def profiles: Boolean = true

  /** Which position to evaluate artificially next, for a tuple that was dropped at `dropPosition` and has
    * been evaluated up to position `after`. Positions come in ascending order; n says that the profile is
    * complete. Positions whose filter is guarded by one that dropped the tuple (see [[precede]]) are left
    * out.
    */
  def nextPosition(dropPosition: Int, after: Int, dropped: Long): Int

  /** Takes in one profile tuple and restores the algorithm's invariant. True when the order has changed. */
  def observe(tuple: ProfileTuple): Boolean

  /** Demands that `guard` stays before `guarded` from now on. False, and no effect, when that would close a
    * cycle. The order is repaired at once.
    */
  def precede(guard: Int, guarded: Int): Boolean

  /** Mean nanoseconds that filter q takes, over the window, at least 1; NaN before its first evaluation.
    * Sweep and LocalSwaps, whose windows time few filters, average over longer.
    */
  def meanNanos(q: Int): Double

  /** Share of the profile tuples in the window that filter q drops of those that reach it in the current
    * order. NaN when unknown.
    */
  def dropRate(q: Int): Double
}
