package org.streamon.spark.execution.python

/** Decides how the batches of one task are evaluated, and receives the reports on them. */
private[python] trait Trips {

  /** Of conjuncts that are evaluated for rows that have come back. */
  def counts: ConjunctCounts

  /** How the next batch is to be evaluated. */
  def begin(): Trip

  /** The batch that has been on its way for longest is answered. */
  def answered(report: PythonReport): Trip

  /** A row passes the whole filter. */
  def passed(): Unit

  /** For a batch that is evaluated again, of which conjuncts have been evaluated. */
  def rescue: Trips

  /** Such a batch has been evaluated.
    *
    * @param found
    *   what conjuncts have dropped of it
    */
  def rescued(trip: Trip, report: PythonReport, found: ConjunctCounts): Unit
}
