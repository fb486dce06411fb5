package org.streamon.spark.execution.python

import org.streamon.core.filters.{OrderLoop, ProfileTuple}
import org.streamon.core.loop.{DecisionLog, Versioned}
import org.streamon.spark.execution.{FilterLoop, FilterRuntime}
import org.streamon.spark.metrics.{FilterCounts, ThisExecutor}

/** The loop of a filter of Python predicates, in one task: says which order the next batch follows, and takes
  * in what the worker tells of it.
  *
  * @param levels
  *   by predicate: Spark evaluates it on rows that pass those of lower levels
  */
private[python] final class PythonFilterTask(
    levels: IndexedSeq[Int],
    shared: FilterLoop,
    origin: FilterRuntime.Origin
) {
  private val n = levels.size
  private val evaluations = new Array[Long](n)
  private val drops = new Array[Long](n)
  private var inputRows, outputRows, profiled, asWritten, reorders, reevaluated = 0L
  private val decisions = new DecisionLog[OrderLoop.Reorder]
  private val tuple = new ProfileTuple(n)

  /** The order that a batch is to follow. */
  def order: Versioned[Array[Int]] = shared.current

  /** The share of rows to profile. */
  def sample: Double = shared.profilingProbability

  /** Takes in what a batch has told that was to follow `seen`. */
  def learn(report: PythonReport, seen: Versioned[Array[Int]]): Unit = {
    for (q <- 0 until n) {
      evaluations(q) += report.evaluations(q)
      drops(q) += report.drops(q)
    }
    inputRows += report.rows
    outputRows += report.passed
    reevaluated += report.reevaluated
    report.raised.foreach(guard)
    report.samples.foreach(observe(_, report, seen))
  }

  /** Counts since the task began. Called once, when it ends. */
  def counts(): FilterCounts = FilterCounts(
    origin.query,
    origin.isStreaming,
    ThisExecutor.id,
    0,
    shared.order,
    shared.guards,
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

  /** A predicate raised, and as Spark evaluates it it does not: it stays behind all that come before it
    * there.
    */
  private def guard(raised: Int): Unit =
    for (q <- 0 until n if levels(q) < levels(raised)) shared.guard(q, raised).foreach(tell)

  private def observe(dropped: Long, report: PythonReport, seen: Versioned[Array[Int]]): Unit = {
    profiled += 1
    asWritten += math.min(java.lang.Long.numberOfTrailingZeros(dropped) + 1, n)
    val change =
      if (dropped == 0) shared.observePass()
      else {
        profile(dropped, report, seen)
        shared.observe(tuple, seen)
      }
    change.foreach(tell)
    val reached = seen.plan.indexWhere(q => (dropped >>> q & 1L) != 0L) match {
      case -1 => n
      case k  => k + 1
    }
    shared.account(
      seen.plan.take(reached).map(report.nanos(_)).sum,
      report.extraNanos / report.samples.length
    )
  }

  private def tell(change: OrderLoop.Reorder): Unit = {
    reorders += 1
    decisions.add(change)
  }

  /** The profile tuple of a row. The worker has evaluated all predicates on it; the algorithm is told of
    * those that it asks for.
    */
  private def profile(dropped: Long, report: PythonReport, seen: Versioned[Array[Int]]): Unit = {
    val order = seen.plan
    tuple.dropPosition = order.indexWhere(q => (dropped >>> q & 1L) != 0L)
    tuple.evaluated = 0L
    tuple.dropped = 0L
    var k = 0
    while (k < n) {
      val q = order(k)
      tuple.nanos(q) = math.max(report.nanos(q), 1L)
      tuple.evaluated |= 1L << q
      tuple.dropped |= dropped & 1L << q
      k =
        if (k < tuple.dropPosition) k + 1 else shared.nextPosition(seen, tuple.dropPosition, k, tuple.dropped)
    }
  }
}
