package org.streamon.core.selections

import org.streamon.core.filters.TimeHistogram
import org.streamon.core.loop.Profiler

/** The Profiler of a filter bank: for each condition its drop rate, its time, and how many rules of a row ask
  * for it, in sampled rows. Older samples of a condition count less and less. Not thread-safe.
  *
  * @param conditions
  *   how many there are
  */
private[selections] final class BankProfile(conditions: Int) extends Profiler[BankSample] {
  import BankProfile._

  private val evaluated, dropped, uses = new Array[Double](conditions)
  private val times = new Array[TimeHistogram](conditions)

  override def offer(sample: BankSample): Unit = {
    var k = 0
    while (k < sample.size) {
      val condition = sample.evaluated(k)
      if (times(condition) == null) times(condition) = new TimeHistogram
      evaluated(condition) += 1
      if (sample.isDropped(condition)) dropped(condition) += 1
      uses(condition) += sample.uses(condition)
      times(condition).add(sample.nanos(condition))
      if (evaluated(condition) >= Window) fade(condition)
      k += 1
    }
  }

  private def fade(condition: Int): Unit = {
    for (counts <- Seq(evaluated, dropped, uses)) counts(condition) /= 2
    times(condition).fade()
  }

  /** Whether enough sampled rows have evaluated a condition. */
  def knows(condition: Int): Boolean = evaluated(condition) >= Evidence

  /** Sampled rows that have evaluated a condition, older ones with less weight. */
  def weight(condition: Int): Double = evaluated(condition)

  /** Share of the sampled rows for which a condition is not true; NaN when it has not been evaluated. */
  def dropRate(condition: Int): Double = dropped(condition) / evaluated(condition)

  /** Mean nanoseconds; NaN when it has not been evaluated. */
  def meanNanos(condition: Int): Double = if (times(condition) == null) Double.NaN else times(condition).mean

  /** Nanoseconds for each rule of a row that has a condition: an evaluation serves all of them. */
  def sharedNanos(condition: Int): Double = meanNanos(condition) * evaluated(condition) / uses(condition)

  /** Rules that a condition is expected to decide in a nanosecond. */
  def score(condition: Int): Double = dropRate(condition) / sharedNanos(condition)
}

private object BankProfile {

  /** Samples of a condition after which all of them count half. */
  val Window = 512.0

  /** Evaluations without which nothing is known. */
  val Evidence = 32.0
}
