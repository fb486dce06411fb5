package org.streamon.spark.execution.python

import org.json4s.{DefaultFormats, Formats}
import org.json4s.jackson.JsonMethods.parse

/** The report of the worker on one batch (`profile.py`). Arrays are by predicate, in written order.
  *
  * @param evaluations
  *   of rows in turn, and of sampled rows out of turn
  * @param drops
  *   in turn
  * @param nanos
  *   mean nanoseconds of an evaluation; 0 when unknown
  * @param totalNanos
  *   of all evaluations
  * @param samples
  *   for each sampled row the predicates that drop it, a bit each of an integer as long as it takes; -1 when
  *   one raises on it
  * @param extraNanos
  *   that evaluations out of turn took
  * @param tripNanos
  *   of the worker's processor time, to answer the batch before and to read this one
  * @param reevaluated
  *   rows that were evaluated as Spark does, since a function had raised on one of them
  * @param raised
  *   the predicate that had
  * @param unresolved
  *   whether a function has raised and the rows are to be looked at again, conjuncts first
  */
private[python] final case class PythonReport(
    rows: Long,
    evaluations: Array[Long],
    drops: Array[Long],
    nanos: Array[Long],
    totalNanos: Array[Long],
    samples: Array[BigInt],
    extraNanos: Long,
    tripNanos: Long,
    reevaluated: Long,
    raised: Option[Int],
    unresolved: Boolean
)

private[python] object PythonReport {
  private implicit val formats: Formats = DefaultFormats

  def apply(json: String): PythonReport = parse(json).extract[PythonReport]
}
