package org.streamon.spark.execution.python

import org.json4s.{DefaultFormats, Formats}
import org.json4s.jackson.JsonMethods.parse

/** What the worker tells of one batch (`profile.py`). Arrays by written position.
  *
  * @param passed
  *   rows that pass all predicates
  * @param evaluations
  *   of rows in turn, and of sampled rows out of turn
  * @param drops
  *   in turn
  * @param nanos
  *   mean nanoseconds of an evaluation; 0 when unknown
  * @param samples
  *   for each sampled row the predicates that drop it, a bit each
  * @param extraNanos
  *   that evaluations out of turn took
  * @param reevaluated
  *   rows that were evaluated as Spark does, since a function had raised on one of them
  * @param raised
  *   the predicate that had
  */
private[python] final case class PythonReport(
    rows: Long,
    passed: Long,
    evaluations: Array[Long],
    drops: Array[Long],
    nanos: Array[Long],
    samples: Array[Long],
    extraNanos: Long,
    reevaluated: Long,
    raised: Option[Int]
)

private[python] object PythonReport {
  private implicit val formats: Formats = DefaultFormats

  def apply(json: String): PythonReport = parse(json).extract[PythonReport]
}
