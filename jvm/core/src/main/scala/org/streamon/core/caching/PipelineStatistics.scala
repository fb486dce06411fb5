package org.streamon.core.caching

/** What rows of one input cost on their way through their pipeline without caches: means over the last
  * observations (thesis, Section 5.4.2). For one row of the input, by position: the thesis's d and d * c.
  *
  * Positions are measured both as the pipeline is executed, with each look-up as early as it can be, and one
  * after the other, as a tuple comes by that maintains a cache.
  *
  * @param n
  *   positions
  * @param residuals
  *   residual predicates
  * @param window
  *   W, observations kept
  */
private[core] final class PipelineStatistics(n: Int, residuals: Int, window: Int) {
  private val executedNanos, executedTuples, nanosOneByOne, tuplesOneByOne = new Means(n + 1, window)
  private val residualNanos, evaluations, held = new Means(residuals, window)
  private var count = 0L

  /** Observations made, of which the last are kept. */
  def observations: Long = count

  /** Nanoseconds in a position, as executed. */
  def nanos(position: Int): Double = executedNanos(position)

  /** Tuples that come to a position, as executed; at the end, results. */
  def tuples(position: Int): Double = executedTuples(position)

  /** Nanoseconds in a position, one after the other. */
  def nanosInTurn(position: Int): Double = nanosOneByOne(position)

  /** Tuples that come to a position, one after the other; at the end, results. */
  def tuplesInTurn(position: Int): Double = tuplesOneByOne(position)

  /** Nanoseconds of one evaluation of a residual predicate; 0 where none is known. */
  def nanosOfOne(residual: Int): Double = ratio(residualNanos(residual), evaluations(residual), 0.0)

  /** Share of the evaluations of a residual predicate that hold; 1 where none is known. */
  def passing(residual: Int): Double = ratio(held(residual), evaluations(residual), 1.0)

  /** Takes in what one row cost.
    *
    * @param order
    *   windows by position
    */
  def observe(order: Array[Int], executed: MeteredSynopses, inTurn: MeteredSynopses): Unit = {
    val slot = (count % window).toInt
    executedTuples.set(slot, 0, 1.0)
    tuplesOneByOne.set(slot, 0, 1.0)
    for (p <- 0 until n) {
      executedNanos.set(slot, p, executed.nanos(order(p)))
      executedTuples.set(slot, p + 1, executed.matches(order(p)).toDouble)
      nanosOneByOne.set(slot, p, inTurn.nanos(order(p)))
      tuplesOneByOne.set(slot, p + 1, inTurn.matches(order(p)).toDouble)
    }
    for (k <- 0 until residuals) {
      residualNanos.set(slot, k, inTurn.residualNanos(k))
      evaluations.set(slot, k, inTurn.evaluations(k).toDouble)
      held.set(slot, k, inTurn.held(k).toDouble)
    }
    count += 1
  }

  private def ratio(of: Double, over: Double, unknown: Double) = if (over == 0.0) unknown else of / over
}

/** Means by column over the rows that were set. */
private final class Means(columns: Int, rows: Int) {
  private val values = Array.ofDim[Double](rows, columns)
  private val sums = new Array[Double](columns)
  private var filled = 0

  def set(row: Int, column: Int, value: Double): Unit = {
    filled = math.max(filled, row + 1)
    sums(column) += value - values(row)(column)
    values(row)(column) = value
  }

  def apply(column: Int): Double = if (filled == 0) 0.0 else math.max(sums(column), 0.0) / filled
}
