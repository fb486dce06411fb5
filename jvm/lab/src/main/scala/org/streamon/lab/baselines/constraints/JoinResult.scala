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

  /** Only where results are taken back, see [[OutputMode]]. */
  def removed(result: JoinResult): Unit
}

/** What comes out of a join under windows. The thesis proves its eliminations for new results only; these
  * modes settle what it leaves open.
  */
sealed trait OutputMode

object OutputMode {

  /** Results once they are there. All eliminations are on. */
  case object Inserts extends OutputMode

  /** And again when a tuple leaves its window. For this all Yes tuples are kept, up to their windows' ends.
    */
  case object InsertsAndDeletes extends OutputMode
}
