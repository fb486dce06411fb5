package org.streamon.core.filters

import java.util.random.RandomGenerator

/** Decides which tuples are sampled: each with the drop-profiling probability p, independently. The coin is
  * drawn before the tuple is evaluated, so that times can be taken from the first filter on; of the sampled
  * tuples, those that are dropped become profile tuples. It draws the gap to the next sample (geometric) and
  * counts it down, so a tuple that is not sampled costs one decrement.
  *
  * @param random
  *   where the gaps come from
  * @param p
  *   probability, 0 to 1
  */
final class DropProfiling(random: RandomGenerator, p: Double) {
  private var current = Double.NaN
  private var gap = 0L
  probability = p

  def probability: Double = current

  /** Changes p from the next tuple on. Cheap, and a gap has no memory, so it may be called as often as a
    * budget asks.
    *
    * @throws IllegalArgumentException
    *   outside 0 to 1
    */
  def probability_=(p: Double): Unit = {
    require(p >= 0.0 && p <= 1.0, s"profiling probability $p: allowed is 0 to 1")
    if (p != current) {
      current = p
      gap = drawGap()
    }
  }

  /** Whether the next tuple is sampled. */
  def sample(): Boolean =
    if (gap > 0L) {
      gap -= 1L
      false
    } else if (current == 0.0) false
    else {
      gap = drawGap()
      true
    }

  private def drawGap(): Long = DropProfiling.gap(random, current)
}

object DropProfiling {

  /** How many tuples to leave out before the next sample, when each is sampled with probability p: a
    * geometric draw. For callers that keep the countdown themselves, such as generated code.
    */
  def gap(random: RandomGenerator, p: Double): Long =
    if (p >= 1.0) 0L
    else if (p <= 0.0) Long.MaxValue
    else math.floor(math.log1p(-random.nextDouble()) / math.log1p(-p)).toLong
}
