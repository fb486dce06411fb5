package org.streamon.spark.execution

import org.streamon.core.filters.{FilterSet, OrderLoop}
import org.streamon.core.loop.DecisionLog
import org.streamon.spark.metrics.{FilterCounts, ThisExecutor}

/** What one task has counted of a filter so far. Arrays by written position.
  *
  * @param n
  *   how many conjuncts it has
  */
final class FilterTally(n: Int) {
  val evaluations: Array[Long] = new Array[Long](n)
  val drops: Array[Long] = new Array[Long](n)
  var inputRows, outputRows, reevaluated = 0L
  private var profiled, asWritten, reorders = 0L
  private val decisions = new DecisionLog[OrderLoop.Reorder]

  /** A row was profiled.
    *
    * @param dropped
    *   the conjuncts that drop it
    */
  def profile(dropped: FilterSet): Unit = {
    profiled += 1
    val first = dropped.next(0)
    asWritten += (if (first < 0) n else first + 1)
  }

  /** The order has changed. */
  def tell(change: OrderLoop.Reorder): Unit = {
    reorders += 1
    decisions.add(change)
  }

  /** The counts since the task began. Called once, when it ends. */
  def counts(origin: FilterRuntime.Origin, loop: FilterLoop): FilterCounts = FilterCounts(
    origin.query,
    origin.isStreaming,
    ThisExecutor.id,
    0,
    loop.order,
    loop.guards,
    evaluations,
    drops,
    inputRows,
    outputRows,
    profiled,
    Some(asWritten),
    reorders,
    reevaluated,
    decisions.take()
  )
}
