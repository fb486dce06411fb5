package org.streamon.core.filters

import java.util.function.IntToDoubleFunction

/** Says whether the learned order pays. One order, the straight one, may be compiled as it stands; any other
  * is followed by a dispatch to each filter but the first, which filters of a few nanoseconds feel. Both
  * orders are priced on the same sampled tuples; when the learned order changes, old ones soon count little.
  * Not in the thesis, whose filters are all dispatched to.
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
final class StraightLineOrder(
    straight: Array[Int],
    dispatchNanos: Double,
    memory: Int,
    learnedPaid: Boolean = false
) {
  private var learned = straight
  private var tuples = 0L
  private var straightMean, learnedMean = 0.0
  private var learnedIsAhead = learnedPaid

  /** Whether tuples had better follow the learned order. It takes over when it is ahead by a margin of three
    * hundredths, and loses when it no longer is ahead, so that noise does not toss between the two.
    */
  def learnedPays: Boolean = learnedIsAhead

  /** Mean nanoseconds that a tuple takes in the straight order, run straight; 0 before the first. */
  def straightNanos: Double = straightMean

  /** Mean nanoseconds that a tuple takes in the learned order, dispatch included; 0 before the first. */
  def learnedNanos: Double = learnedMean

  /** Prices a sampled tuple.
    *
    * @param dropped
    *   the filters that drop it; none when it passes all
    * @param order
    *   the learned order; the same array as long as it does not change
    * @param meanNanos
    *   time of each filter, dispatch included; NaN when unknown
    */
  def observe(dropped: FilterSet, order: Array[Int], meanNanos: IntToDoubleFunction): Unit = {
    if (order ne learned) {
      learned = order
      tuples = math.min(tuples, StraightLineOrder.Evidence) // so that what the old one cost is soon forgotten
    }
    tuples += 1
    val weight = 1.0 / math.min(tuples, memory.toLong)
    straightMean += (nanos(straight, dropped, meanNanos, straight.length) - straightMean) * weight
    learnedMean += (nanos(learned, dropped, meanNanos, 1) - learnedMean) * weight
    if (tuples >= StraightLineOrder.Evidence)
      learnedIsAhead = learnedMean < straightMean * (if (learnedIsAhead) 1.0 else StraightLineOrder.Margin)
  }

  /** What the order takes to drop or pass the tuple, when the first `direct` filters need no dispatch. */
  private def nanos(
      order: Array[Int],
      dropped: FilterSet,
      meanNanos: IntToDoubleFunction,
      direct: Int
  ): Double = {
    var sum = 0.0
    var r = 0
    var alive = true
    while (alive && r < order.length) {
      val mean = meanNanos.applyAsDouble(order(r))
      if (!mean.isNaN) sum += math.max(if (r < direct) mean - dispatchNanos else mean, 0.0)
      alive = !dropped.contains(order(r))
      r += 1
    }
    sum
  }
}

object StraightLineOrder {

  /** Tuples without which nothing changes. */
  private val Evidence = 64L

  /** The learned order takes over below this share of the straight one's price. */
  private val Margin = 0.97
}
