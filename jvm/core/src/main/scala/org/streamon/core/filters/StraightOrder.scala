package org.streamon.core.filters

import java.util.function.IntToDoubleFunction

/** Says whether the learned order pays. One order, the straight one, may be compiled as it stands; any other
  * is followed by a dispatch to each filter, which filters of a few nanoseconds feel. Both orders are priced
  * on the same sampled tuples. Not in the thesis, whose filters are all dispatched to.
  *
  * A profile that leaves filters out (Sweep, LocalSwaps) counts them as dropping nothing. That may overrate
  * what the straight order costs, never what the learned one does.
  *
  * @param straight
  *   filters by position
  * @param dispatchNanos
  *   what the dispatch to one filter costs; contained in the times of the filters
  * @param memory
  *   tuples after which an old price has lost most of its weight
  * @param learnedPaid
  *   what is believed before there is evidence
  */
final class StraightOrder(
    straight: Array[Int],
    dispatchNanos: Double,
    memory: Int,
    learnedPaid: Boolean = false
) {
  private var tuples = 0L
  private var straightNanos, learnedNanos = 0.0
  private var learnedIsAhead = learnedPaid

  /** Whether tuples had better follow the learned order. It takes over when it is ahead by a margin, and
    * loses when it no longer is, so that noise does not toss between the two.
    */
  def learnedPays: Boolean = learnedIsAhead

  /** Prices a sampled tuple.
    *
    * @param dropped
    *   the filters that drop it, a bit each; 0 when it passes all
    * @param meanNanos
    *   time of each filter, dispatch included; NaN when unknown
    */
  def observe(dropped: Long, learned: Array[Int], meanNanos: IntToDoubleFunction): Unit = {
    tuples += 1
    val weight = 1.0 / math.min(tuples, memory.toLong)
    straightNanos += (nanos(straight, dropped, meanNanos, dispatchNanos) - straightNanos) * weight
    learnedNanos += (nanos(learned, dropped, meanNanos, 0.0) - learnedNanos) * weight
    if (tuples >= StraightOrder.Evidence)
      learnedIsAhead = learnedNanos < straightNanos * (if (learnedIsAhead) 1.0 else StraightOrder.Margin)
  }

  /** What the order takes to drop or pass the tuple, less `saved` at each filter. */
  private def nanos(
      order: Array[Int],
      dropped: Long,
      meanNanos: IntToDoubleFunction,
      saved: Double
  ): Double = {
    var sum = 0.0
    var r = 0
    var alive = true
    while (alive && r < order.length) {
      val mean = meanNanos.applyAsDouble(order(r))
      if (!mean.isNaN) sum += math.max(mean - saved, 0.0)
      alive = (dropped >>> order(r) & 1L) == 0L
      r += 1
    }
    sum
  }
}

object StraightOrder {

  /** Tuples without which nothing changes. */
  private val Evidence = 32L

  /** The learned order takes over below this share of the straight one's price. */
  private val Margin = 0.97
}
