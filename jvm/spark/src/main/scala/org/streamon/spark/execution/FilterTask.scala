package org.streamon.spark.execution

import java.util.SplittableRandom

import org.streamon.core.filters.{DropProfiling, ProfileTuple}
import org.streamon.spark.metrics.FilterCounts
import org.streamon.spark.util.Clock

/** An adaptive filter in one task. Generated and interpreted code drive it row by row:
  * {{{
  * int k = 0; boolean pass = true; int[] order = task.startRow(); boolean supervised = task.supervised();
  * while (k < n) {
  *   try {
  *     pass = conjunct order[k] of the row;
  *     if (supervised) k = task.advance(k, pass); else if (pass) k++; else { task.drop(k); break; }
  *   } catch (Throwable t) { k = task.withhold(t, k); order = task.rowOrder(); supervised = true; }
  * }
  * if (supervised) pass = task.verdict();
  * }}}
  * Where there is a straight order, generated code has it without a loop, and so the first conjunct of each
  * other order; `enterRow` says which of them a row takes. A plain row costs a countdown and, when dropped,
  * one increment. A ''supervised'' row is profiled, or is evaluated again in written order after a conjunct
  * has raised.
  *
  * @param tally
  *   takes the counts
  */
final class FilterTask(
    runtime: FilterRuntime,
    shared: FilterLoop,
    tally: FilterTally,
    listener: SampleListener = SampleListener.None
) {
  import FilterTask._

  private val n = runtime.size
  private val written = Array.range(0, n)
  private val random = new SplittableRandom
  private val tuple = new ProfileTuple(n)

  private val straight = runtime.straightOrder.orNull
  private var current = shared.order
  private var entry = entryOf(current)
  private var order = current
  private var rowsLeft = 0L // plain rows before the next sample
  private var rowsAtSync = 0L
  private var sampleIsDue = shared.profilingProbability > 0
  private var mode = Plain
  private var passes = true

  // Plain rows are counted by position since the last sync, and folded into the counts by conjunct when the
  // order may change.
  private val dropsAt = new Array[Long](n)
  private val evaluations = tally.evaluations
  private val drops = tally.drops

  // The profiled row.
  private var seen = shared.current
  private var announced, started, evaluationStarted, baseNanos = 0L

  // The row that is evaluated again: who raised, whether the row was dropped already, and the cheapest conjunct
  // that drops it.
  private var raisedBy, guard = NoConjunct
  private var sampled, verdictStands = false

  for (change <- shared.compiled(runtime.straightOrder)) {
    tally.tell(change)
    adopt(shared.order)
  }

  /** Begins a row; the order to follow. */
  def startRow(): Array[Int] =
    if (rowsLeft > 0) { rowsLeft -= 1; current }
    else { look(); rowOrder }

  /** Begins a row; n when it is a plain one and follows the straight order, else the first conjunct of a
    * plain one, -1 for a supervised one. What is left of its order is in `rowOrder`.
    */
  def enterRow(): Int =
    if (rowsLeft > 0) { rowsLeft -= 1; entry }
    else { look(); if (mode == Plain) entry else NoConjunct }

  def supervised: Boolean = mode != Plain

  /** The order of the row at hand. */
  def rowOrder: Array[Int] = if (mode == Plain) current else order

  /** A plain row was dropped at position k. */
  def drop(k: Int): Unit = dropsAt(k) += 1

  /** A supervised row was evaluated at position k; the position to evaluate next, n when done. */
  def advance(k: Int, pass: Boolean): Int = if (mode == Profiling) profile(k, pass) else reevaluate(k, pass)

  /** Ends a supervised row: whether it passes. */
  def verdict(): Boolean = {
    if (mode == Profiling) endSample() else endReevaluation()
    mode = Plain
    tally.inputRows += 1
    if (passes) tally.outputRows += 1
    passes
  }

  /** A conjunct raised at position k. Out of turn its error is withheld and the row starts again in written
    * order; what that raises is raised. The position to go on from.
    */
  def withhold(error: Throwable, k: Int): Int = {
    if (RowErrors.isFatal(error)) throw error
    if (mode == Reevaluating) {
      if (passes && !verdictStands) throw error
      if (passes) passes = false
      n
    } else {
      if (mode == Plain) leavePlain(k)
      evaluations(order(k)) += 1
      tally.reevaluated += 1
      raisedBy = order(k)
      guard = NoConjunct
      sampled = mode == Profiling
      verdictStands = sampled && !tuple.dropped.isEmpty
      mode = Reevaluating
      order = written
      passes = true
      0
    }
  }

  /** Whether the next row is profiled. */
  def isSampleDue: Boolean = rowsLeft == 0L && sampleIsDue

  /** What is done from here on is done since the next row is profiled. */
  def announceSample(): Unit = announced = System.nanoTime()

  /** The order that plain rows follow. */
  def followed: Array[Int] = current

  /** What it has counted, when it evaluates no more rows. */
  def finish(): FilterTally = {
    sync()
    tally
  }

  /** Counts since the task began. Called once, when it ends. */
  def report(): FilterCounts = finish().counts(shared.order, shared.guards)

  /** Looks at the shared order, and profiles the row when a sample is due. */
  private def look(): Unit = {
    follow()
    val profile = sampleIsDue
    // A gap has no memory, so a long one may be cut short and drawn again.
    val gap = DropProfiling.gap(random, shared.profilingProbability)
    sampleIsDue = gap <= RowsBetweenLooks
    rowsLeft = math.min(gap, RowsBetweenLooks)
    rowsAtSync = rowsLeft
    if (profile) startSample() else rowsLeft -= 1
  }

  private def adopt(next: Array[Int]): Unit = {
    current = next
    entry = entryOf(next)
  }

  private def entryOf(order: Array[Int]): Int =
    if (java.util.Arrays.equals(order, straight)) n else order(0)

  /** Whether a plain row reaches position k without a dispatch. */
  private def isStraight(k: Int): Boolean = straight != null && (k == 0 || entry == n)

  private def startSample(): Unit = {
    mode = Profiling
    seen = shared.current
    order = seen.plan
    passes = true
    tuple.evaluated.clear()
    tuple.dropped.clear()
    baseNanos = 0L
    evaluationStarted = System.nanoTime()
    started = if (announced != 0L) announced else evaluationStarted
    announced = 0L
  }

  private def profile(k: Int, pass: Boolean): Int = {
    val q = order(k)
    tuple.nanos(q) = math.max(System.nanoTime() - evaluationStarted - Clock.Nanos, LeastNanos) + DispatchNanos
    tuple.evaluated.add(q)
    evaluations(q) += 1
    if (passes) {
      baseNanos += tuple.nanos(q) - (if (isStraight(k)) DispatchNanos else 0L)
      if (!pass) {
        passes = false
        tuple.dropPosition = k
        drops(q) += 1
      }
    }
    if (!pass) tuple.dropped.add(q)
    val next = if (passes) k + 1 else shared.nextPosition(seen, tuple.dropPosition, k, tuple.dropped)
    evaluationStarted = System.nanoTime()
    next
  }

  private def endSample(): Unit = {
    tally.profile(tuple.dropped)
    (if (passes) shared.observePass() else shared.observe(tuple, seen)).foreach { change =>
      tally.tell(change)
      follow()
    }
    listener.profiled(tuple)
    account()
  }

  private def account(): Unit = shared.account(baseNanos, System.nanoTime() - started - baseNanos)

  private def reevaluate(k: Int, pass: Boolean): Int = {
    evaluations(k) += 1
    if (!pass) {
      if (passes && !verdictStands) drops(k) += 1
      passes = false
      // Of all that drop such a row the cheapest becomes the guard of the conjunct that raised.
      if (k < raisedBy && (guard == NoConjunct || cost(k) < cost(guard))) guard = k
    }
    if (!passes && k + 1 >= raisedBy) n else k + 1
  }

  private def endReevaluation(): Unit = {
    if (verdictStands) passes = false
    if (guard != NoConjunct) {
      shared.guard(guard, raisedBy).foreach(tally.tell)
      // Another task may have learned the guard before, and this one not have looked since.
      follow()
      listener.guarded(guard, raisedBy)
    }
    if (sampled) account()
  }

  private def cost(q: Int): Double = {
    val mean = shared.meanNanos(q)
    if (mean.isNaN) runtime.initialOrder.indexOf(q).toDouble else mean
  }

  /** The shared order holds from the next row on. */
  private def follow(): Unit = {
    sync()
    adopt(shared.order)
  }

  /** The plain row at hand raised at position k: it no longer counts as plain. */
  private def leavePlain(k: Int): Unit = {
    rowsAtSync -= 1
    order = current
    for (position <- 0 until k) evaluations(order(position)) += 1
  }

  private def sync(): Unit = {
    val rows = rowsAtSync - rowsLeft
    var reach = rows
    var k = 0
    while (k < n) {
      evaluations(current(k)) += reach
      drops(current(k)) += dropsAt(k)
      reach -= dropsAt(k)
      dropsAt(k) = 0L
      k += 1
    }
    tally.inputRows += rows
    tally.outputRows += reach
    rowsAtSync = rowsLeft
  }
}

object FilterTask {
  private val Plain = 0
  private val Profiling = 1
  private val Reevaluating = 2
  private val NoConjunct = -1

  /** Nanoseconds that an evaluation takes at least, with the columns that it reads: less is not seen by the
    * clock, whose noise must not rank conjuncts that cost next to nothing.
    */
  private val LeastNanos = 4L

  /** Nanoseconds that it takes to reach a conjunct through the order array. */
  val DispatchNanos = 4L

  /** Rows between two looks at the shared order, at most. */
  private val RowsBetweenLooks = 8192L
}
