package org.streamon.core.selections

import org.streamon.core.loop.Profiler

/** The Profiler of a filter bank: for each condition its drop rate, its time, and how many rules of a row ask
  * for it, in sampled rows. Older rows count less and less. Not thread-safe.
  *
  * @param conditions
  *   how many there are
  */
private[selections] final class BankProfile(conditions: Int) extends Profiler[BankSample] {
  private val evaluated, dropped, nanos, uses = new Array[Double](conditions)
  private var rows = 0

  override def offer(sample: BankSample): Unit = {
    var k = 0
    while (k < sample.size) {
      val condition = sample.evaluated(k)
      evaluated(condition) += 1
      if (sample.isDropped(condition)) dropped(condition) += 1
      nanos(condition) += sample.nanos(condition)
      uses(condition) += sample.uses(condition)
      k += 1
    }
    rows += 1
    if (rows == BankProfile.Window) fade()
  }

  private def fade(): Unit = {
    rows = 0
    for (counts <- Seq(evaluated, dropped, nanos, uses); c <- counts.indices) counts(c) /= 2
  }

  /** Whether enough sampled rows have evaluated a condition. */
  def knows(condition: Int): Boolean = evaluated(condition) >= BankProfile.Evidence

  /** Share of the sampled rows for which a condition is not true; NaN when it has not been evaluated. */
  def dropRate(condition: Int): Double = dropped(condition) / evaluated(condition)

  /** Mean nanoseconds; NaN when it has not been evaluated. */
  def meanNanos(condition: Int): Double = nanos(condition) / evaluated(condition)

  /** Rules that a condition is expected to decide in a nanosecond. An evaluation serves all rules of the row
    * that have the condition.
    */
  def score(condition: Int): Double = {
    val usesOfRow = uses(condition) / evaluated(condition)
    dropRate(condition) * usesOfRow / math.max(meanNanos(condition), 1.0)
  }
}

private object BankProfile {

  /** Sampled rows after which all that came before counts half. */
  val Window = 1000

  /** Evaluations without which nothing is known. */
  val Evidence = 32.0
}
