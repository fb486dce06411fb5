package org.streamon.core.caching

import java.util.function.LongSupplier
import org.streamon.core.joins.{Bits, JoinGraph, Probe, Synopses}

/** Synopses that measure what each window of a pipeline costs.
  *
  * @param order
  *   the pipeline's windows by position
  * @param clock
  *   nanoseconds
  * @param clockNanos
  *   what reading it adds to a measurement
  */
private[core] final class MeteredSynopses(
    graph: JoinGraph,
    order: Array[Int],
    synopses: Synopses,
    clock: LongSupplier,
    clockNanos: Double
) extends Synopses {

  /** By window: nanoseconds in it, residual predicates of its matches included. */
  val nanos: Array[Double] = new Array[Double](graph.n)

  /** By window: the matches that satisfied the residual predicates. */
  val matches: Array[Long] = new Array[Long](graph.n)

  /** By residual predicate: nanoseconds, evaluations, and how many of these held. */
  val residualNanos: Array[Double] = new Array[Double](graph.residuals.size)
  val evaluations: Array[Long] = new Array[Long](graph.residuals.size)
  val held: Array[Long] = new Array[Long](graph.residuals.size)

  /** By residual predicate, the window whose matches it is checked on: the last in the pipeline. */
  private val checkedOn =
    graph.residuals.map(inputs => order.filter(Bits.contains(inputs, _)).last).toArray

  def clear(): Unit = {
    java.util.Arrays.fill(nanos, 0.0)
    java.util.Arrays.fill(matches, 0L)
    java.util.Arrays.fill(residualNanos, 0.0)
    java.util.Arrays.fill(evaluations, 0L)
    java.util.Arrays.fill(held, 0L)
  }

  /** Makes of the times shares of what all took together: of at most four times as much, beyond which
    * something else had the processor.
    */
  def scale(took: Double): Unit = {
    val sum = nanos.sum
    if (sum > 0.0) {
      val share = math.min(took / sum, 4.0)
      nanos.indices.foreach(nanos(_) *= share)
      residualNanos.indices.foreach(residualNanos(_) *= share)
    }
  }

  def probe(window: Int, classes: Long, from: Array[Int]): Probe =
    new Metered(window, synopses.probe(window, classes, from))

  def satisfies(residual: Int, joined: Array[Long]): Boolean = {
    val begin = clock.getAsLong
    val holds = synopses.satisfies(residual, joined)
    val took = since(begin)
    val window = checkedOn(residual)
    nanos(window) += took
    residualNanos(residual) += took
    evaluations(residual) += 1
    if (holds) held(residual) += 1 else matches(window) -= 1
    holds
  }

  private def since(begin: Long): Double = math.max(clock.getAsLong - begin - clockNanos, 0.0)

  private final class Metered(window: Int, probe: Probe) extends Probe {
    def first(joined: Array[Long]): Long = {
      val begin = clock.getAsLong
      val row = probe.first(joined)
      nanos(window) += since(begin)
      row
    }

    // Each match is moved on from once, or passed over, whether it was looked up now or earlier.
    override def passedOver(): Unit = matches(window) += 1

    def next(row: Long, joined: Array[Long]): Long = {
      matches(window) += 1
      val begin = clock.getAsLong
      val found = probe.next(row, joined)
      nanos(window) += since(begin)
      found
    }
  }
}
