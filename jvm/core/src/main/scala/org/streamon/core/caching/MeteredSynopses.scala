package org.streamon.core.caching

import java.util.function.LongSupplier
import org.streamon.core.joins.{Probe, Synopses}

/** Synopses that measure what each window costs.
  *
  * @param clock
  *   nanoseconds
  * @param clockNanos
  *   what reading it adds to a measurement
  */
private[core] final class MeteredSynopses(n: Int, synopses: Synopses, clock: LongSupplier, clockNanos: Double)
    extends Synopses {

  /** By window: nanoseconds in it, residual predicates of its matches included. */
  val nanos: Array[Double] = new Array[Double](n)

  /** By window: look-ups, and the matches that satisfied the residual predicates. */
  val lookUps: Array[Long] = new Array[Long](n)
  val matches: Array[Long] = new Array[Long](n)

  private var current = 0

  def clear(): Unit = {
    java.util.Arrays.fill(nanos, 0.0)
    java.util.Arrays.fill(lookUps, 0L)
    java.util.Arrays.fill(matches, 0L)
  }

  def probe(window: Int, classes: Long, from: Array[Int]): Probe =
    new Metered(window, synopses.probe(window, classes, from))

  def satisfies(residual: Int, joined: Array[Long]): Boolean = {
    val begin = clock.getAsLong
    val holds = synopses.satisfies(residual, joined)
    passed(begin)
    if (!holds) matches(current) -= 1
    holds
  }

  private def passed(begin: Long): Unit =
    nanos(current) += math.max(clock.getAsLong - begin - clockNanos, 0.0)

  private final class Metered(window: Int, probe: Probe) extends Probe {
    def first(joined: Array[Long]): Long = {
      current = window
      lookUps(window) += 1
      timed(() => probe.first(joined))
    }

    def next(row: Long, joined: Array[Long]): Long = {
      current = window
      // Each match is moved on from once, whether it was looked up now or earlier.
      matches(window) += 1
      timed(() => probe.next(row, joined))
    }

    private def timed(work: LongSupplier): Long = {
      val begin = clock.getAsLong
      val found = work.getAsLong
      passed(begin)
      found
    }
  }
}
