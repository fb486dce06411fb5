package org.streamon.spark.execution.python

import java.util.SplittableRandom
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.streamon.core.filters.ProfileTuple
import org.streamon.spark.execution.{FilterLoop, FilterRuntime, FilterTally}
import org.streamon.spark.metrics.FilterCounts

/** The adaptive loop of a filter of Python predicates in one task. It chooses the order of the next batch,
  * and receives the profile of answered batches. Written positions are those of the conjuncts without
  * functions, then those of the predicates on functions.
  *
  * @param levels
  *   by predicate: Spark calls it for rows that pass those of lower levels
  * @param keepsBatches
  *   whether a function sees which rows are a batch: they are those of Spark's then
  * @param adapts
  *   false where all is to be called as Spark calls it
  * @param latest
  *   tells the worker of a new order
  */
private[python] final class PythonFilterTask(
    conjuncts: Int,
    levels: IndexedSeq[Int],
    metrics: PythonFilterMetrics,
    keepsBatches: Boolean,
    adapts: Boolean,
    latest: LatestOrder,
    shared: FilterLoop,
    origin: FilterRuntime.Origin
) extends Trips {
  import PythonFilterTask._

  private val n = conjuncts + levels.size
  private val tally = new FilterTally(origin, n)
  private val tuple = new ProfileTuple(n)
  (0 until n).foreach(tuple.evaluated.add) // each sampled row is by all of them
  private val begun = new ConcurrentLinkedQueue[Trip]
  @volatile private var trips = 0

  // Of the last batch that was answered.
  @volatile private var batchRows = UsualRows
  // Rows to sample that no batch has been sampled for. Of many short tasks some begin with nearly enough.
  private var due = new SplittableRandom().nextDouble() * FewestSamples

  override val counts = new ConjunctCounts(conjuncts)

  override def begin(): Trip = {
    val trip = if (adapts) adaptive() else written(conjuncts)
    begun.add(trip)
    trips += 1
    trip
  }

  private def adaptive(): Trip = {
    val order = shared.order
    val ahead = order.takeWhile(_ < conjuncts)
    val isFresh = shared.isFresh && shared.profilingProbability > 0
    val beginsSmall = isFresh && !keepsBatches
    new Trip(
      ahead,
      functionsOf(order),
      order.drop(ahead.length + levels.size),
      if (beginsSmall) FirstRows << math.min(trips / 2, 10) else Int.MaxValue,
      if (beginsSmall && trips == 0) math.min(shared.profilingProbability * FirstSamples, 1.0)
      else sampleOf(shared.profilingProbability),
      latest.path,
      waits = !isFresh
    )
  }

  /** The share of a batch to sample. Out of turn a function is called once for the sampled rows of a batch,
    * which takes about as long for one row as for some dozens: rather than few of each batch, more of some.
    */
  private def sampleOf(probability: Double): Double =
    if (batchRows < WideFrom) probability
    else {
      due += probability * batchRows
      if (due < FewestSamples) 0.0
      else {
        val share = math.min(due / batchRows, 1.0)
        due = 0.0
        share
      }
    }

  private def functionsOf(order: Array[Int]) = order.filter(_ >= conjuncts).map(_ - conjuncts)

  /** As Spark evaluates it. */
  private def written(ahead: Int) =
    new Trip(Array.range(0, ahead), levels.indices.toArray, Array.empty, Int.MaxValue, 0.0, "", waits = false)

  override def answered(report: PythonReport): Trip = {
    val trip = begun.remove()
    read(trip)
    add(counts)
    count(report)
    batchRows = math.max(report.rows, 1L)
    if (!report.unresolved) {
      report.raised.foreach(guard)
      observe(trip, report)
    }
    if (adapts && !begun.isEmpty) latest.publish(trips, functionsOf(shared.order))
    trip
  }

  override def passed(): Unit = tally.outputRows += 1

  override object rescue extends Trips {
    override def counts: ConjunctCounts = PythonFilterTask.this.counts
    override def begin(): Trip = written(ahead = 0)
    override def answered(report: PythonReport): Trip = {
      count(report)
      report.raised.foreach(guard)
      begin()
    }
    override def passed(): Unit = PythonFilterTask.this.passed()
    override def rescue: Trips = this
    override def rescued(trip: Trip, report: PythonReport, found: ConjunctCounts): Unit = ()
  }

  /** Conjuncts that drop rows of a batch on which a function raises stay ahead of it. */
  override def rescued(trip: Trip, report: PythonReport, found: ConjunctCounts): Unit = {
    tally.reevaluated += report.rows
    // A guard of one function is one of all. That may have raised which is only read above.
    for (q <- trip.behind if found.drops(q) > 0)
      shared.guard(q, conjuncts + report.raised.getOrElse(0)).foreach(tally.tell)
    add(found)
  }

  /** Counts since the task began. Called once, when it ends. */
  def report(): FilterCounts = {
    begun.forEach(read(_))
    add(counts)
    for (q <- 0 until conjuncts) {
      val nanos = shared.meanNanos(q)
      if (!nanos.isNaN) metrics.predicates(q) += (tally.evaluations(q) * nanos).toLong
    }
    tally.counts(shared.order, shared.guards)
  }

  private def read(trip: Trip): Unit = {
    tally.inputRows += trip.read
    add(trip.counts)
  }

  /** Takes over what has been counted. */
  private def add(counted: ConjunctCounts): Unit = {
    for (q <- 0 until conjuncts) {
      tally.evaluations(q) += counted.evaluations(q)
      tally.drops(q) += counted.drops(q)
    }
    tally.reevaluated += counted.reevaluated
    for ((first, second) <- counted.guards) shared.guard(first, second).foreach(tally.tell)
    counted.clear()
  }

  private def count(report: PythonReport): Unit = {
    for (f <- levels.indices) {
      tally.evaluations(conjuncts + f) += report.evaluations(f)
      tally.drops(conjuncts + f) += report.drops(f)
      metrics.predicates(conjuncts + f) += report.totalNanos(f)
    }
    metrics.trip += report.tripNanos
    tally.reevaluated += report.reevaluated
  }

  /** A predicate raised, and as Spark evaluates it it does not: it stays behind all that come before it
    * there.
    */
  private def guard(raised: Int): Unit =
    for (f <- levels.indices if levels(f) < levels(raised))
      shared.guard(conjuncts + f, conjuncts + raised).foreach(tally.tell)

  private def observe(trip: Trip, report: PythonReport): Unit = {
    val extra = report.extraNanos / math.max(report.samples.length, 1)
    for ((sample, functions) <- trip.samples.asScala.zip(report.samples) if functions.signum >= 0) {
      profile(sample, functions, report)
      tally.profile(tuple.dropped)
      // All predicates have been evaluated: what is found is true of any order.
      val change = if (tuple.dropped.isEmpty) shared.observePass() else shared.observe(tuple, shared.current)
      change.foreach(tally.tell)
      account(extra)
    }
  }

  /** @param functions
    *   that drop the row, a bit each
    */
  private def profile(sample: ConjunctSample, functions: BigInt, report: PythonReport): Unit = {
    tuple.dropped.clear()
    for (q <- 0 until conjuncts) {
      if (sample.dropped.contains(q)) tuple.dropped.add(q)
      tuple.nanos(q) = sample.nanos(q)
    }
    for (f <- levels.indices) {
      if (functions.testBit(f)) tuple.dropped.add(conjuncts + f)
      tuple.nanos(conjuncts + f) = math.max(report.nanos(f), 1L)
    }
    tuple.blockNanos = sample.sendNanos + report.tripNanos / math.max(report.rows, 1L)
  }

  /** @param extra
    *   nanoseconds that the worker takes for a sampled row out of turn
    */
  private def account(extra: Long): Unit = {
    val order = shared.order
    val turn = order.indexWhere(tuple.dropped.contains) match {
      case -1 => n
      case k  => k + 1
    }
    val (inTurn, out) = order.splitAt(turn)
    val isSent = inTurn.exists(_ >= conjuncts)
    shared.account(
      inTurn.map(tuple.nanos(_)).sum + (if (isSent) tuple.blockNanos else 0L),
      out.filter(_ < conjuncts).map(tuple.nanos(_)).sum + extra + (if (isSent) 0L else tuple.blockNanos)
    )
  }
}

private object PythonFilterTask {

  /** Of a filter of which nothing is known the first batches are small, and the first is sampled so many
    * times as much: few rows follow an order that may be the worst.
    */
  val FirstRows = 250
  val FirstSamples = 40

  /** Of a batch that is sampled, where batches have so many rows that these are few of them. */
  val FewestSamples = 32
  val WideFrom = 1000L

  /** Spark's default for a batch. */
  val UsualRows = 10000L
}
