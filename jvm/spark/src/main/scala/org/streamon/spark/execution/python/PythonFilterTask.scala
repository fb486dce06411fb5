package org.streamon.spark.execution.python

import org.streamon.core.filters.ProfileTuple
import org.streamon.core.loop.Versioned
import org.streamon.spark.execution.{FilterLoop, FilterRuntime, FilterTally}
import org.streamon.spark.metrics.FilterCounts

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
  private val tally = new FilterTally(n)
  private val tuple = new ProfileTuple(n)

  /** The order that a batch is to follow. */
  def order: Versioned[Array[Int]] = shared.current

  /** The share of rows to profile. */
  def sample: Double = shared.profilingProbability

  /** Takes in what a batch has told that was to follow `seen`. */
  def learn(report: PythonReport, seen: Versioned[Array[Int]]): Unit = {
    for (q <- 0 until n) {
      tally.evaluations(q) += report.evaluations(q)
      tally.drops(q) += report.drops(q)
    }
    tally.inputRows += report.rows
    tally.outputRows += report.passed
    tally.reevaluated += report.reevaluated
    report.raised.foreach(guard)
    report.samples.foreach(observe(_, report, seen))
  }

  /** Counts since the task began. Called once, when it ends. */
  def counts(): FilterCounts = tally.counts(origin, shared)

  /** A predicate raised, and as Spark evaluates it it does not: it stays behind all that come before it
    * there.
    */
  private def guard(raised: Int): Unit =
    for (q <- 0 until n if levels(q) < levels(raised)) shared.guard(q, raised).foreach(tally.tell)

  private def observe(dropped: Long, report: PythonReport, seen: Versioned[Array[Int]]): Unit = {
    tally.profile(dropped)
    val dropPosition = seen.plan.indexWhere(q => (dropped >>> q & 1L) != 0L)
    val change =
      if (dropPosition < 0) shared.observePass()
      else {
        profile(dropped, dropPosition, report, seen)
        shared.observe(tuple, seen)
      }
    change.foreach(tally.tell)
    val reached = if (dropPosition < 0) seen.plan else seen.plan.take(dropPosition + 1)
    shared.account(reached.map(report.nanos(_)).sum, report.extraNanos / report.samples.length)
  }

  /** The profile tuple of a row. The worker has evaluated all predicates on it; the algorithm is told of
    * those that it asks for.
    */
  private def profile(
      dropped: Long,
      dropPosition: Int,
      report: PythonReport,
      seen: Versioned[Array[Int]]
  ): Unit = {
    val order = seen.plan
    tuple.dropPosition = dropPosition
    tuple.evaluated = 0L
    tuple.dropped = 0L
    var k = 0
    while (k < n) {
      val q = order(k)
      tuple.nanos(q) = math.max(report.nanos(q), 1L)
      tuple.evaluated |= 1L << q
      tuple.dropped |= dropped & 1L << q
      k = if (k < dropPosition) k + 1 else shared.nextPosition(seen, dropPosition, k, tuple.dropped)
    }
  }
}
