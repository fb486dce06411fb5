package org.streamon.lab.baselines

import org.streamon.core.filters.{DropProfiling, ProfileTuple, OrderingAlgorithm}
import java.util.function.{LongSupplier, Predicate}

/** The Executor, a tuple at a time (thesis, Figure 4.10): evaluates filters in the Re-optimizer's order until
  * one drops the tuple; samples tuples, and of a sampled tuple that is dropped makes a profile tuple.
  *
  * @param filters
  *   a tuple is dropped where one is false
  * @param clock
  *   nanoseconds; read for sampled tuples only
  */
final class PipelinedFilters[T](
    filters: Array[Predicate[T]],
    val reoptimizer: OrderingAlgorithm,
    val profiling: DropProfiling,
    clock: LongSupplier
) {
  private val n = filters.length
  private val profiles = reoptimizer.profiles
  private val tuple = new ProfileTuple(n)

  /** How often each filter was evaluated in turn. */
  val evaluations: Array[Long] = new Array[Long](n)

  /** How often each filter was evaluated artificially, for a profile tuple. */
  val artificial: Array[Long] = new Array[Long](n)

  /** Profile tuples made. */
  var profiled: Long = 0L

  /** Profile tuples that changed the order. */
  var reorders: Long = 0L

  /** True when the tuple passes all filters. */
  def process(s: T): Boolean = if (profiles && profiling.sample()) sampled(s) else plain(s)

  private def plain(s: T): Boolean = {
    val order = reoptimizer.plan
    var r = 0
    while (r < n) {
      val q = order(r)
      evaluations(q) += 1
      if (!filters(q).test(s)) return false
      r += 1
    }
    true
  }

  private def sampled(s: T): Boolean = {
    val order = reoptimizer.plan
    tuple.evaluated.clear()
    tuple.dropped.clear()
    var r = 0
    while (r < n) {
      evaluations(order(r)) += 1
      if (!timed(order(r), s)) {
        profile(s, r)
        return false
      }
      r += 1
    }
    true
  }

  private def profile(s: T, dropPosition: Int): Unit = {
    val order = reoptimizer.plan
    tuple.dropPosition = dropPosition
    var r = reoptimizer.nextPosition(dropPosition, dropPosition, tuple.dropped)
    while (r < n) {
      artificial(order(r)) += 1
      timed(order(r), s)
      r = reoptimizer.nextPosition(dropPosition, r, tuple.dropped)
    }
    profiled += 1
    if (reoptimizer.observe(tuple)) reorders += 1
  }

  private def timed(q: Int, s: T): Boolean = {
    val start = clock.getAsLong
    val passes = filters(q).test(s)
    tuple.nanos(q) = clock.getAsLong - start
    tuple.evaluated.add(q)
    if (!passes) tuple.dropped.add(q)
    passes
  }
}
