package org.streamon.lab.baselines.constraints

/** One result, while it is given out: a tuple of each input. */
trait JoinResult {

  /** The value in a column that is joined or projected.
    *
    * @throws IllegalArgumentException
    *   when the column is not kept
    */
  def value(input: Int, column: Int): Long
}

/** Takes results. What it is given holds for the call only, in which no tuple may arrive. */
trait ResultSink {
  def added(result: JoinResult): Unit
}
