package org.streamon.spark.execution.python

import java.util.concurrent.ConcurrentLinkedQueue

import org.streamon.core.filters.FilterSet

/** A batch of rows on its way to the worker and back. The sender writes it, and the receiver of the answer
  * reads it.
  *
  * @param ahead
  *   conjuncts that rows must pass before they are sent
  * @param functions
  *   the order that the worker is to follow: predicates on functions, counted from 0 on
  * @param behind
  *   conjuncts that rows must pass when they have come back
  * @param mostRows
  *   that are sent
  * @param sample
  *   the share of rows to profile
  * @param latest
  *   the file that may have a newer order of functions by the time that the worker comes to the batch
  * @param waits
  *   whether rows may wait in the worker for those of other batches
  */
private[python] final class Trip(
    val ahead: Array[Int],
    val functions: Array[Int],
    val behind: Array[Int],
    val mostRows: Int,
    val sample: Double,
    val latest: String,
    val waits: Boolean
) {

  /** Rows that were looked at: those sent, and those that conjuncts ahead have dropped. */
  var read = 0L
  val counts = new ConjunctCounts(ahead.length + behind.length)
  val samples = new ConcurrentLinkedQueue[ConjunctSample]

  /** Whether a sampled row is dropped before it would be sent. */
  def isDropped(sample: ConjunctSample): Boolean = ahead.exists(sample.dropped.contains)
}

/** What has been counted of conjuncts, by written position. */
private[python] final class ConjunctCounts(n: Int) {
  val evaluations, drops = new Array[Long](n)

  /** Rows that were evaluated in written order after a conjunct had raised. */
  var reevaluated = 0L

  /** Which conjunct dropped such a row, and which one had raised. */
  var guards = Set.empty[(Int, Int)]

  def clear(): Unit = {
    java.util.Arrays.fill(evaluations, 0L)
    java.util.Arrays.fill(drops, 0L)
    reevaluated = 0L
    guards = Set.empty
  }
}

/** What conjuncts say of a sampled row.
  *
  * @param dropped
  *   those that drop it
  * @param nanos
  *   of each evaluation
  */
private[python] final class ConjunctSample(val dropped: FilterSet, val nanos: Array[Long]) {

  /** What it takes to send the row; 0 when unknown. */
  var sendNanos = 0L
}
