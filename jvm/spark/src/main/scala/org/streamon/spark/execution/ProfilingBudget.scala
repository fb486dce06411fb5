package org.streamon.spark.execution

/** Limits the time for sampled rows to a share of the time for all rows.
  *
  * @param most
  *   the largest share of rows to sample
  * @param budget
  *   the share of the time of all rows that profiling may add
  */
final class ProfilingBudget(most: Double, budget: Double) {
  import ProfilingBudget._

  @volatile private var pace = most
  @volatile private var samples = 0L
  private var baseNanos, extraNanos = 0.0

  /** The share of rows to sample. */
  def probability: Double = pace

  /** Whether too little has been sampled to know what it costs. */
  def warmsUp: Boolean = samples < WarmUp

  /** @param base
    *   nanoseconds that the sampled row would have taken anyway
    * @param extra
    *   nanoseconds that profiling it added
    */
  def account(base: Long, extra: Long): Unit = {
    samples += 1
    baseNanos = towardsMedian(baseNanos, base.toDouble)
    extraNanos = towardsMedian(extraNanos, extra.toDouble)
    if (!warmsUp) pace = math.min(most, budget * baseNanos / extraNanos)
  }
}

private object ProfilingBudget {

  /** Samples taken at full pace before the budget is applied. */
  val WarmUp = 64L

  /** How far an estimate moves with a sample. */
  private val Step = 1.05

  /** Follows the median: a pause of the machine moves it by one step, and code that is compiled meanwhile is
    * believed within some dozens of samples.
    */
  def towardsMedian(estimate: Double, sample: Double): Double =
    if (estimate == 0.0) math.max(sample, 1.0)
    else if (sample > estimate) estimate * Step
    else math.max(estimate / Step, 1.0)
}
