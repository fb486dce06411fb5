package org.streamon.core.joins

import org.streamon.core.filters.{ProfileTuple, Reoptimizer}

/** The Re-optimizer of one input's pipeline: an algorithm for filters, over its logical filters (thesis,
  * Section 5.2). Logical filters may stand in any order: precedence is a matter of the pipeline made of them.
  * A-Greedy's 4-approximation is for filters that do their own work each, which those of the root of a star
  * do; where paths share windows it orders well, without the guarantee.
  *
  * Safe for several threads: executors read the order without a lock, and only sampled rows take it.
  */
final class PipelineOrder(val filters: LogicalFilters, reoptimizer: Reoptimizer) {
  @volatile private var current = reoptimizer.order

  def algorithm: String = reoptimizer.name

  /** Logical filters by position. A reorder installs a new array. */
  def order: Array[Int] = current

  /** Windows by position. */
  def pipeline: Array[Int] = filters.pipeline(current)

  /** Whether sampling is of any use. */
  val profiles: Boolean = reoptimizer.profiles && filters.size > 1

  /** As for a [[Reoptimizer]], under the order `seen`; the number of filters when another executor has
    * replaced that order.
    */
  def nextPosition(seen: Array[Int], dropPosition: Int, after: Int, dropped: Long): Int = synchronized {
    if (seen eq current) reoptimizer.nextPosition(dropPosition, after, dropped) else filters.size
  }

  /** Takes in a profile tuple made under the order `seen`; it is void when another executor has replaced that
    * order meanwhile. True when the order has changed.
    */
  def observe(tuple: ProfileTuple, seen: Array[Int]): Boolean = synchronized {
    val changed = (seen eq current) && reoptimizer.observe(tuple)
    if (changed) current = reoptimizer.order
    changed
  }

  /** Mean nanoseconds of the logical filter that leads to a window; NaN when unknown. */
  def meanNanos(window: Int): Double = synchronized(reoptimizer.meanNanos(filters.filter(window)))

  /** Share of the sampled rows, of those that reach it, that the logical filter to a window drops; NaN when
    * unknown.
    */
  def dropRate(window: Int): Double = synchronized(reoptimizer.dropRate(filters.filter(window)))
}
