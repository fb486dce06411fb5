package org.streamon.spark.execution

import org.streamon.core.filters.{FilterSet, OrderLoop}
import org.streamon.core.loop.DecisionLog
import org.streamon.core.routes.Tree
import org.streamon.spark.metrics.{FilterCounts, Guard, OrderChange, RouteCounts, ThisExecutor}

/** What one task has counted of a filter so far. Arrays by written position.
  *
  * @param n
  *   how many conjuncts it has
  * @param lane
  *   the tree and the route, of which it counts the rows; none when it counts all
  */
final class FilterTally(origin: FilterRuntime.Origin, n: Int, lane: Option[(Tree, Int)] = None) {
  val evaluations: Array[Long] = new Array[Long](n)
  val drops: Array[Long] = new Array[Long](n)
  var inputRows, outputRows, reevaluated = 0L
  private var profiled, asWritten, reorders = 0L
  private val decisions = new DecisionLog[OrderChange]

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
    decisions.add(OrderChange(change, lane))
  }

  /** Takes over the counts of another part of the same task, which counts no more. */
  def take(other: FilterTally): Unit = {
    for (q <- 0 until n) {
      evaluations(q) += other.evaluations(q)
      drops(q) += other.drops(q)
    }
    inputRows += other.inputRows
    outputRows += other.outputRows
    reevaluated += other.reevaluated
    profiled += other.profiled
    asWritten += other.asWritten
    reorders += other.reorders
    other.decisions.take().foreach(decisions.add)
  }

  /** The counts since the task began. Called once, when it ends. */
  def counts(order: Array[Int], guards: Seq[Guard], routes: Option[RouteCounts] = None): FilterCounts =
    FilterCounts(
      origin.query,
      origin.isStreaming,
      ThisExecutor.id,
      0,
      order,
      guards,
      evaluations,
      drops,
      inputRows,
      outputRows,
      profiled,
      Some(asWritten),
      reorders,
      reevaluated,
      decisions.take(),
      routes
    )
}
