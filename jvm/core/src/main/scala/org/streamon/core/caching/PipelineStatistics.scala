package org.streamon.core.caching

/** What rows of one input cost on their way through their pipeline without caches: means over the last
  * observations (thesis, Section 5.4.2). For one row of the input, by position: the thesis's d and d * c.
  *
  * Positions are measured both as the pipeline is executed, with each look-up as early as it can be, and one
  * after the other, as a tuple comes by that maintains a cache.
  *
  * @param n
  *   positions
  * @param window
  *   W, observations kept
  */
private[core] final class PipelineStatistics(n: Int, window: Int) {
  private val rows = Array.fill(4)(new Means(n + 1, window))
  private var count = 0L

  /** Observations made, of which the last are kept. */
  def observations: Long = count

  def isComplete: Boolean = count >= window

  /** Nanoseconds in a position, as executed. */
  def nanos(position: Int): Double = rows(0)(position)

  /** Tuples that come to a position, as executed; at the end, results. */
  def tuples(position: Int): Double = rows(1)(position)

  /** Nanoseconds in a position, one after the other. */
  def nanosInTurn(position: Int): Double = rows(2)(position)

  /** Tuples that come to a position, one after the other; at the end, results. */
  def tuplesInTurn(position: Int): Double = rows(3)(position)

  /** Takes in what one row cost.
    *
    * @param order
    *   windows by position
    */
  def observe(order: Array[Int], executed: MeteredSynopses, inTurn: MeteredSynopses): Unit = {
    val slot = (count % window).toInt
    for ((meter, k) <- Seq(executed -> 0, inTurn -> 2)) {
      rows(k + 1).set(slot, 0, 1.0)
      for (p <- 0 until n) {
        rows(k).set(slot, p, meter.nanos(order(p)))
        rows(k + 1).set(slot, p + 1, meter.matches(order(p)).toDouble)
      }
    }
    count += 1
    rows.foreach(_.filled = math.min(count, window.toLong).toInt)
  }
}

/** Means by column over the rows filled. */
private final class Means(columns: Int, rows: Int) {
  private val values = Array.ofDim[Double](rows, columns)
  private val sums = new Array[Double](columns)
  var filled: Int = 0

  def set(row: Int, column: Int, value: Double): Unit = {
    sums(column) += value - values(row)(column)
    values(row)(column) = value
  }

  def apply(column: Int): Double = if (filled == 0) 0.0 else math.max(sums(column), 0.0) / filled
}
